"""How a run ends, and with which exit status (semantics, sections 13 and 16; DESIGN 5.1)."""

from repair.rules.comparison import passes
from repair.rules.lineage import lineage
from repair.rules.score import improves
from repair.rules.stagnation import Stop
from repair.values.blackboard import Action, Blackboard, Outcome
from repair.values.checks import CheckResult

EXIT_STATUS = {
    Outcome.FIXED: 0,
    Outcome.IMPROVED: 1,
    Outcome.NOT_FIXED: 1,
    Outcome.BUDGET: 1,
    Outcome.INFRA: 3,
    Outcome.REFUSED: 4,
}


def conclude(board: Blackboard, stop: Stop) -> Stop:
    """The outcome of the whole run: a better candidate than the start counts, whatever ended the loop.

    Infrastructure failures stay what they are: nothing that was verified on a broken machine counts.
    A candidate that fails a check nobody showed the Repairer is not a fix.
    """
    best = board.best
    if passes(best.state) and not best.score.hidden_failures:
        doubts = _doubts(board)
        if doubts:
            return Stop(outcome=Outcome.IMPROVED, reason=f"all checks pass, but a person must look: {doubts}")
        return Stop(outcome=Outcome.FIXED, reason=stop.reason)
    if stop.outcome is Outcome.INFRA:
        return stop
    if improves(best.score, board.baseline.score):
        return Stop(outcome=Outcome.IMPROVED, reason=stop.reason)
    return Stop(outcome=Outcome.NOT_FIXED, reason=stop.reason) if stop.outcome is Outcome.FIXED else stop


def _doubts(board: Blackboard) -> str:
    """Why a green candidate needs a person: what the guard found major in it, a pass that is only flaky.

    The last edit of a model was judged with all of the earlier ones; a tool's edit was judged alone.
    """
    made = lineage(board, board.best.tree)
    last = next((attempt for attempt in reversed(made) if attempt.action is not Action.FIXER), None)
    judged = (attempt for attempt in made if attempt is last or attempt.action is Action.FIXER)
    doubts = [str(violation) for attempt in judged for violation in attempt.violations]
    doubts += [f"{result.check}: {result.why}" for result in board.best.state.results if _is_flaky_pass(result)]
    return "; ".join(dict.fromkeys(doubts))


def _is_flaky_pass(result: CheckResult) -> bool:
    return result.required and any(finding.flaky for finding in result.findings)
