"""The syntactic unit around a line, also where the file does not parse."""

from collections.abc import Sequence

from repair.tools.context.facts import SHARED
from repair.tools.context.seam import Definition
from repair.values.change import Unit

# Up to this many lines a file is taken as a whole.
SHORT_FILE = 60

_MARKS = ("#", "//", "/*", "*", "--", "@")
_NOT_UNITS = frozenset(("package", "local", "constant"))
_LONGEST_COMMENT = 200


def enclosing_unit(path: str, text: str, line: int) -> Unit:
    """The smallest definition or top-level statement around the line, with its decorators and leading comments.

    The whole file when it is short, or when nothing in it can be delimited there.
    """
    lines = text.split("\n")
    around = [entry for entry in _around(path, text, line) if entry.kind not in _NOT_UNITS]
    if _length(lines) <= SHORT_FILE or not around:
        return whole_file(path, text)
    return unit_of(path, text, _unit(around))


def enclosing_scope(path: str, text: str, line: int) -> str | None:
    """The dotted path of the names around the line; `None` at the top level."""
    named = [entry for entry in _around(path, text, line) if entry.name and entry.kind != "package"]
    return named[-1].path if named else None


def unit_of(path: str, text: str, definition: Definition) -> Unit:
    """A definition as a unit."""
    start = _leading(text.split("\n"), definition.start)
    return Unit(path=path, start=start, end=definition.end, name=definition.path, kind=definition.kind)


def whole_file(path: str, text: str) -> Unit:
    """The file as a unit."""
    return Unit(path=path, start=1, end=max(1, _length(text.split("\n"))))


def _around(path: str, text: str, line: int) -> list[Definition]:
    """What spans the line or its leading comments, outermost first."""
    definitions = SHARED.definitions(path, text)
    found = [entry for entry in definitions if entry.start <= line <= entry.end]
    if not found:
        lines = text.split("\n")
        below = next((entry for entry in definitions if entry.start > line), None)
        found = [below] if below and _leading(lines, below.start) <= line else []
    return sorted(found, key=lambda entry: (entry.start - entry.end, entry.start))


def _unit(around: Sequence[Definition]) -> Definition:
    """The innermost, but a definition of one line only where nothing larger with a name is around it."""
    longer = [entry for entry in around if entry.name and entry.end > entry.start]
    return longer[-1] if longer else around[-1]


def _leading(lines: Sequence[str], start: int) -> int:
    """The first line of the comments, attributes and decorators right above `start`."""
    while start > 1:
        above = lines[start - 2].strip()
        if above.endswith("*/"):
            opening = _opening(lines, start - 1)
            if opening is None:
                return start
            start = opening
        elif above.startswith(_MARKS) and not above.startswith("#!"):
            start -= 1
        else:
            return start
    return start


def _opening(lines: Sequence[str], end: int) -> int | None:
    """The line that opens the block comment which ends on line `end`, if nothing else stands before it."""
    for number in range(end, max(0, end - _LONGEST_COMMENT), -1):
        line = lines[number - 1].strip()
        if "/*" in line:
            return number if line.startswith("/*") else None
    return None


def _length(lines: Sequence[str]) -> int:
    """How many lines there are; the empty string after the last line feed is none."""
    return len(lines) - 1 if lines[-1] == "" else len(lines)
