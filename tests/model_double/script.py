"""What the double answers: replies, faults, and ready-made players."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


@dataclass(frozen=True)
class Recorded:
    """A request as it arrived. `schema_name` is set where a JSON schema was asked for."""

    role: str
    run: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def system(self) -> str:
        return self._text_of("system")

    @property
    def prompt(self) -> str:
        return self._text_of("user")

    @property
    def response_format(self) -> str | None:
        return self.body.get("response_format", {}).get("type")

    @property
    def schema_name(self) -> str | None:
        return self.body.get("response_format", {}).get("json_schema", {}).get("name")

    def _text_of(self, role: str) -> str:
        return "\n".join(m["content"] for m in self.body["messages"] if m["role"] == role)


@dataclass(frozen=True)
class Reply:
    """A completion. `usage` is `(prompt_tokens, completion_tokens)`, `None` for a server that does not count.

    `content` may be anything a server might put there: a text, `None`, a list of parts. `delay` is in seconds.
    """

    content: Any
    usage: tuple[int, int] | None = None
    finish_reason: str = "stop"
    refusal: str | None = None
    content_type: str = "application/json"
    delay: float = 0.0


class Break(StrEnum):
    """Ways to let a client down on the wire."""

    DROP_BEFORE_ANSWER = "drop before answer"
    DROP_IN_BODY = "drop in body"
    HANG = "hang"
    HANG_IN_BODY = "hang in body"
    ENDLESS_BODY = "endless body"


@dataclass(frozen=True)
class Fault:
    """An HTTP answer that is no completion; with `wire`, not even that."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    content_type: str = "application/json"
    wire: Break | None = None


Step = str | Reply | Fault
Player = Callable[[Recorded], Step]


def error(status: int, message: str = "", headers: dict[str, str] | None = None, **more: Any) -> Fault:
    """An error in OpenAI's shape; `more` stands beside it in the document."""
    document = {"error": {"message": message, "type": "error"}} | more
    return Fault(status, json.dumps(document).encode(), headers or {})


def html(status: int = 200) -> Fault:
    """The page a proxy shows."""
    return Fault(status, b"<!DOCTYPE html><html><body>Welcome</body></html>", content_type="text/html")


TRUNCATED_JSON = Fault(body=b'{"id": "1", "choices": [{"message": {"content": "cut o')
EMPTY = Reply("")
HANG = Fault(wire=Break.HANG)


def huge(characters: int) -> Reply:
    """A reply of that many characters."""
    return Reply("x" * characters)


def diagnosis(**fields: Any) -> str:
    """The JSON text of an answer that is data."""
    return json.dumps(fields)


def always(step: Step) -> Player:
    """The same each time."""
    return lambda request: step


def sequence(steps: Sequence[Step]) -> Player:
    """One after the other; the last is repeated."""
    left = list(steps)
    return lambda request: left.pop(0) if len(left) > 1 else left[0]


def slow(text: str, seconds: float) -> Player:
    """The same each time, after a while."""
    return always(Reply(text, delay=seconds))


def by_role(**players: Player | Step) -> Player:
    """One player for each role; a dot in a role is written `_`: `repairer_patch=...`."""

    def play(request: Recorded) -> Step:
        step = players[request.role.replace(".", "_")]
        return step(request) if callable(step) else step

    return play


def garbage(seed: int) -> Player:
    """Whatever a confused server or model sends, reproducibly."""
    dice = random.Random(seed)
    deep = b"[" * 100_000
    bodies = [b"", b"null", b"[]", b"{}", b"\xff\xfe\x00", deep, b'{"choices": []}', b'{"choices": [{"message": 3}]}']

    def play(request: Recorded) -> Step:
        return dice.choice(
            [
                Fault(body=dice.choice(bodies)),
                Fault(body=dice.randbytes(dice.randrange(2000))),
                Reply(dice.choice([None, 7, {}, [], [{"type": "text"}], "\ud800", "}{", "```", "<think>"])),
                Reply("ok", usage=(-1, 10**30), finish_reason="nonsense"),
                html(),
                TRUNCATED_JSON,
            ]
        )

    return play


def taking_only(formats: Sequence[str], player: Player) -> Player:
    """A server that refuses every other `response_format`."""

    def play(request: Recorded) -> Step:
        if request.response_format in (None, *formats):
            return player(request)
        return error(400, f"response_format type {request.response_format} is not supported")

    return play
