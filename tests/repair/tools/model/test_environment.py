"""Which model the environment and the command line name."""

import subprocess
import sys

import pytest

from repair.tools.model import OpenAIModel, from_environment
from repair.values.model import ModelRequest, ModelRole
from tests.model_double import ModelDouble, Reply


def ask(name: str = "p") -> ModelRequest:
    return ModelRequest(role=ModelRole.PATCH, run="run-1", system="s", prompt=name, timeout=30)


def test_without_a_name_there_is_no_model() -> None:
    assert from_environment(None, "http://127.0.0.1/v1", {"OPENAI_API_KEY": "k"}) is None
    assert from_environment("", None, {"REGOMENDER_MODEL": " "}) is None


async def test_the_environment_alone_is_enough(model_server: ModelDouble) -> None:
    env = {
        "REGOMENDER_MODEL": "coder",
        "OPENAI_BASE_URL": model_server.base_url,
        "OPENAI_API_KEY": "sk-mine\n",
        "REGOMENDER_USD_PER_MTOK": "1, 2",
    }
    model_server.play(Reply("hi", usage=(1_000_000, 1_000_000)))
    model = from_environment(None, None, env)
    assert model is not None
    assert (await model.ask(ask())).usage.usd == pytest.approx(3)
    assert model_server.requests[0].body["model"] == "coder"
    assert model_server.requests[0].headers["Authorization"] == "Bearer sk-mine"


async def test_arguments_win_and_a_server_of_ones_own_needs_no_key(model_server: ModelDouble) -> None:
    env = {"REGOMENDER_MODEL": "other", "OPENAI_BASE_URL": "http://127.0.0.1:1/v1"}
    model = from_environment("mine", model_server.base_url, env)
    assert model is not None
    await model.ask(ask())
    assert model_server.requests[0].body["model"] == "mine"
    assert model_server.requests[0].headers["Authorization"] == "Bearer none"


def test_a_key_alone_means_openai() -> None:
    model = from_environment("gpt", None, {"OPENAI_API_KEY": "sk-x"})
    assert isinstance(model, OpenAIModel)
    assert model.address == "https://api.openai.com/v1"


@pytest.mark.parametrize(
    ("env", "named"),
    [
        ({}, "OPENAI_API_KEY"),
        ({"OPENAI_BASE_URL": "localhost:8080/v1"}, "OPENAI_BASE_URL"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:99999/v1"}, "OPENAI_BASE_URL"),
        ({"OPENAI_BASE_URL": "http://[::1/v1"}, "OPENAI_BASE_URL"),
        ({"OPENAI_API_KEY": "sk-ключ"}, "OPENAI_API_KEY"),
        ({"OPENAI_API_KEY": "sk\nx"}, "OPENAI_API_KEY"),
        ({"OPENAI_API_KEY": "k", "REGOMENDER_USD_PER_MTOK": "cheap"}, "REGOMENDER_USD_PER_MTOK"),
        ({"OPENAI_API_KEY": "k", "REGOMENDER_USD_PER_MTOK": "1"}, "REGOMENDER_USD_PER_MTOK"),
        ({"OPENAI_API_KEY": "k", "REGOMENDER_USD_PER_MTOK": "-1,2"}, "REGOMENDER_USD_PER_MTOK"),
        ({"OPENAI_API_KEY": "k", "REGOMENDER_USD_PER_MTOK": "nan,inf"}, "REGOMENDER_USD_PER_MTOK"),
    ],
)
def test_a_setting_at_fault_is_named(env: dict[str, str], named: str) -> None:
    with pytest.raises(ValueError, match=named) as caught:
        from_environment("coder", None, env)
    assert "sk" not in str(caught.value)


def test_importing_the_package_does_not_import_the_sdk() -> None:
    program = "import sys, repair.tools.model; sys.exit('openai' in sys.modules or 'httpx2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
