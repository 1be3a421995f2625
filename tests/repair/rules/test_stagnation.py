"""When to go back, where to, and when to stop."""

import pytest

from repair.rules.progress import rule_on
from repair.rules.stagnation import is_stagnant, rollback_target
from repair.rules.steps import RollBack
from repair.values.blackboard import Attempted, Score, Strategy, Verdict
from repair.values.settings import Limits
from tests.repair.rules.builders import GREEN, Run, error, rank, red

X = red(error("x"))


@pytest.mark.parametrize("threshold", [2, 3, 4, 5])
def test_the_work_is_stagnant_at_the_threshold_and_not_before(threshold: int) -> None:
    run = Run(X)
    for done in range(threshold + 1):
        assert is_stagnant(run.board, Limits(stagnation=threshold)) is (done >= threshold)
        run.attempt(X)


VERDICTS = [
    (Verdict.PASS, True, True),
    (Verdict.ADVANCE, True, True),
    (Verdict.IMPROVE, True, True),
    (Verdict.SAME, True, False),
    (Verdict.GUARD_FAIL, False, False),
    (Verdict.NOOP, False, False),
    (Verdict.INFRA, False, False),
    (Verdict.REVISIT, False, False),
    (Verdict.REGRESS, False, False),
]


@pytest.mark.parametrize(("verdict", "kept", "progress"), VERDICTS)
def test_the_verdict_decides_what_becomes_of_an_attempt(verdict: Verdict, kept: bool, progress: bool) -> None:
    ruling = rule_on(verdict, rank(), None)
    assert (ruling.kept, ruling.progress) == (kept, progress)
    assert ruling.decision


@pytest.mark.parametrize(
    ("after", "accepted"),
    [
        (rank(), True),
        (rank(roots=-1), False),
        (rank(targets_resolved=1, roots=-1), True),
        (rank(targets_resolved=1, regressions=-1), False),
        (rank(diff_size=-50, order=-9), True),
    ],
    ids=["as good", "more errors", "more resolved", "something broke", "a larger diff"],
)
def test_a_shift_stands_only_when_the_score_down_to_the_roots_did_not_fall(after: Score, accepted: bool) -> None:
    ruling = rule_on(Verdict.SHIFT, rank(), after)
    assert (ruling.kept, ruling.progress) == (accepted, accepted)


def test_a_shift_that_does_not_stand_lengthens_the_streak() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("y")))
    attempt = run.attempt(red(error("z"), error("w"), error("v")), targets=["y"])
    assert attempt.verdict is Verdict.SHIFT
    assert attempt.kept is True  # both errors of the start are gone, which outweighs new roots
    attempt = run.attempt(red(error("w"), error("u"), error("s"), error("r")), targets=["z"])
    assert (attempt.verdict, attempt.kept) == (Verdict.SHIFT, False)
    assert run.board.now.tree == "t2"
    assert run.board.streak == 1


def test_the_rollback_goes_to_the_start_when_nothing_was_ever_progress() -> None:
    run = Run(X)
    for after in (X, None, red(error("x"), error("y"))):
        run.attempt(after)
    assert run.next() == RollBack(to=run.board.baseline)


def test_the_rollback_goes_to_the_last_progress_though_later_edits_were_kept() -> None:
    run = Run(red(error("x"), error("y"), error("z")))
    run.attempt(red(error("x"), error("y")))
    run.attempt(X)
    run.attempt(X)
    run.attempt(X)
    assert run.board.now.tree == "t4"
    assert rollback_target(run.board).tree == "t2"


def test_the_same_target_twice_in_a_row_goes_one_progress_further_back() -> None:
    run = Run(red(error("x"), error("y"), error("z")))
    run.attempt(red(error("x"), error("y")))
    run.attempt(X)
    went = []
    for _ in range(4):
        went.append(rollback_target(run.board).tree)
        run.roll_back(went[-1])
    assert went == ["t2", "t1", "t0", "t0"]


def test_progress_since_the_last_rollback_is_a_target_of_its_own() -> None:
    run = Run(red(error("x"), error("y")))
    run.roll_back("t0")
    run.attempt(X)
    assert rollback_target(run.board).tree == "t1"


def test_a_rollback_resets_the_context_and_moves_the_strategy_on() -> None:
    run = Run(X)
    strategies = []
    for _ in range(3):
        run.attempt(None)
        run.roll_back("t0")
        strategies.append(run.board.strategy)
        assert run.board.streak == 0
    assert strategies == [Strategy.ROOT_CAUSE, Strategy.REWRITE, Strategy.REWRITE]


def test_a_rollback_to_an_unknown_tree_is_one_to_the_start() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(X)
    run.roll_back("elsewhere")
    assert run.board.now == run.board.baseline


def circling() -> Run:
    """One error of the start is gone; then three shifts swap one home-made error for another."""
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("a"), error("y")), targets=["x"])
    run.attempt(red(error("a")), targets=["y"])
    for name in "bcd":
        attempt = run.attempt(red(error(name)))
        assert (attempt.verdict, attempt.kept) == (Verdict.SHIFT, True)
    return run


def test_errors_that_only_change_places_are_stagnation_though_each_shift_was_accepted() -> None:
    run = circling()
    assert run.board.streak == 0
    assert run.board.churn == 3
    assert is_stagnant(run.board, Limits())


def test_the_rollback_from_such_a_circle_goes_before_its_first_shift() -> None:
    run = circling()
    assert rollback_target(run.board).tree == "t2"
    assert run.board.best.tree == "t2"


@pytest.mark.parametrize("shifts", [1, 2])
def test_a_few_accepted_shifts_are_progress_to_go_back_to(shifts: int) -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("a"), error("y")), targets=["x"])
    for name in "bc"[:shifts]:
        assert run.attempt(red(error(name), error("y"))).kept
    last = run.board.now.tree
    for _ in range(3):
        run.attempt(None)
    assert rollback_target(run.board).tree == last


@pytest.mark.parametrize("verdict", [Verdict.ADVANCE, Verdict.IMPROVE])
def test_progress_ends_a_circle_though_it_is_no_new_best(verdict: Verdict) -> None:
    run = circling()
    last = run.board.attempts[-1]
    run.tell(Attempted(attempt=last.model_copy(update={"verdict": verdict, "tree": "u"}), state=X))
    assert run.board.best.tree == "t2"
    assert run.board.churn == 0


def test_what_was_reverted_is_never_the_best() -> None:
    run = Run(X)
    last = run.attempt(X)
    refused = {"verdict": Verdict.GUARD_FAIL, "kept": False, "progress": False, "tree": "u", "score": rank(front=6)}
    run.tell(Attempted(attempt=last.model_copy(update=refused), state=GREEN))
    assert run.board.best == run.board.baseline
    assert run.board.now.tree == "t1"


def test_a_new_best_score_ends_a_circle() -> None:
    run = circling()
    run.attempt(red(error("e", derived=True)), targets=["d"])
    assert run.board.churn == 0
