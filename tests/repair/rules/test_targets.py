"""Which errors an attempt is for, and whether it patches or rewrites."""

from typing import Any

import pytest

from repair.rules.routing import Target, choose_target, patch_or_rewrite
from repair.rules.steps import Means, Repair, next_step
from repair.values.blackboard import Action, Strategy
from repair.values.checks import Category, Finding
from repair.values.settings import Limits
from tests.repair.rules.builders import GREEN, Run, blocked, error, failing_test, infra, red, state

SIMPLE = error("x")


def target_of(*findings: Finding) -> Target:
    return Target(file=findings[0].file, findings=findings)


def in_file(file: str, count: int, **fields: Any) -> list[Finding]:
    return [error(f"{file}:{i}", **{"file": file, **fields}) for i in range(count)]


def test_the_target_is_the_file_with_most_roots_of_the_front_stage() -> None:
    run = Run(red(*in_file("a.py", 1), *in_file("b.py", 2), *in_file("a.py", 5, derived=True), failing_test("t")))
    target = choose_target(run.board)
    assert target.file == "b.py"
    assert target.fingerprints == ("b.py:0", "b.py:1")


def test_files_take_turns() -> None:
    errors = [*in_file("a.py", 1), *in_file("b.py", 2)]
    run = Run(red(*errors))
    run.attempt(red(*errors), targets=["b.py:0", "b.py:1"])
    assert choose_target(run.board).file == "a.py"


def test_what_the_machine_broke_is_nobodys_target() -> None:
    run = Run(red(failing_test("t"), failing_test("net", category=Category.INFRA)))
    assert choose_target(run.board).fingerprints == ("t",)


def test_a_file_that_may_not_be_edited_is_no_target() -> None:
    run = Run(red(*in_file("a.py", 1), *in_file("b.py", 2)))
    assert choose_target(run.board, closed=["b.py"]).file == "a.py"


@pytest.mark.parametrize(
    ("count", "action"), [(1, Action.PATCH), (10, Action.PATCH), (11, Action.REWRITE), (12, Action.REWRITE)]
)
def test_strictly_more_than_ten_roots_in_one_file_call_for_a_rewrite(count: int, action: Action) -> None:
    run = Run(red(*in_file("a.py", count)))
    run.diagnose()
    step = run.next()
    assert isinstance(step, Repair)
    assert step.action is action


def test_many_errors_over_files_with_few_each_are_patched_file_by_file() -> None:
    run = Run(red(*in_file("a.py", 8), *in_file("b.py", 8)))
    assert patch_or_rewrite(run.board, choose_target(run.board), 10) is Action.PATCH


def test_derived_errors_do_not_count_toward_a_rewrite() -> None:
    run = Run(red(*in_file("a.py", 1), *in_file("a.py", 20, derived=True)))
    assert patch_or_rewrite(run.board, choose_target(run.board), 10) is Action.PATCH


def test_the_threshold_is_a_setting() -> None:
    run = Run(red(*in_file("a.py", 3)))
    run.diagnose()
    step = next_step(run.board, Limits(rewrite_above=2), Means(model=True))
    assert isinstance(step, Repair)
    assert step.action is Action.REWRITE


BRACKET = error("bracket", "parse")


@pytest.mark.parametrize("how", ["same", "did not apply", "refused", "worse"])
def test_a_block_that_does_not_parse_is_rewritten_after_one_patch_failed(how: str) -> None:
    run = Run(blocked(BRACKET))
    assert patch_or_rewrite(run.board, run.target(), 10) is Action.PATCH
    after = {
        "same": blocked(BRACKET),
        "did not apply": None,
        "refused": GREEN,
        "worse": red(BRACKET, error("p", "parse")),
    }
    run.attempt(after[how], guard_failed=how == "refused")
    assert patch_or_rewrite(run.board, run.target(), 10) is Action.REWRITE


def test_a_failed_patch_of_what_parses_is_followed_by_another_patch() -> None:
    run = Run(red(SIMPLE))
    run.attempt(red(SIMPLE))
    assert patch_or_rewrite(run.board, run.target(), 10) is Action.PATCH


def test_a_failed_patch_of_another_block_says_nothing_of_this_one() -> None:
    run = Run(blocked(BRACKET))
    run.attempt(blocked(BRACKET), targets=["other"])
    assert patch_or_rewrite(run.board, run.target(), 10) is Action.PATCH


@pytest.mark.parametrize("action", [Action.FIXER, Action.REWRITE])
def test_only_a_patch_can_be_a_failed_patch(action: Action) -> None:
    run = Run(blocked(BRACKET))
    run.attempt(blocked(BRACKET, error("p", "parse")), action=action)
    assert patch_or_rewrite(run.board, run.target(), 10) is Action.PATCH


def test_a_patch_that_was_progress_did_not_fail() -> None:
    run = Run(blocked(BRACKET, BRACKET))
    run.attempt(blocked(BRACKET))
    assert patch_or_rewrite(run.board, run.target(), 10) is Action.PATCH


def test_a_broken_machine_is_no_failed_patch() -> None:
    run = Run(blocked(BRACKET))
    run.attempt(state(infra("parse")))
    assert patch_or_rewrite(run.board, run.target(), 10) is Action.PATCH


def test_the_last_strategy_rewrites_whatever_the_count() -> None:
    board = Run(red(SIMPLE)).board.model_copy(update={"strategy": Strategy.REWRITE})
    assert patch_or_rewrite(board, target_of(SIMPLE), 10) is Action.REWRITE


def test_what_lies_in_no_file_cannot_be_rewritten() -> None:
    errors = [error(f"x{i}", file=None, line=None) for i in range(12)]
    board = Run(red(*errors)).board
    assert patch_or_rewrite(board, choose_target(board), 10) is Action.PATCH
