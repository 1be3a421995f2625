"""The simple part of GitHub's `${{ }}`: names that are known before a run, and comparisons of them.

https://docs.github.com/actions/reference/workflows-and-actions/expressions
"""

import re
from collections.abc import Mapping
from typing import Final

Context = Mapping[str, str]

_EXPRESSION: Final = re.compile(r"\$\{\{([^{}]{0,300})\}\}")
_OPEN: Final = "${{"
_LITERAL: Final = re.compile(r"'([^']*)'|(-?\d+(?:\.\d+)?|true|false)")
_STARTS_WITH: Final = re.compile(r"startsWith\(([^(),]{1,100}),([^(),]{1,100})\)")
_STATUS: Final = {
    "always()": True,
    "success()": True,
    "!cancelled()": True,
    "!failure()": True,
    "failure()": False,
    "cancelled()": False,
    "true": True,
    "false": False,
}


class UnresolvedError(Exception):
    """An expression whose value only GitHub knows; the text names it."""


def resolve(text: str, context: Context) -> str:
    """The text with its expressions replaced. Raises `UnresolvedError` for the first unknown one."""
    resolved = _EXPRESSION.sub(lambda match: _value(match[1], context), text)
    if _OPEN in _EXPRESSION.sub("", text):
        raise UnresolvedError("an expression that is more than a name")
    return resolved


def holds(condition: str, context: Context) -> bool | None:
    """Whether an `if:` holds, or `None` where that cannot be told before a run."""
    stripped = condition.strip()
    whole = _EXPRESSION.fullmatch(stripped)
    stripped = whole[1] if whole else stripped
    if "||" in stripped:
        return None
    terms = [_term(term.strip(), context) for term in stripped.split("&&")]
    if False in terms:
        return False
    return None if None in terms else True


def _term(term: str, context: Context) -> bool | None:
    if term in _STATUS:
        return _STATUS[term]
    try:
        if match := _STARTS_WITH.fullmatch(term):
            return _value(match[1], context).lower().startswith(_value(match[2], context).lower())
        for operator in ("==", "!="):
            left, found, right = term.partition(operator)
            if found:
                # GitHub compares text without regard to case.
                equal = _value(left, context).lower() == _value(right, context).lower()
                return equal is (operator == "==")
        return _value(term, context).lower() not in {"", "false", "0"}
    except UnresolvedError:
        return None


def _value(expression: str, context: Context) -> str:
    name = expression.strip()
    if literal := _LITERAL.fullmatch(name):
        return literal[1] if literal[1] is not None else literal[2]
    if name not in context:
        raise UnresolvedError(f"`{name[:100]}`")
    return context[name]
