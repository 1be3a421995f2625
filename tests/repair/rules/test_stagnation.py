"""When to go back, where to, and when to stop."""

import pytest

from repair.rules.progress import rule_on
from repair.rules.stagnation import PATIENCE, ROLLBACK_LIMIT, Stop, is_stagnant, rollback_target, stop_now
from repair.rules.steps import NO_MODEL, Means, RollBack
from repair.values.blackboard import Action, Asked, Blackboard, Outcome, Score, Strategy, Verdict
from repair.values.checks import Category
from repair.values.model import Usage
from repair.values.settings import Limits
from tests.repair.rules.builders import GREEN, Run, error, failing_test, infra, passed, rank, red, state

X = red(error("x"))
LONG = Limits(iterations=100)


def stop_of(run: Run, limits: Limits = LONG, seconds: float = 0.0) -> Stop | None:
    return stop_now(run.board, limits, seconds=seconds)


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


def test_a_new_best_score_ends_a_circle() -> None:
    run = circling()
    run.attempt(red(error("e", derived=True)), targets=["d"])
    assert run.board.churn == 0


def test_the_loop_stops_when_it_is_stagnant_after_three_rollbacks() -> None:
    run = Run(X)
    for _ in range(ROLLBACK_LIMIT):
        assert stop_of(run) is None
        run.roll_back("t0")
    assert stop_of(run) is None
    for _ in range(3):
        run.attempt(None)
    stop = stop_of(run)
    assert stop is not None
    assert stop.outcome is Outcome.NOT_FIXED


def test_five_attempts_without_a_better_candidate_are_enough() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(None)
    run.attempt(X)
    for _ in range(PATIENCE):
        assert stop_of(run) is None
        run.attempt(None)
    stop = stop_of(run)
    assert stop is not None
    assert stop.outcome is Outcome.NOT_FIXED


def test_tools_that_cannot_help_do_not_try_the_patience() -> None:
    run = Run(X)
    for _ in range(PATIENCE):
        run.attempt(None, action=Action.FIXER)
    assert stop_of(run) is None


def spent(**usage: float) -> Blackboard:
    run = Run(X)
    run.tell(Asked(role="analyzer", usage=Usage.model_validate({"calls": 1, **usage})))
    return run.board


@pytest.mark.parametrize(
    ("board", "limits", "seconds"),
    [
        (spent(prompt_tokens=600, completion_tokens=400), Limits(tokens=1000), 0),
        (spent(usd=0.5), Limits(usd=0.5), 0),
        (spent(), Limits(seconds=60), 60),
    ],
    ids=["tokens", "money", "time"],
)
def test_a_used_up_budget_stops_the_loop(board: Blackboard, limits: Limits, seconds: float) -> None:
    stop = stop_now(board, limits, seconds=seconds)
    assert stop is not None
    assert stop.outcome is Outcome.BUDGET


@pytest.mark.parametrize(
    ("board", "limits", "seconds"),
    [
        (spent(prompt_tokens=999), Limits(tokens=1000), 0),
        (spent(usd=0.4), Limits(usd=0.5), 0),
        (spent(), Limits(usd=0), 0),
        (spent(), Limits(seconds=60), 59),
    ],
    ids=["tokens", "money", "a model that costs nothing", "time"],
)
def test_what_is_left_of_a_budget_may_be_used(board: Blackboard, limits: Limits, seconds: float) -> None:
    assert stop_now(board, limits, seconds=seconds) is None


def test_every_attempt_uses_an_iteration_whatever_came_of_it() -> None:
    run = Run(X)
    run.attempt(None)
    run.attempt(GREEN, guard_failed=True)
    run.attempt(None, action=Action.FIXER)
    assert stop_of(run, Limits(iterations=4)) is None
    stop = stop_of(run, Limits(iterations=3))
    assert stop is not None
    assert stop.outcome is Outcome.BUDGET


def test_a_budget_of_no_tokens_asks_no_model() -> None:
    step = Run(X).next(Limits(tokens=0))
    assert isinstance(step, Stop)
    assert step.outcome is Outcome.BUDGET


def test_without_a_model_the_run_ends_when_the_tools_are_through() -> None:
    step = Run(X).next(means=Means())
    assert step == Stop(outcome=Outcome.NOT_FIXED, reason=NO_MODEL)


def test_what_only_a_protected_file_could_mend_is_refused() -> None:
    step = Run(X).next(means=Means(model=True, closed=("src/a.py",)))
    assert isinstance(step, Stop)
    assert step.outcome is Outcome.REFUSED
    assert "src/a.py" in step.reason


BROKEN = state(passed("lint"), infra("unit"))


def test_a_broken_machine_is_tried_once_more_then_the_run_stops() -> None:
    run = Run(X)
    run.attempt(BROKEN)
    assert stop_of(run) is None
    run.attempt(BROKEN)
    stop = stop_of(run)
    assert stop is not None
    assert stop.outcome is Outcome.INFRA


def test_broken_machines_count_only_in_a_row() -> None:
    run = Run(X)
    run.attempt(BROKEN)
    run.attempt(X)
    run.attempt(BROKEN)
    assert stop_of(run) is None


def test_a_machine_that_is_broken_at_the_start_is_named() -> None:
    stop = stop_of(Run(BROKEN))
    assert stop == Stop(outcome=Outcome.INFRA, reason="disk full")


def test_errors_that_are_the_machines_alone_are_not_repaired() -> None:
    stop = stop_of(Run(red(failing_test("no route to host", category=Category.INFRA))))
    assert stop == Stop(outcome=Outcome.INFRA, reason="no route to host")


def test_a_diagnosis_that_no_edit_can_help_ends_the_run_with_its_reason() -> None:
    run = Run(X)
    run.diagnose(fixable=False)
    stop = stop_of(run)
    assert stop is not None
    assert stop.outcome is Outcome.REFUSED
    assert "no key" in stop.reason


def test_green_stops_the_loop_before_any_limit() -> None:
    run = Run(X)
    run.attempt(GREEN)
    stop = stop_of(run, Limits(iterations=1), seconds=10**6)
    assert stop is not None
    assert stop.outcome is Outcome.FIXED
