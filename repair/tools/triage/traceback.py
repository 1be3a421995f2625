"""Tracebacks as Python prints them, and the triager of any command that ends in one."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from repair.tools.triage.categories import exception_category
from repair.tools.triage.paths import of_repository
from repair.tools.triage.reading import DETAIL_LIMIT, draft, lines_of
from repair.tools.triage.symbols import symbol_of
from repair.tools.triage.text import tail
from repair.values.checks import Category, Finding, Stage
from repair.values.triage import Transcript, Triage

_HEADER = re.compile(r"\s*Traceback \(most recent call last\):")
_FRAME = re.compile(r"\s*File \"(?P<file>[^\"]{1,1000})\", line (?P<line>\d{1,9})(?:, in (?P<function>.{1,200}))?")
_RAISED = re.compile(r"(?P<kind>[A-Za-z_][\w.]{0,200})(?:: (?P<message>.*))?$")
_UNPARSABLE = re.compile(r"\s*(?:Sorry: )?(?P<kind>SyntaxError|IndentationError|TabError): (?P<message>.*)$")
_CHAINED = re.compile(r"\s*(?:The above exception was the direct cause|During handling of the above exception)")
_GROUPED = re.compile(r"^(?:  )*\| ?")
_LAUNCH = re.compile(
    r"^\S*python[\d.]*: (?:can't open file '(?P<file>[^']+)': .*"
    r"|Error while finding module specification for .*"
    r"|No module named (?:[\w-]+\.[\w.-]+|\S+; .*))$"
)
_TEST_RUNS = re.compile(
    r"^(?:=+ (?:test session starts|FAILURES|ERRORS|short test summary info) =+$"
    r"|E {3}|Ran \d+ tests? in |INTERNALERROR> )",
    re.MULTILINE,
)
_MARKS = ("Traceback (most recent call last)", "SyntaxError: ", "IndentationError: ", "TabError: ", "python")
_ROOTS = ("SyntaxError", "IndentationError", "TabError", "ImportError", "ModuleNotFoundError")
_TRACE_LIMIT = 500
_LINE_LIMIT = 400


class Frame(NamedTuple):
    """One level of a stack."""

    file: str
    line: int
    function: str


class Trace(NamedTuple):
    """A raised exception: `kind` is the bare class name; `chained` tells it came of the one before."""

    frames: tuple[Frame, ...]
    kind: str
    message: str
    lines: tuple[str, ...]
    chained: bool

    @property
    def said(self) -> str:
        """The exception as Python's last line has it."""
        return f"{self.kind}: {self.message}" if self.message else self.kind

    def site(self, root: str) -> Frame | None:
        """The deepest frame in the repository."""
        return next((frame for frame in reversed(self.frames) if of_repository(frame.file, root)), None)


def frame_in(line: str) -> Frame | None:
    """The frame that a `File "x", line N` line names."""
    match = _FRAME.match(line)
    return Frame(match["file"], int(match["line"]), match["function"] or "") if match else None


def traces(lines: Iterable[str]) -> list[Trace]:
    """Every complete traceback, also syntax errors printed without a header."""
    return [trace for _, trace in zip(range(_TRACE_LIMIT), _traces(lines), strict=False)]


def _traces(lines: Iterable[str]) -> Iterator[Trace]:
    seen: list[str] = []
    headed = chained = False
    for raw in lines:
        line = _GROUPED.sub("", raw)
        if _HEADER.match(line):
            seen, headed = [line], True
        elif _CHAINED.match(line):
            seen, headed, chained = [], False, True
        elif not headed and _FRAME.match(line):
            seen = [line]
        elif seen:
            if len(seen) < _LINE_LIMIT:
                seen.append(line)
            if raised := _ending(seen, line, headed=headed):
                yield _trace(seen, raised, chained=chained)
                seen, headed, chained = [], False, False


def _ending(seen: Sequence[str], line: str, *, headed: bool) -> re.Match[str] | None:
    if not headed:
        return _UNPARSABLE.match(line)
    indent = len(seen[0]) - len(seen[0].lstrip())
    return _RAISED.match(line[indent:]) if not line[:indent].strip() else None


def _trace(seen: Sequence[str], raised: re.Match[str], *, chained: bool) -> Trace:
    frames = tuple(frame for line in seen if (frame := frame_in(line)))
    kind = raised["kind"].rpartition(".")[2]
    return Trace(frames, kind, (raised["message"] or "").strip(), tuple(seen), chained)


def chains(found: Iterable[Trace]) -> list[list[Trace]]:
    """The traces, each with those it came of before it."""
    grouped: list[list[Trace]] = []
    for trace in found:
        if trace.chained and grouped:
            grouped[-1].append(trace)
        else:
            grouped.append([trace])
    return grouped


def root_cause(chain: Sequence[Trace]) -> Trace:
    """The failed import or parse that a chain began with, else the exception it ended in."""
    return chain[0] if chain[0].kind in _ROOTS else chain[-1]


class PythonTraceback:
    """Any command that ends in an uncaught exception, except test runs, which have triagers of their own."""

    name = "python"

    def recognises(self, transcript: Transcript) -> bool:
        """Whether there is a traceback outside a test run."""
        output = transcript.output
        return any(mark in output for mark in _MARKS) and not _TEST_RUNS.search(output)

    def triage(self, transcript: Transcript) -> Triage:
        """One finding for each uncaught exception."""
        if not transcript.exit_code:
            return Triage()
        lines = lines_of(transcript.output)
        raised = [_raised(transcript, chain) for chain in chains(traces(lines))]
        launched = [_launched(transcript, match) for line in lines if (match := _LAUNCH.match(line))]
        return Triage(findings=(*raised, *launched[:10]))


def _raised(transcript: Transcript, chain: Sequence[Trace]) -> Finding:
    trace = root_cause(chain)
    site = trace.site(transcript.root)
    category = exception_category(trace.kind, in_test=False)
    if category is Category.TEST_ERROR and transcript.check.stage < Stage.UNIT:
        category = Category.BUILD_TOOL
    return draft(
        transcript,
        category,
        trace.said,
        file=site.file if site else None,
        line=site.line if site else None,
        symbol=symbol_of(trace.said),
        code=trace.kind,
        detail=tail([line for link in chain for line in link.lines], DETAIL_LIMIT),
    )


def _launched(transcript: Transcript, match: re.Match[str]) -> Finding:
    message = match[0].partition(": ")[2]
    category = Category.BUILD_TOOL if match["file"] else Category.IMPORT_DEPENDENCY
    return draft(transcript, category, message, symbol=symbol_of(message), detail=[match[0]])


TRIAGERS = (PythonTraceback(),)
