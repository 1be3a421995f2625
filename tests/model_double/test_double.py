"""The double is strict, so that a test which passes against it means something."""

import json
import urllib.error
import urllib.request
from typing import Any

import pytest

from tests.model_double import Recorded, Reply, always, by_role, diagnosis, sequence, serving

HEADERS = {"X-RegoMender-Role": "analyzer", "X-RegoMender-Run": "run-1", "Authorization": "Bearer k"}
BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "hi"}], "max_tokens": 5}


def post(address: str, body: Any = BODY, headers: dict[str, str] = HEADERS) -> tuple[int, dict[str, Any]]:
    request = urllib.request.Request(address, json.dumps(body).encode(), headers)
    try:
        with urllib.request.urlopen(request) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, {}


def test_a_synchronous_test_can_use_it() -> None:
    with serving(Reply("hello", usage=(3, 1))) as double:
        status, answer = post(f"{double.base_url}/chat/completions")
    assert (status, answer["choices"][0]["message"]["content"]) == (200, "hello")
    assert answer["usage"] == {"prompt_tokens": 3, "completion_tokens": 1, "total_tokens": 4}
    assert (double.prompts, double.violations) == (["hi"], [])


def test_an_unknown_path_is_not_found() -> None:
    with serving() as double:
        assert post(f"{double.base_url}/responses")[0] == 404


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"stream": True}, "unknown fields"),
        ({"model": ""}, "model is missing"),
        ({"max_tokens": 0}, "token limit"),
        ({"messages": []}, "one fresh request"),
        ({"messages": [{"role": "assistant", "content": "x"}, {"role": "user", "content": "y"}]}, "one fresh request"),
        ({"messages": [{"role": "user", "content": ""}]}, "empty"),
        ({"response_format": {"type": "json_schema"}}, "unknown shape"),
        (
            {
                "response_format": {
                    "type": "json_schema",
                    "json_schema": {
                        "name": "n",
                        "strict": True,
                        "schema": {"type": "object", "properties": {"a": {}}, "additionalProperties": False},
                    },
                }
            },
            "every property must be required",
        ),
    ],
)
def test_a_request_out_of_shape_is_refused_and_noted(change: dict[str, Any], complaint: str) -> None:
    with serving("never") as double:
        assert post(f"{double.base_url}/chat/completions", BODY | change)[0] == 400
    assert any(complaint in violation for violation in double.violations)
    assert double.requests == []


@pytest.mark.parametrize("header", HEADERS)
def test_a_missing_header_is_refused_and_noted(header: str) -> None:
    with serving("never") as double:
        headers = {name: value for name, value in HEADERS.items() if name != header}
        assert post(f"{double.base_url}/chat/completions", headers=headers)[0] == 400
    assert any(header in violation for violation in double.violations)


def test_a_script_that_fails_is_noted() -> None:
    def fail(request: Recorded) -> str:
        raise KeyError(request.role)

    with serving(fail) as double:
        assert post(f"{double.base_url}/chat/completions")[0] == 400
    assert "KeyError" in double.violations[0]


def test_players_play_by_order_and_by_role() -> None:
    asked = Recorded(role="repairer.patch", run="r", headers={}, body={})
    in_order = sequence(["a", "b"])
    assert [in_order(asked) for _ in range(3)] == ["a", "b", "b"]
    assert by_role(repairer_patch=always("code"), analyzer=diagnosis(cause="x"))(asked) == "code"
