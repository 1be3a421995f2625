"""The one decision of the loop: what happens next."""

from typing import Literal

from repair.rules.routing import Facts, Target, choose_target, needs_diagnosis, patch_or_rewrite
from repair.rules.stagnation import Stop, is_stagnant, rollback_target, stop_now
from repair.values.base import Value
from repair.values.blackboard import Action, Blackboard, Outcome, Point
from repair.values.settings import Limits

NO_MODEL = "no model is configured, and no tool can make the rest of the fix"


class RollBack(Value):
    """Go back to an earlier point."""

    to: Point


class Fix(Value):
    """Let a tool make the fix; `fixer` names it."""

    fixer: str


class Diagnose(Value):
    """Ask the Analyzer."""

    target: Target


class Repair(Value):
    """Ask the Repairer."""

    target: Target
    action: Literal[Action.PATCH, Action.REWRITE]


Step = Stop | RollBack | Fix | Diagnose | Repair


class Means(Value):
    """What is at hand: fixers not tried on this tree yet, a model, the facts of the scan, the time used.

    `closed` are files whose own form is at fault and which may not be edited.
    """

    fixers: tuple[str, ...] = ()
    model: bool = False
    facts: Facts = Facts()
    seconds: float = 0.0
    closed: tuple[str, ...] = ()


def next_step(board: Blackboard, limits: Limits, means: Means) -> Step:
    """Stop, roll back, let a tool fix, diagnose or repair: the first that applies."""
    stop = stop_now(board, limits, seconds=means.seconds)
    if stop:
        return stop
    if is_stagnant(board, limits):
        return RollBack(to=rollback_target(board))
    if means.fixers:
        return Fix(fixer=means.fixers[0])
    target = choose_target(board, means.closed)
    if means.closed and not target.findings:
        return Stop(outcome=Outcome.REFUSED, reason=f"needs a protected change: {', '.join(means.closed[:5])}")
    if not means.model:
        return Stop(outcome=Outcome.NOT_FIXED, reason=NO_MODEL)
    if not limits.tokens:
        return Stop(outcome=Outcome.BUDGET, reason="the limit of 0 tokens leaves none for a model")
    if needs_diagnosis(board, target, means.facts):
        return Diagnose(target=target)
    action = patch_or_rewrite(board, target, limits.rewrite_above)
    return Repair(target=target, action=Action.REWRITE if action is Action.REWRITE else Action.PATCH)
