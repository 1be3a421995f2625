"""How the blackboard moves on with each event of the journal (semantics, sections 4 to 6)."""

from collections.abc import Iterable

from repair.rules.comparison import signature, state_key
from repair.rules.score import at_least_as_good, better
from repair.values.base import Value
from repair.values.blackboard import (
    Action,
    Asked,
    Attempt,
    Attempted,
    Baseline,
    Blackboard,
    Diagnosed,
    Event,
    Flaked,
    Point,
    RolledBack,
    Score,
    Started,
    Strategy,
    Verdict,
)
from repair.values.checks import ErrorState, Signature

_PROGRESS = (Verdict.PASS, Verdict.ADVANCE, Verdict.IMPROVE)
_NEXT_STRATEGY = {
    Strategy.MINIMAL: Strategy.ROOT_CAUSE,
    Strategy.ROOT_CAUSE: Strategy.REWRITE,
    Strategy.REWRITE: Strategy.REWRITE,
}


class Ruling(Value):
    """What becomes of an attempt: whether its tree stands and whether it was progress."""

    kept: bool
    progress: bool
    decision: str


def rule_on(verdict: Verdict, before: Score, after: Score | None) -> Ruling:
    """Accept, keep or revert, by the table of semantics, section 4."""
    if verdict in _PROGRESS:
        return Ruling(kept=True, progress=True, decision="accepted")
    if verdict is Verdict.SHIFT and after is not None and at_least_as_good(after, before):
        return Ruling(kept=True, progress=True, decision="accepted: other errors, none worse")
    if verdict is Verdict.SAME:
        return Ruling(kept=True, progress=False, decision="kept until rollback: it may be half of a fix")
    return Ruling(kept=False, progress=False, decision=_REVERTED.get(verdict, "reverted"))


_REVERTED = {
    Verdict.GUARD_FAIL: "reverted: the guard refused it",
    Verdict.NOOP: "nothing to verify",
    Verdict.INFRA: "reverted: the machine failed, not the code",
    Verdict.REVISIT: "reverted: the run has been here before",
    Verdict.SHIFT: "reverted: it breaks as much as it mends",
    Verdict.REGRESS: "reverted: it makes things worse",
}


def begin(started: Started, baseline: Baseline) -> Blackboard:
    """The blackboard before the first attempt."""
    point = Point(tree=baseline.tree, state=baseline.state, score=baseline.score)
    return Blackboard(
        contract=started.contract,
        baseline=point,
        path=(point,),
        now=point,
        best=point,
        seen=(baseline.tree,),
        walked=(state_key(baseline.state),),
    )


def fold(board: Blackboard, event: Event) -> Blackboard:
    """The blackboard after one more event."""
    match event:
        case Asked():
            return board.model_copy(
                update={"usage": board.usage + event.usage, "model_seconds": board.model_seconds + event.seconds}
            )
        case Attempted():
            return _after_attempt(board, event.attempt, event.state)
        case Diagnosed():
            return _after_diagnosis(board, event)
        case RolledBack():
            return _after_rollback(board, event)
        case Flaked():
            return board.model_copy(update={"flaky": _united(board.flaky, event.fingerprints)})
        case _:
            return board


def replay(events: Iterable[Event]) -> Blackboard | None:
    """The blackboard a journal stands for; `None` before the baseline was written."""
    started: Started | None = None
    board: Blackboard | None = None
    for event in events:
        if isinstance(event, Started):
            started = event
        elif isinstance(event, Baseline) and started is not None:
            board = begin(started, event)
        elif board is not None:
            board = fold(board, event)
    return board


def shown(board: Blackboard) -> Signature:
    """The signature of where the work stands."""
    return signature(board.now.state, board.streak)


def _after_attempt(board: Blackboard, attempt: Attempt, state: ErrorState | None) -> Blackboard:
    updates: dict[str, object] = {
        "attempts": (*board.attempts, attempt),
        "entries": (*board.entries, attempt),
        "seen": _seen(board.seen, attempt),
        "streak": next_streak(board.streak, attempt),
        "infra": board.infra + 1 if attempt.verdict is Verdict.INFRA else 0,
        "since_best": board.since_best + (attempt.action is not Action.FIXER),
        "ages": _aged(board, attempt, state),
    }
    if state is not None and attempt.score is not None and attempt.tree is not None:
        point = Point(tree=attempt.tree, state=state, score=attempt.score)
        updates |= _moved(board, attempt, point)
    return board.model_copy(update=updates)


def _moved(board: Blackboard, attempt: Attempt, point: Point) -> dict[str, object]:
    new_best = attempt.kept and better(point, board.best)
    updates: dict[str, object] = {"churn": _churn(board.churn, attempt, new_best)}
    if attempt.kept:
        updates["now"] = point
        updates["walked"] = _united(board.walked, (state_key(point.state),))
    elif attempt.verdict is not Verdict.INFRA and state_key(point.state) not in board.walked:
        updates["discarded"] = (*board.discarded, state_key(point.state))
    if attempt.progress:
        updates["path"] = (*board.path, point)
    if new_best:
        updates |= {"best": point, "since_best": 0}
    return updates


def is_free(attempt: Attempt) -> bool:
    """Whether an attempt says nothing about the code: a broken machine, or a tool that could not help."""
    return attempt.verdict is Verdict.INFRA or (attempt.action is Action.FIXER and not attempt.progress)


def _seen(seen: tuple[str, ...], attempt: Attempt) -> tuple[str, ...]:
    # A tree that met a broken machine was not verified: the same edit may be tried again.
    if attempt.tree is None or attempt.verdict is Verdict.INFRA:
        return seen
    return _united(seen, (attempt.tree,))


def next_streak(streak: int, attempt: Attempt) -> int:
    """How many attempts in a row were no progress, with this one."""
    if attempt.progress:
        return 0
    return streak if is_free(attempt) else streak + 1


def _churn(churn: int, attempt: Attempt, new_best: bool) -> int:
    if new_best or attempt.verdict in _PROGRESS:
        return 0
    return churn + 1 if attempt.verdict is Verdict.SHIFT else churn


def _aged(board: Blackboard, attempt: Attempt, state: ErrorState | None) -> tuple[tuple[str, int], ...]:
    if is_free(attempt):
        return board.ages
    ages = board.age
    standing = {finding.fingerprint for result in (state or board.now.state).results for finding in result.findings}
    for target in attempt.targets:
        if target in standing or not attempt.kept:
            ages[target] = ages.get(target, 0) + 1
        else:
            ages.pop(target, None)
    return tuple(sorted(ages.items()))


def _after_diagnosis(board: Blackboard, event: Diagnosed) -> Blackboard:
    entries = (*board.entries, event)
    if event.diagnosis is not None:
        return board.model_copy(update={"entries": entries})
    # A diagnosis without one surviving claim gets one retry; the second failure is a lost turn.
    repeated = bool(board.entries) and isinstance(board.entries[-1], Diagnosed) and not board.entries[-1].diagnosis
    return board.model_copy(update={"entries": entries, "streak": board.streak + 1 if repeated else board.streak})


def _after_rollback(board: Blackboard, event: RolledBack) -> Blackboard:
    index = next((i for i, point in enumerate(board.path) if point.tree == event.tree), 0)
    kept = board.path[: index + 1]
    keys = [state_key(point.state) for point in kept]
    return board.model_copy(
        update={
            "entries": (*board.entries, event),
            "path": kept,
            "now": kept[-1],
            "walked": tuple(keys),
            "discarded": (*board.discarded, *(key for key in board.walked if key not in keys)),
            "streak": 0,
            "churn": 0,
            "strategy": _NEXT_STRATEGY[board.strategy],
            "rollbacks": (*board.rollbacks, event.tree),
        }
    )


def _united(known: tuple[str, ...], more: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))
