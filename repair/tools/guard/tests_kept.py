"""Rules about tests: all of them still there, asserting as much, and run."""

import re
from collections import Counter
from collections.abc import Iterator

from repair.tools.guard.change import Change, FileChange, critical, major
from repair.tools.guard.inventory import Test, facts
from repair.tools.guard.source import Source
from repair.values.change import Violation

# Marks that mean "do not run" wherever they stand.
_MARKS = re.compile(
    r"pytest\s*\.\s*(?:mark\s*\.\s*)?(?:skip\w*|xfail|importorskip)|unittest\s*\.\s*skip\w*|\bSkipTest\b|"
    r"\bexpectedFailure\b|\bcollect_ignore\w*|\b__test__\s*=\s*False|#\s*\[\s*ignore\b|@Disabled\b|@Ignore\b|"
    r"\btodo_test_|//\s*go:build\s+ignore|//\s*\+build\s+ignore"
)
# Words that mean it in a file of tests only: elsewhere `.skip(1)` passes over an element.
_TEST_MARKS = re.compile(
    r"\bskip(?:If|Unless|Test|_if)?\b\s*[(:]|\.\s*(?:skip|only|todo|fixme|fails)\b|\b(?:xit|xtest|xdescribe|fit|fdescribe)\s*\(|"
    r"\.\s*Skip(?:Now|f)?\s*\(|\btesting\s*\.\s*Short\s*\(|\b(?:only|todo)\s*:\s*[\w\"'`]|\bassume(?:True|False|That)\b|"
    r"@mark\.(?:skip\w*|xfail)|\bxfail\b|#\s*\[\s*should_panic\b"
)


def tests_kept(change: Change) -> Iterator[Violation]:
    """No test, assertion or parameter fewer; nothing newly skipped."""
    for file in change.files:
        if file.is_binary:
            continue
        yield from _inventory(file, change)
        yield from _skips(file)


def _inventory(file: FileChange, change: Change) -> Iterator[Violation]:
    before = facts(file.before) if file.before else {}
    after = facts(file.after) if file.after else {}
    for name, test in before.items():
        if name not in after:
            yield critical("test-removed", f"the test `{name}` is gone", file.path)
        else:
            yield from _weaker(test, after[name], file, change)


def _weaker(before: Test, after: Test, file: FileChange, change: Change) -> Iterator[Violation]:
    if len(after.assertions) < len(before.assertions):
        yield critical("assertion-removed", f"the test `{before.name}` asserts less", file.path)
    elif Counter(before.assertions) - Counter(after.assertions):
        kind = critical if change.tool_made else major
        yield kind("assertion-changed", f"the test `{before.name}` asserts something else", file.path)
    if after.cases < before.cases:
        yield critical("test-removed", f"the test `{before.name}` has fewer cases", file.path)


def _skips(file: FileChange) -> Iterator[Violation]:
    if file.after is None:
        return
    before = _marks(file.before, file.is_test) if file.before else Counter()
    new = _marks(file.after, file.is_test) - before
    if new.total():
        yield critical("test-skipped", f"a test is newly skipped: `{min(new)}`", file.path)


def _marks(source: Source, is_test: bool) -> Counter[str]:
    patterns = (_MARKS, _TEST_MARKS) if is_test else (_MARKS,)
    return Counter("".join(found.split()) for pattern in patterns for found in pattern.findall(source.text))
