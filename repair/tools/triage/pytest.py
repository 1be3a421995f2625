"""pytest: its JUnit XML first, else the report it prints."""

import posixpath
import re
from collections.abc import Iterator

from repair.tools.triage import junit
from repair.tools.triage.junit import Case
from repair.tools.triage.pytest_failure import Failure, finding_of, read_failure
from repair.tools.triage.pytest_text import PytestText, Report
from repair.tools.triage.reading import DETAIL_LIMIT, command, draft, lines_of, unique
from repair.tools.triage.text import tail
from repair.tools.triage.traceback import Frame, chains, traces
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_COMMAND = command(r"pytest", r"py\.test")
_MARK = re.compile(
    r"^(?:=+ (?:test session starts|short test summary info|FAILURES|ERRORS) =+$|(?:=+ )?no tests ran in "
    r"|INTERNALERROR> |ImportError while loading conftest )",
    re.MULTILINE,
)
_FIRST_ONLY = re.compile(r"(?<!\S)(?:-(?!r)[a-wyz]*x[a-z]*|--exitfirst|--maxfail[= ]1)(?!\S)")
_STOPPED = "! stopping after 1 failures !"
_USAGE = re.compile(r"(?:ERROR: |.*\bpy\.?test: error: )(?P<message>(?!usage: ).+)$")
_COVERAGE = re.compile(r"(?:FAIL |ERROR: )(?P<message>(?:Required test coverage|Coverage failure).+)$")
_CONFIGURATION = re.compile(r"(?P<file>[^\s:][^:]*\.(?:ini|toml|cfg)):(?:(?P<line>\d+):)? (?P<message>.+)$")
# pytest's exit codes: https://docs.pytest.org/en/stable/reference/exit-codes.html
_USAGE_ERROR = 4
_NO_TESTS = 5


class Pytest:
    """Reads a run of pytest; the identity of a test is its node id."""

    name = "pytest"

    def recognises(self, transcript: Transcript) -> bool:
        """Whether the command names pytest, or the output or a report is its own."""
        if _COMMAND.search(transcript.check.run) or _MARK.search(transcript.output):
            return True
        return any('name="pytest"' in content[:4000] for content in junit.documents(transcript))

    def triage(self, transcript: Transcript) -> Triage:
        """A finding for each failed test, each module that could not be collected, and each other complaint."""
        report = PytestText(lines_of(transcript.output)).report()
        cases = [case for content in junit.documents(transcript) for case in junit.read_cases(content)]
        tests = tuple(dict.fromkeys(_node(case) for case in cases if case.classname)) or report.tests
        findings: list[Finding] = []
        if transcript.exit_code:
            findings = [_of_case(transcript, case) for case in cases if case.outcome in ("failure", "error")]
            findings = findings or list(_of_text(transcript, report)) or list(_complaints(transcript, report))
        return Triage(
            findings=unique(findings),
            counters=_counters(cases, report),
            tests=tests,
            first_error_only=_STOPPED in transcript.output or bool(_FIRST_ONLY.search(transcript.check.run)),
        )


def _counters(cases: list[Case], report: Report) -> Counters:
    """What the report of the run counted; a module that could not be collected is no test."""
    tests = [case for case in cases if case.classname]
    return junit.counted(tests) if cases else report.counters


def _node(case: Case) -> str:
    """The node id: from the file where the report has it, else from the dotted path, where classes have capitals."""
    if not case.classname:
        return case.file or case.name.replace(".", "/") + ".py"
    parts = case.classname.split(".")
    if case.file:
        module = case.file.removesuffix(".py").replace("/", ".")
        inner = case.classname.removeprefix(module).strip(".") if case.classname.startswith(module) else ""
        return "::".join([case.file, *(inner.split(".") if inner else []), case.name])
    split = next((index for index, part in enumerate(parts) if part[:1].isupper()), len(parts))
    return "::".join(["/".join(parts[:split]) + ".py", *parts[split:], case.name])


def _of_case(transcript: Transcript, case: Case) -> Finding:
    failure = read_failure(lines_of(case.text), transcript.root)
    first = case.message.strip().partition("\n")[0]
    said = first if case.outcome == "failure" and first and not failure.kind else failure.said or first
    place = Frame(case.file, (case.line or 0) + 1, "") if case.file else None
    return finding_of(
        transcript,
        failure._replace(said=said),
        test=_node(case),
        collecting=not case.classname,
        fallback=place,
        origin=Origin.STRUCTURED,
    )


def _of_text(transcript: Transcript, report: Report) -> Iterator[Finding]:
    for entry in report.failed:
        failure = read_failure(entry.lines, transcript.root)
        if not failure.said:
            kind = entry.said.partition(":")[0]
            failure = failure._replace(said=entry.said, kind=failure.kind or (kind if kind.isidentifier() else ""))
        file = entry.test.partition("::")[0]
        place = Frame(posixpath.join(report.rootdir, file), 0, "") if file else None
        yield finding_of(
            transcript,
            failure,
            test=entry.test,
            collecting="::" not in entry.test,
            fallback=place,
            origin=Origin.STABLE_TEXT,
        )


def _complaints(transcript: Transcript, report: Report) -> Iterator[Finding]:
    """What stops a run before or beside its tests: a conftest, pytest itself, its options, its configuration."""
    if report.conftest:
        yield _conftest(transcript, read_failure(report.conftest, transcript.root))
    for chain in chains(traces(report.internal))[:1]:
        site = chain[-1].site(transcript.root)
        yield draft(
            transcript,
            Category.TEST_ERROR if site else Category.BUILD_TOOL,
            chain[-1].said,
            file=site.file if site else None,
            line=site.line if site else None,
            code=chain[-1].kind,
            detail=tail(report.internal, DETAIL_LIMIT),
        )
    shape = _USAGE if transcript.exit_code == _USAGE_ERROR else _COVERAGE
    messages = [match["message"] for line in lines_of(transcript.output) if (match := shape.match(line))]
    for message in messages[:20]:
        place = _CONFIGURATION.match(message)
        yield draft(
            transcript,
            Category.SCHEMA_CONFIG if place else Category.BUILD_TOOL,
            place["message"] if place else message,
            file=place["file"] if place else None,
            line=place["line"] if place else None,
            code="usage" if shape is _USAGE else "coverage",
        )
    if transcript.exit_code == _NO_TESTS:
        yield draft(transcript, Category.TEST_ERROR, "no tests were collected", code="no-tests")


def _conftest(transcript: Transcript, failure: Failure) -> Finding:
    file = failure.site.file if failure.site else "conftest.py"
    return finding_of(transcript, failure, test=file, collecting=True, fallback=failure.site, origin=Origin.STABLE_TEXT)


TRIAGERS = (Pytest(),)
