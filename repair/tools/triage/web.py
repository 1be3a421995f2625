"""Reads the checks of JavaScript and TypeScript: tsc, eslint and prettier, and gathers the test runners."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from repair.tools.triage import jest, node, nodetest
from repair.tools.triage.reading import (
    Tool,
    at,
    blocks,
    command,
    draft,
    each,
    json_values,
    lines_of,
    number,
    quoted,
    text,
    unique,
)
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript, Triage

_TSC = re.compile(
    r"(?:(?P<file>[^\s(:][^(:\n]*)(?:\((?P<row>\d+),(?P<col>\d+)\): |:(?P<row2>\d+):(?P<col2>\d+) - ))?"
    r"error (?P<code>TS\d+): (?P<message>.*)$"
)
_NAMING = re.compile(r"Property '|Cannot find |Module |'|Could not find |File '|Object literal may only")
_TSC_CODES = {
    Category.NAME_UNRESOLVED: {2304, 2318, 2503, 2552, 2580, 2581, 2582, 2583, 2584, 2591, 2592, 2593, 2686, 18004},
    Category.IMPORT_DEPENDENCY: {
        1192,
        1259,
        2305,
        2306,
        2307,
        2497,
        2613,
        2614,
        2688,
        2724,
        2732,
        2792,
        2834,
        2835,
        7016,
    },
    Category.LINT_STYLE: {6133, 6138, 6192, 6196, 6198, 7027, 7028},
    Category.SCHEMA_CONFIG: {18003},
}


def _tsc(transcript: Transcript) -> Triage:
    found = []
    for block in blocks(lines_of(transcript.output), _TSC):
        part = block.match.groupdict()
        found.append(
            draft(
                transcript,
                _tsc_category(int(part["code"][2:9])),
                part["message"],
                file=part["file"],
                line=part["row"] or part["row2"],
                column=part["col"] or part["col2"],
                symbol=quoted(part["message"]) if _NAMING.match(part["message"]) else None,
                code=part["code"],
                detail=[line for line in block.lines if not line.startswith("Found ")],
            )
        )
    return Triage(findings=unique(found))


def _tsc_category(code: int) -> Category:
    for category, codes in _TSC_CODES.items():
        if code in codes:
            return category
    if 1000 <= code < 2000:
        return Category.SYNTAX
    return Category.SCHEMA_CONFIG if 5000 <= code < 7000 else Category.TYPE


class _Message(NamedTuple):
    """One message of eslint, whatever its format."""

    file: str
    line: int | None
    column: int | None
    error: bool
    rule: str
    said: str
    printed: str


_ESLINT_ROW = re.compile(r"\s+(?P<row>\d+):(?P<col>\d+)\s+(?P<level>error|warning)\s\s*(?P<rest>\S.*)$")
_ESLINT_UNIX = re.compile(
    r"(?P<file>[^:\s][^:]*):(?P<row>\d+):(?P<col>\d+): (?P<said>.*) \[(?P<level>Error|Warning)(?:/(?P<rule>[^\]]+))?\]$"
)
_ESLINT_COMPACT = re.compile(
    r"(?P<file>[^:\s][^:]*): line (?P<row>\d+), col (?P<col>\d+), (?P<level>Error|Warning) - (?P<said>.*)$"
)
_RULE = re.compile(r"(?:[@\w-]+/)*[\w-]+$")
_ESLINT_BROKEN = (
    "Oops! Something went wrong! :(",
    "There was a problem loading formatter",
    "formatter is no longer part of core ESLint",
)


def _eslint(transcript: Transcript) -> Triage:
    said = list(_eslint_json(transcript.output))
    origin = Origin.STRUCTURED if said else Origin.STABLE_TEXT
    said = said or list(_eslint_text(transcript.output))
    # Warnings fail a run only with --max-warnings, and then there is no error beside them.
    counted = [message for message in said if message.error] or said
    found = [_eslint_finding(transcript, message, origin) for message in counted]
    return Triage(findings=unique(found) or _eslint_broken(transcript))


def _eslint_json(output: str) -> Iterator[_Message]:
    for document in json_values(output):
        for result in each(document, "results") if isinstance(document, dict) else each(document):
            for message in each(result, "messages"):
                yield _Message(
                    text(at(result, "filePath")),
                    number(at(message, "line")),
                    number(at(message, "column")),
                    at(message, "severity") == 2,
                    text(at(message, "ruleId")),
                    text(at(message, "message")),
                    "",
                )


def _eslint_text(output: str) -> Iterator[_Message]:
    file = ""
    for line in lines_of(output):
        if row := _ESLINT_ROW.match(line):
            said, _, rule = row["rest"].rpartition("  ")
            said, rule = (said.rstrip(), rule) if said and _RULE.match(rule) else (row["rest"], "")
            yield _Message(file, number(row["row"]), number(row["col"]), row["level"] == "error", rule, said, line)
        elif row := _ESLINT_UNIX.match(line):
            yield _Message(
                row["file"],
                number(row["row"]),
                number(row["col"]),
                row["level"] == "Error",
                row["rule"] or "",
                row["said"],
                line,
            )
        elif row := _ESLINT_COMPACT.match(line):
            said, _, rule = row["said"].rpartition(" (")
            said, rule = (said, rule[:-1]) if said and rule.endswith(")") else (row["said"], "")
            yield _Message(
                row["file"], number(row["row"]), number(row["col"]), row["level"] == "Error", rule, said, line
            )
        elif line and not line[0].isspace():
            file = line


def _eslint_finding(transcript: Transcript, message: _Message, origin: Origin) -> Finding:
    return draft(
        transcript,
        _eslint_category(message),
        message.said,
        file=message.file,
        line=message.line,
        column=message.column,
        symbol=quoted(message.said),
        code=message.rule,
        origin=origin,
        detail=[message.printed or message.said],
    )


def _eslint_category(message: _Message) -> Category:
    rule = message.rule
    if not rule and message.said.startswith("Parsing error"):
        return Category.SYNTAX
    if not rule or message.said.startswith("Definition for rule"):
        return Category.SCHEMA_CONFIG
    if rule in {"no-undef", "react/jsx-no-undef"}:
        return Category.NAME_UNRESOLVED
    if rule.startswith(("import/no-unresolved", "import/named", "n/no-missing", "node/no-missing")):
        return Category.IMPORT_DEPENDENCY
    return Category.FORMAT if rule == "prettier/prettier" else Category.LINT_STYLE


def _eslint_broken(transcript: Transcript) -> tuple[Finding, ...]:
    lines = lines_of(transcript.output)
    start = next((n for n, line in enumerate(lines) if any(mark in line for mark in _ESLINT_BROKEN)), None)
    if start is None:
        return ()
    region = lines[start : start + 40]
    said = next((line for line in region[1:] if line.strip() and not line.startswith("ESLint:")), region[0])
    return (draft(transcript, Category.SCHEMA_CONFIG, said, symbol=quoted(said), detail=region),)


_PRETTIER_ERROR = re.compile(
    r"\[error\] (?P<file>[^:]+): (?P<kind>\w*Error): (?P<said>.*?)(?: \((?P<row>\d+):(?P<col>\d+)\))?$"
)
_PRETTIER_FILE = re.compile(r"(?:\[warn\] )?(?P<file>[^\s:\[][^:]*\.\w{1,10})$")


def _prettier(transcript: Transcript) -> Triage:
    lines, found = lines_of(transcript.output), []
    listed = (
        "Checking formatting..." in lines or re.search(r"\s(?:-l|--list-different)\b", transcript.check.run) is not None
    )
    for block in blocks(lines, _PRETTIER_ERROR):
        match = block.match
        excerpt = [line for line in block.body if line.startswith("[error]")]
        found.append(
            draft(
                transcript,
                Category.SYNTAX if match["kind"] == "SyntaxError" else Category.SCHEMA_CONFIG,
                match["said"],
                file=match["file"],
                line=match["row"],
                column=match["col"],
                code=match["kind"],
                detail=[match.string, *excerpt],
            )
        )
    for line in lines if listed else ():
        if row := _PRETTIER_FILE.match(line):
            found.append(
                draft(transcript, Category.FORMAT, "not formatted by prettier", file=row["file"], detail=[line])
            )
    return Triage(findings=unique(found))


TRIAGERS: tuple[Triager, ...] = (
    Tool("tsc", command("tsc", "vue-tsc"), ("error TS",), _tsc),
    Tool("eslint", command("eslint"), (" problem (", " problems (", '"ruleId"', " [Error/", *_ESLINT_BROKEN), _eslint),
    Tool("prettier", command("prettier"), ("Checking formatting...",), _prettier),
    *jest.TRIAGERS,
    *nodetest.TRIAGERS,
    *node.TRIAGERS,
)
