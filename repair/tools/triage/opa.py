"""Reads opa: the errors of check, build, eval and test, the verdicts of tests, and the list of fmt."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

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
)
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_PREFIX = re.compile(r"\d+ errors? occurred(?: during loading)?: ?")
_ERROR = re.compile(
    r"(?P<file>[^:\s][^:]*):(?P<row>\d{1,7})(?::(?P<col>\d{1,7}))?: (?P<code>(?:rego|eval)_\w+_error): (?P<said>.*)$"
)
_LOADING = re.compile(r"(?:stat (?P<absent>[^:]+)|(?P<file>[^:\s][^:]*)): (?P<said>.+)$")
_UNSAFE = re.compile(r"var (?P<name>\S+) is unsafe")
_REFERENCE = re.compile(
    r"undefined function (?P<function>\S+)|rule (?P<rule>data\S+)|rules? (?P<rules>data\S+)|undefined ref: (?P<ref>\S+)"
)
_CODES = {
    "rego_parse_error": Category.SYNTAX,
    "rego_unsafe_var_error": Category.NAME_UNRESOLVED,
    "rego_type_error": Category.TYPE,
    "rego_recursion_error": Category.TYPE,
    "rego_compile_error": Category.TYPE,
}


def errors(transcript: Transcript) -> tuple[Finding, ...]:
    """The errors of the parser and the compiler, which every command of opa prints alike."""
    structured = [
        _error(
            transcript,
            text(at(error, "code")),
            text(at(error, "message")),
            at(error, "location"),
            Origin.STRUCTURED,
            (),
        )
        for document in json_values(transcript.output)
        for error in each(document, "errors")
    ]
    return tuple(structured) or tuple(_text_errors(transcript))


def _text_errors(transcript: Transcript) -> Iterator[Finding]:
    lines = lines_of(transcript.output)
    loading = False
    for n, printed in enumerate(lines):
        line = _PREFIX.sub("", printed, count=1) if _PREFIX.match(printed) else printed
        loading = loading or line != printed
        if match := _ERROR.match(line):
            place = {"file": match["file"], "row": number(match["row"]), "col": number(match["col"])}
            below = list(takewhile(lambda one: one[:1].isspace(), lines[n + 1 : n + 12]))
            yield _error(transcript, match["code"], match["said"], place, Origin.STABLE_TEXT, [line, *below])
        elif loading and (match := _LOADING.match(line)):
            file, said = match["file"], match["said"] if match["file"] else line
            category = Category.SYNTAX if file and not said.startswith("merge") else Category.SCHEMA_CONFIG
            yield draft(transcript, category, said, file=file, symbol=match["absent"], detail=[line])


def _error(
    transcript: Transcript,
    code: str,
    said: str,
    location: object,
    origin: Origin,
    detail: Sequence[str],
    test: str | None = None,
) -> Finding:
    return draft(
        transcript,
        Category.TEST_ERROR if test else _category(code, said),
        said,
        file=text(at(location, "file")),
        line=at(location, "row"),
        column=at(location, "col"),
        symbol=_symbol(said),
        test=test,
        code=code,
        origin=origin,
        detail=detail or said.split("\n"),
    )


def _category(code: str, said: str) -> Category:
    if "undefined function" in said or "undefined ref" in said:
        return Category.NAME_UNRESOLVED
    if code == "rego_compile_error" and ("unused" in said or "must not shadow" in said or "deprecated" in said):
        return Category.LINT_STYLE
    return _CODES.get(code, Category.TEST_ERROR)


def _symbol(said: str) -> str | None:
    if match := _UNSAFE.search(said):
        return match["name"]
    if match := _REFERENCE.search(said):
        return next((name for name in match.groups() if name), None)
    return quoted(said) if said.startswith("`") else None


_MARKS = (": rego_", '"rego_', " occurred during loading: ", ": PASS (", ": FAIL (", ": ERROR (", '"package": "data.')
_COMMAND_TEST = command(r"opa\s+test")
_TEST_AT = re.compile(r"(?P<file>[^:\s][^:]*):(?P<row>\d{1,7}):$")
_TEST = re.compile(r"(?P<name>data\.\S+): (?P<verdict>PASS|FAIL|ERROR|SKIPPED)(?: \([^)]*\))?$")
_TEST_HEADS = re.compile(rf"{_TEST_AT.pattern}|{_TEST.pattern}|-{{10}}|(?:PASS|FAIL|ERROR): ")
_TOTAL = re.compile(r"^(?:PASS|FAIL|ERROR|SKIPPED): \d+/(?P<total>\d{1,9})$", re.MULTILINE)
_TRACE = re.compile(r"(?P<file>[^:\s][^:]*):(?P<row>\d{1,7})\s+\| \| Fail (?P<said>.*)$")


class _Case(NamedTuple):
    """A test by its verdict, the line that names its place, and what was printed about it."""

    verdict: str
    place: re.Match[str] | None
    told: list[str]


def _opa(transcript: Transcript) -> Triage:
    if (triage := _test_documents(transcript)) is not None:
        return triage
    cases = _cases(lines_of(transcript.output))
    found = [_test_failure(transcript, name, case) for name, case in cases.items() if case.verdict in {"FAIL", "ERROR"}]
    rest = () if found else (*errors(transcript), *_threshold(transcript))
    total = _TOTAL.search(transcript.output)
    collected = int(total["total"]) if total else _nothing_collected(transcript)
    skipped = sum(case.verdict == "SKIPPED" for case in cases.values())
    return Triage(
        findings=(*found, *rest),
        # Every file is parsed before any is compiled: a parse error hides what the compiler would find.
        first_error_only=any(one.category is Category.SYNTAX for one in rest),
        counters=Counters(collected=collected, skipped=skipped if total else None),
        tests=tuple(cases) if collected == len(cases) else (),
    )


def _cases(lines: Sequence[str]) -> dict[str, _Case]:
    cases: dict[str, _Case] = {}
    above = None
    for block in blocks(lines, _TEST_HEADS):
        line = block.match.string
        if match := _TEST.match(line):
            case = cases.setdefault(match["name"], _Case(match["verdict"], above, []))
            case.told.extend(block.lines)
        above = _TEST_AT.match(line)
    return cases


def _nothing_collected(transcript: Transcript) -> int | None:
    """None where the tool does not say; without any test opa passes and prints nothing at all."""
    silent = _COMMAND_TEST.search(transcript.check.run) and not transcript.output.strip()
    return 0 if silent and transcript.exit_code == 0 else None


def _test_failure(transcript: Transcript, name: str, case: _Case) -> Finding:
    for line in case.told:
        if match := _ERROR.match(line.strip()):
            where = {"file": match["file"], "row": number(match["row"]), "col": number(match["col"])}
            return _error(transcript, match["code"], match["said"], where, Origin.STABLE_TEXT, case.told, name)
    frames = (match for line in case.told if (match := _TRACE.match(line.strip())))
    failed = next((one for one in frames if case.place is None or one["file"] == case.place["file"]), None)
    site = failed or case.place
    return draft(
        transcript,
        Category.TEST_ASSERTION,
        f"undefined or false: {failed['said']}" if failed else f"{name} failed",
        file=site["file"] if site else None,
        line=site["row"] if site else None,
        test=name,
        detail=list(dict.fromkeys(case.told)),
    )


def _test_documents(transcript: Transcript) -> Triage | None:
    documents = json_values(transcript.output)
    results = [one for document in documents for one in each(document) if text(at(one, "package"))]
    if not results:
        return None
    tests = tuple(f"{text(at(one, 'package'))}.{text(at(one, 'name'))}"[:300] for one in results)
    found = [_document_failure(transcript, name, one) for name, one in zip(tests, results, strict=True)]
    skipped = sum(at(one, "skip") is True for one in results)
    counters = Counters(collected=len(tests), skipped=skipped)
    return Triage(findings=tuple(one for one in found if one), counters=counters, tests=tests)


def _document_failure(transcript: Transcript, name: str, result: object) -> Finding | None:
    if error := at(result, "error"):
        code, said = text(at(error, "code")), text(at(error, "message"))
        return _error(transcript, code, said, at(error, "location"), Origin.STRUCTURED, (), name)
    if at(result, "fail") is not True:
        return None
    return draft(
        transcript,
        Category.TEST_ASSERTION,
        f"{name} failed",
        file=text(at(result, "location", "file")),
        line=at(result, "location", "row"),
        test=name,
        origin=Origin.STRUCTURED,
        detail=[f"{name}: FAIL"],
    )


def _threshold(transcript: Transcript) -> Iterable[Finding]:
    said = (line for line in lines_of(transcript.output) if line.startswith("Code coverage threshold not met"))
    return (draft(transcript, Category.TEST_ASSERTION, line, code="coverage", detail=[line]) for line in said)


def _opa_fmt(transcript: Transcript) -> Triage:
    found = [
        draft(transcript, Category.FORMAT, "not formatted by opa fmt", file=line, detail=[line])
        for line in lines_of(transcript.output)
        if re.fullmatch(r"[^\s:][^:]*\.rego", line)
    ]
    return Triage(findings=(*found, *errors(transcript)))


TRIAGERS: tuple[Triager, ...] = (
    Tool("opa fmt", command(r"opa\s+fmt"), (), _opa_fmt),
    Tool("opa", command(r"opa\s+(?:check|build|eval|test)"), _MARKS, _opa),
)
