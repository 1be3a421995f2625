"""What a run of a check could not show: tests that did not run, errors behind a first one (semantics, section 4)."""

from repair.values.checks import CheckResult, Finding, Status


def passed(result: CheckResult) -> bool:
    """Whether a check passed in earnest: a pass without a single test proves nothing."""
    return result.status is Status.PASS and result.counters.collected != 0


def is_hidden(finding: Finding, before: CheckResult, after: CheckResult) -> bool:
    """Whether an earlier finding that `after` does not report could not show itself there."""
    if not _ran(after):
        return True
    if finding.test is not None:
        return not has_run(finding.test, after)
    if not after.first_error_only or after.status is Status.PASS:
        return False
    if finding.masked or not before.first_error_only:
        return True
    return any(_position(stop) < _position(finding) for stop in _stops(after) if stop.file == finding.file)


def was_hidden(finding: Finding, before: CheckResult) -> bool:
    """Whether a finding that is new could not have shown itself in `before`."""
    if not _ran(before):
        return True
    if finding.test is not None:
        return not has_run(finding.test, before)
    if not before.first_error_only or before.status is Status.PASS:
        return False
    stops = _stops(before)
    in_file = [_position(stop) for stop in stops if stop.file == finding.file]
    if in_file:
        return _position(finding) > max(in_file)
    # Stops in several files mean that the tool went through each of them: a file without one was clean.
    return len({stop.file for stop in stops}) < 2


def _ran(result: CheckResult) -> bool:
    return result.status is Status.FAIL or passed(result)


def has_run(test: str, result: CheckResult) -> bool:
    """Whether a run of a check shows that it came to a test."""
    failed = [stop.test for stop in _stops(result) if stop.test is not None]
    if not result.tests:
        # A failed run that names no test at all is no proof that one ran: its collection may have broken.
        return result.status is Status.PASS or bool(failed)
    if test not in result.tests:
        return False
    if not result.first_error_only:
        return True
    stops = [result.tests.index(name) for name in failed if name in result.tests]
    return not stops or result.tests.index(test) <= min(stops)


def _stops(result: CheckResult) -> list[Finding]:
    return [finding for finding in result.findings if not finding.masked]


def _position(finding: Finding) -> tuple[int, int]:
    return finding.line or 0, finding.column or 0
