"""Green must mean at least as much as it did before."""

import pytest

from repair.rules.inventory import lost_tests
from repair.values.checks import Category, CheckResult, Counters, ErrorState, Finding, Stage, Status


def state(status: Status, tests: tuple[str, ...] = (), failing: tuple[str, ...] = (), **counters: int) -> ErrorState:
    findings = tuple(
        Finding(check="unit", stage=Stage.UNIT, category=Category.TEST_ERROR, message="no", test=test, file="x.py")
        for test in failing
    )
    counted = Counters(collected=len(tests), **counters) if "collected" not in counters else Counters(**counters)
    result = CheckResult(
        check="unit", stage=Stage.UNIT, status=status, tests=tests, counters=counted, findings=findings
    )
    return ErrorState(results=(result,))


RED = state(Status.FAIL, ("t::a", "t::b"), ("t::a",), skipped=0)


def test_the_same_tests_passing_lose_nothing() -> None:
    assert lost_tests([RED], state(Status.PASS, ("t::a", "t::b"), skipped=0)) == ()


def test_more_tests_than_before_lose_nothing_though_some_of_the_new_ones_are_skipped() -> None:
    assert lost_tests([RED], state(Status.PASS, ("t::a", "t::b", "t::c"), skipped=1)) == ()


@pytest.mark.parametrize(
    "now",
    [
        state(Status.PASS, ("t::a",), skipped=0),
        state(Status.PASS, ("t::a", "t::c"), skipped=0),
        state(Status.PASS, ("t::a", "t::b"), skipped=1),
        state(Status.PASS, (), collected=0, skipped=0),
    ],
)
def test_a_test_that_is_gone_or_skipped_is_a_loss(now: ErrorState) -> None:
    assert lost_tests([RED], now)


def test_tests_seen_only_in_the_middle_of_a_chain_count_too() -> None:
    first = ErrorState(results=(CheckResult(check="unit", stage=Stage.UNIT, status=Status.NOT_RUN),))

    assert lost_tests([first, RED], state(Status.PASS, ("t::a",), skipped=0))
    assert not lost_tests([first], state(Status.PASS, ("t::a",), skipped=0))


@pytest.mark.parametrize("unloaded", ["tests/test_x.py", "test/mail.test.js"])
def test_a_file_that_could_not_be_loaded_is_no_test(unloaded: str) -> None:
    broken = state(Status.FAIL, (unloaded,), (unloaded,), skipped=0)

    assert lost_tests([broken], state(Status.PASS, ("fills a template", "missing value"), skipped=0)) == ()


def test_fewer_files_looked_at_are_a_loss() -> None:
    before = ErrorState(
        results=(CheckResult(check="types", stage=Stage.COMPILE, status=Status.FAIL, counters=Counters(files=3)),)
    )
    after = ErrorState(
        results=(CheckResult(check="types", stage=Stage.COMPILE, status=Status.PASS, counters=Counters(files=2)),)
    )

    assert lost_tests([before], after)
