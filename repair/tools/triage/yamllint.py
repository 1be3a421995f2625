"""yamllint: its standard, parsable and GitHub formats."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from repair.tools.triage.annotations import annotations
from repair.tools.triage.categories import category_of
from repair.tools.triage.reading import Tool, command, draft, lines_of, unique
from repair.tools.triage.symbols import symbol_of
from repair.values.checks import Finding
from repair.values.triage import Transcript, Triage

_PARSABLE = re.compile(
    r"(?P<file>[^:]+):(?P<line>\d+):(?P<column>\d+): \[(?P<level>error|warning)\] (?P<message>.+)$",
)
_STANDARD = re.compile(r"  (?P<line>\d+):(?P<column>\d+) +(?P<level>error|warning) +(?P<message>\S.*)$")
_ANNOTATED = re.compile(r"\d+:\d+ (?:\[(?P<rule>[a-z-]+)\] )?(?P<message>.+)$")
_RULE = re.compile(r"[a-z-]+\)$")


class _Problem(NamedTuple):
    level: str
    file: str
    line: str
    column: str
    message: str
    rule: str | None


def _read(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    problems = [*_parsable(lines), *_standard(lines), *_annotated(transcript.output)]
    # Warnings fail a run only with --strict, and then they are all there is.
    failing = [problem for problem in problems if problem.level == "error"] or problems
    return Triage(findings=unique(_finding(transcript, problem) for problem in failing))


def _parsable(lines: Iterable[str]) -> Iterator[_Problem]:
    for line in lines:
        if match := _PARSABLE.match(line):
            yield _problem(match, match["file"])


def _standard(lines: Iterable[str]) -> Iterator[_Problem]:
    file = ""
    for line in lines:
        if match := _STANDARD.match(line):
            if file:
                yield _problem(match, file)
        elif not line.startswith(" "):
            file = line.strip() or file


def _annotated(output: str) -> Iterator[_Problem]:
    for each in annotations(output):
        if each.file and (match := _ANNOTATED.match(each.message)):
            message, rule = _ruled(match["message"])
            yield _Problem(each.level, each.file, each.line, each.column, message, match["rule"] or rule)


def _problem(match: re.Match[str], file: str) -> _Problem:
    message, rule = _ruled(match["message"])
    return _Problem(match["level"], file, match["line"], match["column"], message, rule)


def _ruled(message: str) -> tuple[str, str | None]:
    said, _, rule = message.rpartition("(")
    return (said.rstrip(), rule[:-1]) if _RULE.match(rule) else (message, None)


def _finding(transcript: Transcript, problem: _Problem) -> Finding:
    rule = problem.rule or ("syntax" if problem.message.startswith("syntax error") else None)
    return draft(
        transcript,
        category_of("yamllint", rule),
        problem.message,
        file=problem.file,
        line=problem.line,
        column=problem.column,
        symbol=symbol_of(problem.message),
        code=rule,
    )


TRIAGERS = (Tool("yamllint", command("yamllint"), ("(document-start)", "(new-line-at-end-of-file)"), _read),)
