"""What a run could not show is neither resolved nor held against an edit."""

import pytest

from repair.rules.comparison import carry_masked, compare, is_unmasked, multiset
from repair.rules.progress import shown
from repair.rules.routing import choose_target
from repair.values.blackboard import Verdict
from repair.values.checks import ErrorState
from tests.repair.rules.builders import (
    Run,
    error,
    failed,
    failing_test,
    not_run,
    passed,
    state,
    verdict_of,
)


def test_a_pass_without_the_test_that_failed_resolves_nothing() -> None:
    before = state(failed("unit", failing_test("t"), tests=("t", "u")), failed("e2e", error("x", "e2e")))
    after = state(passed("unit", tests=("u",)), failed("e2e", error("x", "e2e")))
    assert verdict_of(before, after) is Verdict.SAME


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


def test_a_check_that_was_not_there_before_could_not_show_its_errors() -> None:
    before = state(failed("lint", error("x")))
    style = failed("lint", error("y").model_copy(update={"check": "style"})).model_copy(update={"check": "style"})
    after = state(passed("lint"), style)
    assert verdict_of(before, after, targets=["x"]) is Verdict.ADVANCE


def test_a_check_that_did_not_run_could_not_show_its_errors_whatever_its_stage() -> None:
    hint = error("y", "parse")
    before = state(not_run("parse"), failed("lint", error("x")))
    assert is_unmasked(hint, before)
    assert not is_unmasked(hint, state(passed("parse"), failed("lint", error("x"))))


def test_an_error_that_is_still_reported_is_not_masked_as_well() -> None:
    before = state(failed("types", error("x", "types", line=9)))
    after = state(failed("types", error("x", "types", line=9), first_error_only=True))
    assert carry_masked(before, after) == after


def test_a_pass_resolves_what_a_first_error_had_hidden_and_hides_nothing_itself() -> None:
    clean = passed("types", first_error_only=True)
    assert carry_masked(state(failed("types", error("x", "types"))), state(clean)) == state(clean)
    assert not is_unmasked(error("x", "types"), state(clean, failed("types", error("y", "types"))))


def test_the_column_tells_which_of_two_errors_in_a_line_comes_first() -> None:
    def stop(name: str, column: int) -> ErrorState:
        return state(failed("parse", error(name, "parse", column=column), first_error_only=True))

    assert verdict_of(stop("x", 5), stop("y", 9), targets=["x"]) is Verdict.ADVANCE
    assert verdict_of(stop("x", 5), stop("y", 2), targets=["x"]) is Verdict.REGRESS


def test_a_test_that_fails_in_another_way_has_run() -> None:
    tests = ("t", "u")
    before = state(failed("unit", failing_test("one", test="t"), tests=tests, first_error_only=True))
    after = state(failed("unit", failing_test("other", test="t"), tests=tests, first_error_only=True))
    assert verdict_of(before, after, targets=["one"]) is Verdict.SHIFT


def test_a_masked_error_is_counted_but_neither_shown_nor_aimed_at() -> None:
    seen = error("x")
    run = Run(state(failed("lint", seen, error("y", masked=True))))
    assert choose_target(run.board).findings == (seen,)
    assert str(shown(run.board)) == "(lint_style, 1, 0)"
    assert multiset(run.baseline) == {"x": 1, "y": 1}
