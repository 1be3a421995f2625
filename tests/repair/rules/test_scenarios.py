"""The scenarios every loop must get right, as rules over values."""

import pytest

from repair.rules.comparison import carry_masked, compare, multiset, state_key
from repair.rules.fingerprints import fingerprint
from repair.rules.outcome import conclude
from repair.rules.progress import replay
from repair.rules.routing import choose_target, patch_or_rewrite
from repair.rules.stagnation import Stop
from repair.rules.steps import Means, Repair, RollBack
from repair.rules.verdict import History
from repair.values.blackboard import Action, Outcome, Strategy, Verdict
from repair.values.checks import Category, Counters, ErrorState, Finding
from repair.values.settings import Limits
from tests.repair.rules.builders import (
    GREEN,
    Move,
    Run,
    blocked,
    error,
    failed,
    failing_test,
    infra,
    not_run,
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


def test_a_rollback_after_progress_goes_to_the_last_progress_not_to_the_start() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("x")))
    for _ in range(3):
        run.attempt(red(error("x")))

    step = run.next()

    assert isinstance(step, RollBack)
    assert step.to.tree == "t1"


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


def test_a_flaky_failure_at_an_earlier_stage_is_no_regression() -> None:
    before = red(error("x", "e2e"), error("y", "e2e"))
    after = red(error("x", "e2e"), failing_test("shaky", flaky=True))
    assert verdict_of(before, after) is Verdict.IMPROVE


def test_a_failure_that_turns_out_flaky_is_not_a_resolved_one() -> None:
    before, after = red(failing_test("t")), red(failing_test("t", flaky=True))
    assert verdict_of(before, after) is Verdict.SAME
    run = Run(before)
    run.attempt(after)
    assert run.board.best == run.board.baseline


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


def test_a_pass_without_the_test_that_failed_resolves_nothing() -> None:
    before = state(failed("unit", failing_test("t"), tests=("t", "u")), failed("e2e", error("x", "e2e")))
    after = state(passed("unit", tests=("u",)), failed("e2e", error("x", "e2e")))
    assert verdict_of(before, after) is Verdict.SAME


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


@pytest.mark.parametrize("named", [("t", "u", "v"), ()], ids=["the tool names its tests", "the tool does not"])
def test_a_test_run_that_breaks_while_collecting_resolves_none(named: tuple[str, ...]) -> None:
    before = state(failed("unit", failing_test("t"), failing_test("u"), tests=named))
    after = state(failed("unit", error("import", "unit", file="src/a.py")))
    assert verdict_of(before, after, targets=["t"]) is Verdict.REGRESS
    assert compare(before, carry_masked(before, after)).resolved == ()


def test_test_failures_behind_a_mended_collection_are_an_advance() -> None:
    before = state(failed("unit", error("import", "unit", file="src/a.py")))
    after = state(failed("unit", *(failing_test(f"t{i}") for i in range(4)), tests=tuple(f"t{i}" for i in range(9))))
    assert verdict_of(before, after, targets=["import"]) is Verdict.ADVANCE


def test_the_next_failure_of_a_run_that_stops_at_the_first_is_an_advance() -> None:
    tests = ("t", "u", "v")
    before = state(failed("unit", failing_test("u"), tests=tests, first_error_only=True))
    later = state(failed("unit", failing_test("v"), tests=tests, first_error_only=True))
    earlier = state(failed("unit", failing_test("t"), tests=tests, first_error_only=True))
    assert verdict_of(before, later, targets=["u"]) is Verdict.ADVANCE
    assert verdict_of(before, earlier, targets=["u"]) is Verdict.REGRESS


def test_the_next_error_of_a_parser_that_stops_at_the_first_is_an_advance_beyond_it_only() -> None:
    def stop(name: str, line: int, file: str = "src/a.py") -> ErrorState:
        return state(failed("parse", error(name, "parse", line=line, file=file), first_error_only=True))

    assert verdict_of(stop("x", 5), stop("y", 9), targets=["x"]) is Verdict.ADVANCE
    assert verdict_of(stop("x", 5), stop("y", 1, "src/b.py"), targets=["x"]) is Verdict.ADVANCE
    assert verdict_of(stop("x", 5), stop("y", 5), targets=["x"]) is Verdict.SHIFT
    assert verdict_of(stop("x", 5), stop("y", 2), targets=["x"]) is Verdict.REGRESS


def test_an_error_in_a_file_a_parser_found_clean_is_not_unmasked() -> None:
    files = [error("x", "parse", file="src/a.py"), error("y", "parse", file="src/b.py")]
    before = state(failed("parse", *files, first_error_only=True))
    after = state(failed("parse", files[1], error("z", "parse", file="src/c.py"), first_error_only=True))
    assert verdict_of(before, after, targets=["x"]) is Verdict.SHIFT


def test_masked_errors_stay_masked_through_several_first_errors_and_are_resolved_when_seen() -> None:
    hidden = error("typed", "types", line=50)
    full = state(failed("types", hidden))
    stop = state(failed("types", error("s", "types", line=9, file="src/b.py"), first_error_only=True))
    other = state(failed("types", error("r", "types", line=4, file="src/c.py"), first_error_only=True))
    first = carry_masked(full, stop)
    second = carry_masked(first, other)
    assert multiset(second)["typed"] == 1
    assert multiset(carry_masked(second, state(passed("types")))) == {}


def test_a_state_of_a_left_branch_may_be_reached_once_by_another_tree_and_never_by_the_same() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("x")))
    run.roll_back("t0")
    assert run.attempt(red(error("x")), tree="t1").verdict is Verdict.REVISIT
    assert run.attempt(red(error("x")), tree="u").verdict is Verdict.IMPROVE
    run.roll_back("t0")
    assert run.attempt(red(error("x")), tree="v").verdict is Verdict.REVISIT


def test_going_back_to_the_start_by_rollback_is_neither_an_attempt_nor_a_revisit() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("x")))
    run.roll_back("t0")
    assert len(run.board.attempts) == 1
    assert run.attempt(run.baseline, tree="u").verdict is Verdict.SAME


def test_a_broken_machine_blames_no_code_and_the_same_edit_may_be_tried_again() -> None:
    run = Run(red(error("x")))
    assert run.attempt(state(passed("lint"), infra("unit")), tree="t1").verdict is Verdict.INFRA
    assert run.board.now.tree == "t0"
    assert run.board.streak == 0
    assert run.board.age == {}
    assert run.attempt(GREEN, tree="t1").verdict is Verdict.PASS


def test_a_new_failure_that_is_the_machines_is_not_the_edits() -> None:
    network = failing_test("download", category=Category.INFRA)
    assert verdict_of(red(error("x", "e2e")), red(error("x", "e2e"), network)) is Verdict.INFRA


def test_a_check_that_is_not_required_decides_nothing() -> None:
    advisory = [failed("lint", error("x"), required=False), passed("unit")]
    assert verdict_of(red(failing_test("t")), state(*advisory)) is Verdict.PASS


def test_an_edit_that_changes_nothing_is_a_noop() -> None:
    same = red(error("x"))
    assert verdict_of(same, same, trees=("t0", "t0")) is Verdict.NOOP
    assert verdict_of(same, same, trees=("t0", None)) is Verdict.NOOP


def test_a_fix_with_new_errors_that_were_hidden_is_an_advance_and_others_are_a_shift() -> None:
    before = state(failed("lint", error("x")), not_run("unit"))
    unmasked = state(failed("lint", error("y")), failed("unit", failing_test("t")))
    assert verdict_of(before, unmasked, targets=["x"]) is Verdict.SHIFT
    before = state(failed("lint", error("x"), error("y")), not_run("unit"))
    unmasked = state(failed("lint", error("y")), failed("unit", failing_test("t")))
    assert verdict_of(before, unmasked, targets=["x"]) is Verdict.ADVANCE
    assert verdict_of(before, unmasked, targets=["y"]) is Verdict.SHIFT


def test_only_new_errors_are_a_regression() -> None:
    assert verdict_of(red(error("x")), red(error("x"), error("y"))) is Verdict.REGRESS


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


def test_history_is_that_of_the_board() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("x")))
    assert History.of(run.board).seen == ("t0", "t1")
