"""Reads the spec and TAP reports of node:test."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from repair.tools.triage.node import THROWN, UNDEFINED, own_frames, thrown
from repair.tools.triage.reading import Tool, command, draft, lines_of, site
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Counters, Finding
from repair.values.triage import Transcript, Triage


class _Case(NamedTuple):
    """A test that ran: its path of names, what stood before its verdict and what is said about its failure."""

    path: tuple[str, ...]
    failed: bool
    before: list[str]
    fields: dict[str, str]

    @property
    def identity(self) -> str:
        return " > ".join(self.path)


_TAP = re.compile(r"(?P<indent> *)(?P<bad>not )?ok \d+ - (?P<name>.*)$")
_TAP_SUBTEST = re.compile(r"(?P<indent> *)# Subtest: (?P<name>.*)$")
_TAP_FIELD = re.compile(r" *(?P<key>\w+): ?(?P<value>.*)$")
_DIRECTIVE = re.compile(r" # (?:SKIP|TODO)\b.*$")
_TOTAL = re.compile(r"^(?:#|\u2139) (?P<what>tests|skipped|todo) (?P<count>\d{1,9})$", re.MULTILINE)


def _tap(transcript: Transcript) -> Triage:
    cases = list(_tap_cases(lines_of(transcript.output)))
    return _report(transcript, cases)


def _tap_cases(lines: Sequence[str]) -> Iterator[_Case]:
    path: list[str] = []
    since, depth_before = 0, 0
    for n, line in enumerate(lines):
        if match := _TAP_SUBTEST.match(line):
            path[len(match["indent"]) // 4 :] = [match["name"]]
        elif match := _TAP.match(line):
            depth, name = len(match["indent"]) // 4, _DIRECTIVE.sub("", match["name"])
            fields = _tap_fields(lines[n + 1 : n + 120], len(match["indent"]) + 2)
            before = [line.removeprefix("# ") for line in lines[max(since, n - 60) : n] if line.startswith("#")]
            # A verdict less indented than the one before it closes a suite, whose tests have spoken already.
            if depth >= depth_before:
                full = (*path[:depth], name.replace("\\#", "#"))
                yield _Case(full, bool(match["bad"]) and name == match["name"], before, fields)
            since, depth_before = n + 1, depth


def _tap_fields(lines: Sequence[str], indent: int) -> dict[str, str]:
    """The YAML block under a verdict: its keys, and the text of those that hold a block."""
    fields: dict[str, str] = {}
    key = ""
    for n, line in enumerate(lines):
        if n == 0 and line.strip() != "---":
            return {}
        if line == " " * indent + "...":
            break
        if len(line) - len(line.lstrip()) == indent and (match := _TAP_FIELD.match(line)):
            key, value = match["key"], match["value"]
            fields[key] = "" if value.startswith("|") else value.strip("'")
        elif key:
            fields[key] += "\n" + line[indent + 2 :]
    return fields


_SPEC = re.compile(r"(?P<indent> *)(?P<sign>[▶✔✖﹣]) (?P<name>.*)$")
_DURATION = re.compile(r" \([\d.]+ms\)")
_SPEC_AT = re.compile(r"test at (?P<file>.+):(?P<row>\d{1,7}):(?P<col>\d{1,7})$")


def _spec(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    end = next((n for n, line in enumerate(lines) if line.startswith("✖ failing tests:")), len(lines))
    told = _spec_failures(lines[end + 1 :])
    cases = []
    for case in _spec_cases(lines[:end]):
        fields = told[case.path[-1]].pop(0) if case.failed and told.get(case.path[-1]) else {}
        cases.append(case._replace(fields=fields))
    return _report(transcript, cases)


def _spec_cases(lines: Sequence[str]) -> Iterator[_Case]:
    path: list[str] = []
    since = 0
    for n, line in enumerate(lines):
        if not (match := _SPEC.match(line)):
            continue
        depth, name = len(match["indent"]) // 2, _DIRECTIVE.sub("", match["name"])
        told, name = name != match["name"], _DURATION.sub("", name)
        if match["sign"] == "▶" and not _DURATION.search(match["name"]):
            path[depth:] = [name]
        elif path[depth:] == [name]:
            del path[depth:]
        else:
            del path[depth:]
            yield _Case((*path, name), match["sign"] == "✖" and not told, list(lines[max(since, n - 60) : n]), {})
        since = n + 1


def _spec_failures(lines: Sequence[str]) -> dict[str, list[dict[str, str]]]:
    """What the list of failing tests says, by the name of the test."""
    told: dict[str, list[dict[str, str]]] = {}
    fields: dict[str, str] = {}
    for line in lines:
        if match := _SPEC_AT.match(line):
            fields = {"location": line.removeprefix("test at "), "error": "", "stack": ""}
        elif match := _SPEC.match(line):
            told.setdefault(_DURATION.sub("", match["name"]), []).append(fields)
        elif match := THROWN.match(line.strip()) if not fields.get("error") else None:
            fields |= {"name": match["name"], "code": match["code"] or "", "error": match["said"]}
        elif line.strip().startswith("at "):
            fields["stack"] = fields.get("stack", "") + "\n" + line
        elif not fields.get("stack"):
            fields["error"] = (fields.get("error", "") + "\n" + line.strip().strip("'")).strip("\n")
    return told


def _report(transcript: Transcript, cases: Sequence[_Case]) -> Triage:
    counts = {match["what"]: int(match["count"]) for match in _TOTAL.finditer(transcript.output)}
    tests = tuple(_local(case.identity, transcript.root) for case in cases)
    skipped = counts["skipped"] + counts.get("todo", 0) if "skipped" in counts else None
    found = [_failure(transcript, case) for case in cases if case.failed]
    return Triage(findings=tuple(found), counters=Counters(collected=counts.get("tests"), skipped=skipped), tests=tests)


def _local(path: str, root: str) -> str:
    return path.removeprefix(root.rstrip("/") + "/")[:300]


def _failure(transcript: Transcript, case: _Case) -> Finding:
    fields, identity = case.fields, case.identity
    error = fields.get("error", "").strip()
    if error in {"test failed", ""} and (found := thrown(transcript, case.before, identity)):
        return found
    where = fields.get("location", "").rsplit(":", 2)
    place = site(fields.get("stack", "").split("\n"), transcript.root) or (
        where if len(where) == 3 else ("", None, None)
    )
    return draft(
        transcript,
        _test_category(fields, error),
        error or "test failed",
        file=place[0],
        line=place[1],
        column=place[2],
        symbol=match["name"] if (match := UNDEFINED.match(error)) else None,
        test=identity,
        code=fields.get("code") or fields.get("name"),
        detail=[error, *own_frames(fields.get("stack", "").split("\n"))],
    )


def _test_category(fields: dict[str, str], error: str) -> Category:
    if fields.get("failureType") == "testTimeoutFailure" or error.startswith("test timed out after"):
        return Category.RESOURCE_TIMEOUT
    asserted = fields.get("code") == "ERR_ASSERTION" or fields.get("name") == "AssertionError"
    return Category.TEST_ASSERTION if asserted else Category.TEST_ERROR


TRIAGERS: tuple[Triager, ...] = (
    Tool("node:test (TAP)", command(r"node\s+--test-reporter[= ]tap"), ("TAP version 13", "# Subtest: "), _tap),
    Tool("node:test", command(r"node\s+--test-reporter[= ]spec"), ("\u2139 tests ", "✖ failing tests:"), _spec),
)
