"""Reads jest and vitest: their JSON, and the text of their default and verbose reporters."""

import re
from collections.abc import Iterable, Sequence

from repair.tools.triage.node import category_of, symbol_of
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
    plain_path,
    site,
    text,
    unique,
)
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_THROWN = re.compile(r"(?P<name>[A-Za-z]*Error)(?: \[\w+\])?: (?P<said>.*)$")
_PARSE_PLACE = re.compile(r"(?P<file>/[^:]+): .*\((?P<row>\d{1,7}):(?P<col>\d{1,7})\)$")
_HEADING = re.compile(r"(?P<file>/[^:\s][^:]*):(?P<row>\d{1,7})$")
_ASSERTED = ("expect(", "expected ", "AssertionError", "Snapshot ")


def _failure(transcript: Transcript, file: str, test: str, body: Sequence[str], origin: Origin) -> Finding:
    """One failed test, or one file that could not be loaded where `test` is empty."""
    said = [line.strip() for line in body if line.strip()]
    first = _first(said)
    thrown = _THROWN.match(first)
    place = site(body, transcript.root) or _parse_place(said) or (file, None, None)
    return draft(
        transcript,
        _category(test, first),
        " ".join([first, *(line for line in said if line.startswith(("Expected", "Received")))]),
        file=place[0],
        line=place[1],
        column=place[2],
        symbol=symbol_of(thrown["said"] if thrown else first) if not first.startswith(_ASSERTED) else None,
        test=f"{file} > {test}" if test else file,
        code=thrown["name"] if thrown else None,
        origin=origin,
        detail=body,
    )


def _first(said: Sequence[str]) -> str:
    """The line that says what went wrong; jest puts a page of advice before a syntax error."""
    if said and said[0].startswith("Jest encountered an unexpected token"):
        return next((line for line in said if _THROWN.match(line)), said[0])
    return said[0] if said else "test failed"


def _parse_place(said: Iterable[str]) -> tuple[str, str, str | None] | None:
    for line in said:
        if match := _PARSE_PLACE.search(line):
            return match["file"], match["row"], match["col"]
        if match := _HEADING.match(line):
            return match["file"], match["row"], None
    return None


def _category(test: str, first: str) -> Category:
    thrown = _THROWN.match(first)
    if not test:
        return category_of(thrown["name"] if thrown else "", "", first)
    if "imed out in" in first or "Exceeded timeout" in first:
        return Category.RESOURCE_TIMEOUT
    return Category.TEST_ASSERTION if first.startswith(_ASSERTED) else Category.TEST_ERROR


def _documents(transcript: Transcript) -> Triage | None:
    """The JSON report, which both runners write in the same shape."""
    document = next((one for one in json_values(transcript.output) if each(one, "testResults")), None)
    if document is None:
        return None
    found: list[Finding] = []
    tests: list[str] = []
    for result in each(document, "testResults"):
        file = _local(text(at(result, "name")), transcript.root)
        cases = each(result, "assertionResults")
        for case in cases:
            path = " > ".join([*(text(one) for one in each(case, "ancestorTitles")), text(at(case, "title"))])
            tests.append(f"{file} > {path}"[:300])
            if at(case, "status") == "failed":
                body = "\n".join(text(one) for one in each(case, "failureMessages"))
                found.append(_failure(transcript, file, path, _unprefixed(body), Origin.STRUCTURED))
        if not cases and at(result, "status") == "failed":
            body = text(at(result, "message"))
            found.append(_failure(transcript, file, "", _loading(body), Origin.STRUCTURED))
    skipped = (number(at(document, "numPendingTests")) or 0) + (number(at(document, "numTodoTests")) or 0)
    counters = Counters(collected=number(at(document, "numTotalTests")) or 0, skipped=skipped)
    return Triage(findings=tuple(found), counters=counters, tests=tuple(tests))


def _unprefixed(body: str) -> list[str]:
    """The lines of a failure, without the bare `Error:` that jest puts before what a matcher says."""
    return lines_of(body.removeprefix("Error: "))


def _loading(body: str) -> list[str]:
    return [line for line in lines_of(body) if "Test suite failed to run" not in line]


def _local(path: str, root: str) -> str:
    return plain_path(path).removeprefix(root.rstrip("/") + "/")


_JEST_FILE = re.compile(r"(?:FAIL|PASS)\s+(?P<file>\S+)(?: \([\d.]+ m?s\))?$")
_JEST_BLOCK = re.compile(r"  ● (?P<name>.+)$|(?P<end>FAIL |PASS |Test Suites: |Summary of all failing tests)")
_JEST_TOTAL = re.compile(r"^Tests: +(?P<parts>.*?)(?P<total>\d{1,9}) total$", re.MULTILINE)


def _jest(transcript: Transcript) -> Triage:
    if triage := _documents(transcript):
        return triage
    found, file = [], ""
    for block in blocks(lines_of(transcript.output), _JEST_BLOCK):
        if opened := _JEST_FILE.match(block.match.string):
            file = opened["file"]
        elif name := block.match["name"]:
            test = "" if name == "Test suite failed to run" else name.replace(" \u203a ", " > ")
            found.append(_failure(transcript, file, test, block.body, Origin.STABLE_TEXT))
    total = _JEST_TOTAL.search(transcript.output)
    counters = Counters(collected=int(total["total"]), skipped=_skipped(total["parts"])) if total else Counters()
    return Triage(findings=unique(found), counters=counters)


_VITEST_BLOCK = re.compile(r"\s*FAIL\s+(?P<file>[^\s>]+)(?: > (?P<test>.+)| \[ .+ \])?$|(?P<end>\s*⎯{3,})")
_VITEST_TOTAL = re.compile(r"^ *Tests  (?P<parts>.*)\((?P<total>\d{1,9})\)$", re.MULTILINE)


def _vitest(transcript: Transcript) -> Triage:
    found = []
    for block in blocks(lines_of(transcript.output), _VITEST_BLOCK):
        if file := block.match["file"]:
            found.append(_failure(transcript, file, block.match["test"] or "", block.body, Origin.STABLE_TEXT))
    total = _VITEST_TOTAL.search(transcript.output)
    counters = Counters(collected=int(total["total"]), skipped=_skipped(total["parts"])) if total else Counters()
    return Triage(findings=unique(found), counters=counters)


def _skipped(parts: str) -> int:
    return sum(int(count) for count in re.findall(r"(\d{1,9}) (?:skipped|todo)", parts))


TRIAGERS: tuple[Triager, ...] = (
    Tool("vitest", command("vitest"), (" Test Files  ", "Failed Tests ", "Failed Suites "), _vitest),
    Tool("jest", command("jest"), ("Test Suites: ", '"numTotalTestSuites"', "  ● "), _jest),
)
