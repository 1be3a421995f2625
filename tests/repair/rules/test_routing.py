"""Who works next, on what, and with a patch or a rewrite."""

import pytest

from repair.rules.routing import Facts, Target, choose_target, is_direct, is_old, needs_diagnosis, patch_or_rewrite
from repair.rules.steps import Diagnose, Fix, Means, Repair, next_step
from repair.values.blackboard import Action, Strategy
from repair.values.checks import Category, Finding, Origin
from repair.values.settings import Limits
from tests.repair.rules.builders import GREEN, Run, blocked, error, failing_test, infra, passed, red, state

SIMPLE = error("x")
KNOWN = Facts(single_candidate=True)


def target_of(*findings: Finding) -> Target:
    return Target(file=findings[0].file, findings=findings)


def direct(finding: Finding, facts: Facts = KNOWN) -> bool:
    return is_direct(Run(red(error("x"))).board, target_of(finding), facts)


@pytest.mark.parametrize(
    "category",
    [Category.SYNTAX, Category.FORMAT, Category.LINT_STYLE, Category.NAME_UNRESOLVED, Category.IMPORT_DEPENDENCY],
)
def test_a_located_simple_error_goes_straight_to_the_repairer(category: Category) -> None:
    assert direct(error("x", category=category))
    assert direct(error("x", category=category, origin=Origin.STABLE_TEXT))


@pytest.mark.parametrize("category", [Category.NAME_UNRESOLVED, Category.IMPORT_DEPENDENCY])
def test_an_unresolved_name_without_one_candidate_goes_to_the_analyzer(category: Category) -> None:
    assert not direct(error("x", category=category), Facts(single_candidate=False))


@pytest.mark.parametrize(
    "category",
    [
        Category.SCHEMA_CONFIG,
        Category.TEST_ASSERTION,
        Category.TEST_ERROR,
        Category.TYPE,
        Category.UNKNOWN,
        Category.BUILD_TOOL,
        Category.RESOURCE_TIMEOUT,
    ],
)
def test_these_categories_always_go_to_the_analyzer(category: Category) -> None:
    assert not direct(error("x", category=category))


@pytest.mark.parametrize(
    "finding",
    [
        error("x", origin=Origin.HEURISTIC),
        error("x", origin=Origin.NONE),
        error("x", line=None),
        error("x", file=None, line=None),
    ],
    ids=["guessed", "no origin", "no line", "no file"],
)
def test_an_error_without_a_sure_place_goes_to_the_analyzer(finding: Finding) -> None:
    assert not direct(finding)


@pytest.mark.parametrize(
    "facts",
    [Facts(single_candidate=True, outside_dependents=True), Facts(single_candidate=True, in_scope=False)],
    ids=["others depend on it", "out of scope"],
)
def test_what_a_local_edit_cannot_settle_goes_to_the_analyzer(facts: Facts) -> None:
    assert not direct(SIMPLE, facts)


def test_one_error_that_is_not_simple_takes_the_others_along() -> None:
    board = Run(red(SIMPLE)).board
    assert not is_direct(board, target_of(SIMPLE, error("y", category=Category.TYPE)), KNOWN)


@pytest.mark.parametrize(("count", "expected"), [(1, True), (10, True), (11, False)])
def test_up_to_ten_errors_may_go_straight_to_the_repairer(count: int, expected: bool) -> None:
    errors = [error(f"x{i}") for i in range(count)]
    run = Run(red(*errors))
    assert is_direct(run.board, choose_target(run.board), KNOWN) is expected


def test_no_target_is_not_a_simple_one() -> None:
    run = Run(red(error("x", derived=True)))
    assert choose_target(run.board).findings == ()
    assert isinstance(run.next(), Diagnose)


def test_an_error_that_survived_an_attempt_goes_to_the_analyzer() -> None:
    run = Run(red(SIMPLE))
    run.attempt(red(SIMPLE))
    assert not is_direct(run.board, run.target(), KNOWN)
    older = run.board.model_copy(update={"streak": 0})
    assert not is_direct(older, run.target(), KNOWN)


def test_a_streak_sends_even_a_fresh_error_to_the_analyzer() -> None:
    run = Run(red(SIMPLE))
    run.attempt(None, targets=())
    assert run.board.age == {}
    assert not is_direct(run.board, run.target(), KNOWN)


def test_after_a_rollback_the_analyzer_speaks_first_whatever_tools_tried_in_between() -> None:
    run = Run(red(SIMPLE))
    run.roll_back("t0")
    assert not is_direct(run.board, run.target(), KNOWN)
    run.attempt(None, action=Action.FIXER, targets=())
    assert not is_direct(run.board, run.target(), KNOWN)
    run.diagnose(fails=True)
    assert needs_diagnosis(run.board, run.target(), KNOWN)


def test_progress_after_a_rollback_opens_the_straight_way_again() -> None:
    run = Run(red(SIMPLE, error("y", file="src/b.py")))
    run.roll_back("t0")
    run.attempt(red(SIMPLE), targets=["y"])
    assert is_direct(run.board, run.target(), KNOWN)


def test_each_attempt_that_failed_needs_a_new_diagnosis() -> None:
    run = Run(red(failing_test("t")))
    assert needs_diagnosis(run.board, run.target(), KNOWN)
    run.diagnose()
    assert not needs_diagnosis(run.board, run.target(), KNOWN)
    run.attempt(red(failing_test("t")))
    assert needs_diagnosis(run.board, run.target(), KNOWN)


@pytest.mark.parametrize("what", ["the machine failed", "a tool could not help"])
def test_a_diagnosis_outlives_what_says_nothing_about_the_code(what: str) -> None:
    run = Run(red(failing_test("t")))
    run.diagnose()
    if what == "the machine failed":
        run.attempt(state(passed("lint"), infra("unit")))
    else:
        run.attempt(None, action=Action.FIXER)
    assert not needs_diagnosis(run.board, run.target(), KNOWN)


def test_a_diagnosis_without_a_claim_gets_one_retry_then_the_repairer_goes_on_alone() -> None:
    run = Run(red(failing_test("t")))
    run.diagnose(fails=True)
    assert isinstance(run.next(), Diagnose)
    assert run.board.streak == 0
    run.diagnose(fails=True)
    assert run.board.streak == 1
    assert isinstance(run.next(), Repair)


def test_tools_go_before_models() -> None:
    run = Run(red(SIMPLE))
    assert run.next(means=Means(fixers=("ruff", "black"), model=True)) == Fix(fixer="ruff")


def test_an_error_is_old_once_it_survived_two_attempts() -> None:
    run = Run(red(SIMPLE))
    run.attempt(red(SIMPLE))
    assert not is_old(run.board, run.target())
    run.attempt(None)
    assert run.board.age == {"x": 2}
    assert is_old(run.board, run.target())


def test_an_error_that_is_gone_has_no_age() -> None:
    run = Run(red(SIMPLE, error("y")))
    run.attempt(red(SIMPLE, error("y")))
    run.attempt(red(SIMPLE))
    assert run.board.age == {"x": 2}


def test_a_tool_that_could_not_help_ages_nothing_and_lengthens_no_streak() -> None:
    run = Run(red(SIMPLE))
    run.attempt(red(SIMPLE), action=Action.FIXER)
    assert run.board.age == {}
    assert run.board.streak == 0
    assert len(run.board.attempts) == 1


def in_file(file: str, count: int, **fields: object) -> list[Finding]:
    return [error(f"{file}:{i}", file=file, **fields) for i in range(count)]


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
