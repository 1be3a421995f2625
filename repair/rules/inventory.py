"""Green must mean at least as much as it did at the start (semantics, section 9.2)."""

from collections.abc import Sequence

from repair.values.change import Severity, Violation
from repair.values.checks import CheckResult, ErrorState, Status


def lost_tests(before: Sequence[ErrorState], now: ErrorState) -> tuple[Violation, ...]:
    """What a passing state no longer checks, against every earlier state of its path.

    Tests that are gone or skipped, and files no longer looked at; in a chain the tests may show
    themselves only in the middle.
    """
    pairs = ((state.of(result.check), result) for result in now.results for state in before)
    messages = (
        message
        for earlier, result in pairs
        if earlier is not None and result.status is Status.PASS and earlier.status in (Status.PASS, Status.FAIL)
        for message in _losses(earlier, result)
    )
    return tuple(_violation(message) for message in dict.fromkeys(messages))


def _losses(earlier: CheckResult, later: CheckResult) -> list[str]:
    losses = []
    # A file that cannot be loaded is reported as one test of its own name; it goes when its tests come.
    unloaded = {finding.test for finding in earlier.findings if finding.test and _is_file(finding.test)}
    gone = sorted(set(earlier.tests) - set(later.tests) - unloaded) if later.tests else []
    if gone:
        losses.append(f"{len(gone)} tests of `{later.check}` are no longer run, {gone[0]} for one")
    before, after = earlier.counters, later.counters
    if _fell(before.collected, after.collected):
        losses.append(f"`{later.check}` collected {before.collected} tests before and {after.collected} now")
    added = max(0, (after.collected or 0) - (before.collected or 0))
    if before.skipped is not None and after.skipped is not None and after.skipped > before.skipped + added:
        losses.append(f"`{later.check}` skipped {before.skipped} tests before and {after.skipped} now")
    if _fell(before.files, after.files):
        losses.append(f"`{later.check}` looked at {before.files} files before and at {after.files} now")
    return losses


def _is_file(test: str) -> bool:
    """Whether a test is named like a file, as runners name what they could not load."""
    return "/" in test and " " not in test and "::" not in test and "." in test.rsplit("/", 1)[1]


def _fell(before: int | None, after: int | None) -> bool:
    return before is not None and after is not None and after < before


def _violation(message: str) -> Violation:
    return Violation(rule="test-inventory", severity=Severity.CRITICAL, message=message)
