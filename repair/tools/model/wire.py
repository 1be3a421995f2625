"""One exchange with a chat-completions endpoint by the official SDK, bounded in memory."""

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Any

import httpx2
import openai

from repair.tools.model.seam import FailureKind, ModelFailure

MAX_BODY = 8_000_000
"""Bytes of a body that are read; what follows is left on the wire."""

_CONNECT_SECONDS = 15.0


@dataclass(frozen=True)
class HttpAnswer:
    """What came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Wire:
    """A connection for the tries of one request.

    It lives no longer than that, so a client may be used from one event loop after another. The SDK's own
    retries are off: they multiply the deadline, and a local server would queue the copies behind each other.
    """

    def __init__(self, base_url: str, api_key: str, where: str) -> None:
        self._where = where
        self._answered = False
        http = openai.DefaultAsyncHttpxClient(event_hooks={"response": [self._on_headers]})
        self._client = openai.AsyncOpenAI(base_url=base_url, api_key=api_key, max_retries=0, http_client=http)

    async def __aenter__(self) -> "Wire":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._client.close()

    async def post(self, body: dict[str, Any], headers: Mapping[str, str], timeout: float) -> HttpAnswer:
        """The answer of the server; `timeout` is in seconds. Raises `ModelFailure` when none arrives whole."""
        self._answered = False
        limits = openai.Timeout(timeout, connect=min(timeout, _CONNECT_SECONDS))
        try:
            raw = await self._client.chat.completions.with_raw_response.create(
                **body, extra_headers=headers, timeout=limits
            )
            response = raw.http_response
        except openai.APIStatusError as error:
            response = error.response
        except openai.APIConnectionError as error:
            raise self._broken(error) from None
        return HttpAnswer(response.status_code, response.headers, response.content)

    async def _on_headers(self, response: httpx2.Response) -> None:
        self._answered = True
        # We asked for an uncompressed body. One that is compressed all the same stays as it is, and is no JSON.
        response.headers.pop("content-encoding", None)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _Capped(response.stream)

    def _broken(self, error: openai.APIConnectionError) -> ModelFailure:
        cause = error.__cause__ or error
        if isinstance(cause, httpx2.TimeoutException) and not isinstance(cause, httpx2.ConnectTimeout):
            return ModelFailure(FailureKind.TIMEOUT, f"The model server {self._where} did not answer in time.")
        if self._answered:
            return ModelFailure(
                FailureKind.GARBAGE,
                f"The model server {self._where} broke off in the middle of its answer ({type(cause).__name__}). "
                "See its log: it may have crashed or been restarted.",
            )
        return ModelFailure(
            FailureKind.UNREACHABLE,
            f"The model server {self._where} cannot be reached ({type(cause).__name__}). "
            "Check OPENAI_BASE_URL and that the server is running.",
        )


class _Capped(httpx2.AsyncByteStream):
    """The first `MAX_BODY` bytes of a stream."""

    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        left = MAX_BODY
        async for chunk in self._stream:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return

    async def aclose(self) -> None:
        await self._stream.aclose()
