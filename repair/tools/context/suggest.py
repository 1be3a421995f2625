"""Which files most likely hold the fault, best first."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from unidiff.errors import UnidiffParseError
from unidiff.patch import PatchSet

from repair.tools.context import exclude
from repair.tools.context.index import Index
from repair.tools.context.mentions import mentioned, names_in
from repair.tools.context.targets import MOST_FINDINGS, called, failing_tests, is_test_failure
from repair.tools.tree import Tree
from repair.values.checks import Finding

LARGEST_DIFF = 2_000_000
_MOST_FILES = 20
_MOST_PLACES = 3

# What points at a file, and how strongly; only their order matters.
_LOCATED = 10.0
_DEEPEST = 1.0
_IN_OUTPUT = 4.0
_CALLED = 4.0
_DEFINES = 3.0
_IN_COMMAND = 2.0
_CHANGED = 1.5
_IMPORTED = 1.2
_READ_BY_COMMAND = 1.0
_IMPORTING = 0.8
_NEIGHBOUR = 0.7


def suggest_files(
    tree: Tree, findings: Sequence[Finding], command: str = "", *, diff: str = "", hidden: Sequence[str] = ()
) -> tuple[str, ...]:
    """Files that may hold the fault, likeliest first, at most 20; a test only where the error is in its own code."""
    return rank(Index(tree, hidden), findings, command, diff)


def rank(index: Index, findings: Sequence[Finding], command: str, diff: str) -> tuple[str, ...]:
    """As `suggest_files`, over an index."""
    scores: defaultdict[str, float] = defaultdict(float)
    first = findings[:MOST_FINDINGS]
    _add(scores, set(_direct(index, first)))
    own = {finding.file for finding in first if finding.file and not is_test_failure(finding)}
    tests = failing_tests(index, findings, command)
    _add(scores, {(target.unit.path, _CALLED) for test in tests for target in called(index, test)})
    _add(scores, set(_around(index, tuple(scores))))
    _add(scores, set(_from_command(index, command)))
    _add(scores, {(path, _CHANGED) for path in changed_files(diff) if path in index.files.paths})
    ordered = sorted(scores, key=lambda path: (-scores[path], path))
    return tuple(path for path in ordered if path in own or not exclude.is_test(path))[:_MOST_FILES]


def changed_files(diff: str) -> tuple[str, ...]:
    """The files a unified diff changes."""
    return tuple(file.path for file in patch_of(diff))


def patch_of(diff: str) -> PatchSet:
    """The diff parsed; empty when it is huge or no unified diff, because context may do without."""
    try:
        return PatchSet(diff if len(diff) <= LARGEST_DIFF else "")
    except UnidiffParseError:
        return PatchSet("")


def _direct(index: Index, findings: Sequence[Finding]) -> Iterator[tuple[str, float]]:
    for finding in findings:
        if finding.file and index.files.text(finding.file) is not None:
            yield finding.file, _LOCATED
        places = mentioned(index.files, f"{finding.message}\n{finding.detail}")
        yield from ((place.path, _IN_OUTPUT) for place in places)
        # The last frame of a trace is the nearest to the fault.
        yield from ((place.path, _DEEPEST) for place in places[-1:] if place.line)
        names = (*names_in(finding.message), *((finding.symbol,) if finding.symbol else ()))
        for name in names:
            defining = index.defining(name)
            yield from ((place.path, _DEFINES) for place in defining if len(defining) <= _MOST_PLACES)


def _around(index: Index, paths: Iterable[str]) -> Iterator[tuple[str, float]]:
    for path in paths:
        yield from ((file, _IMPORTED) for file in index.imported(path))
        yield from ((file, _IMPORTING) for file in index.importers(path))
        yield from ((file, _NEIGHBOUR) for file in index.neighbours(path))


def _from_command(index: Index, command: str) -> Iterator[tuple[str, float]]:
    for place in mentioned(index.files, command):
        yield place.path, _IN_COMMAND
        yield from ((file, _READ_BY_COMMAND) for file in index.imported(place.path))


def _add(scores: defaultdict[str, float], weighed: Iterable[tuple[str, float]]) -> None:
    for path, weight in weighed:
        scores[path] += weight
