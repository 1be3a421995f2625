"""What a request to a chat-completions endpoint must look like."""

from collections.abc import Iterator, Mapping
from typing import Any

from repair.values.model import ModelRole

_FIELDS = {"model", "messages", "max_tokens", "max_completion_tokens", "temperature", "seed", "response_format"}


def complaints(headers: Mapping[str, str], body: Any) -> list[str]:
    """Everything that is wrong with a request."""
    if not isinstance(body, dict):
        return ["the body is not a JSON object"]
    return [*_about_headers(headers), *_about_body(body), *_about_format(body.get("response_format"))]


def _about_headers(headers: Mapping[str, str]) -> Iterator[str]:
    if headers.get("X-RegoMender-Role") not in set(ModelRole):
        yield "X-RegoMender-Role names no role"
    if not headers.get("X-RegoMender-Run"):
        yield "X-RegoMender-Run is missing"
    if not headers.get("Authorization", "").startswith(("Bearer ", "Basic ")):
        yield "Authorization is missing"


def _about_body(body: dict[str, Any]) -> Iterator[str]:
    if unknown := set(body) - _FIELDS:
        yield f"unknown fields {sorted(unknown)}"
    if not isinstance(body.get("model"), str) or not body["model"]:
        yield "model is missing"
    limits = [body[key] for key in ("max_tokens", "max_completion_tokens") if key in body]
    if len(limits) != 1 or not isinstance(limits[0], int) or limits[0] < 1:
        yield "exactly one positive token limit is wanted"
    if not 0 <= body.get("temperature", 0) <= 2:
        yield "temperature is out of range"
    messages = body.get("messages")
    roles = [m.get("role") for m in messages] if isinstance(messages, list) else []
    if roles not in (["system", "user"], ["user"]):
        yield f"messages are one fresh request, not {roles}"
    elif not all(isinstance(m.get("content"), str) and m["content"] for m in messages):
        yield "a message is empty"


def _about_format(response_format: Any) -> Iterator[str]:
    if response_format is None or response_format == {"type": "json_object"}:
        return
    schema = response_format.get("json_schema") if isinstance(response_format, dict) else None
    if not isinstance(schema, dict) or response_format.get("type") != "json_schema":
        yield "response_format has an unknown shape"
        return
    if set(schema) != {"name", "schema", "strict"} or schema["strict"] is not True:
        yield "json_schema wants name, schema and strict"
        return
    yield from _about_schema(schema["schema"])


def _about_schema(schema: Any) -> Iterator[str]:
    if isinstance(schema, list):
        for item in schema:
            yield from _about_schema(item)
    if not isinstance(schema, dict):
        return
    properties = schema.get("properties")
    if schema.get("type") == "object" and isinstance(properties, dict):
        if schema.get("additionalProperties") is not False:
            yield "strict: additionalProperties must be false"
        if sorted(schema.get("required", [])) != sorted(properties):
            yield "strict: every property must be required"
    for value in schema.values():
        yield from _about_schema(value)
