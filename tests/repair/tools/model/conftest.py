"""The model server for these tests, and how to ask it."""

from collections.abc import Callable

import pytest

from repair.tools.model import OpenAIModel
from repair.values.model import ModelRequest, ModelRole, Schema
from tests.model_double.fixtures import model_server
from tests.model_double.server import ModelDouble

__all__ = ["model_server"]

KEY = "sk-test-4f9a0c77d1e24b6f8a53"
SCHEMA = Schema(
    name="diagnosis",
    body={
        "type": "object",
        "properties": {"cause": {"type": "string"}},
        "required": ["cause"],
        "additionalProperties": False,
    },
)


@pytest.fixture
def model(model_server: ModelDouble) -> OpenAIModel:
    return OpenAIModel("coder", model_server.base_url, KEY, backoff=0.01)


@pytest.fixture
def request_of() -> Callable[..., ModelRequest]:
    def build(**fields: object) -> ModelRequest:
        given = {"role": ModelRole.PATCH, "run": "run-1", "system": "rules", "prompt": "repair it", "timeout": 30}
        return ModelRequest.model_validate(given | fields)

    return build
