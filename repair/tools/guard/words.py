"""Comparing words of code: what formatters change does not count."""

from collections.abc import Iterable

from repair.tools.guard.source import Token

_GROUPING = frozenset({";", "(", ")"})
_CLOSERS = frozenset({")", "]", "}"})
_PREFIXES = "rRbBuUfFlLcC$@#"


def normal(tokens: Iterable[Token]) -> str:
    """The words without quotes, trailing commas, semicolons and grouping."""
    kept: list[str] = []
    for token in tokens:
        if token.text in _CLOSERS and kept[-1:] == [","]:
            kept.pop()
        if token.text not in _GROUPING:
            kept.append(plain(token))
    return " ".join(kept[:-1] if kept[-1:] == [","] else kept)


def plain(token: Token) -> str:
    """The word; a string without its quotes, a number in its usual form."""
    if token.kind == "string":
        return literal_value(token.text)
    return number_value(token.text) if token.kind == "number" else token.text


def literal_value(text: str) -> str:
    """A string literal without its quotes and prefixes."""
    body = text.lstrip(_PREFIXES) if text[-1:] in {"'", '"', "`", "#"} else text
    for quote in ('"""', "'''", '"', "'", "`"):
        if len(body) >= 2 * len(quote) and body.startswith(quote):
            return body.rstrip("#")[len(quote) : -len(quote)]
    return body


def number_value(text: str) -> str:
    """A number as Python writes it, so that `1_000`, `1000u64` and `1e3` are the same."""
    digits = text.replace("_", "")
    for suffix in ("usize", "isize", "u64", "i64", "u32", "i32", "u16", "i16", "u8", "i8", "f64", "f32", "n", "L", "l"):
        if not digits.lower().startswith("0x"):
            digits = digits.removesuffix(suffix)
    try:
        value = float(int(digits, 0)) if digits.lower().startswith(("0x", "0o", "0b")) else float(digits)
    except (ValueError, OverflowError):
        return text
    return repr(value)
