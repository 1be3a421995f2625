"""mypy: text with and without columns, `--pretty`, and `--output json`."""

import re
from collections.abc import Iterator

from repair.tools.triage.categories import category_of
from repair.tools.triage.reading import Tool, at, command, draft, json_values, lines_of, number, text, unique
from repair.tools.triage.symbols import symbol_of
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_LINE = re.compile(
    r"(?P<file>[^\s:][^:]*):(?:(?P<line>\d+):(?:(?P<column>\d+):)?(?:\d+:\d+:)?)? "
    r"(?P<level>error|note|warning): (?P<message>.+)$"
)
_CODE = re.compile(r"[a-z][a-z0-9-]*\]$")
_FILES = re.compile(
    r"^(?:Found .*\(checked (\d{1,9}) source files?\)|Success: .* in (\d{1,9}) source files?)$", re.MULTILINE
)
_BLOCKED = "(errors prevented further checking)"
_WRAPPED_LINES = 6


def _read(transcript: Transcript) -> Triage:
    documents = [transcript.output, *(content for name, content in transcript.reports if name.endswith(".json"))]
    structured = [finding for content in documents for finding in _from_json(transcript, content)]
    counted = _FILES.search(transcript.output)
    return Triage(
        findings=unique(structured or _from_text(transcript)),
        counters=Counters(files=int(counted[1] or counted[2]) if counted else None),
        first_error_only=_BLOCKED in transcript.output,
    )


def _from_json(transcript: Transcript, content: str) -> Iterator[Finding]:
    for entry in json_values(content):
        message, column = text(at(entry, "message")), at(entry, "column")
        if at(entry, "severity") != "error" or not message:
            continue
        yield _finding(
            transcript,
            (text(at(entry, "file")) or None, at(entry, "line"), column + 1 if isinstance(column, int) else None),
            message,
            text(at(entry, "code")),
            detail=[message, *text(at(entry, "hint")).split("\n")],
            origin=Origin.STRUCTURED,
        )


def _from_text(transcript: Transcript) -> Iterator[Finding]:
    lines = lines_of(transcript.output)
    heads = [(index, match) for index, line in enumerate(lines) if (match := _LINE.match(line))]
    for order, (index, match) in enumerate(heads):
        if match["level"] != "error":
            continue
        following = heads[order + 1][0] if order + 1 < len(heads) else len(lines)
        said = _unwrapped([match["message"], *lines[index + 1 : min(following, index + _WRAPPED_LINES)]])
        message, code = _coded(said)
        yield _finding(
            transcript,
            (match["file"], match["line"], match["column"]),
            message,
            code,
            detail=[match[0], *_notes(heads[order + 1 : order + 11], match)],
        )


def _unwrapped(lines: list[str]) -> str:
    """The message of `--pretty`, which is wrapped up to the line that ends in its code."""
    for count in range(1, len(lines) + 1):
        joined = " ".join(line.strip() for line in lines[:count])
        if _coded(joined)[1]:
            return joined
    return lines[0]


def _coded(said: str) -> tuple[str, str | None]:
    message, _, code = said.rpartition(" [")
    return (message.rstrip(), code[:-1]) if _CODE.match(code) else (said, None)


def _notes(heads: list[tuple[int, re.Match[str]]], error: re.Match[str]) -> Iterator[str]:
    for _, match in heads:
        if match["level"] != "note" or match.group("file", "line") != error.group("file", "line"):
            return
        yield match[0]


def _finding(
    transcript: Transcript,
    place: tuple[str | None, object, object],
    message: str,
    code: str | None,
    *,
    detail: list[str],
    origin: Origin = Origin.STABLE_TEXT,
) -> Finding:
    file, line, column = place
    unreadable = code is None and number(line) is None
    return draft(
        transcript,
        Category.BUILD_TOOL if unreadable else category_of("mypy", code),
        message,
        file=file,
        line=line,
        column=column,
        symbol=symbol_of(message),
        code=code,
        origin=origin,
        detail=detail,
    )


TRIAGERS = (
    Tool(
        "mypy",
        command("mypy", "dmypy"),
        (" source file)", " source files)", _BLOCKED, "Success: no issues found in "),
        _read,
    ),
)
