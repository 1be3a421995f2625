"""The rank of a candidate (semantics, section 13)."""

from collections.abc import Iterable

from repair.rules.comparison import all_roots, counted, front, marked, multiset, regressions
from repair.values.blackboard import Point, Score
from repair.values.change import Severity, Violation
from repair.values.checks import ErrorState


def score(
    base: ErrorState,
    state: ErrorState,
    *,
    violations: Iterable[Violation] = (),
    hidden_failures: int = 0,
    diff_size: int = 0,
    order: int = 0,
) -> Score:
    """How good a candidate is against the start of the run; `diff_size` counts changed lines.

    `state` carries its masked findings. What counted at the start is not made good by being called flaky.
    """
    red = multiset(base)
    state = marked(state, red.keys(), flaky=False)
    severities = [violation.severity for violation in violations]
    return Score(
        guard_ok=Severity.CRITICAL not in severities,
        regressions=-regressions(base, state),
        front=front(state),
        targets_resolved=_resolved(base, state),
        hidden_failures=-hidden_failures,
        critical=-severities.count(Severity.CRITICAL),
        major=-severities.count(Severity.MAJOR),
        roots=-len(all_roots(state)),
        diff_size=-diff_size,
        order=-order,
    )


def _resolved(base: ErrorState, state: ErrorState) -> int:
    """How many findings of the start are gone; a test that fails with other words still fails."""
    gone = multiset(base) - multiset(state)
    failing = {(finding.check, finding.test) for finding in counted(state) if finding.test}
    still = {f.fingerprint for f in counted(base) if f.test and (f.check, f.test) in failing}
    return sum(count for fingerprint, count in gone.items() if fingerprint not in still)


def better(candidate: Point, best: Point) -> bool:
    """Whether a candidate takes the place of the best one; the earlier wins a tie."""
    return candidate.score.rank > best.score.rank


def improves(candidate: Score, start: Score) -> bool:
    """Whether a candidate that is not green is worth a person's tree: a later front, or fewer errors in the same.

    One error in the place of another is none, though the first is gone.
    """
    if candidate.progress <= start.progress:
        return False
    return candidate.front > start.front or candidate.roots > start.roots


def at_least_as_good(after: Score, before: Score) -> bool:
    """Whether a shift may be accepted: the score down to the remaining roots has not fallen."""
    return after.progress >= before.progress
