"""JUnit XML, as almost every test runner can write it."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from junitparser import Attr, Error, Failure, JUnitXml, JUnitXmlError, Skipped, TestCase, TestSuite

from repair.tools.triage import reading
from repair.tools.triage.paths import of_repository
from repair.tools.triage.reading import draft, lines_of, number
from repair.tools.triage.symbols import symbol_of
from repair.tools.triage.traceback import traces
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_SIZE_LIMIT = 64 * 1024 * 1024
_TEXT_LIMIT = 20_000
_CASE_LIMIT = 200_000
# JUnit needs no document type; entities are declared in one, and only ever to expand without end or to read a file.
_DECLARES = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_PROLOGUE = re.compile(r"\s*<\?xml[^>]{0,300}\?>")
_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_LOCATION = re.compile(r"\s*(?:at )?(?P<file>[\w./@+-][^\s:()]{0,300}):(?P<line>\d{1,7})\b")


class Case(NamedTuple):
    """One test case of a report; `outcome` is passed, failure, error or skipped."""

    suite: str
    classname: str
    name: str
    file: str | None
    line: int | None
    outcome: str
    message: str
    text: str


class _PlacedCase(TestCase):
    file = Attr()
    line = Attr()


def documents(transcript: Transcript) -> list[str]:
    """The texts of a run that may be JUnit XML: its `.xml` reports, and its output where that is one."""
    candidates = [content for name, content in transcript.reports if name.lower().endswith(".xml")]
    if transcript.output.lstrip().startswith(("<?xml", "<testsuite")):
        candidates.append(transcript.output)
    return [content for content in candidates if "<testsuite" in content[:4000]]


def read_cases(content: str) -> list[Case]:
    """The cases of a report, or none for what is too large, declares entities or is no JUnit XML."""
    if len(content) > _SIZE_LIMIT or _DECLARES.search(content):
        return []
    body = _NOT_XML.sub("", content[match.end() :] if (match := _PROLOGUE.match(content)) else content)
    try:
        return [case for _, case in zip(range(_CASE_LIMIT), _cases(body), strict=False)]
    except (JUnitXmlError, SyntaxError, ValueError, RecursionError):
        # Both XML libraries that junitparser may use report a malformed document as a SyntaxError.
        return []


def _cases(body: str) -> Iterator[Case]:
    for suite in JUnitXml.fromstring(body.strip().encode("utf-8", "replace")):
        if isinstance(suite, TestSuite):
            for case in suite:
                yield _case(suite.name or "", _PlacedCase.fromelem(case))  # type: ignore[no-untyped-call]  # untyped in the library


def _case(suite: str, case: _PlacedCase) -> Case:
    results = [result for result in case.result if isinstance(result, Failure | Error | Skipped)]
    worst = next((result for result in results if not isinstance(result, Skipped)), results[0] if results else None)
    return Case(
        suite,
        (case.classname or "")[:500],
        (case.name or "")[:500],
        case.file or None,
        number(case.line),
        type(worst).__name__.lower() if worst is not None else "passed",
        (worst.message or "")[:_TEXT_LIMIT] if worst is not None else "",
        (worst.text or "")[:_TEXT_LIMIT] if worst is not None else "",
    )


def counted(cases: list[Case]) -> Counters:
    """How many tests a report names, and how many of them did not run."""
    return Counters(collected=len(cases), skipped=sum(case.outcome == "skipped" for case in cases))


class JunitXml:
    """Any runner's report; pytest's own is read by its own triager."""

    name = "junit"

    def recognises(self, transcript: Transcript) -> bool:
        """Whether the run left JUnit XML that pytest did not write."""
        return any('name="pytest"' not in content[:4000] for content in documents(transcript))

    def triage(self, transcript: Transcript) -> Triage:
        """One finding for each failed case."""
        cases = [case for content in documents(transcript) for case in read_cases(content) if case.suite != "pytest"]
        failed = [case for case in cases if case.outcome in ("failure", "error")] if transcript.exit_code else []
        return Triage(
            findings=tuple(_finding(transcript, case) for case in failed),
            counters=counted(cases) if cases else Counters(),
            tests=tuple(_identity(case) for case in cases),
        )


def _identity(case: Case) -> str:
    return f"{case.classname}::{case.name}" if case.classname else case.name


def _finding(transcript: Transcript, case: Case) -> Finding:
    said = case.message.strip() or case.text.strip()
    file, line = (case.file, case.line) if case.file else _site(case.text, transcript.root)
    return draft(
        transcript,
        Category.TEST_ASSERTION if case.outcome == "failure" else Category.TEST_ERROR,
        said.partition("\n")[0] or "the test failed",
        file=file,
        line=line,
        symbol=symbol_of(said),
        test=_identity(case),
        origin=Origin.STRUCTURED,
        detail=lines_of(case.text or case.message),
    )


def _site(content: str, root: str) -> tuple[str | None, int | None]:
    """The frame a failure's text names: Python's deepest, else the first that looks like a place in the tree."""
    lines = lines_of(content)
    frame = next((site for trace in reversed(traces(lines)) if (site := trace.site(root))), None)
    if frame:
        return frame.file, frame.line
    if place := reading.site(lines, root):
        return place.file, place.line
    places = (match for line in lines if (match := _LOCATION.match(line)))
    match = next((match for match in places if of_repository(match["file"], root)), None)
    return (match["file"], int(match["line"])) if match else (None, None)


TRIAGERS = (JunitXml(),)
