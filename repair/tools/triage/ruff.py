"""ruff: `check` in its text, JSON and GitHub formats, and `format --check`."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

from repair.tools.triage.annotations import annotations
from repair.tools.triage.categories import category_of
from repair.tools.triage.reading import Tool, at, command, draft, json_values, lines_of, text, unique
from repair.tools.triage.symbols import symbol_of
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_CODE = (
    r"(?:(?P<code>[A-Z]{1,6}\d{1,4})|(?P<name>invalid-syntax|unformatted|SyntaxError):) (?:\[[*-]\] )?(?P<message>.+)$"
)
_CONCISE = re.compile(rf"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): {_CODE}")
_HEADER = re.compile(_CODE)
_ARROW = re.compile(r"\s*--> (?P<file>.+):(?P<line>\d+):(?P<column>\d+)$")
_FOLDED = re.compile(r"(?P<file>[^\s:].*):$")
_MEMBER = re.compile(r" {2,9}(?P<line>\d+):(?P<column>\d+) +(?P<rest>\S.*)$")
_PYLINT = re.compile(r"(?P<file>[^\s:][^:]*):(?P<line>\d+): \[(?P<code>[A-Za-z][\w-]*)\] (?P<message>.+)$")
_TITLE = re.compile(r"ruff \((?P<code>[\w-]+)\)$", re.IGNORECASE)
_PLACE = re.compile(r"[^:]*:\d+:\d+: (?:[A-Z]{1,6}\d{1,4}|[\w-]+:) ")
_REFORMAT = re.compile(r"Would reformat: (?P<file>.+)$")
_UNPARSED = re.compile(r"error: Failed to parse (?P<file>.+):(?P<line>\d+):(?P<column>\d+): (?P<message>.+)$")
_CAUSE = re.compile(r" {2,}Cause: (?P<message>.+)$")
_FILES = re.compile(r"(\d{1,9}) files? (?:would be re|already |left un|would be left un)")
_SNIPPET_LINES = 20


def _read(transcript: Transcript) -> Triage:
    documents = [transcript.output, *(content for name, content in transcript.reports if name.endswith(".json"))]
    structured = [finding for content in documents for finding in _from_json(transcript, content)]
    lines = lines_of(transcript.output)
    findings = structured or [
        *_from_annotations(transcript),
        *_full(transcript, lines),
        *_lines(transcript, lines),
        *_grouped(transcript, lines),
    ]
    counted = [int(count) for count in _FILES.findall(transcript.output)]
    return Triage(
        findings=unique(findings or _failure(transcript, lines)),
        counters=Counters(files=sum(counted) if counted else None),
    )


def _from_json(transcript: Transcript, content: str) -> Iterator[Finding]:
    for value in json_values(content):
        for entry in value if isinstance(value, list) else [value]:
            if text(at(entry, "filename")) and at(entry, "location") and text(at(entry, "message")):
                yield _finding(
                    transcript,
                    text(at(entry, "code")) or "invalid-syntax",
                    text(at(entry, "message")),
                    (text(at(entry, "filename")), at(entry, "location", "row"), at(entry, "location", "column")),
                    origin=Origin.STRUCTURED,
                )


def _from_annotations(transcript: Transcript) -> Iterator[Finding]:
    for each in annotations(transcript.output):
        if titled := _TITLE.match(each.title):
            message = _PLACE.sub("", each.message.partition("\n")[0], count=1)
            place = (each.file or "", each.line, each.column)
            yield _finding(transcript, titled["code"], message, place, origin=Origin.STRUCTURED)


def _full(transcript: Transcript, lines: list[str]) -> Iterator[Finding]:
    for number, (above, line) in enumerate(pairwise(lines)):
        if (arrow := _ARROW.match(line)) and (header := _HEADER.match(above)):
            snippet = _until_blank(lines[number : number + _SNIPPET_LINES])
            yield _said(transcript, header, (arrow["file"], arrow["line"], arrow["column"]), snippet)


def _until_blank(lines: list[str]) -> list[str]:
    return lines[: lines.index("")] if "" in lines else lines


def _lines(transcript: Transcript, lines: Iterable[str]) -> Iterator[Finding]:
    for line in lines:
        if match := _CONCISE.match(line):
            yield _said(transcript, match, (match["file"], match["line"], match["column"]), [line])
        elif match := _PYLINT.match(line):
            yield _finding(transcript, match["code"], match["message"], (match["file"], match["line"], None), [line])
        elif match := _UNPARSED.match(line):
            place = (match["file"], match["line"], match["column"])
            yield _finding(transcript, "invalid-syntax", match["message"], place, [line])
        elif match := _REFORMAT.match(line):
            yield _finding(transcript, "unformatted", "File would be reformatted", (match["file"], None, None))


def _grouped(transcript: Transcript, lines: Iterable[str]) -> Iterator[Finding]:
    file = ""
    for line in lines:
        if folded := _FOLDED.match(line):
            file = folded["file"]
        elif (member := _MEMBER.match(line)) and (
            said := _HEADER.match(member["rest"].replace("syntax ", "syntax: ", 1))
        ):
            yield _said(transcript, said, (file, member["line"], member["column"]), [line])


def _failure(transcript: Transcript, lines: list[str]) -> list[Finding]:
    """The failure of the tool itself: a configuration it cannot read."""
    if "ruff failed" not in lines:
        return []
    causes = [match["message"] for line in lines[lines.index("ruff failed") :] if (match := _CAUSE.match(line))]
    message = ": ".join(causes[:5]) or "ruff failed"
    return [draft(transcript, Category.SCHEMA_CONFIG, message, detail=lines[lines.index("ruff failed") :][:20])]


def _said(transcript: Transcript, said: re.Match[str], place: tuple[str, object, object], detail: list[str]) -> Finding:
    return _finding(transcript, said["code"] or said["name"], said["message"], place, detail)


def _finding(
    transcript: Transcript,
    code: str,
    message: str,
    place: tuple[str, object, object],
    detail: list[str] | None = None,
    *,
    origin: Origin = Origin.STABLE_TEXT,
) -> Finding:
    category = category_of("ruff", code)
    file, line, column = place
    # The line of a format finding is only where the first difference lies: the file as a whole is unformatted.
    whole = category is Category.FORMAT
    return draft(
        transcript,
        category,
        message,
        file=file,
        line=None if whole else line,
        column=None if whole else column,
        symbol=symbol_of(message),
        code=code,
        origin=origin,
        detail=detail or [],
    )


TRIAGERS = (
    Tool(
        "ruff",
        command("ruff"),
        ("fixable with `--fix`", "[*] ", "Would reformat: ", "unformatted: File would be reformatted", "title=ruff ("),
        _read,
    ),
)
