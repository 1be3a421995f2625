"""What a run comes to, and the score it is decided by."""

from itertools import pairwise

import pytest

from repair.rules.comparison import regressions
from repair.rules.outcome import EXIT_STATUS, conclude
from repair.rules.score import better, score
from repair.rules.stagnation import Stop
from repair.values.blackboard import Action, Outcome, Point, Score
from repair.values.change import Severity, Violation
from repair.values.checks import CheckResult, Counters, ErrorState
from repair.values.settings import Limits
from tests.repair.rules.builders import (
    GREEN,
    Move,
    Run,
    blocked,
    error,
    failed,
    failing_test,
    not_run,
    passed,
    play,
    rank,
    red,
    state,
)

START = red(*(error(f"x{i}") for i in range(4)))
ENDS = [outcome for outcome in Outcome if outcome not in (Outcome.FIXED, Outcome.IMPROVED)]


def end(outcome: Outcome) -> Stop:
    return Stop(outcome=outcome, reason="why")


@pytest.mark.parametrize("outcome", ENDS)
def test_a_run_without_a_better_candidate_ends_as_it_stopped(outcome: Outcome) -> None:
    run = Run(START)
    run.attempt(START)
    assert conclude(run.board, end(outcome)) == end(outcome)


@pytest.mark.parametrize("outcome", [o for o in ENDS if o is not Outcome.INFRA])
def test_a_better_candidate_counts_whatever_ended_the_loop(outcome: Outcome) -> None:
    run = Run(START)
    run.attempt(red(error("x0")))
    assert conclude(run.board, end(outcome)) == Stop(outcome=Outcome.IMPROVED, reason="why")


def test_on_a_broken_machine_no_improvement_counts() -> None:
    run = Run(START)
    run.attempt(red(error("x0")))
    assert conclude(run.board, end(Outcome.INFRA)).outcome is Outcome.INFRA


def test_a_run_whose_best_candidate_passes_is_fixed() -> None:
    run = Run(START)
    run.attempt(GREEN)
    assert conclude(run.board, end(Outcome.BUDGET)).outcome is Outcome.FIXED


def test_a_green_candidate_that_fails_a_hidden_check_is_not_a_fix() -> None:
    run = Run(START)
    run.attempt(GREEN)
    best = run.board.best.model_copy(update={"score": run.board.best.score.model_copy(update={"hidden_failures": -1})})
    board = run.board.model_copy(update={"best": best})
    assert conclude(board, end(Outcome.FIXED)).outcome is Outcome.IMPROVED


def test_a_green_candidate_with_a_major_doubt_needs_a_person() -> None:
    run = Run(START)
    attempt = run.attempt(GREEN)
    doubt = Violation(rule="net-deletion", severity=Severity.MAJOR, message="most of `mix` is gone")
    doubtful = attempt.model_copy(update={"violations": (doubt,)})
    board = run.board.model_copy(update={"attempts": (doubtful,)})
    concluded = conclude(board, end(Outcome.FIXED))
    assert concluded.outcome is Outcome.IMPROVED
    assert "most of `mix` is gone" in concluded.reason


@pytest.mark.parametrize(("first", "doubted"), [(Action.PATCH, False), (Action.FIXER, True)])
def test_a_doubt_that_a_later_edit_took_away_is_none(first: Action, doubted: bool) -> None:
    """The guard looks at all that models did since the start each time, and at what one tool did only once."""
    run = Run(START)
    doubt = Violation(rule="constant", severity=Severity.MAJOR, message="the constant changed")
    early = run.attempt(red(error("x0"))).model_copy(update={"violations": (doubt,), "action": first})
    late = run.attempt(GREEN)
    board = run.board.model_copy(update={"attempts": (early, late)})
    assert (conclude(board, end(Outcome.FIXED)).outcome is Outcome.IMPROVED) is doubted


def test_the_best_of_four_candidates_wins_though_the_last_differs() -> None:
    run = Run(START)
    line = [
        red(*(error(f"x{i}") for i in range(3))),
        red(error("x0")),
        red(error("x0"), error("new")),
        None,
    ]
    stop = play(run, [Move(after=after) for after in line], Limits(iterations=4))
    assert run.board.best.tree == "t2"
    assert conclude(run.board, stop).outcome is Outcome.IMPROVED


def test_a_candidate_that_breaks_what_passed_never_beats_the_start() -> None:
    run = Run(red(error("x")))
    run.attempt(red(failing_test("t")))
    assert run.board.best == run.board.baseline
    assert conclude(run.board, end(Outcome.BUDGET)).outcome is Outcome.BUDGET


def test_the_exit_status_tells_people_and_scripts() -> None:
    assert {outcome.value: EXIT_STATUS[outcome] for outcome in Outcome} == {
        "fixed": 0,
        "improved": 1,
        "not_fixed": 1,
        "budget": 1,
        "infra": 3,
        "refused": 4,
    }


LADDER = [
    rank(guard_ok=0, regressions=9, front=9),
    rank(regressions=-1, front=9),
    rank(front=1, targets_resolved=9),
    rank(front=2, targets_resolved=1, hidden_failures=9),
    rank(front=2, targets_resolved=2, hidden_failures=-1, critical=9),
    rank(front=2, targets_resolved=2, critical=-1, major=9),
    rank(front=2, targets_resolved=2, major=-1, roots=9),
    rank(front=2, targets_resolved=2, roots=-2, diff_size=9),
    rank(front=2, targets_resolved=2, roots=-1, diff_size=-9, order=9),
    rank(front=2, targets_resolved=2, roots=-1, diff_size=-8, order=-3),
    rank(front=2, targets_resolved=2, roots=-1, diff_size=-8, order=-2),
]


def test_candidates_are_ranked_field_by_field() -> None:
    points = [Point(tree="t", state=GREEN, score=found) for found in LADDER]
    assert sorted(points, key=lambda point: point.score.rank) == points
    assert all(better(higher, lower) for lower, higher in pairwise(points))


def test_the_earlier_of_two_equal_candidates_stays() -> None:
    point = Point(tree="t", state=GREEN, score=rank())
    assert not better(point, point)


def test_a_step_of_a_chain_beats_the_start_though_it_shows_more_errors() -> None:
    start = blocked(error("bracket", "parse"))
    further = blocked(*(error(f"t{i}", "types") for i in range(5)))
    assert score(start, further, diff_size=3, order=1).rank > score(start, start).rank


def test_a_test_that_fails_with_other_words_is_not_resolved() -> None:
    start = red(failing_test("one", test="t"))
    assert score(start, red(failing_test("other", test="t"))).targets_resolved == 0
    assert score(start, red(failing_test("other", test="u"))).targets_resolved == 1


def scored(*violations: Severity) -> Score:
    return score(START, START, violations=[Violation(rule="r", severity=s, message="m") for s in violations])


def test_the_start_scored_against_itself_has_neither_gained_nor_lost() -> None:
    assert score(START, START) == rank(front=3, roots=-4)


def test_violations_are_counted_by_severity() -> None:
    assert scored(Severity.MAJOR, Severity.MAJOR).major == -2
    assert scored(Severity.MAJOR).guard_ok
    assert not scored(Severity.CRITICAL).guard_ok
    assert scored(Severity.CRITICAL).critical == -1


TESTS = ("t", "u", "v")


@pytest.mark.parametrize(
    ("base", "now", "count"),
    [
        (passed("unit", tests=TESTS), failed("unit", failing_test("t"), failing_test("u"), tests=TESTS), 2),
        (failed("unit", failing_test("t"), tests=TESTS), failed("unit", failing_test("u"), tests=TESTS), 1),
        (failed("unit", failing_test("t"), tests=TESTS), failed("unit", failing_test("t"), tests=TESTS), 0),
        (failed("unit", failing_test("t"), tests=("t",)), failed("unit", failing_test("u"), tests=("t", "u")), 0),
        (passed("unit"), failed("unit", failing_test("t"), failing_test("u")), 1),
        (passed("lint"), failed("lint", error("x"), error("y")), 1),
        (failed("lint", error("x")), failed("lint", error("y"), error("z")), 0),
        (not_run("unit"), failed("unit", failing_test("t"), tests=TESTS), 0),
        (passed("unit", tests=TESTS), failed("unit", failing_test("t", flaky=True), tests=TESTS), 0),
        (passed("unit", tests=TESTS), not_run("unit"), 0),
        (passed("unit", counters=Counters(collected=3)), passed("unit", counters=Counters(collected=0)), 1),
        (passed("unit", counters=Counters(collected=0)), failed("unit", failing_test("t")), 0),
        (passed("lint", required=False), failed("lint", error("x"), required=False), 0),
    ],
    ids=[
        "two tests",
        "another test",
        "the same test",
        "a test nobody had run",
        "tests without names",
        "a check",
        "more errors of a red check",
        "tests that were blocked",
        "a flaky test",
        "tests that are blocked now",
        "no tests any more",
        "tests where none were",
        "advice",
    ],
)
def test_only_what_passed_at_the_start_can_regress(base: CheckResult, now: CheckResult, count: int) -> None:
    assert regressions(state(base), state(now)) == count


def test_a_check_that_was_not_there_at_the_start_cannot_regress() -> None:
    assert regressions(state(passed("lint")), state(passed("lint"), failed("unit", failing_test("t")))) == 0


def test_a_test_behind_the_first_failure_of_the_start_has_not_regressed() -> None:
    def stops_at(name: str) -> ErrorState:
        return state(failed("unit", failing_test(name), tests=TESTS, first_error_only=True))

    assert regressions(stops_at("t"), stops_at("u")) == 0
    assert regressions(stops_at("u"), stops_at("t")) == 1
