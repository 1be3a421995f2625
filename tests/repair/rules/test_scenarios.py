"""The scenarios every loop must get right, as rules over values."""

import pytest

from repair.rules.comparison import carry_masked, compare, multiset, state_key
from repair.rules.fingerprints import fingerprint
from repair.rules.outcome import conclude
from repair.rules.progress import replay
from repair.rules.routing import choose_target, patch_or_rewrite
from repair.rules.stagnation import Stop
from repair.rules.steps import Means, Repair, RollBack
from repair.values.blackboard import Action, Outcome, Strategy, Verdict
from repair.values.checks import Counters, ErrorState, Finding
from repair.values.settings import Limits
from tests.repair.rules.builders import (
    GREEN,
    Move,
    Run,
    blocked,
    error,
    failed,
    failing_test,
    passed,
    play,
    red,
    state,
    verdict_of,
)

BRACKET = error("bracket", "parse")


def test_type_errors_behind_a_fixed_syntax_error_are_an_advance_and_reset_the_streak() -> None:
    run = Run(blocked(BRACKET))
    run.attempt(blocked(BRACKET))
    assert run.board.streak == 1

    attempt = run.attempt(blocked(*(error(f"t{i}", "types") for i in range(5))))

    assert attempt.verdict is Verdict.ADVANCE
    assert attempt.kept
    assert run.board.streak == 0


def test_the_same_error_three_times_leads_to_one_rollback_to_the_tree_before() -> None:
    run = Run(red(error("x")))
    for _ in range(3):
        assert run.attempt(red(error("x"))).verdict is Verdict.SAME
    assert run.board.now.tree == "t3"

    step = run.next()
    assert isinstance(step, RollBack)
    assert step.to.tree == "t0"

    run.roll_back(step.to.tree)
    assert run.board.now == run.board.baseline
    assert run.board.strategy is Strategy.ROOT_CAUSE
    assert not isinstance(run.next(), RollBack)


@pytest.mark.parametrize("way", [("x", "y", "x"), ("x", "y", "z", "x")])
def test_a_state_the_run_came_from_is_a_revisit_and_lengthens_the_streak(way: tuple[str, ...]) -> None:
    run = Run(red(*(error(f"{way[0]}{i}") for i in range(3))))
    for name in way[1:-1]:
        assert run.attempt(red(*(error(f"{name}{i}") for i in range(3)))).verdict is Verdict.SHIFT
    there = run.board.now

    attempt = run.attempt(run.baseline)

    assert attempt.verdict is Verdict.REVISIT
    assert not attempt.kept
    assert run.board.now == there
    assert run.board.streak == 1


def test_a_tree_the_run_came_from_is_a_revisit_whatever_its_checks_say() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("x")))
    assert run.attempt(red(error("z")), tree="t0").verdict is Verdict.REVISIT


def test_one_of_two_equal_errors_fixed_is_an_improvement() -> None:
    assert verdict_of(red(error("x"), error("x")), red(error("x"))) is Verdict.IMPROVE


def test_errors_that_only_moved_to_other_lines_are_the_same() -> None:
    def at(line: int) -> ErrorState:
        found = error("", message=f"line {line}: name 'colour' is not defined", line=line, code="F821")
        return red(found.model_copy(update={"fingerprint": fingerprint(found, "print(colour)")}))

    assert verdict_of(at(3), at(40)) is Verdict.SAME


def test_one_error_fixed_and_another_of_its_kind_made_is_a_shift() -> None:
    assert verdict_of(red(error("x"), error("y")), red(error("x"), error("z"))) is Verdict.SHIFT


def one_bracket(count: int) -> list[Finding]:
    return [error(f"p{i}", "parse", derived=i > 0) for i in range(count)]


def independent(count: int) -> list[Finding]:
    return [error(f"p{i}", "parse") for i in range(count)]


@pytest.mark.parametrize(
    ("errors", "action"),
    [
        (one_bracket(12), Action.PATCH),
        (independent(10), Action.PATCH),
        (independent(11), Action.REWRITE),
    ],
    ids=["twelve from one bracket", "ten independent", "eleven independent"],
)
def test_only_more_than_ten_root_errors_of_one_file_call_for_a_rewrite(errors: list[Finding], action: Action) -> None:
    run = Run(blocked(*errors))
    assert patch_or_rewrite(run.board, choose_target(run.board), Limits().rewrite_above) is action


def test_what_the_guard_refuses_is_reverted_unverified_and_counted() -> None:
    run = Run(red(failing_test("t")))
    attempt = run.attempt(GREEN, guard_failed=True)
    assert attempt.verdict is Verdict.GUARD_FAIL
    assert not attempt.kept
    assert attempt.score is None
    assert run.board.now.tree == "t0"
    assert run.board.streak == 1


def test_a_guard_violation_outweighs_green_checks_and_an_unchanged_tree() -> None:
    assert verdict_of(red(error("x")), GREEN, guard_failed=True) is Verdict.GUARD_FAIL
    assert verdict_of(red(error("x")), GREEN, guard_failed=True, trees=("t0", "t0")) is Verdict.GUARD_FAIL


def test_a_new_failure_that_is_flaky_counts_for_nothing() -> None:
    before = red(failing_test("t"), failing_test("s"))
    after = red(failing_test("s"), failing_test("shaky", flaky=True))
    assert verdict_of(before, after) is Verdict.IMPROVE
    assert state_key(after) == state_key(red(failing_test("s")))


def test_green_but_for_a_flaky_test_is_not_a_pass_and_needs_no_model() -> None:
    run = Run(red(error("x")))
    run.attempt(red(failing_test("shaky", flaky=True)))
    step = run.next()
    assert isinstance(step, Stop)
    assert step.outcome is Outcome.REFUSED
    assert conclude(run.board, step).outcome is Outcome.IMPROVED


def test_a_run_whose_only_failures_are_flaky_at_the_start_is_refused_without_a_model() -> None:
    run = Run(red(failing_test("shaky", flaky=True)))
    step = run.next()
    assert isinstance(step, Stop)
    assert conclude(run.board, step).outcome is Outcome.REFUSED


def test_a_run_of_no_tests_is_not_a_pass_and_resolves_nothing() -> None:
    before = state(failed("unit", failing_test("t"), tests=("t", "u")))
    after = state(passed("unit", counters=Counters(collected=0)))
    assert verdict_of(before, after) is Verdict.SAME
    assert compare(before, carry_masked(before, after)).resolved == ()


def test_no_tests_where_some_passed_is_a_step_back() -> None:
    run = Run(state(failed("lint", error("x")), passed("unit", counters=Counters(collected=4))))
    run.attempt(state(passed("lint"), passed("unit", counters=Counters(collected=0))))
    assert run.board.best == run.board.baseline


@pytest.mark.parametrize("left", [error("x", "lint"), failing_test("t")], ids=["lint fails", "tests fail"])
def test_one_gate_alone_is_not_done(left: Finding) -> None:
    run = Run(red(error("x", "lint"), failing_test("t")))
    attempt = run.attempt(red(left))
    assert attempt.verdict in (Verdict.ADVANCE, Verdict.IMPROVE)
    assert not isinstance(run.next(), Stop)
    assert run.attempt(GREEN).verdict is Verdict.PASS
    step = run.next()
    assert isinstance(step, Stop)
    assert conclude(run.board, step).outcome is Outcome.FIXED


def test_a_journal_read_again_after_a_crash_gives_the_same_streak_and_history() -> None:
    run = Run(blocked(BRACKET))
    types = [error(f"t{i}", "types") for i in range(3)]
    for after in (blocked(BRACKET), blocked(*types), red(error("z", "types")), None, blocked(BRACKET)):
        run.diagnose()
        run.attempt(after)
        assert replay(run.events) == run.board
    run.roll_back("t2")
    assert replay(run.events) == run.board
    assert replay(run.events[:1]) is None


def test_garbage_for_an_answer_is_counted_and_stops_at_the_limit() -> None:
    run = Run(red(error("x")))
    stop = play(run, [Move(after=None)], Limits(iterations=4))
    assert stop.outcome is Outcome.BUDGET
    assert len(run.board.attempts) == 4
    assert {attempt.verdict for attempt in run.board.attempts} == {Verdict.NOOP}
    assert conclude(run.board, stop).outcome is Outcome.BUDGET


def test_garbage_for_ever_ends_before_the_default_limit_for_want_of_a_better_candidate() -> None:
    run = Run(red(error("x")))
    stop = play(run, [Move(after=None)], Limits())
    assert stop.outcome is Outcome.NOT_FIXED
    assert len(run.board.attempts) == 5
    assert len(run.board.rollbacks) == 1


def test_the_best_candidate_wins_though_it_was_the_second_of_four() -> None:
    run = Run(red(*(error(f"x{i}") for i in range(4))))
    rest = [error("x0"), error("y0"), error("y1"), error("y2")]
    run.attempt(red(*(error(f"x{i}") for i in range(3))))
    run.attempt(red(error("x0")))
    run.attempt(red(*rest))
    run.attempt(red(error("x0")), tree="t4", diff_size=9)
    stop = run.next(Limits(iterations=4))
    assert isinstance(stop, Stop)
    assert run.board.best.tree == "t2"
    assert conclude(run.board, stop).outcome is Outcome.IMPROVED


def test_a_syntax_error_that_keeps_the_tests_from_running_is_a_regression_and_resolves_none() -> None:
    before = red(failing_test("t"), failing_test("u"))
    after = blocked(BRACKET)
    assert verdict_of(before, after, targets=["t"]) is Verdict.REGRESS
    full = carry_masked(before, after)
    assert compare(before, full).resolved == ()
    assert multiset(full) == {"bracket": 1, "t": 1, "u": 1}


def test_the_loop_repairs_a_chain_step_by_step() -> None:
    run = Run(blocked(BRACKET))
    chain = [blocked(error("t", "types")), red(error("x")), GREEN]
    stop = play(run, [Move(after=after) for after in chain], Limits(), Means(model=True))
    assert conclude(run.board, stop).outcome is Outcome.FIXED
    assert [a.verdict for a in run.board.attempts] == [Verdict.ADVANCE, Verdict.ADVANCE, Verdict.PASS]


def test_a_syntax_error_goes_straight_to_the_repairer() -> None:
    step = Run(blocked(BRACKET)).next()
    assert isinstance(step, Repair)
    assert step.action is Action.PATCH
