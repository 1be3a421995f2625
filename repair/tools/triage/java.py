"""Reads javac, and maven with its test runs."""

import re
from collections.abc import Sequence
from itertools import takewhile

from repair.tools.triage.reading import Block, Tool, blocks, command, draft, lines_of, quoted, unique
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Counters, Finding
from repair.values.triage import Transcript, Triage

_JAVAC = re.compile(r"(?P<file>[^\s:][^:]*\.java):(?P<row>\d{1,7}): error: (?P<said>.+)$")
_MAVEN = re.compile(
    r"\[ERROR\] (?P<file>/?[^\s:][^:]*\.(?:java|kt)):\[(?P<row>\d{1,7}),(?P<col>\d{1,7})\] (?P<said>.+)$"
)
_SYMBOL = re.compile(r"(?:\[ERROR\])?\s+symbol:\s+(?:class |method |variable |static )?\s*(?P<name>[\w.$]+)")
_MARKED = re.compile(r"\[(?:INFO|ERROR|WARNING)\] ?")
_PACKAGE = re.compile(r"package (?P<name>[\w.]+) does not exist")
_PARSER = ("expected", "illegal start", "unclosed", "not a statement", "reached end of file", "class, interface")


def _java(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    compiled = [_error(transcript, block) for block in [*blocks(lines, _JAVAC), *blocks(lines, _MAVEN)]]
    failures, counters = _surefire(transcript, lines)
    found = unique([*compiled, *failures])
    return Triage(findings=found or _broken(transcript, lines), counters=counters)


def _error(transcript: Transcript, block: Block) -> Finding:
    said, part = block.match["said"], block.match.groupdict()
    body = list(takewhile(lambda line: not _MARKED.match(line) and not _JAVAC.match(line), block.body[:12]))
    named = next((match for line in block.body[:6] if (match := _SYMBOL.match(line))), None)
    caret = next((line.index("^") + 1 for line in body if line.strip() == "^"), None)
    package = _PACKAGE.match(said)
    return draft(
        transcript,
        _category(said),
        f"{said}: {named['name']}" if named else said,
        file=part["file"],
        line=part["row"],
        column=part.get("col") or caret,
        symbol=named["name"] if named else package["name"] if package else quoted(said),
        detail=[block.match.string, *body],
    )


def _category(said: str) -> Category:
    if said.startswith("cannot find symbol"):
        return Category.NAME_UNRESOLVED
    if _PACKAGE.match(said):
        return Category.IMPORT_DEPENDENCY
    return Category.SYNTAX if any(words in said for words in _PARSER) else Category.TYPE


_CASE = re.compile(
    r"(?:\[ERROR\] )?(?P<name>[\w.$\[\]]+)(?:\((?P<owner>[\w.$]+)\))?\s+(?:--\s+)?"
    r"Time elapsed: [\d.,]+ s(?:ec)?\s+<<< (?P<what>FAILURE|ERROR)!"
)
_THROWN = re.compile(r"(?P<kind>[\w.$]+(?:Error|Exception|Failure))(?:: (?P<said>.*))?$")
_FRAME = re.compile(r"\s+at (?P<where>[\w.$/]+)\((?P<file>\w+\.(?:java|kt)):(?P<row>\d{1,7})\)$")
_LIBRARIES = (
    "java.",
    "javax.",
    "jdk.",
    "sun.",
    "org.junit",
    "org.apache.maven",
    "org.hamcrest",
    "org.assertj",
    "org.mockito",
)
_TOTAL = re.compile(
    r"(?:\[\w+\] )?Tests run: (?P<run>\d{1,9}), Failures: \d+, Errors: \d+, Skipped: (?P<skipped>\d{1,9})$"
)


def _surefire(transcript: Transcript, lines: Sequence[str]) -> tuple[list[Finding], Counters]:
    totals = [match for line in lines if (match := _TOTAL.match(line))]
    counters = Counters(collected=int(totals[-1]["run"]), skipped=int(totals[-1]["skipped"])) if totals else Counters()
    return [_failure(transcript, block) for block in blocks(lines, _CASE, limit=80)], counters


def _failure(transcript: Transcript, block: Block) -> Finding:
    body = list(takewhile(str.strip, block.body))
    thrown = next((match for line in body if (match := _THROWN.match(line))), None)
    frames = (match for line in body if (match := _FRAME.match(line)))
    frame = next((match for match in frames if not match["where"].rpartition("/")[2].startswith(_LIBRARIES)), None)
    kind, said = (thrown["kind"], thrown["said"]) if thrown else ("", None)
    owner, name = block.match["owner"], block.match["name"]
    return draft(
        transcript,
        Category.TEST_ASSERTION if block.match["what"] == "FAILURE" else Category.TEST_ERROR,
        f"{kind.rpartition('.')[2]}: {said}" if said else kind or "test failed",
        file=frame["file"] if frame else None,
        line=frame["row"] if frame else None,
        test=f"{owner}.{name}" if owner else name,
        code=kind.rpartition(".")[2],
        detail=[line for line in body if not line.strip().startswith(tuple(f"at {one}" for one in _LIBRARIES))],
    )


def _broken(transcript: Transcript, lines: Sequence[str]) -> tuple[Finding, ...]:
    """What maven itself could not do, where nothing in the code was found wrong."""
    said = next(
        (line.removeprefix("[ERROR] ") for line in lines if line.startswith("[ERROR] ") and len(line) > 8), None
    )
    return (draft(transcript, Category.BUILD_TOOL, said, detail=[said]),) if said else ()


TRIAGERS: tuple[Triager, ...] = (
    Tool("java", command("javac", "mvn", r"mvnw"), (".java:", "[ERROR] ", "Tests run: "), _java),
)
