"""How a tree came to be, and which doubts came with it."""

from repair.rules.lineage import lineage
from repair.rules.outcome import conclude
from repair.rules.stagnation import Stop
from repair.values.blackboard import Action, Attempted, Outcome
from repair.values.change import Severity, Violation
from tests.repair.rules.builders import GREEN, Run, error, failing_test, red

FIXED = Stop(outcome=Outcome.FIXED, reason="all required checks pass")
MAJOR = Violation(rule="shrunk", severity=Severity.MAJOR, message="more than half of `g` is gone")


def test_only_kept_attempts_are_in_a_lineage_first_to_last() -> None:
    run = Run(red(error("a"), error("b")))
    first = run.attempt(red(error("b")))
    run.attempt(red(error("b"), error("c")))
    last = run.attempt(GREEN)

    assert [attempt.tree for attempt in lineage(run.board, last.tree or "")] == [first.tree, last.tree]


def test_what_was_rolled_back_is_in_no_lineage_of_now() -> None:
    run = Run(red(error("a"), error("b")))
    run.attempt(red(error("b")))
    run.roll_back("t0")
    new = run.attempt(red(error("a")))

    assert [attempt.tree for attempt in lineage(run.board, new.tree or "")] == [new.tree]


def test_a_doubt_about_an_earlier_edit_is_not_forgotten_when_a_tool_comes_last() -> None:
    run = Run(red(error("a"), error("b")))
    done = run.attempt(red(error("b")))
    doubtful = done.model_copy(update={"violations": (MAJOR,)})
    again = Run(red(error("a"), error("b")))
    again.tell(Attempted(attempt=doubtful, state=red(error("b"))))
    again.attempt(GREEN, action=Action.FIXER)

    stop = conclude(again.board, FIXED)

    assert stop.outcome is Outcome.IMPROVED
    assert "more than half of `g` is gone" in stop.reason


def test_a_test_that_fails_with_other_words_is_no_target_resolved() -> None:
    run = Run(red(failing_test("t", fingerprint="got 5")))
    run.attempt(red(failing_test("t", fingerprint="got [4]")))

    assert conclude(run.board, Stop(outcome=Outcome.NOT_FIXED, reason="")).outcome is Outcome.NOT_FIXED


def test_one_error_in_the_place_of_another_is_no_improvement() -> None:
    run = Run(red(error("a")))
    run.attempt(red(error("b")))

    assert conclude(run.board, Stop(outcome=Outcome.NOT_FIXED, reason="")).outcome is Outcome.NOT_FIXED


def test_fewer_errors_or_a_later_front_are_an_improvement() -> None:
    fewer = Run(red(error("a"), error("b")))
    fewer.attempt(red(error("b")))
    later = Run(red(error("a"), failing_test("t")))
    later.attempt(red(failing_test("t"), failing_test("u")))

    for run in (fewer, later):
        assert conclude(run.board, Stop(outcome=Outcome.NOT_FIXED, reason="")).outcome is Outcome.IMPROVED
