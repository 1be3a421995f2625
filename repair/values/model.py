"""Requests to a language model and what came back."""

from enum import StrEnum
from typing import Any

from repair.values.base import Value


class ModelRole(StrEnum):
    """Who asks; sent as the header `X-RegoMender-Role`."""

    ANALYZER = "analyzer"
    PATCH = "repairer.patch"
    REWRITE = "repairer.rewrite"
    REVIEWER = "reviewer"
    CONTRACT = "contract"


class Schema(Value):
    """A JSON schema the answer must keep to."""

    name: str
    body: dict[str, Any]


class ModelRequest(Value):
    """One fresh request. `system` is the stable part; conversations are never continued.

    `timeout` is in seconds and holds for the whole request, retries included.
    """

    role: ModelRole
    run: str
    system: str
    prompt: str
    schema_: Schema | None = None
    max_tokens: int = 2048
    temperature: float = 0.0
    seed: int | None = None
    timeout: float = 600


class Usage(Value):
    """Tokens and money spent. `estimated` is true where the server did not count."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    usd: float = 0.0
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """Prompt and completion tokens together."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            usd=self.usd + other.usd,
            estimated=self.estimated or other.estimated,
        )


class ModelReply(Value):
    """The text of an answer and its price; `truncated` when the token limit cut it."""

    text: str
    usage: Usage
    truncated: bool = False
    seconds: float = 0.0
