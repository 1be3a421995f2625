"""The verdict of an attempt: the first rule that holds, in the order of semantics, section 4."""

from repair.rules.comparison import Difference, aligned, compare, counted, front, multiset, passes, state_key
from repair.values.base import Value
from repair.values.blackboard import Blackboard, Verdict
from repair.values.checks import Category, ErrorState, Status

DISCARDED_VISITS = 2
"""A state of a left branch may be reached once more by another tree, not twice."""


class Trial(Value):
    """What is known of an attempt before its state is compared."""

    tree_before: str
    tree_after: str | None
    guard_failed: bool = False
    targets: tuple[str, ...] = ()


class History(Value):
    """Where the run has been. `seen` are tree hashes, the others state keys."""

    seen: tuple[str, ...] = ()
    walked: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()

    @classmethod
    def of(cls, board: Blackboard) -> "History":
        """The history a blackboard holds."""
        return cls(seen=board.seen, walked=board.walked, discarded=board.discarded)


def judge_edit(trial: Trial, history: History) -> Verdict | None:
    """The verdict that needs no run of the checks, or `None` when they must speak."""
    if trial.guard_failed:
        return Verdict.GUARD_FAIL
    if trial.tree_after is None or trial.tree_after == trial.tree_before:
        return Verdict.NOOP
    if trial.tree_after in history.seen:
        return Verdict.REVISIT
    return None


def judge(trial: Trial, before: ErrorState, after: ErrorState, history: History) -> Verdict:
    """Exactly one verdict for every pair of states."""
    early = judge_edit(trial, history)
    if early in (Verdict.GUARD_FAIL, Verdict.NOOP):
        return early
    if _is_the_machines_fault(before, after):
        return Verdict.INFRA
    if passes(after):
        return Verdict.PASS
    old, new = aligned(before, after)
    if early is Verdict.REVISIT or _revisits(state_key(new), state_key(old), history):
        return Verdict.REVISIT
    if state_key(new) == state_key(old):
        return Verdict.SAME
    return _judge_difference(trial.targets, compare(old, new), front(old), front(new))


def _is_the_machines_fault(before: ErrorState, after: ErrorState) -> bool:
    if any(result.required and result.status is Status.INFRA for result in after.results):
        return True
    known = multiset(before)
    return any(f.category is Category.INFRA and f.fingerprint not in known for f in counted(after))


def _revisits(key: str, current: str, history: History) -> bool:
    if key == current:
        return False
    return key in history.walked or history.discarded.count(key) >= DISCARDED_VISITS


def _judge_difference(targets: tuple[str, ...], change: Difference, front_before: int, front_after: int) -> Verdict:
    if front_after > front_before:
        return Verdict.ADVANCE
    if front_after < front_before:
        return Verdict.REGRESS
    if not change.resolved:
        return Verdict.REGRESS if change.new else Verdict.SAME
    if not change.new:
        return Verdict.IMPROVE
    reached_target = bool(targets) and set(targets) <= set(change.resolved)
    if reached_target and change.all_new_unmasked:
        return Verdict.ADVANCE
    return Verdict.SHIFT
