"""Bringing lines that a model wrote to the indentation of the place they go to."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from math import ceil

from repair.tools.edits.lines import indent_of

_TAB = 4


def consistent(quoted: Sequence[str], real: Sequence[str]) -> bool:
    """Whether the quote is indented like the real lines, each depth moved or spelt in one way."""
    return _depths(quoted, real) is not None


def reindented(written: Sequence[str], unit: Sequence[str], file: Sequence[str]) -> list[str]:
    """The lines moved so that the first stands as deep as the unit's first, in tabs or blanks as the unit has them."""
    same_style = _uses_tabs(written) == _uses_tabs(unit)
    indentation = Indentation(written[:1], unit[:1], written, file)
    if indentation.same and same_style:
        return list(written)
    return [indentation.moved(line) for line in written]


class Indentation:
    """Where the depths of a model's lines are in the file, learnt from lines that stand in both."""

    def __init__(self, quoted: Sequence[str], real: Sequence[str], written: Sequence[str], file: Sequence[str]):
        self._depths = _depths(quoted, real) or {}
        self._real, self._file, self._model = real, file, (*quoted, *written)
        self.same = all(one == other for one, other in self._depths.items())

    @cached_property
    def _step(self) -> int:
        return _step(self._model)

    @cached_property
    def _file_step(self) -> str:
        sample = self._real if any(map(indent_of, self._real)) else self._file
        return "\t" if _uses_tabs(sample) else " " * _step(self._file)

    @cached_property
    def _shift(self) -> int | None:
        """By how many blanks all lines move; `None` where depths are spelt or spaced otherwise."""
        tabs = self._file_step == "\t" or any("\t" in indent_of(line) for line in self._model)
        shifts = {_width(other) - _width(one) for one, other in self._depths.items()}
        return shifts.pop() if len(shifts) == 1 and not tabs else None

    def moved(self, line: str) -> str:
        """The line at the depth it has in the file; a blank line as it is."""
        if not line.strip():
            return line
        indent = indent_of(line)
        return self._depth(indent) + line[len(indent) :]

    def _depth(self, indent: str) -> str:
        if indent in self._depths:
            return self._depths[indent]
        width = _width(indent)
        if self._shift is not None:
            return " " * max(0, width + self._shift)
        shallower = [known for known in self._depths if _width(known) <= width]
        nearest = max(shallower, key=_width) if shallower else min(self._depths, key=_width)
        depth, more = self._depths[nearest], width - _width(nearest)
        if more >= 0:
            return depth + self._file_step * (more // self._step) + " " * (more % self._step)
        for _ in range(ceil(-more / self._step)):
            depth = depth.removesuffix(self._file_step)
        return depth


def _depths(quoted: Sequence[str], real: Sequence[str]) -> dict[str, str] | None:
    depths: dict[str, str] = {}
    for one, other in zip(quoted, real, strict=True):
        if one.strip() and depths.setdefault(indent_of(one), indent_of(other)) != indent_of(other):
            return None
    return depths


def _width(indent: str) -> int:
    return len(indent.expandtabs(_TAB))


def _step(lines: Iterable[str]) -> int:
    """The smallest difference of two depths of the lines, in columns."""
    widths = sorted({0} | {_width(indent_of(line)) for line in lines if line.strip()})
    return min((deep - flat for flat, deep in pairwise(widths) if deep - flat > 1), default=_TAB)


def _uses_tabs(lines: Iterable[str]) -> bool:
    indents = [indent_of(line) for line in lines if indent_of(line)]
    return 2 * sum(indent.startswith("\t") for indent in indents) > len(indents)
