"""Reads cargo and rustc: diagnostics in text, short and JSON form, panics, test runs, and the diffs of rustfmt."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from repair.tools.triage.reading import (
    Block,
    Tool,
    at,
    blocks,
    command,
    draft,
    each,
    json_values,
    lines_of,
    quoted,
    text,
    unique,
)
from repair.tools.triage.rusttest import counted, panics, test_failures
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript, Triage

_HEADER = re.compile(r"(?P<level>error|warning)(?:\[(?P<code>[\w:]+)\])?: (?P<said>.+)$")
_SHORT = re.compile(
    r"(?P<file>[^\s:][^:]*\.rs):(?P<row>\d{1,7}):(?P<col>\d{1,7}): error(?:\[(?P<code>\w+)\])?: (?P<said>.+)$"
)
_ARROW = re.compile(r"\s*--> (?P<file>.+):(?P<row>\d{1,7}):(?P<col>\d{1,7})$")
_LINT = re.compile(r"`-[DF] (?P<lint>[\w:-]+)`|#\[(?:deny|forbid)\((?P<denied>[\w:-]+)\)\]")
# The lines in which cargo and rustc only sum up what they said before.
_SUMMARIES = (
    "could not compile",
    "aborting due to",
    "test failed, to rerun",
    "doctest failed, to rerun",
    "build failed",
)
_TARGETS = re.compile(r"\d+ targets? failed")
_CODES = {
    Category.NAME_UNRESOLVED: {
        "E0405",
        "E0407",
        "E0412",
        "E0423",
        "E0424",
        "E0425",
        "E0426",
        "E0531",
        "E0560",
        "E0599",
        "E0609",
    },
    Category.IMPORT_DEPENDENCY: {"E0432", "E0433", "E0463", "E0460", "E0583"},
}
_PARSER = (
    "expected ",
    "unexpected ",
    "this file contains an unclosed",
    "mismatched closing",
    "unterminated ",
    "unknown start of",
    "unclosed ",
)
_PACKAGES = (
    "no matching package",
    "failed to select a version",
    "failed to get `",
    "failed to load source",
    "failed to download",
)


def _cargo(transcript: Transcript) -> Triage:
    documents = list(json_values(transcript.output))
    lines = lines_of(transcript.output)
    compiled = [*_json_errors(transcript, documents), *_text_errors(transcript, lines)]
    tests, counters = counted(lines)
    failures = test_failures(transcript, lines)
    loose = [] if compiled or failures else panics(transcript, lines)
    return Triage(findings=unique([*compiled, *failures, *loose]), counters=counters, tests=tests)


def _json_errors(transcript: Transcript, documents: Sequence[object]) -> Iterator[Finding]:
    for document in documents:
        message = at(document, "message") if at(document, "reason") == "compiler-message" else document
        if at(message, "level") != "error" or text(at(message, "message")).startswith(_SUMMARIES):
            continue
        span = next((span for span in each(message, "spans") if at(span, "is_primary") is True), None)
        rendered = lines_of(text(at(message, "rendered")))
        place = (text(at(span, "file_name")), at(span, "line_start"), at(span, "column_start"))
        said, code = text(at(message, "message")), text(at(message, "code", "code"))
        yield _error(transcript, said, code, place, rendered, Origin.STRUCTURED)


def _text_errors(transcript: Transcript, lines: Sequence[str]) -> Iterator[Finding]:
    for line in lines:
        if short := _SHORT.match(line):
            said, code = short["said"], short["code"] or ""
            yield _error(
                transcript, said, code, (short["file"], short["row"], short["col"]), [line], Origin.STABLE_TEXT
            )
    for block in blocks(lines, _HEADER):
        said = block.match["said"]
        if block.match["level"] == "error" and not said.startswith(_SUMMARIES) and not _TARGETS.match(said):
            yield _block_error(transcript, block, said)


def _block_error(transcript: Transcript, block: Block, said: str) -> Finding:
    body = list(takewhile(str.strip, block.body))
    arrow = next((match for line in body[:4] if (match := _ARROW.match(line))), None)
    place = (arrow["file"], arrow["row"], arrow["col"]) if arrow else ("", None, None)
    return _error(transcript, said, block.match["code"] or "", place, [block.match.string, *body], Origin.STABLE_TEXT)


def _error(
    transcript: Transcript,
    said: str,
    code: str,
    place: tuple[str, object, object],
    detail: Sequence[str],
    origin: Origin,
) -> Finding:
    lint = next((match for line in detail if (match := _LINT.search(line))), None)
    code = code or (lint["lint"] or lint["denied"] if lint else "")
    return draft(
        transcript,
        _category(said, code, bool(lint) or "::" in code, place[0]),
        said,
        file=place[0],
        line=place[1],
        column=place[2],
        symbol=quoted(said),
        code=code,
        origin=origin,
        detail=detail,
    )


def _category(said: str, code: str, lint: bool, file: str) -> Category:
    if lint or code.startswith("clippy"):
        return Category.LINT_STYLE
    for category, codes in _CODES.items():
        if code in codes:
            return category
    if said.startswith(_PACKAGES):
        return Category.IMPORT_DEPENDENCY
    if file.endswith(".toml") or said.startswith(("failed to parse manifest", "could not find `Cargo")):
        return Category.SCHEMA_CONFIG
    if said.startswith(("cannot find macro", "cannot find attribute", "cannot find derive")):
        return Category.NAME_UNRESOLVED
    if not code and said.startswith(_PARSER):
        return Category.SYNTAX
    return Category.TYPE if code or file else Category.BUILD_TOOL


_DIFF = re.compile(r"Diff in (?P<file>/?[^:]+?)(?::| at line )(?P<row>\d{1,7}):$")


def _rustfmt(transcript: Transcript) -> Triage:
    first: dict[str, Block] = {}
    for block in blocks(lines_of(transcript.output), _DIFF):
        first.setdefault(block.match["file"], block)
    found = [
        draft(
            transcript,
            Category.FORMAT,
            "not formatted by rustfmt",
            file=file,
            line=block.match["row"],
            detail=block.lines,
        )
        for file, block in first.items()
    ]
    return Triage(findings=tuple(found))


TRIAGERS: tuple[Triager, ...] = (
    Tool("rustfmt", command(r"cargo\s+fmt", "rustfmt"), ("\nDiff in ",), _rustfmt),
    Tool(
        "cargo",
        command("cargo", "rustc"),
        ("error[E", ".rs:", "could not compile `", "\ntest result: ", " panicked at ", '"compiler-message"'),
        _cargo,
    ),
)
