"""One failure of pytest as it prints it, in any traceback style."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from repair.tools.triage.categories import exception_category
from repair.tools.triage.paths import of_repository
from repair.tools.triage.reading import DETAIL_LIMIT, draft
from repair.tools.triage.symbols import symbol_of
from repair.tools.triage.text import tail
from repair.tools.triage.traceback import Frame, chains, frame_in, root_cause, traces
from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript

_LOCATION = re.compile(r"(?P<file>[^\s:>][^:]*):(?P<line>\d{1,9}):(?: (?P<what>.*))?$")
_FILE_LINE = re.compile(r"file (?P<file>\S.*), line (?P<line>\d{1,9})$")
_SAID = re.compile(r"E {1,}(?P<text>\S.*)$")
_RAISED = re.compile(r"(?P<kind>[A-Za-z_][\w.]{0,200})(?:: (?P<message>.*))?$")
_CHAINED = re.compile(r"(?:The above exception was the direct cause|During handling of the above exception)")
_CAPTURED = re.compile(r"-{3,} ?(?:Captured|generated xml|live log)")
_TIMEOUT = re.compile(r"Failed: Timeout ")
_IMPORTS = ("ImportError", "ModuleNotFoundError", "SyntaxError", "IndentationError", "TabError")


class Failure(NamedTuple):
    """What went wrong and where: `kind` is the exception's class, `said` the first line it told."""

    kind: str
    said: str
    site: Frame | None
    lines: tuple[str, ...]


def read_failure(lines: Sequence[str], root: str) -> Failure:
    """The failure a block of output tells; a chain that began in a failed import or parse is read there."""
    lines = list(_without_captured(lines))
    segments = [_segment(part, root) for part in _chain(lines)]
    rooted = next((segment for segment in segments if segment.kind in _IMPORTS), None)
    told = [segment for segment in segments if segment.said]
    best = rooted or (told[-1] if told else None)
    if best is not None:
        return best._replace(site=best.site or next((each.site for each in reversed(segments) if each.site), None))
    return _native(lines, root)


def _without_captured(lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        if _CAPTURED.match(line):
            return
        yield line


def _chain(lines: Sequence[str]) -> Iterator[list[str]]:
    part: list[str] = []
    for line in lines:
        if _CHAINED.match(line):
            yield part
            part = []
        else:
            part.append(line)
    yield part


def _segment(lines: Sequence[str], root: str) -> Failure:
    said = [match["text"] for line in lines if (match := _SAID.match(line))]
    frames = [frame for line in lines if (frame := _frame(line))]
    parsed = [frame for text in said if (frame := frame_in(text))]
    site = next((frame for frame in reversed([*frames, *parsed]) if of_repository(frame.file, root)), None)
    kind, message = _raised(said, lines)
    return Failure(kind, message, site, tuple(_shown(lines)))


def _frame(line: str) -> Frame | None:
    if match := _LOCATION.match(line) or _FILE_LINE.match(line):
        return Frame(match["file"], int(match["line"]), "")
    return frame_in(line)


def _raised(said: Sequence[str], lines: Sequence[str]) -> tuple[str, str]:
    """The exception's class and the line that names it; pytest leaves the class of a plain assertion out."""
    for text in said:
        match = _RAISED.match(text)
        kind = match["kind"].rpartition(".")[2] if match else ""
        if kind[:1].isupper():
            return kind, text
    kinds = [match["what"] for line in lines if (match := _LOCATION.match(line)) and match["what"]]
    bare = kinds[-1] if kinds and kinds[-1].isidentifier() else ""
    if said and not bare and said[0].startswith("assert"):
        bare = "AssertionError"
    return bare, said[0] if said else ""


def _native(lines: Sequence[str], root: str) -> Failure:
    """`--tb=native` prints what Python would, and `--tb=line` a single line."""
    if chained := chains(traces(lines)):
        trace = root_cause(chained[-1])
        return Failure(trace.kind, trace.said, trace.site(root), tuple(_shown(lines)))
    return Failure("", "", next((frame for line in lines if (frame := _frame(line))), None), tuple(_shown(lines)))


def _shown(lines: Sequence[str]) -> list[str]:
    """The block where it fits a finding's detail, else its frames, the failing source lines and what was said."""
    whole = "\n".join(lines).strip("\n").split("\n")
    if sum(len(line) + 1 for line in whole) <= DETAIL_LIMIT:
        return whole
    telling = [line for line in whole if _SAID.match(line) or _LOCATION.match(line) or line.startswith(">")]
    return telling or tail(whole, DETAIL_LIMIT)


def finding_of(
    transcript: Transcript, failure: Failure, *, test: str, collecting: bool, fallback: Frame | None, origin: Origin
) -> Finding:
    """The finding of a failed test, or of a module that could not be collected."""
    site = failure.site or fallback
    return draft(
        transcript,
        _category(failure, collecting=collecting),
        failure.said or ("the module could not be collected" if collecting else "the test failed"),
        file=site.file if site else None,
        line=site.line if site else None,
        symbol=symbol_of(failure.said),
        test=test,
        code=failure.kind or None,
        origin=origin,
        detail=failure.lines,
    )


def _category(failure: Failure, *, collecting: bool) -> Category:
    if _TIMEOUT.match(failure.said):
        return Category.RESOURCE_TIMEOUT
    if not failure.kind and failure.said.startswith("assert"):
        return Category.TEST_ASSERTION
    return exception_category(failure.kind, in_test=not collecting)
