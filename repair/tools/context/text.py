"""The last fallback: identifiers by pattern and an outline by indentation, for any text."""

import re
from collections.abc import Iterator

from repair.tools.context.seam import Definition, ImportRef, Reference

LONGEST_LINE = 2000
CONFIDENCE = 0.4

IDENTIFIER = re.compile(r"[^\W\d]\w*")

_HEADER = re.compile(
    r"(?P<indent>[ \t]*)"
    r"(?:(?:export|default|public|private|protected|static|async|abstract|final|pub|unsafe)\s{1,4}){0,5}"
    r"(?P<kind>def|class|function|func|fn|interface|struct|enum|trait|type|impl|module|package|namespace)\s{1,4}"
    r"(?:\([^()]{0,200}\)\s{0,4})?(?P<name>[^\W\d]\w*)"
)
_KINDS = {"def": "function", "func": "function", "fn": "function"}
_CLOSERS = ("}", ")", "]", "end")


def lines_of(text: str) -> list[str]:
    """The lines as tools count them: only line feeds end a line, each line capped for pattern matching."""
    return [line[:LONGEST_LINE] for line in text.split("\n")]


def identifiers(text: str) -> tuple[Reference, ...]:
    """Every identifier, once per line."""
    found = (
        Reference(match[0], number)
        for number, line in enumerate(lines_of(text), 1)
        for match in IDENTIFIER.finditer(line)
    )
    return tuple(dict.fromkeys(found))


def outline(text: str) -> tuple[Definition, ...]:
    """Definitions by their header line; each reaches to the next line that is indented no deeper."""
    lines = lines_of(text)
    found = []
    enclosing: list[tuple[int, int, str]] = []
    for number, indent, kind, name in _headers(lines):
        while enclosing and (enclosing[-1][0] >= indent or enclosing[-1][1] < number):
            enclosing.pop()
        end = _end(lines, number, indent)
        parent = tuple(entry[2] for entry in enclosing)
        found.append(Definition(name, _KINDS.get(kind, kind), number, end, parent, CONFIDENCE))
        enclosing.append((indent, end, name))
    return tuple(found)


def _headers(lines: list[str]) -> Iterator[tuple[int, int, str, str]]:
    for number, line in enumerate(lines, 1):
        if match := _HEADER.match(line):
            yield number, _depth(match["indent"]), match["kind"], match["name"]


def _end(lines: list[str], start: int, indent: int) -> int:
    """The last line of the block that starts at `start`; a closing bracket at the block's own depth belongs to it."""
    end = start
    for number in range(start + 1, len(lines) + 1):
        line = lines[number - 1]
        stripped = line.strip()
        if not stripped:
            continue
        if _depth(line) <= indent:
            return number if stripped.startswith(_CLOSERS) and _depth(line) == indent else end
        end = number
    return end


def _depth(line: str) -> int:
    expanded = line.expandtabs(4)
    return len(expanded) - len(expanded.lstrip())


class TextSource:
    """Facts about text in a language that nothing here can parse."""

    def definitions(self, path: str, text: str) -> tuple[Definition, ...]:
        """The outline by indentation."""
        return outline(text)

    def references(self, path: str, text: str) -> tuple[Reference, ...]:
        """Every identifier."""
        return identifiers(text)

    def imports(self, path: str, text: str) -> tuple[ImportRef, ...]:
        """None: what an unknown language imports cannot be told."""
        return ()
