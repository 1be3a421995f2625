"""Pieces of files as they are shown: whole when small, numbered and narrowed to the errors when large."""

from collections.abc import Sequence

from repair.tools.context import exclude
from repair.values.change import Unit
from repair.values.context import Excerpt

# A unit up to this length is shown as it stands in the file, so that it can be copied into an answer.
PLAIN_LINES = 30
_MOST_LINES = 90
_HEAD_LINES = 3
_MARGIN = 20
_MOST_QUOTED = 5
_QUOTED = 80
LONGEST_LINE = 300
READ_ONLY = "test, read-only"


def shown(kind: str, text: str, unit: Unit, reason: str, confidence: float = 1.0, lines: Sequence[int] = ()) -> Excerpt:
    """A unit of a file as an excerpt; `lines` are those with errors.

    A large unit is numbered, its error lines marked `>`, and lines far from them and from its head left out.
    """
    body = text.replace("\r\n", "\n").split("\n")[unit.start - 1 : unit.end]
    marked = frozenset(line for line in lines if unit.start <= line <= unit.end)
    plain = len(body) <= PLAIN_LINES
    content = "\n".join(_clipped(line) for line in body) if plain else _numbered(body, unit.start, marked)
    where = f"; error on line {_places(body, unit.start, marked, quoted=plain)}" if marked else ""
    note = f"; {READ_ONLY}" if exclude.is_test(unit.path) else ""
    return Excerpt(
        kind=kind,
        path=unit.path,
        start=unit.start,
        end=unit.end,
        text=content,
        reason=f"{reason}{where}{note}",
        confidence=round(confidence, 2),
    )


def _places(body: Sequence[str], first: int, marked: frozenset[int], *, quoted: bool) -> str:
    """The numbers of the error lines; where lines are not numbered, also what stands on them."""
    ordered = sorted(marked)
    if not quoted or len(ordered) > _MOST_QUOTED:
        return ", ".join(map(str, ordered))
    return ", ".join(f"{line} `{body[line - first].strip()[:_QUOTED]}`" for line in ordered)


def _numbered(body: Sequence[str], first: int, marked: frozenset[int]) -> str:
    kept = _kept(len(body), [line - first for line in marked])
    width = len(str(first + len(body)))
    result = []
    previous = -1
    for position in kept:
        if position > previous + 1:
            result.append(f"  {'':>{width}} . ({position - previous - 1} lines left out)")
        sign = ">" if first + position in marked else " "
        result.append(f"{sign} {first + position:>{width}} | {_clipped(body[position])}".rstrip())
        previous = position
    if previous < len(body) - 1:
        result.append(f"  {'':>{width}} . ({len(body) - 1 - previous} lines left out)")
    return "\n".join(result)


def _kept(length: int, errors: Sequence[int]) -> list[int]:
    """The positions shown of a body: all, or its head and the surroundings of as many errors as there is room for."""
    if length <= _MOST_LINES:
        return list(range(length))
    kept = set(range(_HEAD_LINES))
    for error in sorted(errors) or [_MOST_LINES - _MARGIN]:
        margin = range(max(0, error - _MARGIN), min(length, error + _MARGIN + 1))
        if errors and len(kept) + len(margin) > _MOST_LINES and len(kept) > _HEAD_LINES:
            margin = range(error, error + 1)
        kept.update(margin if errors else range(_MOST_LINES - _HEAD_LINES))
    return sorted(kept)[: 2 * _MOST_LINES]


def _clipped(line: str) -> str:
    left = len(line) - LONGEST_LINE
    return line if left <= 0 else f"{line[:LONGEST_LINE]} … ({left} more characters)"
