"""Chat completions are not spoken alike everywhere: the body of a request, and what a refusal teaches."""

import json
import re
from enum import StrEnum
from typing import Any
from urllib.parse import quote

from repair.tools.model.seam import FailureKind, ModelFailure
from repair.values.model import ModelRequest, Schema


class Quirk(StrEnum):
    """What an endpoint turned out not to take."""

    NO_JSON_SCHEMA = "no_json_schema"
    NO_JSON_OBJECT = "no_json_object"
    NO_MAX_TOKENS = "no_max_tokens"
    NO_TEMPERATURE = "no_temperature"
    NO_SEED = "no_seed"
    NO_SYSTEM = "no_system"


Quirks = frozenset[Quirk]

_LONGEST_COMPLAINT = 4000
_ABOUT_SCHEMA = re.compile(r"response_format|json.?(?:schema|object)|schema|grammar|structured|guided", re.IGNORECASE)
_ABOUT_SYSTEM = re.compile(r"system.{0,3} (?:role|message|prompt|instruction)|role.{0,20}system", re.IGNORECASE)
_ABOUT = (
    ("max_tokens", re.compile(r"max_completion_tokens"), Quirk.NO_MAX_TOKENS),
    ("temperature", re.compile(r"\btemperature\b"), Quirk.NO_TEMPERATURE),
    ("seed", re.compile(r"\bseed\b"), Quirk.NO_SEED),
)


def body_of(name: str, request: ModelRequest, quirks: Quirks) -> dict[str, Any]:
    """The JSON body that asks `request` of the model `name`, at an endpoint with these quirks."""
    limit = "max_completion_tokens" if Quirk.NO_MAX_TOKENS in quirks else "max_tokens"
    body: dict[str, Any] = {"model": name, "messages": _messages(request, quirks), limit: request.max_tokens}
    if Quirk.NO_TEMPERATURE not in quirks:
        body["temperature"] = request.temperature
    if request.seed is not None and Quirk.NO_SEED not in quirks:
        body["seed"] = request.seed
    if request.schema_ and (response_format := _response_format(request.schema_, quirks)):
        body["response_format"] = response_format
    return body


def headers_of(request: ModelRequest) -> dict[str, str]:
    """Who asks, for the endpoint's own books. Characters a header cannot carry are percent-encoded.

    Compressed answers are refused: a small one could unfold to more than memory holds.
    """
    return {
        "X-RegoMender-Role": request.role.value,
        "X-RegoMender-Run": quote(request.run, safe="!#$&'()*+,/:;=?@[]"),
        "Accept-Encoding": "identity",
    }


def quirk_behind(failure: ModelFailure, complaint: str, body: dict[str, Any], known: Quirks) -> Quirk | None:
    """The quirk that explains why the endpoint refused `body`; `None` where another cause must be looked for."""
    if failure.kind is not FailureKind.REJECTED:
        return None
    complaint = complaint[:_LONGEST_COMPLAINT]
    for field, words, quirk in _ABOUT:
        if field in body and words.search(complaint):
            return quirk
    if "response_format" in body and _ABOUT_SCHEMA.search(complaint):
        return Quirk.NO_JSON_OBJECT if Quirk.NO_JSON_SCHEMA in known else Quirk.NO_JSON_SCHEMA
    if len(body["messages"]) > 1 and _ABOUT_SYSTEM.search(complaint):
        return Quirk.NO_SYSTEM
    return None


def _messages(request: ModelRequest, quirks: Quirks) -> list[dict[str, str]]:
    system, prompt = _sendable(request.system), _sendable(request.prompt)
    if request.schema_ and Quirk.NO_JSON_SCHEMA in quirks:
        prompt = f"{prompt}\n\n{_schema_in_words(request.schema_)}"
    if Quirk.NO_SYSTEM in quirks:
        return [{"role": "user", "content": f"{system}\n\n{prompt}"}]
    first = [{"role": "system", "content": system}] if system else []
    return [*first, {"role": "user", "content": prompt}]


def _sendable(text: str) -> str:
    """Bytes that are no text may arrive as half surrogate pairs, which UTF-8 has no form for."""
    return text.encode("utf-8", errors="replace").decode("utf-8")


def _response_format(schema: Schema, quirks: Quirks) -> dict[str, Any] | None:
    if Quirk.NO_JSON_SCHEMA not in quirks:
        body = {"name": schema.name, "schema": schema.body, "strict": True}
        return {"type": "json_schema", "json_schema": body}
    return None if Quirk.NO_JSON_OBJECT in quirks else {"type": "json_object"}


def _schema_in_words(schema: Schema) -> str:
    text = json.dumps(schema.body, ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. It must keep to this JSON schema:\n{text}"
