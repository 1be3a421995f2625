"""Who works next, on what, and with a patch or a rewrite."""

import pytest

from repair.rules.routing import Facts, Target, choose_target, is_direct, is_old, needs_diagnosis
from repair.rules.steps import Diagnose, Fix, Means, Repair
from repair.values.blackboard import Action
from repair.values.checks import Category, Finding, Origin
from tests.repair.rules.builders import Run, error, failing_test, infra, passed, red, state

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
    assert not direct(error("x", category=category), Facts())


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
        error("x", file=None, line=7),
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


def test_a_diagnosis_found_at_the_second_try_costs_nothing() -> None:
    run = Run(red(failing_test("t")))
    run.diagnose(fails=True)
    run.diagnose()
    assert run.board.streak == 0
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


def test_an_error_a_tool_mended_has_no_age() -> None:
    run = Run(red(SIMPLE, error("y")))
    run.attempt(red(SIMPLE, error("y")))
    run.attempt(red(SIMPLE), action=Action.FIXER, targets=["y"])
    assert run.board.age == {"x": 1}


def test_a_tool_that_could_not_help_ages_nothing_and_lengthens_no_streak() -> None:
    run = Run(red(SIMPLE))
    run.attempt(red(SIMPLE), action=Action.FIXER)
    assert run.board.age == {}
    assert run.board.streak == 0
    assert len(run.board.attempts) == 1
