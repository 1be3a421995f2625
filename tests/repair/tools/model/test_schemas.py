"""Asking for data: the ladder of what endpoints can, learnt once."""

import asyncio
import json
from collections.abc import Callable

import pytest

from repair.tools.model import FailureKind, ModelFailure, OpenAIModel
from repair.values.model import ModelRequest, ModelRole
from tests.model_double import ModelDouble, Player, Recorded, Step, diagnosis, error, taking_only

from .conftest import KEY, SCHEMA

Build = Callable[..., ModelRequest]


async def test_a_schema_is_asked_for_strictly(model: OpenAIModel, model_server: ModelDouble, request_of: Build) -> None:
    model_server.play(diagnosis(cause="typo"))
    reply = await model.ask(request_of(role=ModelRole.ANALYZER, schema_=SCHEMA))
    assert json.loads(reply.text) == {"cause": "typo"}
    assert model_server.requests[0].schema_name == "diagnosis"
    assert "JSON schema" not in model_server.requests[0].prompt


async def test_code_is_asked_for_without_any_format(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    await model.ask(request_of())
    assert model_server.requests[0].response_format is None


@pytest.mark.parametrize(
    ("taken", "asked"),
    [
        (("json_schema",), ["json_schema", "json_schema"]),
        (("json_object",), ["json_schema", "json_object", "json_object"]),
        ((), ["json_schema", "json_object", None, None]),
    ],
)
async def test_the_ladder_is_climbed_down_once_and_remembered(
    model: OpenAIModel,
    model_server: ModelDouble,
    request_of: Build,
    taken: tuple[str, ...],
    asked: list[str | None],
) -> None:
    model_server.play(taking_only(taken, lambda request: diagnosis(cause="typo")))
    for _ in range(2):
        assert (await model.ask(request_of(schema_=SCHEMA))).text == diagnosis(cause="typo")
    assert [request.response_format for request in model_server.requests] == asked


async def test_below_a_json_schema_the_prompt_holds_it_at_its_end(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(taking_only((), lambda request: "{}"))
    await model.ask(request_of(schema_=SCHEMA))
    first, second, third = model_server.prompts
    assert first == "repair it"
    assert second == third
    assert second.startswith("repair it\n\n")
    assert json.loads(second.splitlines()[-1]) == SCHEMA.body
    assert {request.system for request in model_server.requests} == {"rules"}


async def test_what_one_client_learnt_another_does_not_know(model_server: ModelDouble, request_of: Build) -> None:
    model_server.play(taking_only((), lambda request: "{}"))
    for _ in range(2):
        await OpenAIModel("coder", model_server.base_url, KEY).ask(request_of(schema_=SCHEMA))
    assert [request.response_format for request in model_server.requests] == ["json_schema", "json_object", None] * 2


async def test_a_server_that_always_complains_ends_the_ladder(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(error(400, "response_format: your schema is bad"))
    with pytest.raises(ModelFailure) as caught:
        await model.ask(request_of(schema_=SCHEMA))
    assert caught.value.kind is FailureKind.REJECTED
    assert len(model_server.requests) == 3


async def test_requests_at_the_same_time_do_not_unlearn(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(taking_only((), lambda request: "{}"))
    await asyncio.gather(*(model.ask(request_of(schema_=SCHEMA)) for _ in range(4)))
    before = len(model_server.requests)
    await model.ask(request_of(schema_=SCHEMA))
    assert [request.response_format for request in model_server.requests[before:]] == [None]


async def test_a_prompt_over_the_context_is_no_reason_to_climb_down(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(error(400, "maximum context length exceeded (schema tokens: 40)"))
    with pytest.raises(ModelFailure) as caught:
        await model.ask(request_of(schema_=SCHEMA))
    assert caught.value.kind is FailureKind.TOO_LONG
    assert len(model_server.requests) == 1


def refusing(field: str, message: str) -> Player:
    def play(request: Recorded) -> Step:
        return error(400, message) if field in request.body else "done"

    return play


@pytest.mark.parametrize(
    ("field", "message"),
    [
        ("max_tokens", "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."),
        ("temperature", "Unsupported value: 'temperature' does not support 0.0 with this model."),
        ("seed", "Unknown parameter: 'seed'."),
    ],
)
async def test_a_parameter_the_model_does_not_take_is_left_out_from_then_on(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, field: str, message: str
) -> None:
    model_server.play(refusing(field, message))
    for _ in range(2):
        assert (await model.ask(request_of(seed=1))).text == "done"
    assert [field in request.body for request in model_server.requests] == [True, False, False]


async def test_a_model_without_system_role_gets_one_message(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    def play(request: Recorded) -> Step:
        return error(400, "System role not supported") if request.system else "done"

    model_server.play(play)
    assert (await model.ask(request_of())).text == "done"
    assert model_server.requests[-1].body["messages"] == [{"role": "user", "content": "rules\n\nrepair it"}]
