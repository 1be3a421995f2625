"""Reading the body of a chat completion, whatever the server made of it."""

import json
import re
from dataclasses import dataclass
from typing import Any, TypeGuard

MAX_TEXT = 400_000
"""Characters of a reply that are kept."""

_MOST_TOKENS = 100_000_000
_THINKING = re.compile(r"\s*<think(?:ing)?>")
_THOUGHT = re.compile(r"</think(?:ing)?>")
_THOUGHT_LINE = re.compile(r"^</think(?:ing)?>[ \t]*$", re.MULTILINE)


@dataclass(frozen=True)
class Counted:
    """The tokens a server says it used."""

    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True)
class Answer:
    """A completion. `text` is `None` for a body that is none, and `complaint` says why.

    `written` is everything the model wrote, its thinking included.
    """

    text: str | None
    written: str = ""
    truncated: bool = False
    counted: Counted | None = None
    complaint: str = ""


def read_answer(body: bytes) -> Answer:
    """The completion in the body; never raises."""
    document = _document(body)
    if not isinstance(document, dict):
        return Answer(None, complaint=_not_json(body))
    counted = usage_in(document)
    choice = _first_choice(document)
    if choice is None:
        return Answer(None, counted=counted, complaint="the JSON holds no choice with a message")
    written = _content(choice["message"])
    text = _sound(strip_thinking(written))
    cut = choice.get("finish_reason") == "length" or len(text) > MAX_TEXT
    return Answer(text[:MAX_TEXT], written, truncated=cut, counted=counted)


def counted_in(body: bytes) -> Counted | None:
    """The usage in any body, one of a failure too; never raises."""
    document = _document(body)
    return usage_in(document) if isinstance(document, dict) else None


def usage_in(document: dict[str, Any]) -> Counted | None:
    """The usage the server reported, if it is credible."""
    usage = document.get("usage")
    if not isinstance(usage, dict):
        return None
    prompt, completion = usage.get("prompt_tokens"), usage.get("completion_tokens", 0)
    if not (_is_count(prompt) and _is_count(completion)):
        return None
    return Counted(prompt, completion)


def strip_thinking(text: str) -> str:
    """The text without the thinking a reasoning model puts before its answer.

    Only the head of the text is looked at: code that is about such tags stays whole. Some chat templates
    open the section in the prompt, so that an answer holds its end alone.
    """
    start = 0
    while opening := _THINKING.match(text, start):
        end = _THOUGHT.search(text, opening.end())
        if end is None:
            return ""
        start = end.end()
    if start:
        return text[start:].lstrip()
    end = _THOUGHT_LINE.search(text)
    if end is None or "<think" in text[: end.start()]:
        return text
    return text[end.end() :].lstrip()


def _document(body: bytes) -> Any:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def _not_json(body: bytes) -> str:
    if not body.strip():
        return "the body is empty"
    kind = "an HTML page" if re.match(rb"\s*<(?:!doctype|html)", body, re.IGNORECASE) else "not a whole JSON document"
    return f"the body is {kind}"


def _first_choice(document: dict[str, Any]) -> dict[str, Any] | None:
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return None
    return choices[0] if isinstance(choices[0].get("message"), dict) else None


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(_part(part) for part in content)
    if isinstance(content, str) and content:
        return content
    refusal = message.get("refusal")
    return refusal if isinstance(refusal, str) else ""


def _part(part: Any) -> str:
    text = part.get("text") if isinstance(part, dict) else None
    return text if isinstance(text, str) else ""


def _sound(text: str) -> str:
    """JSON can spell half a surrogate pair, which no file and no pydantic string takes."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _is_count(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= _MOST_TOKENS
