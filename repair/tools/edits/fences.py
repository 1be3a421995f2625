"""Fenced code in a Markdown answer."""

import re
from collections.abc import Callable, Sequence

_OPENING = re.compile(r"(?P<indent>[ \t]{0,16})(?P<fence>`{3,100}|~{3,100})(?P<info>[^`]{0,300})")
_NOT_CODE = frozenset({"diff", "patch", "console", "text", "log"})


def fenced(lines: Sequence[str], rejected: Callable[[str], bool]) -> tuple[str, ...]:
    """The closed fences' texts, without those that are a diff, a log or prose, or hold a `rejected` line."""
    found: list[str] = []
    position = 0
    while position < len(lines):
        opening = _OPENING.fullmatch(lines[position])
        position += 1
        if opening is None:
            continue
        end = _end(lines, position, opening["fence"])
        if end is None:
            break
        content = [_outdented(line, len(opening["indent"])) for line in lines[position:end]]
        language = opening["info"].strip().lower().split(" ", 1)[0]
        if language not in _NOT_CODE and any(map(str.strip, content)) and not any(map(rejected, content)):
            found.append("".join(f"{line}\n" for line in content))
        position = end + 1
    return tuple(found)


def _end(lines: Sequence[str], start: int, fence: str) -> int | None:
    for position in range(start, len(lines)):
        closing = lines[position].strip()
        if closing.startswith(fence) and not closing.strip(fence[0]):
            return position
    return None


def _outdented(line: str, most: int) -> str:
    """The line without up to `most` leading blanks, as Markdown reads the content of an indented fence."""
    blanks = len(line) - len(line.lstrip(" \t"))
    return line[min(blanks, most) :]
