"""When the loop ends, and why."""

import pytest

from repair.rules.stagnation import PATIENCE, ROLLBACK_LIMIT, Stop, stop_now
from repair.rules.steps import NO_MODEL, Fix, Means, RollBack
from repair.values.blackboard import Action, Asked, Blackboard, Outcome
from repair.values.checks import Category
from repair.values.model import Usage
from repair.values.settings import Limits
from tests.repair.rules.builders import GREEN, Run, error, failing_test, infra, passed, red, state

X = red(error("x"))
LONG = Limits(iterations=100)


def stop_of(run: Run, limits: Limits = LONG, seconds: float = 0.0) -> Stop | None:
    return stop_now(run.board, limits, seconds=seconds)


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


def test_patience_outlasts_a_late_rollback_by_a_new_try() -> None:
    run = Run(X)
    for _ in range(PATIENCE):
        run.attempt(None)
    assert stop_of(run, Limits(stagnation=5)) is None
    assert isinstance(run.next(Limits(stagnation=5)), RollBack)


def test_tools_that_cannot_help_do_not_try_the_patience() -> None:
    run = Run(X)
    for _ in range(PATIENCE):
        run.attempt(None, action=Action.FIXER)
    assert stop_of(run) is None


def test_what_the_model_cost_adds_up() -> None:
    run = Run(X)
    for _ in range(2):
        run.tell(Asked(role="analyzer", usage=Usage(calls=1, prompt_tokens=30), seconds=1.5))
    assert run.board.usage.tokens == 60
    assert run.board.model_seconds == 3.0


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
    assert Run(X).next(Limits(tokens=0), Means(fixers=("ruff",), model=True)) == Fix(fixer="ruff")


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


def test_a_machine_that_is_broken_without_a_word_is_described() -> None:
    stop = stop_of(Run(state(infra("unit", why=""))))
    assert stop == Stop(outcome=Outcome.INFRA, reason="the check unit could not be run")
    run = Run(X)
    run.attempt(BROKEN)
    run.attempt(BROKEN)
    stop = stop_of(run)
    assert stop is not None
    assert stop.reason


def test_what_failed_each_time_is_the_reason() -> None:
    run = Run(X)
    for problem in ("disk full", "disk full", "no network"):
        lost = run.attempt(BROKEN)
        told = lost.model_copy(update={"problems": (problem,)})
        run.board = run.board.model_copy(update={"attempts": (*run.board.attempts[:-1], told)})
    stop = stop_of(run)
    assert stop is not None
    assert stop.reason == "disk full; no network"


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
