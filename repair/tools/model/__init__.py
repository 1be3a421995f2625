"""Asking a language model. Importing this package does not import the SDK."""

from repair.tools.model.environment import from_environment
from repair.tools.model.openai_client import OpenAIModel
from repair.tools.model.seam import FailureKind, ModelClient, ModelFailure
from repair.tools.model.structured import parse_structured, schema_of

__all__ = [
    "FailureKind",
    "ModelClient",
    "ModelFailure",
    "OpenAIModel",
    "from_environment",
    "parse_structured",
    "schema_of",
]
