"""Filling the prompt templates: every quoted text fenced, hidden characters shown, the size bounded."""

from collections.abc import Mapping
from functools import cache

import jinja2

from repair.tools.context.visible import fence, visible
from repair.tools.triage.text import excerpt
from repair.values.base import Value

PROMPT_CHARACTERS = 18_000
"""The size budget of a prompt; about 5,500 tokens, so that small local models can take it."""
_SMALLEST = 2_000


class Tried(Value):
    """An earlier attempt as the next prompt shows it."""

    why: str
    diff: str = ""


class Parts(Value):
    """The parts of a prompt that can be large, and so can be cut."""

    output: str
    context: str
    tried: tuple[Tried, ...] = ()


def fenced(text: str, language: str = "") -> str:
    """Text as data: in a fence longer than any inside it, with invisible characters shown escaped."""
    shown = visible(text).rstrip()
    marks = fence(shown)
    return f"{marks}{language}\n{shown}\n{marks}"


def render(template: str, values: Mapping[str, object]) -> str:
    """The text of a template in `repair/prompts`."""
    absent: dict[str, object] = {"diagnosis": "", "refuted": (), "unit": None, "path": ""}
    return _templates().get_template(f"{template}.j2").render(absent | dict(values)).strip() + "\n"


def fit(parts: Parts, budget: int = PROMPT_CHARACTERS) -> Parts:
    """The parts cut to the budget: older attempts first, then the middle of the output, then of the context.

    The scan has already cut what it could spare; the error unit stands first in it and goes last.
    """
    tried = parts.tried
    while len(tried) > 1 and _size(parts.output, parts.context, tried) > budget:
        tried = tried[1:]
    output, context = parts.output, parts.context
    if _size(output, context, tried) > budget:
        output = excerpt(output, max(_SMALLEST, budget - _size("", context, tried)))
    if _size(output, context, tried) > budget:
        kept = max(_SMALLEST, budget - _size(output, "", tried))
        context = context[:kept] + "\n[... the rest is left out ...]\n"
    return Parts(output=output, context=context, tried=tried)


def _size(output: str, context: str, tried: tuple[Tried, ...]) -> int:
    return len(output) + len(context) + sum(len(attempt.why) + len(attempt.diff) for attempt in tried)


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("repair", "prompts"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        autoescape=False,  # noqa: S701  # plain text, never HTML; data is fenced
    )
    environment.filters["fenced"] = fenced
    return environment
