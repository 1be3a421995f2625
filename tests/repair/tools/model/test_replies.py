"""What a reply holds, whatever the server wrapped it in."""

import asyncio
from collections.abc import Callable

import pytest

from repair.tools.model import FailureKind, ModelFailure, OpenAIModel
from repair.tools.model.answer import MAX_TEXT
from repair.values.model import ModelRequest, ModelRole
from tests.model_double import EMPTY, TRUNCATED_JSON, Fault, ModelDouble, Reply, Step, always, garbage, html, huge

Build = Callable[..., ModelRequest]


async def text_of(model: OpenAIModel, request: ModelRequest) -> str:
    return (await model.ask(request)).text


async def test_a_request_is_one_fresh_system_and_user_message(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play("done")
    reply = await model.ask(request_of(max_tokens=77, temperature=0.5, seed=3))
    assert reply.text == "done"
    sent = model_server.requests[0].body
    assert sent == {
        "model": "coder",
        "messages": [{"role": "system", "content": "rules"}, {"role": "user", "content": "repair it"}],
        "max_tokens": 77,
        "temperature": 0.5,
        "seed": 3,
    }


@pytest.mark.parametrize("role", list(ModelRole))
async def test_every_request_says_who_asks(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, role: ModelRole
) -> None:
    await model.ask(request_of(role=role, run="acme/shop#7@abc"))
    assert (model_server.requests[0].role, model_server.requests[0].run) == (role.value, "acme/shop#7@abc")


async def test_a_run_that_no_header_can_carry_is_percent_encoded(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    await model.ask(request_of(run="käse\r\nX-Evil: 1"))
    assert model_server.requests[0].run == "k%C3%A4se%0D%0AX-Evil:%201"
    assert "X-Evil" not in model_server.requests[0].headers


async def test_a_request_without_system_part_sends_none(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    await model.ask(request_of(system=""))
    assert [m["role"] for m in model_server.requests[0].body["messages"]] == ["user"]


async def test_a_prompt_of_broken_characters_is_sent_all_the_same(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    await model.ask(request_of(prompt="a \ud800 b \x00 c"))
    assert model_server.prompts == ["a ? b \x00 c"]


@pytest.mark.parametrize(
    ("reply", "text"),
    [
        (Reply(None), ""),
        (EMPTY, ""),
        (Reply([{"type": "text", "text": "a"}, {"type": "image"}, 7, {"type": "text", "text": "b"}]), "ab"),
        (Reply(None, refusal="I cannot help with that."), "I cannot help with that."),
        (Reply("ok", content_type="text/plain"), "ok"),
        (Reply(12), ""),
        (Reply("half a pair: \ud800"), "half a pair: ?"),
    ],
)
async def test_odd_contents_become_plain_text(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, reply: Reply, text: str
) -> None:
    model_server.play(reply)
    assert await text_of(model, request_of()) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("<think>hm\n```x```</think>\n\nanswer", "answer"),
        ("\n<thinking>hm</thinking><think>again</think>answer", "answer"),
        ("the template opened it\n</think>\nanswer", "answer"),
        ("<think>never done", ""),
        ("s = '<think>'\n</think>\nkept", "s = '<think>'\n</think>\nkept"),
        ("re.compile('</think>')", "re.compile('</think>')"),
    ],
)
async def test_thinking_is_left_out_and_code_about_it_is_kept(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, written: str, text: str
) -> None:
    model_server.play(written)
    assert await text_of(model, request_of()) == text


async def test_an_answer_cut_by_the_token_limit_is_marked(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(Reply("half", finish_reason="length"))
    reply = await model.ask(request_of())
    assert (reply.text, reply.truncated) == ("half", True)


async def test_a_long_answer_is_cut_and_marked(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(huge(MAX_TEXT + 1))
    reply = await model.ask(request_of())
    assert (len(reply.text), reply.truncated) == (MAX_TEXT, True)


@pytest.mark.parametrize(
    "fault",
    [
        html(),
        TRUNCATED_JSON,
        huge(20_000_000),
        Fault(body=b""),
        Fault(body=b"[1]"),
        Fault(body=b'{"choices": []}'),
        Fault(body=b'{"choices": [{"message": null}]}'),
        Fault(body=b'{"error": {"message": "upstream is gone"}}'),
        Fault(body=b"[" * 200_000),
        Fault(body=b'{"choices": [{"message": {"content": "\xff\xfe"}}]}'),
        Fault(body=b"\x1f\x8b not gzip", headers={"Content-Encoding": "gzip"}),
    ],
    ids=lambda fault: repr(fault)[:60],
)
async def test_a_body_that_is_no_completion_is_garbage_and_not_asked_for_again(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build, fault: Step
) -> None:
    model_server.play(fault)
    with pytest.raises(ModelFailure) as caught:
        await model.ask(request_of())
    assert caught.value.kind is FailureKind.GARBAGE
    assert "OPENAI_BASE_URL" in caught.value.message
    assert len(model_server.requests) == 1


async def test_garbage_never_raises_anything_else(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(garbage(seed=7))
    kinds = set()
    for _ in range(60):
        try:
            await model.ask(request_of())
        except ModelFailure as failure:
            kinds.add(failure.kind)
    assert kinds == {FailureKind.GARBAGE}


async def test_a_client_serves_one_event_loop_after_another(
    model: OpenAIModel, model_server: ModelDouble, request_of: Build
) -> None:
    model_server.play(always("here"))
    in_threads = [asyncio.to_thread(lambda: asyncio.run(model.ask(request_of()))) for _ in range(2)]
    assert [(await coming).text for coming in in_threads] == ["here", "here"]
