"""A model behind any OpenAI-compatible chat-completions endpoint."""

import asyncio
import json
import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from repair.tools.model.answer import Answer, counted_in, read_answer
from repair.tools.model.dialect import Quirk, Quirks, body_of, headers_of, quirk_behind
from repair.tools.model.failures import failure_of
from repair.tools.model.seam import FailureKind, ModelFailure
from repair.tools.model.tokens import Ledger, TokenCounter
from repair.tools.redact import Redactor
from repair.values.model import ModelReply, ModelRequest

if TYPE_CHECKING:
    from repair.tools.model.wire import HttpAnswer, Wire

_FURTHER_TRIES = 2
_WORTH_A_RETRY = (FailureKind.UNREACHABLE, FailureKind.RATE_LIMITED, FailureKind.SERVER_ERROR)
_LONGEST_COMPLAINT = 20_000


class OpenAIModel:
    """The `ModelClient` for OpenAI, vLLM, llama.cpp, Ollama and their like.

    `prices` are US dollars for a million prompt and completion tokens; `backoff` is the first wait between
    tries in seconds, doubled for the second. What the endpoint does not take (JSON schemas, a temperature) is
    learnt from its first refusal and remembered. `address` is the base URL as it may be shown.
    Raises `ValueError` for an address or a key that cannot be sent.
    """

    def __init__(
        self,
        name: str,
        base_url: str,
        api_key: str,
        prices: tuple[float, float] | None = None,
        backoff: float = 0.5,
    ) -> None:
        self.name = name
        self.address = _address(base_url)
        self._base_url = base_url
        self._api_key = _sendable(api_key)
        self._prices = prices or (0.0, 0.0)
        self._backoff = backoff
        self._redactor = Redactor((api_key,))
        self._counter = TokenCounter()
        self._quirks: Quirks = frozenset()

    def count_tokens(self, text: str) -> int:
        """About how many tokens the text has for this model."""
        return self._counter.count(text)

    async def ask(self, request: ModelRequest) -> ModelReply:
        """The model's reply, its thinking left out; raises `ModelFailure`, within `request.timeout` seconds."""
        began = time.monotonic()
        ledger = Ledger(self._counter, _all_of(request), self._prices)
        try:
            async with self._wire() as wire, asyncio.timeout(request.timeout) as deadline:
                answer = await self._persistently(request, ledger, wire, deadline)
        except TimeoutError:
            ledger.lost()
            raise self._too_late(request, ledger) from None
        except ModelFailure as failure:
            failure.usage = ledger.spent
            raise
        return ModelReply(
            text=answer.text or "",
            usage=ledger.spent,
            truncated=answer.truncated,
            seconds=time.monotonic() - began,
        )

    async def _persistently(
        self, request: ModelRequest, ledger: Ledger, wire: "Wire", deadline: asyncio.Timeout
    ) -> Answer:
        failed = 0
        while True:
            try:
                return await self._once(request, ledger, wire)
            except ModelFailure as failure:
                pause = self._pause_after(failure, failed)
                if pause is None or _after(pause, deadline):
                    raise
            failed += 1
            await asyncio.sleep(pause)

    def _wire(self) -> "Wire":
        # The SDK takes seconds to import, which a run without a model need not pay.
        from repair.tools.model.wire import Wire

        return Wire(self._base_url, self._api_key, self.address)

    def _pause_after(self, failure: ModelFailure, failed: int) -> float | None:
        """Seconds to wait before the next try; `None` when there is none.

        A timeout is not tried again: a local server would queue the copy behind the request it still works on.
        """
        if failure.kind not in _WORTH_A_RETRY or failed >= _FURTHER_TRIES:
            return None
        return self._backoff * 2**failed if failure.retry_after is None else failure.retry_after

    async def _once(self, request: ModelRequest, ledger: Ledger, wire: "Wire") -> Answer:
        """One try; a refusal that shows a new quirk of the endpoint is answered by a request without it."""
        while True:
            quirks = self._quirks
            body = body_of(self.name, request, quirks)
            ledger.sent()
            try:
                got = await wire.post(body, headers_of(request), request.timeout)
            except ModelFailure as failure:
                _settle_loss(ledger, failure)
                raise
            if 200 <= got.status < 300:
                return self._completion(got, ledger)
            _settle_refusal(ledger, got)
            self._quirks |= {self._quirk_behind(got, body, quirks)}

    def _quirk_behind(self, got: "HttpAnswer", body: dict[str, Any], known: Quirks) -> Quirk:
        """What the endpoint refused in `body`; raises the failure where nothing of that kind explains it."""
        complaint = self._redactor.redact(got.body[:_LONGEST_COMPLAINT].decode("utf-8", errors="replace"))
        failure = failure_of(
            got.status, got.headers, complaint, where=self.address, name=self.name, now=datetime.now(UTC)
        )
        quirk = quirk_behind(failure, complaint, body, known)
        if quirk is None:
            raise failure
        return quirk

    def _completion(self, got: "HttpAnswer", ledger: Ledger) -> Answer:
        answer = read_answer(got.body)
        if answer.counted:
            ledger.counted(answer.counted.prompt_tokens, answer.counted.completion_tokens)
        else:
            ledger.estimated(answer.written)
        if answer.text is None:
            raise ModelFailure(
                FailureKind.GARBAGE,
                f"The model server {self.address} answered with something other than a chat completion: "
                f"{answer.complaint}. Check that OPENAI_BASE_URL is the API's address (it usually ends in /v1).",
            )
        return answer

    def _too_late(self, request: ModelRequest, ledger: Ledger) -> ModelFailure:
        return ModelFailure(
            FailureKind.TIMEOUT,
            f"The model server {self.address} did not answer within {request.timeout:g} s. "
            "Give it more time, or use a faster model.",
            usage=ledger.spent,
        )


def _settle_loss(ledger: Ledger, failure: ModelFailure) -> None:
    if failure.kind is FailureKind.UNREACHABLE:
        ledger.free()
    else:
        ledger.estimated()


def _settle_refusal(ledger: Ledger, got: "HttpAnswer") -> None:
    if counted := counted_in(got.body):
        ledger.counted(counted.prompt_tokens, counted.completion_tokens)
    else:
        ledger.free()


def _after(pause: float, deadline: asyncio.Timeout) -> bool:
    end = deadline.when()
    return end is not None and asyncio.get_running_loop().time() + pause >= end


def _all_of(request: ModelRequest) -> str:
    schema = json.dumps(request.schema_.body) if request.schema_ else ""
    return "\n".join((request.system, request.prompt, schema))


def _address(base_url: str) -> str:
    """The address as it may be shown: without user, password and query."""
    fault = ValueError("the model's base URL must be an http:// or https:// address (OPENAI_BASE_URL)")
    try:
        parts = urlsplit(base_url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        raise fault from None
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise fault
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}{port}{parts.path}"


def _sendable(api_key: str) -> str:
    if not api_key or not api_key.isascii() or not api_key.isprintable():
        raise ValueError("the model's key must be one line of plain ASCII (OPENAI_API_KEY)")
    return api_key
