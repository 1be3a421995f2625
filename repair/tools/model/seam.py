"""What the engine asks of a language model, and how a model can fail."""

from enum import StrEnum
from typing import Protocol

from repair.values.model import ModelReply, ModelRequest, Usage

NOTHING_SPENT = Usage()


class FailureKind(StrEnum):
    """Why there is no reply."""

    UNREACHABLE = "unreachable"
    UNAUTHORISED = "unauthorised"
    NOT_FOUND = "not_found"
    RATE_LIMITED = "rate_limited"
    SERVER_ERROR = "server_error"
    TIMEOUT = "timeout"
    TOO_LONG = "too_long"
    REJECTED = "rejected"
    GARBAGE = "garbage"


class ModelFailure(Exception):  # noqa: N818 - an outcome of the loop, named as the journal names it
    """A request that got no usable reply.

    `message` is for people: what happened, what it means, what to do; it never holds the key.
    `retry_after` is the wait in seconds the server asked for. `usage` is what the request cost all the same.
    """

    def __init__(
        self,
        kind: FailureKind,
        message: str,
        retry_after: float | None = None,
        usage: Usage = NOTHING_SPENT,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.retry_after = retry_after
        self.usage = usage


class ModelClient(Protocol):
    """A language model that answers one fresh request at a time."""

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The reply, within `request.timeout` seconds; raises `ModelFailure`."""

    def count_tokens(self, text: str) -> int:
        """About how many tokens the model would read in the text."""
