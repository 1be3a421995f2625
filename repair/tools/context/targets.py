"""Where the errors are: the units that findings name, or that the failing tests call."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from repair.tools.context import exclude
from repair.tools.context.index import Index, Place
from repair.tools.context.mentions import Mention, mentioned, names_in
from repair.tools.context.sources import language_of
from repair.tools.context.units import enclosing_unit, unit_of, whole_file
from repair.values.change import Unit
from repair.values.checks import Category, Finding

MOST_FINDINGS = 50
MOST_TARGETS = 12
_CALLED_PER_TEST = 6
_MOST_DEFINITIONS = 3
_MOST_TRACED = 3
_TEST_FAILURES = frozenset((Category.TEST_ASSERTION, Category.TEST_ERROR))
_SHORTEST_TITLE = 3
_LONGEST_IDENTITY = 500
_GROUPS = frozenset(("package", "class", "impl", "module"))
_NAMED_TEST = re.compile(r"(?:::|[./]|^)([^\W\d]\w*)(?:\[.*\])?$", re.DOTALL)
_CALLABLE = frozenset(
    ("function", "method", "class", "struct", "impl", "rule", "constant", "view", "table", "output", "type", "enum")
)


class Target(NamedTuple):
    """A unit to show, the lines of the errors in it, why, and how sure it is that the fault is there."""

    unit: Unit
    lines: tuple[int, ...]
    reason: str
    confidence: float = 1.0


def failing_tests(index: Index, findings: Sequence[Finding], command: str) -> tuple[Target, ...]:
    """The failing tests as units; the test scripts of the command when no finding says which test it is."""
    found = [
        target for finding in findings[:MOST_FINDINGS] if is_test_failure(finding) for target in _test(index, finding)
    ]
    if not found:
        scripts = [mention.path for mention in mentioned(index.files, command) if exclude.is_test(mention.path)]
        found = [_whole(index, path, "test that the check runs", 0.8) for path in scripts]
    return merged(found)


def is_test_failure(finding: Finding) -> bool:
    """Whether a test failed, as against an error in the code of a test."""
    if finding.category in _TEST_FAILURES:
        return True
    outside_tests = finding.file is None or exclude.is_test(finding.file)
    return outside_tests and (finding.test is not None or finding.category is Category.UNKNOWN)


def error_units(
    index: Index, findings: Sequence[Finding], tests: Sequence[Target], suspects: Sequence[str]
) -> tuple[Target, ...]:
    """The units at fault: where findings point, then what the failing tests call, else the `suspects`."""
    found = [*_located(index, findings[:MOST_FINDINGS]), *(target for test in tests for target in called(index, test))]
    if not found:
        found = [_whole(index, path, "likely culprit", 0.5) for path in suspects[:_MOST_DEFINITIONS]]
    return merged(found)


def called(index: Index, test: Target) -> tuple[Target, ...]:
    """The product code a test calls, followed through its imports; whole files where names do not lead anywhere."""
    reason = f"called by the failing test {test.unit.name or test.unit.path}"
    path = test.unit.path
    names = index.uses(path, test.unit.start, test.unit.end)
    places = [place for name in names for place in _through_imports(index, path, name)]
    units = [_unit(index, place.path, place.definition.start) for place in places if place.definition.kind in _CALLABLE]
    found = [Target(unit, (), reason, 0.9) for unit in dict.fromkeys(units)]
    reached = {target.unit.path for target in found}
    rest = [file for file in index.imported(path) if _is_code(file) and file not in reached]
    if not found or language_of(path) == "bash":
        found += [_whole(index, file, reason, 0.8) for file in rest]
    return merged(found)[:_CALLED_PER_TEST]


def merged(targets: Iterable[Target]) -> tuple[Target, ...]:
    """The targets in their order, one for each unit, with the lines of all."""
    kept: dict[tuple[str, int, int], Target] = {}
    for target in targets:
        key = (target.unit.path, target.unit.start, target.unit.end)
        known = kept.get(key, target)
        kept[key] = known._replace(lines=tuple(sorted({*known.lines, *target.lines})))
    return tuple(kept.values())[:MOST_TARGETS]


def _located(index: Index, findings: Sequence[Finding]) -> Iterator[Target]:
    for finding in findings:
        failure = is_test_failure(finding)
        file = finding.file if finding.file and index.files.text(finding.file) is not None else None
        direct = file is not None and not (failure and exclude.is_test(file))
        if file is not None and direct:
            yield _at(index, Mention(file, finding.line), finding.message[:200])
        places = list(_product(mentioned(index.files, f"{finding.message}\n{finding.detail}")))
        if failure or not direct:
            yield from (_at(index, place, "named in the output", 0.8) for place in places)
            yield from _defining(index, [*names_in(finding.message), *([finding.symbol] if finding.symbol else [])])
        else:
            # Frames of a trace, and notes of a compiler such as "declared here".
            traced = [place for place in places if place.line][-_MOST_TRACED:]
            yield from (_at(index, place, "named in the output", 0.6) for place in reversed(traced))


def _product(places: Iterable[Mention]) -> Iterator[Mention]:
    return (place for place in places if _is_code(place.path) and (place.line or language_of(place.path) != "text"))


def _is_code(path: str) -> bool:
    return not exclude.is_test(path) and language_of(path) != "text"


def _defining(index: Index, names: Sequence[str]) -> Iterator[Target]:
    for name in names:
        places = [place for place in index.defining(name) if not exclude.is_test(place.path)]
        if len(places) <= _MOST_DEFINITIONS:
            for place in places:
                yield Target(_unit(index, place.path, place.definition.start), (), f"defines {name}", 0.7)


def _test(index: Index, finding: Finding) -> Iterator[Target]:
    identity = finding.test or ""
    reason = f"failing test: {finding.message[:120]}"
    path = _test_file(index, finding)
    for place in _test_functions(index, identity, path)[:1]:
        yield Target(_test_unit(index, place.path, place.definition.start), (), reason)
        return
    if path is not None and (text := index.files.text(path)) is not None:
        line = finding.line or _line_of(text, identity)
        unit = _test_unit(index, path, line) if line else whole_file(path, text)
        yield Target(unit, (finding.line,) if finding.line else (), reason)


def _test_file(index: Index, finding: Finding) -> str | None:
    """The file of a failing test: as the finding says, as its identity says, or the first that holds its title."""
    if finding.file and exclude.is_test(finding.file):
        return finding.file
    identity = finding.test or ""
    named = [place.path for place in mentioned(index.files, identity) if exclude.is_test(place.path)]
    title = _title(identity).encode("utf-8", errors="replace")
    tests = (path for path in index.files.searched if exclude.is_test(path))
    holding = (path for path in tests if len(title) > _SHORTEST_TITLE and title in (index.files.content(path) or b""))
    return next(iter(named), None) or next(holding, None)


def _test_functions(index: Index, identity: str, path: str | None) -> list[Place]:
    match = _NAMED_TEST.search(identity[:_LONGEST_IDENTITY])
    if match is None:
        return []
    places = [place for place in index.defining(match[1]) if path in (None, place.path)]
    return [place for place in places if exclude.is_test(place.path) or "tests" in place.definition.parent]


def _title(identity: str) -> str:
    """The title of a test; runners join the titles of nested suites with `>`."""
    return identity.rpartition(">")[2].strip()


def _line_of(text: str, identity: str) -> int | None:
    title = _title(identity)
    position = text.find(title) if len(title) > _SHORTEST_TITLE else -1
    return None if position < 0 else text.count("\n", 0, position) + 1


def _through_imports(index: Index, path: str, name: str) -> tuple[Place, ...]:
    """Product definitions of a name in what a file imports and its neighbours, else in what those import."""
    imported = index.imported(path)
    further = [file for near in imported for file in index.imported(near)]
    for files in ([*imported, *index.neighbours(path)], further):
        if found := index.defined(name, (file for file in dict.fromkeys(files) if not exclude.is_test(file))):
            return found
    return ()


def _at(index: Index, place: Mention, reason: str, confidence: float = 1.0) -> Target:
    if place.line is None:
        return _whole(index, place.path, reason, confidence)
    return Target(_unit(index, place.path, place.line), (place.line,), reason, confidence)


def _unit(index: Index, path: str, line: int) -> Unit:
    return enclosing_unit(path, index.files.text(path) or "", line)


def _test_unit(index: Index, path: str, line: int) -> Unit:
    """The test around a line, even in a short file: a test is read, not rewritten."""
    text = index.files.text(path) or ""
    spanning = [entry for entry in index.definitions(path) if entry.start <= line <= entry.end]
    around = [entry for entry in spanning if entry.kind not in _GROUPS]
    return unit_of(path, text, around[0]) if around else enclosing_unit(path, text, line)


def _whole(index: Index, path: str, reason: str, confidence: float = 1.0) -> Target:
    return Target(whole_file(path, index.files.text(path) or ""), (), reason, confidence)
