"""Reads node: the error that ended a process."""

import re
from collections.abc import Iterable, Iterator, Sequence

from repair.tools.triage.reading import (
    Tool,
    command,
    draft,
    in_tree,
    lines_of,
    number,
    plain_path,
    quoted,
    site,
    unique,
)
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Finding
from repair.values.triage import Transcript, Triage

THROWN = re.compile(
    r"(?:Uncaught )?(?P<name>[A-Za-z]*(?:Error|Exception|Rejection))(?: \[(?P<code>\w+)\])?: (?P<said>.*)$"
)
_HEADER = re.compile(r"(?:file://)?(?P<file>/[^:]*|[A-Za-z]:[^:]*):(?P<line>\d{1,7})$")
_IMPORTER = re.compile(r"imported from (?P<file>\S+)$|^- (?P<required>/\S+)$")
_MODULE_CODES = (
    "MODULE_NOT_FOUND",
    "ERR_REQUIRE",
    "ERR_UNSUPPORTED_DIR",
    "ERR_IMPORT_A",
    "ERR_PACKAGE",
    "ERR_UNKNOWN_FILE",
)
_MODULE_WORDS = (
    "in ES module scope",
    "import statement outside a module",
    "does not provide an export",
    "Named export",
    "Cannot find module",
    "Cannot find package",
    "Directory import",
    "needs an import a",
)
UNDEFINED = re.compile(r"(?P<name>[\w$]+) is not defined")
_EXPORT = re.compile(r"(?:export named|Named export) ['\"](?P<name>[^'\"]+)")


def _uncaught(transcript: Transcript) -> Triage:
    if "✖ failing tests:" in transcript.output:  # node:test tells of them under the test they ended
        return Triage()
    chunks = re.split(r"^Node\.js v.*$", transcript.output, flags=re.MULTILINE)
    found = [thrown(transcript, lines_of(chunk)) for chunk in chunks[:-1]]
    return Triage(findings=unique(one for one in found if one), first_error_only=True)


def thrown(transcript: Transcript, lines: Sequence[str], test: str | None = None) -> Finding | None:
    """The error node printed as it died, or None where these lines hold none."""
    start = next((n for n, line in enumerate(lines) if THROWN.match(line)), None)
    match = THROWN.match(lines[start]) if start is not None else None
    if start is None or match is None:
        return None
    first = next((n for n in range(start, max(start - 10, -1), -1) if _HEADER.match(lines[n])), start)
    file, line, column = _place(lines[first:start], lines[start:], transcript.root)
    said = match["said"]
    return draft(
        transcript,
        category_of(match["name"], match["code"] or "", said),
        f"{match['name']}: {said}",
        file=file,
        line=line,
        column=column,
        symbol=symbol_of(said),
        test=test,
        code=match["code"] or match["name"],
        detail=[*lines[first:start], *own_frames(lines[start:])],
    )


def _place(before: Sequence[str], after: Sequence[str], root: str) -> tuple[str | None, int | None, int | None]:
    frame = site(after, root)
    header = _HEADER.match(before[0]) if before else None
    if header and in_tree(plain_path(header["file"]), root):
        caret = next((line.index("^") + 1 for line in before[1:4] if line.strip(" ^") == "" and "^" in line), None)
        return header["file"], number(header["line"]), caret
    if frame:
        return frame
    importer = next((match for line in after if (match := _IMPORTER.search(line))), None)
    return (importer["file"] or importer["required"], None, None) if importer else (None, None, None)


def own_frames(lines: Iterable[str]) -> Iterator[str]:
    """The lines without the frames of node itself, which say nothing about the code."""
    return (line for line in lines if "(node:" not in line and " node:" not in line)


def category_of(name: str, code: str, said: str) -> Category:
    """The category of an error that no test caught."""
    if any(mark in code for mark in _MODULE_CODES) or any(words in said for words in _MODULE_WORDS):
        return Category.IMPORT_DEPENDENCY
    known = {
        "SyntaxError": Category.SYNTAX,
        "ReferenceError": Category.NAME_UNRESOLVED,
        "AssertionError": Category.TEST_ASSERTION,
    }
    return known.get(name, Category.TEST_ERROR)


def symbol_of(said: str) -> str | None:
    """The undefined or missing name in the message of an error."""
    match = _EXPORT.search(said) or UNDEFINED.match(said)
    return match["name"] if match else quoted(said)


TRIAGERS: tuple[Triager, ...] = (Tool("node", command(r"node\s+--check"), ("\nNode.js v",), _uncaught),)
