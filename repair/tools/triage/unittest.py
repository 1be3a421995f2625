"""unittest, as `python -m unittest` and Django's runner print it."""

import re
from collections.abc import Iterator

from repair.tools.triage.categories import exception_category
from repair.tools.triage.reading import Block, blocks, command, draft, lines_of, unique
from repair.tools.triage.symbols import symbol_of
from repair.tools.triage.traceback import chains, root_cause, traces
from repair.values.checks import Category, Counters, Finding
from repair.values.triage import Transcript, Triage

_HEADER = re.compile(
    r"(?P<outcome>ERROR|FAIL|UNEXPECTED SUCCESS): (?P<name>\S+)(?: \((?P<path>[\w.<>]+)\))?(?: (?P<sub>.+))?$"
)
_VERBOSE = re.compile(r"(?P<name>\w+) \((?P<path>[\w.<>]+)\)(?: \.\.\. .*)?$")
_RAN = re.compile(r"^Ran (\d{1,9}) tests? in ", re.MULTILINE)
_SKIPPED = re.compile(r"^(?:OK|FAILED|NO TESTS RAN) \((.{1,200})\)$", re.MULTILINE)
_NUMBERED = re.compile(r"(?:skipped|expected failures)=(\d{1,9})")
_FAIL_FAST = re.compile(r"(?<!\S)(?:-f|--failfast)(?!\S)")
_COMMAND = command("unittest", r"manage\.py test")
_LOADER = "unittest.loader."
_RULE = "=" * 70


class Unittest:
    """The identity of a test is its dotted path."""

    name = "unittest"

    def recognises(self, transcript: Transcript) -> bool:
        """Whether the command names unittest, or the output ends as its runs do."""
        return bool(_RAN.search(transcript.output)) or bool(_COMMAND.search(transcript.check.run))

    def triage(self, transcript: Transcript) -> Triage:
        """One finding for each failed test, subtest, and module that could not be loaded."""
        lines = lines_of(transcript.output)
        ran = [int(count) for count in _RAN.findall(transcript.output)]
        noted = " ".join(_SKIPPED.findall(transcript.output))
        findings = _findings(transcript, lines) if transcript.exit_code else ()
        return Triage(
            findings=unique(findings),
            counters=Counters(collected=sum(ran), skipped=sum(map(int, _NUMBERED.findall(noted))))
            if ran
            else Counters(),
            tests=tuple(dict.fromkeys(_verbose(lines))),
            first_error_only=bool(_FAIL_FAST.search(transcript.check.run)),
        )


def _verbose(lines: list[str]) -> Iterator[str]:
    for line in lines:
        if line == _RULE:
            return
        if (match := _VERBOSE.match(line)) and not match["path"].startswith(_LOADER):
            yield _identity(match["name"], match["path"])


def _findings(transcript: Transcript, lines: list[str]) -> Iterator[Finding]:
    for block in blocks(lines, _HEADER):
        if block.match["path"] or block.match["outcome"] != "ERROR":
            yield _finding(transcript, block)
    if any(line == "NO TESTS RAN" for line in lines):
        yield draft(transcript, Category.TEST_ERROR, "no tests were collected", code="no-tests")


def _finding(transcript: Transcript, block: Block) -> Finding:
    name, path, sub = block.match["name"], block.match["path"] or "", block.match["sub"] or ""
    chain = (chains(traces(block.body)) or [[]])[-1]
    trace = root_cause(chain) if chain else None
    site = trace.site(transcript.root) if trace else None
    said = trace.said if trace else f"{block.match['outcome'].lower()} in {name}"
    loading = path.startswith(_LOADER)
    return draft(
        transcript,
        exception_category(trace.kind, in_test=not loading) if trace else Category.TEST_ERROR,
        f"{said} {sub}" if sub else said,
        file=site.file if site else None,
        line=site.line if site else None,
        symbol=symbol_of(said),
        test=name if loading else _identity(name, path),
        code=trace.kind if trace else None,
        detail=block.lines[:60],
    )


def _identity(name: str, path: str) -> str:
    """The dotted path of a test: since Python 3.11 the brackets hold all of it, before only the class."""
    return path if path.rpartition(".")[2] == name else f"{path}.{name}".strip(".")


TRIAGERS = (Unittest(),)
