"""Lines, and which of them changed, with a cost that stays bounded on hostile input."""

import re
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from rapidfuzz.distance import LCSseq

READABLE_PAIRS = 4_000_000  # difflib gives the most readable result, but its worst case is worse than quadratic
COUNTABLE_PAIRS = 400_000_000  # LCSseq keeps one bit a pair: 50 MB

_LINE = re.compile(r"[^\n]*\n|[^\n]+")
_LINE_BYTES = re.compile(rb"[^\n]*\n|[^\n]+")


class Change(NamedTuple):
    """Lines `old_start:old_end` became lines `new_start:new_end` (from 0, end excluded)."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


def split_lines(text: str) -> list[str]:
    r"""The lines with their ends. Only `\n` ends a line: form feeds and U+2028 are content."""
    return _LINE.findall(text)


def split_byte_lines(content: bytes) -> list[bytes]:
    r"""The lines with their ends. Only `\n` ends a line."""
    return _LINE_BYTES.findall(content)


def body(line: str) -> str:
    """The line without its end."""
    return line.removesuffix("\n").removesuffix("\r")


def ending(line: str) -> str:
    r"""The end of the line: `\n`, `\r\n`, or nothing."""
    return line[len(body(line)) :]


def indent_of(line: str) -> str:
    """The blanks and tabs before the first other character."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def changes(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Change]:
    """What changed, in order; between two changes stand equal items. Coarser for very large differences."""
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    old_mid, new_mid = old[start : len(old) - end], new[start : len(new) - end]
    if not old_mid and not new_mid:
        return []
    found = _inner_changes(old_mid, new_mid)
    return [Change(*(position + start for position in change)) for change in found]


def _common(old: Sequence[Hashable], new: Sequence[Hashable]) -> int:
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _inner_changes(old: Sequence[Hashable], new: Sequence[Hashable]) -> list[Change]:
    pairs = len(old) * len(new)
    if pairs > COUNTABLE_PAIRS:
        return [Change(0, len(old), 0, len(new))]
    if pairs > READABLE_PAIRS:
        ids: dict[Hashable, int] = {}
        numbers = [[ids.setdefault(item, len(ids)) for item in side] for side in (old, new)]
        steps = (code for code in LCSseq.opcodes(*numbers) if code.tag != "equal")
        return _merged([Change(step.src_start, step.src_end, step.dest_start, step.dest_end) for step in steps])
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return _merged([Change(*code[1:]) for code in matcher.get_opcodes() if code[0] != "equal"])


def _merged(found: list[Change]) -> list[Change]:
    merged: list[Change] = []
    for change in found:
        if merged and merged[-1].old_end == change.old_start and merged[-1].new_end == change.new_start:
            last = merged.pop()
            change = Change(last.old_start, change.old_end, last.new_start, change.new_end)
        merged.append(change)
    return merged
