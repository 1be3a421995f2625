"""The strict model server of the test-suite, on a loopback port, in a thread of its own."""

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from aiohttp import web

from tests.model_double.contract import complaints
from tests.model_double.script import Break, Fault, Player, Recorded, Reply, Step, always, error

_LARGEST_REQUEST = 64 * 1024 * 1024


class ModelDouble:
    """Records each request, complains about wrong ones (400, and in `violations`), and plays its script."""

    def __init__(self, player: Player | Step = "") -> None:
        self.requests: list[Recorded] = []
        self.violations: list[str] = []
        self.base_url = ""
        self._player: Player = always("")
        self.play(player)

    def play(self, player: Player | Step) -> None:
        """Follow another script from now on."""
        self._player = player if callable(player) else always(player)

    @property
    def options(self) -> tuple[str, ...]:
        """The command line's options that name this server."""
        return ("--model", "double", "--base-url", self.base_url)

    @property
    def prompts(self) -> list[str]:
        return [request.prompt for request in self.requests]

    def application(self) -> web.Application:
        app = web.Application(client_max_size=_LARGEST_REQUEST)
        app.router.add_post("/v1/chat/completions", self._complete)
        app.router.add_get("/v1/models", self._models)
        return app

    async def _models(self, request: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "double", "object": "model"}]})

    async def _complete(self, request: web.Request) -> web.StreamResponse:
        body = await _json_of(request)
        if wrong := complaints(request.headers, body):
            return self._complain(wrong)
        role, run = request.headers["X-RegoMender-Role"], request.headers["X-RegoMender-Run"]
        recorded = Recorded(role, run, dict(request.headers), body)
        self.requests.append(recorded)
        try:
            step = self._player(recorded)
        except Exception as failure:
            return self._complain([f"the script failed: {failure!r}"])
        if isinstance(step, Fault):
            return await _fail(step, request)
        reply = Reply(step) if isinstance(step, str) else step
        await asyncio.sleep(reply.delay)
        return web.Response(body=_completion(reply, body["model"]), content_type=reply.content_type)

    def _complain(self, wrong: list[str]) -> web.Response:
        self.violations += wrong
        return web.Response(status=400, body=error(400, "; ".join(wrong)).body, content_type="application/json")


@contextmanager
def serving(player: Player | Step = "") -> Iterator[ModelDouble]:
    """A running double; no test needs an event loop of its own for it."""
    double = ModelDouble(player)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    runner = web.AppRunner(double.application(), handler_cancellation=True, shutdown_timeout=0.1)
    try:
        double.base_url = asyncio.run_coroutine_threadsafe(_start(runner), loop).result()
        yield double
    finally:
        asyncio.run_coroutine_threadsafe(runner.cleanup(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _start(runner: web.AppRunner) -> str:
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    host, port = runner.addresses[0][:2]
    return f"http://{host}:{port}/v1"


async def _json_of(request: web.Request) -> Any:
    try:
        return json.loads(await request.read())
    except ValueError:
        return None


async def _fail(fault: Fault, request: web.Request) -> web.StreamResponse:
    if fault.wire is None:
        return web.Response(
            status=fault.status, body=fault.body, headers=fault.headers, content_type=fault.content_type
        )
    if fault.wire is Break.HANG:
        await asyncio.Event().wait()
    if fault.wire is Break.DROP_BEFORE_ANSWER:
        _drop(request)
        return web.Response()
    response = web.StreamResponse(status=fault.status, headers={"Content-Type": fault.content_type})
    if fault.wire is not Break.ENDLESS_BODY:
        response.content_length = 1000
    await response.prepare(request)
    await response.write(b'{"choices": [')
    if fault.wire is Break.HANG_IN_BODY:
        await asyncio.Event().wait()
    while fault.wire is Break.ENDLESS_BODY:
        await response.write(b" " * 65536)
    _drop(request)
    return response


def _drop(request: web.Request) -> None:
    if request.transport is not None:
        request.transport.close()


def _completion(reply: Reply, model: str) -> bytes:
    message = {"role": "assistant", "content": reply.content, "refusal": reply.refusal}
    document: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": model,
        "choices": [{"index": 0, "finish_reason": reply.finish_reason, "message": message}],
    }
    if reply.usage is not None:
        prompt, completion = reply.usage
        document["usage"] = {
            "prompt_tokens": prompt,
            "completion_tokens": completion,
            "total_tokens": prompt + completion,
        }
    return json.dumps(document).encode()
