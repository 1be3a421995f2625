"""When to go back, where to, and when to stop (semantics, sections 5 and 6)."""

from repair.rules.comparison import ALL_PASSED, front, passes, roots
from repair.values.base import Value
from repair.values.blackboard import Blackboard, Diagnosed, Outcome, Point, Verdict
from repair.values.checks import Category, CheckResult, Status
from repair.values.settings import Limits

CHURN_LIMIT = 3
PATIENCE = 5
"""Attempts without a new best score after which a run ends from its best candidate."""
ROLLBACK_LIMIT = 3
INFRA_LIMIT = 2


class Stop(Value):
    """The end of the loop and why; the outcome may still be raised by the best candidate."""

    outcome: Outcome
    reason: str


def is_stagnant(board: Blackboard, limits: Limits) -> bool:
    """Whether the work stands still: too many attempts without progress, or errors that only change places."""
    return board.streak >= limits.stagnation or board.churn >= CHURN_LIMIT


def patience(limits: Limits) -> int:
    """Attempts without a new best score after which a run ends; never fewer than a rollback and a new try need."""
    return max(PATIENCE, limits.stagnation + 2)


def rollback_target(board: Blackboard) -> Point:
    """The snapshot before the first attempt of the current run without progress.

    Errors that only changed places were no progress either, though each shift was accepted at its time.
    When the last rollback went to the same place, one point of progress further back.
    """
    index = max(len(board.path) - 1 - _circling(board), 0)
    again = bool(board.rollbacks) and board.rollbacks[-1] == board.path[index].tree
    return board.path[max(index - again, 0)]


def _circling(board: Blackboard) -> int:
    """How many of the last points of the path are shifts that led to no better candidate."""
    if board.churn < CHURN_LIMIT:
        return 0
    shifts = [attempt for attempt in board.attempts if attempt.verdict is Verdict.SHIFT]
    return sum(attempt.progress for attempt in shifts[-board.churn :])


def stop_now(board: Blackboard, limits: Limits, *, seconds: float) -> Stop | None:
    """Why the loop must end here, or `None`. `seconds` is the wall time used so far."""
    if passes(board.now.state):
        return Stop(outcome=Outcome.FIXED, reason="all required checks pass")
    broken = _broken_machine(board)
    if broken:
        return Stop(outcome=Outcome.INFRA, reason=broken)
    over = _over_budget(board, limits, seconds)
    if over:
        return Stop(outcome=Outcome.BUDGET, reason=over)
    refusal = _not_fixable(board) or _nothing_to_repair(board)
    if refusal:
        return Stop(outcome=Outcome.REFUSED, reason=refusal)
    if board.since_best >= patience(limits):
        return Stop(outcome=Outcome.NOT_FIXED, reason=f"no better candidate in {board.since_best} attempts")
    if is_stagnant(board, limits) and len(board.rollbacks) >= ROLLBACK_LIMIT:
        return Stop(outcome=Outcome.NOT_FIXED, reason=f"still stagnant after {ROLLBACK_LIMIT} rollbacks")
    return None


def _over_budget(board: Blackboard, limits: Limits, seconds: float) -> str:
    if len(board.attempts) >= limits.iterations:
        return f"the limit of {limits.iterations} iterations is used up"
    if seconds >= limits.seconds:
        return f"the limit of {limits.seconds:g} seconds is used up"
    if board.usage.calls and board.usage.tokens >= limits.tokens:
        return f"the limit of {limits.tokens} tokens is used up"
    if board.usage.usd and board.usage.usd >= limits.usd:
        return f"the limit of {limits.usd:g} USD is used up"
    return ""


def _broken_machine(board: Blackboard) -> str:
    lost = [result for result in board.now.state.results if result.required and result.status is Status.INFRA]
    if lost:
        return "; ".join(dict.fromkeys(_why(result) for result in lost))
    if board.infra >= INFRA_LIMIT:
        problems = [problem for attempt in board.attempts[-board.infra :] for problem in attempt.problems]
        return "; ".join(dict.fromkeys(problems)) or f"the checks could not be run {board.infra} times in a row"
    found = roots(board.now.state)
    if found and all(finding.category is Category.INFRA for finding in found):
        return found[0].message
    return ""


def _why(result: CheckResult) -> str:
    return result.why or f"the check {result.check} could not be run"


def _not_fixable(board: Blackboard) -> str:
    for entry in reversed(board.entries):
        if isinstance(entry, Diagnosed):
            diagnosis = entry.diagnosis
            return "" if diagnosis is None or diagnosis.fixable else f"not fixable in the tree: {diagnosis.why_not}"
    return ""


def _nothing_to_repair(board: Blackboard) -> str:
    return "what still fails is flaky" if front(board.now.state) == ALL_PASSED else ""
