"""How a model fails, how often it is asked again, and that the deadline holds."""

import asyncio
import socket
from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from repair.tools.model import FailureKind, ModelFailure, OpenAIModel
from repair.tools.model.failures import retry_after
from repair.values.model import ModelRequest
from tests.model_double import HANG, Break, Fault, ModelDouble, Step, error, html, sequence, slow

from .conftest import KEY

Build = Callable[..., ModelRequest]


async def failure_of(model: OpenAIModel, request: ModelRequest) -> ModelFailure:
    with pytest.raises(ModelFailure) as caught:
        await model.ask(request)
    return caught.value


@pytest.mark.parametrize(
    ("fault", "kind", "requests"),
    [
        (error(401, "bad key"), FailureKind.UNAUTHORISED, 1),
        (error(403), FailureKind.UNAUTHORISED, 1),
        (error(404, "The model `coder` does not exist"), FailureKind.NOT_FOUND, 1),
        (html(404), FailureKind.NOT_FOUND, 1),
        (error(400, "bad request"), FailureKind.REJECTED, 1),
        (error(402, "pay first"), FailureKind.REJECTED, 1),
        (error(429, "insufficient_quota: check your billing"), FailureKind.REJECTED, 1),
        (error(408), FailureKind.TIMEOUT, 1),
        (error(413), FailureKind.TOO_LONG, 1),
        (error(400, "This model's maximum context length is 8192 tokens."), FailureKind.TOO_LONG, 1),
        (error(400, "the request exceeds the available context size, try increasing it"), FailureKind.TOO_LONG, 1),
        (error(400, "prompt is too long: 210000 tokens > 200000 maximum"), FailureKind.TOO_LONG, 1),
        (error(429, "slow down"), FailureKind.RATE_LIMITED, 3),
        (error(500, "boom"), FailureKind.SERVER_ERROR, 3),
        (error(503), FailureKind.SERVER_ERROR, 3),
        (Fault(wire=Break.DROP_BEFORE_ANSWER), FailureKind.UNREACHABLE, 3),
        (Fault(wire=Break.DROP_IN_BODY), FailureKind.GARBAGE, 1),
    ],
    ids=str,
)
async def test_a_fault_has_a_kind_and_only_passing_ones_are_tried_again(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, fault: Step, kind: FailureKind, requests: int
) -> None:
    model_server.play(fault)
    failure = await failure_of(model, request_of())
    assert failure.kind is kind
    assert len(model_server.requests) == requests
    assert failure.usage.calls == requests


@pytest.mark.parametrize("fault", [error(429), error(500), error(502), Fault(wire=Break.DROP_BEFORE_ANSWER)], ids=str)
async def test_a_passing_fault_is_overcome(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, fault: Step
) -> None:
    model_server.play(sequence([fault, fault, "done"]))
    reply = await model.ask(request_of())
    assert (reply.text, reply.usage.calls) == ("done", 3)


async def test_a_server_that_is_not_there_is_unreachable(request_of: Build) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    failure = await failure_of(OpenAIModel("coder", address, KEY, backoff=0.01), request_of())
    assert failure.kind is FailureKind.UNREACHABLE
    assert address in failure.message
    assert "OPENAI_BASE_URL" in failure.message
    assert failure.usage.tokens == 0


@pytest.mark.parametrize(
    "fault",
    [
        HANG,
        Fault(wire=Break.HANG_IN_BODY),
        Fault(status=500, wire=Break.HANG_IN_BODY),
    ],
    ids=str,
)
async def test_the_deadline_holds_and_nothing_is_queued_behind_a_busy_server(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, fault: Step
) -> None:
    model_server.play(fault)
    failure = await failure_of(model, request_of(timeout=0.5))
    assert failure.kind is FailureKind.TIMEOUT
    assert len(model_server.requests) == 1


async def test_the_deadline_holds_for_all_tries_together(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(sequence([error(500), HANG]))
    failure = await failure_of(model, request_of(timeout=0.5))
    assert failure.kind is FailureKind.TIMEOUT
    assert len(model_server.requests) == 2


@pytest.mark.parametrize("status", [200, 500])
async def test_an_endless_body_is_not_read_to_its_end(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, status: int
) -> None:
    model_server.play(Fault(status=status, wire=Break.ENDLESS_BODY))
    failure = await failure_of(model, request_of())
    assert failure.kind is (FailureKind.GARBAGE if status == 200 else FailureKind.SERVER_ERROR)


async def test_a_slow_answer_within_the_deadline_is_waited_for(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(slow("at last", seconds=0.3))
    assert (await model.ask(request_of())).text == "at last"


@pytest.mark.parametrize("header", [("retry-after-ms", "20"), ("retry-after", "0")])
async def test_the_wait_the_server_asks_for_is_kept(
    model_server: ModelDouble, request_of: Build, header: tuple[str, str]
) -> None:
    impatient = OpenAIModel("coder", model_server.base_url, KEY, backoff=10_000)
    model_server.play(sequence([error(429, headers=dict([header])), "done"]))
    assert (await impatient.ask(request_of())).text == "done"


async def test_a_wait_beyond_the_deadline_is_not_begun_but_told(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(error(429, headers={"retry-after": "3600"}))
    failure = await failure_of(model, request_of())
    assert (failure.kind, failure.retry_after) == (FailureKind.RATE_LIMITED, 3600)
    assert len(model_server.requests) == 1


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "2.5"}, 2.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:30 GMT"}, 30),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT"}, 0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Mon, 99 Foo 99999 99:99:99"}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, datetime(2026, 11, 30, 12, tzinfo=UTC)) == seconds


async def test_a_cancelled_request_is_cancelled_not_failed(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(HANG)
    asking = asyncio.create_task(model.ask(request_of()))
    while not model_server.requests:
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
async def test_no_message_holds_the_key(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, status: int
) -> None:
    model_server.play(error(status, f"you sent Authorization: Bearer {KEY} and {KEY}"))
    failure = await failure_of(model, request_of())
    assert KEY not in failure.message
    assert KEY not in repr(failure)
    assert failure.__cause__ is None


async def test_a_message_shows_the_address_without_its_password(model_server: ModelDouble, request_of: Build) -> None:
    address = model_server.base_url.replace("http://", "http://me:hunter2@")
    model_server.play(error(404))
    failure = await failure_of(OpenAIModel("coder", address, KEY), request_of())
    assert "hunter2" not in failure.message
    assert model_server.base_url in failure.message


async def test_what_the_server_said_is_quoted_in_one_short_line(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(Fault(400, b"no\n\x1b[31msuch\x00 thing " + b"y" * 5000, content_type="text/plain"))
    message = (await failure_of(model, request_of())).message
    assert "It said: no [31msuch thing yyy" in message
    assert len(message) < 600
    assert message.isprintable()
