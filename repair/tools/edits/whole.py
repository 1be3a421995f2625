"""Fenced code put in the place of the unit that was asked for."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from repair.tools.edits.indent import reindented
from repair.tools.edits.lines import body, indent_of, split_lines
from repair.tools.edits.splice import spliced
from repair.values.change import Unit

SAME_HEAD = 60  # per cent of similarity from which two first lines head the same unit
_SHARED = 0.3  # part of the unit's lines that shows the answer to be a version of it
_HALF = 0.5
_MARK = r"[ \t]*(?:#|//|--|/\*|\*|<!--|;)[ \t]*"
_LEFT_OUT = re.compile(
    _MARK + r"(?:(?:\.{3}|\u2026).{0,200}|rest of (?:the|your) .{0,100}"
    r"|(?:existing|remaining|other|same|previous|unchanged)\b.{0,100}(?:\.{3}|\u2026)[ \t]*(?:\*/|-->)?)",
    re.IGNORECASE,
)
_LEADING = re.compile(r"[ \t]*(?:@|#|//|/\*|\*|--|$)")


class Rewrite(NamedTuple):
    """The file's new text, or a problem in words."""

    text: str | None = None
    note: str = ""
    problem: str = ""


def left_out(new: Sequence[str], old: Collection[str]) -> str:
    """The problem of a line such as `# ... existing code ...` that stands for code, or an empty string."""
    suspects = [line for line in new if len(line) < 400 and _LEFT_OUT.fullmatch(line)]
    known = {line.strip() for line in old} if suspects else set()
    for line in suspects:
        if line.strip() not in known:
            return f"The line {line.strip()[:120]!r} stands for code that is left out. Write every line."
    return ""


def rewritten(text: str, unit: Unit, fences: Sequence[str]) -> Rewrite:
    """The text with the largest plausible fence in the place of the unit, or of the whole file if it is all of it."""
    lines = split_lines(text)
    bodies = [body(line) for line in lines]
    start, end = _without_blanks(bodies, max(0, unit.start - 1), unit.end)
    if start >= end and text.strip():
        return Rewrite(problem=f"Lines {unit.start}-{unit.end} hold nothing that could be replaced.")
    offers = sorted(([body(line) for line in split_lines(fence)] for fence in fences), key=_filled)
    reasons = []
    for offer in reversed(offers):
        first, last = _without_blanks(offer, 0, len(offer))
        written = offer[first:last]
        if not text.strip():
            return Rewrite("".join(f"{line}\n" for line in written))
        target, problem = _placed(bodies, start, end, unit.kind == "file", written)
        if not problem and not (problem := left_out(written, bodies)):
            return Rewrite(_replaced(lines, *target, written))
        reasons.append(problem)
    return Rewrite(problem=reasons[0])


def _without_blanks(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    filled = [start + number for number, line in enumerate(lines[start:end]) if line.strip()]
    return (filled[0], filled[-1] + 1) if filled else (start, start)


def _filled(lines: Sequence[str]) -> int:
    return sum(bool(line.strip()) for line in lines)


def _placed(
    bodies: Sequence[str], start: int, end: int, is_file: bool, written: Sequence[str]
) -> tuple[tuple[int, int], str]:
    """Which lines the code replaces, and what speaks against it."""
    target = start, end
    if not written:
        return target, "The fenced code is empty."
    whole = is_file or (start, end) == (0, len(bodies))
    if not whole and _is_whole_file(bodies, start, end, written):
        return (0, len(bodies)), ""
    start += _kept_lead(bodies[start:end], written)
    return (start, end), _objection(bodies[start:end], whole, written)


def _is_whole_file(bodies: Sequence[str], start: int, end: int, written: Sequence[str]) -> bool:
    """Whether more came back than was asked for: all of the file instead of a unit of it."""
    outside = {line.strip() for line in (*bodies[:start], *bodies[end:]) if len(line.strip()) > 1}
    shared = outside & {line.strip() for line in written}
    return bool(outside) and len(shared) > _HALF * len(outside) and 2 * _filled(written) >= _filled(bodies)


def _kept_lead(unit: Sequence[str], written: Sequence[str]) -> int:
    """How many decorators and comments above the unit's first line the answer left away."""
    for number, line in enumerate(unit):
        if fuzz.ratio(line.strip()[:300], written[0].strip()[:300]) >= SAME_HEAD:
            return number
        if not _LEADING.match(line):
            return 0
    return 0


def _objection(unit: Sequence[str], whole: bool, written: Sequence[str]) -> str:
    head = next((line.strip() for line in unit if line.strip()), "")
    heads_alike = fuzz.ratio(head[:300], written[0].strip()[:300]) >= SAME_HEAD
    own = {line.strip() for line in unit if line.strip()}
    shared = len(own & {line.strip() for line in written}) / max(1, len(own))
    small = _filled(written) < _HALF * _filled(unit)
    if small and (whole or not heads_alike):
        return f"The code has {_filled(written)} lines for {_filled(unit)} asked for. Answer with all of the unit."
    if not heads_alike and shared < _SHARED:
        return f"The code does not begin like the unit asked for ({head[:120]!r}) and shares little with it."
    if indent_of(unit[0]) and not heads_alike and any(line.strip() == head for line in written[1:]):
        return f"The code holds more than the unit asked for ({head[:120]!r}). Answer with the unit alone."
    return ""


def _replaced(lines: Sequence[str], start: int, end: int, written: Sequence[str]) -> str:
    unit = [body(line) for line in lines[start:end]]
    shallow = {line for line in unit if not line.startswith(indent_of(unit[0]))}  # texts inside of strings
    moved = reindented(written, unit, [body(line) for line in lines])
    return spliced(
        lines, start, unit, [old if old in shallow else new for old, new in zip(written, moved, strict=True)]
    )
