"""Python's formatters in check mode: black and isort say one thing of a file, that it would change."""

import re

from repair.tools.triage.categories import category_of
from repair.tools.triage.reading import Tool, command, draft, lines_of, unique
from repair.values.checks import Category, Counters, Finding
from repair.values.triage import Transcript, Triage

_REFORMAT = re.compile(r"would reformat (?P<file>.+)$")
_UNPARSED = re.compile(
    r"error: (?:cannot parse: (?P<file>.+):(?P<line>\d+):(?P<column>\d+)"
    r"|cannot format (?P<old_file>.+): (?P<message>Cannot parse.*?: (?P<old_line>\d+):(?P<old_column>\d+): .*))$"
)
_UNFORMATTABLE = re.compile(r"error: cannot format (?P<file>[^:]+): (?P<message>.+)$")
_UNSORTED = re.compile(r"ERROR: (?P<file>.+) (?P<message>Imports are incorrectly sorted and/or formatted\.?)$")
_FILES = re.compile(r"(\d{1,9}) files? would (?:be|fail)")


def _black(transcript: Transcript) -> Triage:
    findings: list[Finding] = []
    lines = lines_of(transcript.output)
    for index, line in enumerate(lines):
        if match := _REFORMAT.match(line):
            message = "File would be reformatted"
            findings.append(draft(transcript, category_of("black", None), message, file=match["file"], code="black"))
        elif match := _UNPARSED.match(line):
            findings.append(_unparsed(transcript, match, lines[index : index + 4]))
        elif match := _UNFORMATTABLE.match(line):
            findings.append(draft(transcript, Category.BUILD_TOOL, match["message"], file=match["file"], code="black"))
    counted = [int(count) for count in _FILES.findall(transcript.output)]
    return Triage(findings=unique(findings), counters=Counters(files=sum(counted) if counted else None))


def _unparsed(transcript: Transcript, match: re.Match[str], detail: list[str]) -> Finding:
    return draft(
        transcript,
        Category.SYNTAX,
        match["message"] or "Cannot parse the file",
        file=match["file"] or match["old_file"],
        line=match["line"] or match["old_line"],
        code="black",
        detail=detail,
    )


def _isort(transcript: Transcript) -> Triage:
    matches = (match for line in lines_of(transcript.output) if (match := _UNSORTED.match(line)))
    return Triage(
        findings=unique(
            draft(transcript, category_of("isort", None), match["message"], file=match["file"], code="isort")
            for match in matches
        )
    )


TRIAGERS = (
    Tool("black", command("black"), ("would reformat ", "error: cannot format ", "error: cannot parse: "), _black),
    Tool("isort", command("isort"), (" Imports are incorrectly sorted",), _isort),
)
