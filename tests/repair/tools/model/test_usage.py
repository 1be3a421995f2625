"""What a request costs: counted by the server, or estimated and marked."""

from collections.abc import Callable

import pytest

from repair.tools.model import ModelFailure, OpenAIModel
from repair.values.model import ModelRequest, Usage
from tests.model_double import HANG, Break, Fault, ModelDouble, Reply, error, html, sequence, taking_only

from .conftest import KEY, SCHEMA

Build = Callable[..., ModelRequest]


async def spent_on_failure(model: OpenAIModel, request: ModelRequest) -> Usage:
    with pytest.raises(ModelFailure) as caught:
        await model.ask(request)
    return caught.value.usage


async def test_the_servers_count_is_taken(model: OpenAIModel, model_server: ModelDouble, request_of: Build) -> None:
    model_server.play(Reply("done", usage=(11, 5)))
    assert (await model.ask(request_of())).usage == Usage(calls=1, prompt_tokens=11, completion_tokens=5)


async def test_prices_are_for_a_million_tokens(model_server: ModelDouble, request_of: Build) -> None:
    model_server.play(Reply("done", usage=(1_000_000, 500_000)))
    priced = OpenAIModel("coder", model_server.base_url, KEY, prices=(0.5, 2.0))
    assert (await priced.ask(request_of())).usage.usd == pytest.approx(1.5)


@pytest.mark.parametrize("usage", [None, (-1, 5), (10**30, 5), (11, -5)])
async def test_a_missing_or_absurd_count_is_estimated_and_marked(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, usage: tuple[int, int] | None
) -> None:
    model_server.play(Reply("x" * 320, usage=usage))
    spent = (await model.ask(request_of(prompt="y" * 640))).usage
    assert spent.estimated
    assert spent.completion_tokens == 100
    assert 200 <= spent.prompt_tokens <= 210


async def test_thinking_is_paid_for(model: OpenAIModel, model_server: ModelDouble, request_of: Build) -> None:
    model_server.play("<think>" + "x" * 3200 + "</think>done")
    assert (await model.ask(request_of())).usage.completion_tokens > 1000


async def test_the_estimate_moves_toward_what_the_server_counts(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    text = "x" * 3200
    assert model.count_tokens(text) == 1000
    model_server.play(Reply("done", usage=(2000, 1)))
    for _ in range(30):
        await model.ask(request_of(prompt=text))
    assert 1900 < model.count_tokens(text) <= 2000


async def test_an_absurd_server_bends_the_estimate_only_so_far(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(Reply("done", usage=(50_000_000, 1)))
    for _ in range(30):
        await model.ask(request_of(prompt="x" * 3200))
    assert model.count_tokens("x" * 3200) <= 4000


def test_tokens_are_counted_by_bytes() -> None:
    model = OpenAIModel("coder", "http://127.0.0.1/v1", KEY)
    assert model.count_tokens("") == 0
    assert model.count_tokens("ä" * 16) == 10
    assert model.count_tokens("\ud800") == 1


async def test_the_usage_of_a_failed_answer_counts(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    used = {"prompt_tokens": 7, "completion_tokens": 3}
    model_server.play(sequence([error(500, "late failure", usage=used), Reply("done", usage=(10, 1))]))
    assert (await model.ask(request_of())).usage == Usage(calls=2, prompt_tokens=17, completion_tokens=4)


async def test_refusals_cost_calls_but_no_tokens(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(taking_only((), lambda request: Reply("{}", usage=(10, 1))))
    assert (await model.ask(request_of(schema_=SCHEMA))).usage == Usage(calls=3, prompt_tokens=10, completion_tokens=1)


@pytest.mark.parametrize("fault", [HANG, html(), Fault(wire=Break.DROP_IN_BODY)], ids=str)
async def test_a_prompt_that_was_read_for_nothing_is_charged_as_an_estimate(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, fault: Fault
) -> None:
    model_server.play(fault)
    spent = await spent_on_failure(model, request_of(prompt="y" * 640, timeout=2))
    assert (spent.calls, spent.estimated) == (1, True)
    assert spent.prompt_tokens >= 200


async def test_garbage_with_a_count_is_charged_by_it(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(Fault(body=b'{"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 2}}'))
    assert await spent_on_failure(model, request_of()) == Usage(calls=1, prompt_tokens=9, completion_tokens=2)
