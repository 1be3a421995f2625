"""What the literals of a Rego file are for, read off the words beside them."""

from collections.abc import Iterator, Sequence

from repair.tools.guard.source import Token
from repair.tools.guard.words import plain

_COMPARING = frozenset({"==", "!=", "in"})
_COMPARING_CALLS = frozenset({"startswith", "endswith", "contains", "equal", "indexof", "regex.match", "glob.match"})
_DEEPEST = 60  # brackets, as far as anyone nests on purpose
_MESSAGE_CALLS = frozenset({"sprintf", "concat", "print", "format_int"})


def roles(tokens: Sequence[Token]) -> Iterator[tuple[str, str, str, int]]:
    """Value, kind, role and line of every string and number."""
    holders: list[str] = []
    for index, token in enumerate(tokens):
        if token.text in {"(", "[", "{"}:
            holders.append(_holder(tokens, index))
        elif token.text in {")", "]", "}"}:
            del holders[-1:]
        elif token.kind in {"string", "number"}:
            yield plain(token), token.kind, _role(tokens, index, holders[-_DEEPEST:]), token.line


def _holder(tokens: Sequence[Token], index: int) -> str:
    """What an opening bracket opens: a call by its name, a subscript, or a collection."""
    before = tokens[index - 1] if index else None
    attached = before is not None and (before.kind == "name" or before.text in {"]", ")"})
    if tokens[index].text == "(" and before is not None and before.kind == "name":
        return before.text
    if tokens[index].text == "[" and attached and before is not None and before.text not in {"in", "contains", "if"}:
        return "subscript"
    return "body" if _opens_body(tokens, index) else "collection"


def _opens_body(tokens: Sequence[Token], index: int) -> bool:
    before = tokens[index - 1].text if index else ""
    fresh = index + 1 < len(tokens) and tokens[index + 1].line > tokens[index].line
    return tokens[index].text == "{" and (
        before in {"if", "else", ")", "]"} or (fresh and before not in {"=", ":=", ":"})
    )


def _role(tokens: Sequence[Token], index: int, holders: Sequence[str]) -> str:
    before = tokens[index - 1].text if index else ""
    after = tokens[index + 1].text if index + 1 < len(tokens) else ""
    if any(holder in _MESSAGE_CALLS for holder in holders):
        return "message"
    if before in _COMPARING or after in _COMPARING or any(holder in _COMPARING_CALLS for holder in holders):
        return "compared"
    inner = holders[-1] if holders else "body"
    if inner == "subscript":
        return "subscript"
    if inner == "collection":
        return "key" if after == ":" else "data"
    if before in {"contains", ":=", "="} or "collection" in holders:
        return "returned" if not holders else "assigned"
    return "other"
