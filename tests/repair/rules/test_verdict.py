"""The verdict of an attempt, one rule at a time."""

from repair.rules.comparison import signature
from repair.rules.stagnation import Stop
from repair.rules.verdict import History, Trial, judge_edit
from repair.values.blackboard import Verdict
from repair.values.checks import Category, Status
from tests.repair.rules.builders import (
    GREEN,
    Run,
    error,
    failed,
    failing_test,
    infra,
    not_run,
    passed,
    red,
    result,
    state,
    verdict_of,
)


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


def test_history_is_that_of_the_board() -> None:
    run = Run(red(error("x"), error("y")))
    run.attempt(red(error("x")))
    assert History.of(run.board).seen == ("t0", "t1")


def test_without_a_target_nothing_new_is_an_advance_on_the_same_front() -> None:
    before = state(failed("lint", error("x"), error("y")), not_run("unit"))
    after = state(failed("lint", error("y")), failed("unit", failing_test("t")))
    assert verdict_of(before, after, targets=[]) is Verdict.SHIFT


def test_an_error_at_an_earlier_stage_is_a_regression_though_something_was_resolved() -> None:
    before = red(failing_test("t"), failing_test("u"))
    assert verdict_of(before, red(error("x"), failing_test("u")), targets=["t"]) is Verdict.REGRESS


def test_a_machine_that_breaks_under_mere_advice_is_no_matter() -> None:
    advice = result("e2e", Status.INFRA, required=False)
    assert verdict_of(red(error("x")), state(failed("lint", error("x")), advice)) is not Verdict.INFRA
    assert not isinstance(Run(state(failed("lint", error("x")), advice)).next(), Stop)


def test_the_signature_names_the_most_frequent_category_and_among_equals_the_first() -> None:
    errors = [error("a", category=Category.TYPE), error("b", category=Category.FORMAT)]
    assert str(signature(red(*errors), 2)) == "(format, 2, 2)"
    assert str(signature(red(*errors, error("c", category=Category.TYPE)), 0)) == "(type, 3, 0)"
    assert str(signature(GREEN, 1)) == "(none, 0, 1)"


def test_a_state_met_again_only_to_be_reverted_is_no_second_visit() -> None:
    run = Run(red(error("x"), error("y"), error("z")))
    run.attempt(red(error("x"), error("y")))
    run.attempt(red(error("x")))
    assert run.attempt(red(error("x"), error("y"))).verdict is Verdict.REVISIT
    run.attempt(state(infra("lint")))
    assert run.board.discarded == ()


def test_an_attempt_needs_no_checks_only_when_its_tree_already_tells() -> None:
    history = History(seen=("t0", "t1"))
    assert judge_edit(Trial(tree_before="t1", tree_after="t2"), history) is None
    assert judge_edit(Trial(tree_before="t1", tree_after="t0"), history) is Verdict.REVISIT
    assert judge_edit(Trial(tree_before="t1", tree_after="t1"), history) is Verdict.NOOP


def test_an_error_beyond_the_front_is_not_held_against_the_edit_by_the_verdict_but_by_the_score() -> None:
    run = Run(red(error("x"), error("y")))
    attempt = run.attempt(red(error("y"), failing_test("t")), targets=["x"])
    assert attempt.verdict is Verdict.ADVANCE
    assert run.board.best == run.board.baseline


def test_a_reverted_state_was_visited_too() -> None:
    run = Run(red(error("x")))
    worse = red(error("x"), error("y"))
    assert [run.attempt(worse).verdict for _ in range(3)] == [Verdict.REGRESS, Verdict.REGRESS, Verdict.REVISIT]
