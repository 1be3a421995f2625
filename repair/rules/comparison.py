"""States of the checks, and what changed between two of them (semantics, sections 1, 3 and 4)."""

import hashlib
from collections import Counter
from collections.abc import Set

from repair.rules.visibility import has_run, is_hidden, passed, was_hidden
from repair.values.base import Value
from repair.values.checks import CheckResult, ErrorState, Finding, Signature, Stage, Status

ALL_PASSED = len(Stage)
"""The front of a state in which no required check fails: beyond the last stage."""


class Difference(Value):
    """The findings that went, came and stayed; `all_new_unmasked` when none that came is the edit's fault."""

    resolved: tuple[str, ...]
    new: tuple[Finding, ...]
    all_new_unmasked: bool


def counted(state: ErrorState) -> tuple[Finding, ...]:
    """The findings that count: of required checks that failed, or masked; never flaky ones."""
    return tuple(
        finding
        for result in state.results
        if result.required
        for finding in result.findings
        if _stands(result, finding)
    )


def _stands(result: CheckResult, finding: Finding) -> bool:
    return not finding.flaky and (finding.masked or result.status is Status.FAIL)


def multiset(state: ErrorState) -> Counter[str]:
    """How often each fingerprint stands in a state: two equal errors count twice."""
    return Counter(finding.fingerprint for finding in counted(state))


def fails(result: CheckResult) -> bool:
    """Whether a check fails for a reason that repeats: a flaky one does not, a vacuous pass does."""
    if result.status is Status.PASS:
        return not passed(result) or any(finding.masked for finding in result.findings)
    if result.status is not Status.FAIL:
        return False
    return not result.findings or not all(finding.flaky for finding in result.findings)


def front(state: ErrorState) -> int:
    """The lowest stage at which a required check fails or, when none does, could not run; else `ALL_PASSED`."""
    required = [result for result in state.results if result.required]
    failing = [result.stage for result in required if fails(result)]
    waiting = [result.stage for result in required if result.status in (Status.NOT_RUN, Status.INFRA)]
    return min(failing or waiting, default=ALL_PASSED)


def roots(state: ErrorState) -> tuple[Finding, ...]:
    """The findings of the front stage that are not consequences of others."""
    at = front(state)
    return tuple(f for f in counted(state) if f.stage == at and not f.derived and not f.masked)


def all_roots(state: ErrorState) -> tuple[Finding, ...]:
    """All findings that are not consequences of others, masked ones included."""
    return tuple(f for f in counted(state) if not f.derived)


def signature(state: ErrorState, streak: int) -> Signature:
    """The state as people see it; among equally frequent categories the alphabet decides."""
    found = Counter(finding.category.value for finding in roots(state))
    if not found:
        return Signature(streak=streak)
    most = max(found.values())
    return Signature(
        category=min(name for name, count in found.items() if count == most),
        count=sum(found.values()),
        streak=streak,
    )


def state_key(state: ErrorState) -> str:
    """A hash of the findings as a multiset and of each check's status, both without what is flaky."""
    parts = [f"{key}*{count}" for key, count in sorted(multiset(state).items())]
    parts += sorted(f"{result.check}={_status(result)}" for result in state.results if result.required)
    return hashlib.sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _status(result: CheckResult) -> str:
    if result.status in (Status.NOT_RUN, Status.INFRA):
        return result.status.value
    return (Status.FAIL if fails(result) else Status.PASS).value


def passes(state: ErrorState) -> bool:
    """Whether every required check ran, tested something and passed, and there is at least one."""
    required = [result for result in state.results if result.required]
    return bool(required) and all(passed(result) for result in required)


def carry_masked(before: ErrorState, after: ErrorState) -> ErrorState:
    """The later state with the findings that could not show themselves, marked as masked.

    A finding is resolved only when its check ran and its test was collected; a new parse error
    must not resolve the test failures behind it.
    """
    return ErrorState(results=tuple(_with_masked(before.of(result.check), result) for result in after.results))


def _with_masked(before: CheckResult | None, after: CheckResult) -> CheckResult:
    if before is None:
        return after
    shown = Counter(finding.fingerprint for finding in after.findings if not finding.masked)
    carried = Counter(finding.fingerprint for finding in after.findings if finding.masked)
    masked: list[Finding] = []
    for finding in filter(lambda found: _stands(before, found), before.findings):
        if shown[finding.fingerprint] > 0:
            shown[finding.fingerprint] -= 1
        elif not is_hidden(finding, before, after):
            continue
        elif carried[finding.fingerprint] > 0:
            carried[finding.fingerprint] -= 1
        else:
            masked.append(finding.model_copy(update={"masked": True}))
    return after.model_copy(update={"findings": (*after.findings, *masked)}) if masked else after


def aligned(before: ErrorState, after: ErrorState) -> tuple[ErrorState, ErrorState]:
    """Both states ready to be compared: what is masked carried on, what is flaky in one flaky in the other."""
    full = carry_masked(before, after)
    flaky = _flaky_in(before) | _flaky_in(full)
    return marked(before, flaky, flaky=True), marked(full, flaky, flaky=True)


def _flaky_in(state: ErrorState) -> frozenset[str]:
    return frozenset(f.fingerprint for result in state.results for f in result.findings if f.flaky)


def marked(state: ErrorState, fingerprints: Set[str], *, flaky: bool) -> ErrorState:
    """The state with every finding of these fingerprints called flaky, or not."""
    return ErrorState(results=tuple(_marked(result, fingerprints, flaky) for result in state.results))


def _marked(result: CheckResult, fingerprints: Set[str], flaky: bool) -> CheckResult:
    if not any(finding.fingerprint in fingerprints and finding.flaky != flaky for finding in result.findings):
        return result
    findings = (
        finding.model_copy(update={"flaky": flaky}) if finding.fingerprint in fingerprints else finding
        for finding in result.findings
    )
    return result.model_copy(update={"findings": tuple(findings)})


def compare(before: ErrorState, after: ErrorState) -> Difference:
    """What changed between two states that are `aligned`."""
    old, new = multiset(before), multiset(after)
    came = new - old
    arrivals: list[Finding] = []
    for finding in counted(after):
        if came[finding.fingerprint] > 0:
            came[finding.fingerprint] -= 1
            arrivals.append(finding)
    return Difference(
        resolved=tuple(sorted((old - new).elements())),
        new=tuple(arrivals),
        all_new_unmasked=all(is_unmasked(finding, before) for finding in arrivals),
    )


def is_unmasked(finding: Finding, before: ErrorState) -> bool:
    """Whether a new finding was there before and only could not be seen."""
    earlier = before.of(finding.check)
    return earlier is None or finding.stage > front(before) or was_hidden(finding, earlier)


def regressions(base: ErrorState, now: ErrorState) -> int:
    """How many tests, or checks without tests, passed at the base and fail now."""
    lost: set[tuple[str, str]] = set()
    for result in now.results:
        earlier = base.of(result.check)
        if result.required and earlier is not None and fails(result):
            lost |= {(result.check, test) for test in _lost_tests(earlier, result)}
    return len(lost)


def _lost_tests(earlier: CheckResult, now: CheckResult) -> set[str]:
    """The tests that passed earlier and fail now; the empty name stands for the check as a whole."""
    failing = {f.test or "" for f in now.findings if not f.flaky and not f.masked} or {""}
    if passed(earlier):
        return {test if test in earlier.tests else "" for test in failing}
    red = {f.test for f in earlier.findings}
    return {test for test in failing if test in earlier.tests and test not in red and has_run(test, earlier)}
