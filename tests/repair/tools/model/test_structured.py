"""Schemas to ask for, and answers that are data."""

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from repair.tools.model import parse_structured, schema_of
from repair.values.base import Value


class Place(Value):
    file: str
    line: int | None = None


class Diagnosis(Value):
    """Why a check fails."""

    title: str = Field(description="one line")
    places: tuple[Place, ...] = ()
    kind: Literal["code", "test"] = "code"
    default: str = Field(default="", max_length=5)


WHOLE = {"title": "typo", "places": [{"file": "a.py", "line": 3}], "kind": "code", "default": ""}
PARSED = Diagnosis(title="typo", places=(Place(file="a.py", line=3),))


def test_a_schema_is_closed_and_asks_for_every_field() -> None:
    body = schema_of(Diagnosis, "diagnosis").body
    assert body["additionalProperties"] is False
    assert body["required"] == ["title", "places", "kind", "default"]
    place = body["$defs"]["Place"]
    assert (place["additionalProperties"], place["required"]) == (False, ["file", "line"])


def test_a_schema_has_no_keyword_that_strict_mode_refuses() -> None:
    schema = schema_of(Diagnosis, "diagnosis")
    assert schema.name == "diagnosis"
    assert "title" not in schema.body
    assert schema.body["properties"]["title"] == {"type": "string", "description": "one line"}
    assert schema.body["properties"]["default"] == {"type": "string"}
    assert schema.body["properties"]["kind"] == {"type": "string", "enum": ["code", "test"]}


def test_a_reference_stands_alone() -> None:
    class Outer(BaseModel):
        place: Place = Field(description="where")

    assert schema_of(Outer, "outer").body["properties"]["place"] == {"$ref": "#/$defs/Place"}


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "```json\n{}\n```",
        "```\n{}\n```",
        "Sure! Here is the report:\n{}\nI hope it helps.",
        "In f(x) {{ return [1 }}, so: {}",
        "```python\nd = {{'a': 1}}\n```\n```json\n{}\n```",
        '{{"diagnosis": {}}}',
        '{{"draft": 1}} no, rather: {}',
        "[{}]",
        "\ufeff{}",
    ],
)
def test_an_answer_is_found_whatever_stands_around_it(around: str) -> None:
    assert parse_structured(around.format(json.dumps(WHOLE, indent=1)), Diagnosis) == PARSED


def test_a_line_break_inside_of_a_string_is_forgiven() -> None:
    assert parse_structured('{"title": "two\nlines"}', Diagnosis) == Diagnosis(title="two\nlines")


def test_half_a_surrogate_pair_becomes_text() -> None:
    assert parse_structured('{"title": "\\ud800"}', Diagnosis) == Diagnosis(title="?")


@pytest.mark.parametrize(
    "text",
    ["", "no", "{", "}{", '{"title": 3}', '{"title": "a", "unknown": 1}', "null", "[]"],
)
def test_an_answer_that_is_no_such_data_is_none(text: str) -> None:
    assert parse_structured(text, Diagnosis) is None


@pytest.mark.parametrize(
    "text",
    [
        "{" * 400_000,
        '{"title":' * 40_000,
        "[" * 400_000,
        '{"a":[' * 999 + "1," * 190_000,
        '{"title": ' + "9" * 100_000 + "}",
        "```" * 130_000,
        '{"' * 200_000,
    ],
    ids=lambda text: text[:12],
)
@pytest.mark.timeout(60)
def test_hostile_answers_are_given_up_on(text: str) -> None:
    assert parse_structured(text, Diagnosis) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["title", "places", "kind", "x"]), inner),
)


@given(JSON)
def test_any_json_is_data_or_none(document: Any) -> None:
    found = parse_structured(json.dumps(document), Diagnosis)
    assert found is None or isinstance(found, Diagnosis)


@given(st.text(), st.text(alphabet=st.characters(exclude_characters="{"), max_size=200))
def test_every_diagnosis_survives_the_way_through_prose(title: str, prose: str) -> None:
    sent = Diagnosis(title=title)
    assert parse_structured(prose + sent.model_dump_json() + prose, Diagnosis) == sent
