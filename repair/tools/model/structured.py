"""Answers that are data: the schema to ask for, and reading what came."""

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from repair.values.model import Schema

Model = TypeVar("Model", bound=BaseModel)

_LONGEST = 400_000
_MOST_STARTS = 200
_UNSUPPORTED = {"default", "title", "examples", "discriminator", "minLength", "maxLength", "uniqueItems"}
_MAPS_OF_SCHEMAS = {"properties", "$defs"}
# Small models break lines inside of strings, which strict JSON forbids.
_DECODER = json.JSONDecoder(strict=False)


def schema_of(model: type[BaseModel], name: str) -> Schema:
    """The JSON schema of a model as strict mode wants it: closed objects, every field required, no defaults.

    Free mappings (`dict[str, X]`) have no strict form; endpoints may refuse them.
    """
    return Schema(name=name, body=_strict(model.model_json_schema()))


def parse_structured(text: str, model: type[Model]) -> Model | None:
    """The first JSON object in the text that is a `model`, whatever stands around it; `None` without one."""
    for document in _documents(text[:_LONGEST]):
        # Back to bytes, since JSON can spell half a surrogate pair and a model's strings should be text.
        with suppress(ValidationError, RecursionError):
            return model.model_validate_json(json.dumps(document, ensure_ascii=False).encode("utf-8", "replace"))
    return None


def _strict(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_strict(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    strict = {_keyword(key): _value(key, value) for key, value in schema.items() if key not in _UNSUPPORTED}
    if "properties" in strict:
        strict |= {"additionalProperties": False, "required": list(strict["properties"])}
    return strict


def _keyword(key: str) -> str:
    return "anyOf" if key == "oneOf" else key


def _value(key: str, value: Any) -> Any:
    if key in _MAPS_OF_SCHEMAS:
        return {name: _strict(schema) for name, schema in value.items()}
    return value if key in ("enum", "const", "required") else _strict(value)


def _documents(text: str) -> Iterator[Any]:
    """JSON objects in the text, outer before inner. The number of places tried is bounded, so the work is too."""
    start = text.find("{")
    for _ in range(_MOST_STARTS):
        if start < 0:
            return
        with suppress(ValueError, RecursionError):
            yield _DECODER.raw_decode(text, start)[0]
        start = text.find("{", start + 1)
