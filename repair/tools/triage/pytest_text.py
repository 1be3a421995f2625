"""The report pytest prints: its sections, its summary and its counts."""

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from repair.values.checks import Counters

# Only the sections pytest knows: captured output may draw rules of its own.
_SECTION = re.compile(
    r"=+ (?P<name>FAILURES|ERRORS|PASSES|XFAILURES|XPASSES|short test summary info|warnings summary.*|slowest .*"
    r"|rerun test summary info|.* in \d[\d.]*s.*) =+$"
)
_SUMMARY = "short test summary info"
_BLOCK = re.compile(r"_+ (?P<name>[^_\s].*) _+$")
_STAGED = re.compile(r"ERROR (?:at (?:setup|teardown) of|collecting) (?P<name>.+)$")
_ENTRY = re.compile(r"(?P<outcome>FAILED|ERROR|PASSED|XFAIL|XPASS) (?P<rest>\S.*)$")
_VERBOSE = re.compile(
    r"(?P<test>[^\s:]+\.py::.+?) (?:PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS)\b.*$|(?P<listed>[^\s:]+\.py::\S.*)$"
)
_COUNT = re.compile(r"\b(\d{1,9}) (passed|failed|skipped|xfailed|xpassed|errors?|deselected)\b")
_VERDICT = re.compile(
    r"(?:=+ )?(?P<counts>\d+ [a-z]+(?:, \d+ [a-z]+)*|no tests (?:ran|collected)[^=]{0,60}) in \d[\d.]*s\b"
)
_COLLECTED = re.compile(r"(?:collecting \.\.\. )?collected (\d{1,9}) items?(?:.* / (\d{1,9}) selected)?")
_LISTED = re.compile(r"(?:=+ )?(\d{1,9})(?:/\d+)? tests? collected")
_ROOTDIR = re.compile(r"rootdir: (?P<rootdir>[^,]+)(?:, .*)?$")
_CONFTEST = "ImportError while loading conftest "
_INTERNAL = "INTERNALERROR> "
_BLOCK_LINES = 400
_FAILED_LIMIT = 2000


class Entry(NamedTuple):
    """A failed test or module: its node id, what the summary says of it, and its block."""

    test: str
    said: str
    lines: tuple[str, ...]


class Report(NamedTuple):
    """All that a printed report tells."""

    failed: tuple[Entry, ...]
    tests: tuple[str, ...]
    counters: Counters
    rootdir: str
    conftest: tuple[str, ...]
    internal: tuple[str, ...]


class PytestText:
    """A report in lines."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines

    def report(self) -> Report:
        """Everything read at once."""
        entries = list(self._entries())
        outcomes = [test for _, test, _ in entries if "::" in test]
        return Report(
            tuple(islice(self._failed(entries), _FAILED_LIMIT)),
            tuple(dict.fromkeys([*self._verbose(), *outcomes])),
            self._counters(),
            next((match["rootdir"] for line in self._lines if (match := _ROOTDIR.match(line))), ""),
            tuple(self._conftest()),
            tuple(line.removeprefix(_INTERNAL) for line in self._lines if line.startswith(_INTERNAL)),
        )

    def _failed(self, entries: Sequence[tuple[str, str, str]]) -> Iterator[Entry]:
        blocks = self._blocks()
        for outcome, test, said in entries:
            if outcome in ("FAILED", "ERROR"):
                waiting = blocks.get(_block_name(test))
                yield Entry(test, said, tuple(waiting.popleft()) if waiting else ())
        for name, waiting in blocks.items():
            for lines in waiting:
                yield Entry(_unsummarised(name, lines), "", tuple(lines))

    def _blocks(self) -> dict[str, deque[list[str]]]:
        """The failures in full by the name in their header, in the order they were printed."""
        found: dict[str, deque[list[str]]] = defaultdict(deque)
        inside = False
        current: list[str] = []
        for line in self._lines:
            if section := _SECTION.match(line):
                inside, current = section["name"] in ("FAILURES", "ERRORS"), []
            elif inside and (header := _BLOCK.match(line)):
                staged = _STAGED.match(header["name"])
                current = []
                found[staged["name"] if staged else header["name"]].append(current)
            elif inside and len(current) < _BLOCK_LINES:
                current.append(line)
        return found

    def _entries(self) -> Iterator[tuple[str, str, str]]:
        inside = False
        for line in self._lines:
            if section := _SECTION.match(line):
                inside = section["name"] == _SUMMARY
            elif inside and (entry := _ENTRY.match(line)):
                test, said = _split(entry["rest"])
                yield entry["outcome"], test, said

    def _verbose(self) -> Iterator[str]:
        for line in self._lines:
            if match := _VERBOSE.match(line):
                yield (match["test"] or match["listed"]).strip()

    def _counters(self) -> Counters:
        verdicts = [match["counts"] for line in self._lines if (match := _VERDICT.match(line))]
        ran = [match for line in self._lines if (match := _COLLECTED.match(line) or _LISTED.match(line))]
        if not verdicts and not ran:
            return Counters()
        counts: dict[str, int] = defaultdict(int)
        for verdict in verdicts:
            for number, outcome in _COUNT.findall(verdict):
                counts[outcome] += int(number)
        collected = sum(int(match.group(match.lastindex or 1)) for match in ran)
        outcomes = sum(counts[each] for each in ("passed", "failed", "skipped", "xfailed", "xpassed"))
        return Counters(collected=max(collected, outcomes), skipped=counts["skipped"] + counts["xfailed"])

    def _conftest(self) -> Iterator[str]:
        inside = False
        for line in self._lines:
            inside = inside or line.startswith(_CONFTEST)
            if inside:
                yield line


def _split(rest: str) -> tuple[str, str]:
    """A line of the summary into node id and message; a parameter may itself hold the ` - ` between them."""
    bracket = rest.find("[")
    dash = rest.find(" - ")
    if bracket >= 0 and (dash < 0 or bracket < dash):
        closed = rest.find("] - ", bracket)
        if closed >= 0:
            return rest[: closed + 1], rest[closed + 4 :]
        return (rest, "") if rest.endswith("]") else (rest[:dash], rest[dash + 3 :]) if dash >= 0 else (rest, "")
    return (rest, "") if dash < 0 else (rest[:dash], rest[dash + 3 :])


def _block_name(test: str) -> str:
    """The name in a failure's header: the node id without its file, dotted, or the file of a module."""
    plain, bracket, parameter = test.partition("[")
    inner = plain.split("::")[1:]
    return ".".join(inner) + bracket + parameter if inner else test


def _unsummarised(name: str, lines: Sequence[str]) -> str:
    """The node id of a failure that the summary does not list, from the first place its block names."""
    if name.endswith(".py"):
        return name
    for line in lines:
        file, _, rest = line.partition(":")
        if file.endswith(".py") and rest.partition(":")[0].isdigit():
            plain, bracket, parameter = name.partition("[")
            return f"{file}::{plain.replace('.', '::')}{bracket}{parameter}"
    return name
