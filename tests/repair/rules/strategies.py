"""States as hostile tools may report them, and states as one run may meet them."""

from hypothesis import strategies as st

from repair.values.checks import Category, CheckResult, Counters, ErrorState, Finding, Status
from tests.repair.rules.builders import CHECKS, Move, error, result

NAMES = ("a", "b", "c")


@st.composite
def findings(draw: st.DrawFn, check: str) -> Finding:
    name = draw(st.sampled_from(NAMES))
    return error(
        f"{check}-{name}",
        check,
        test=draw(st.sampled_from([None, name])) if check in ("unit", "e2e") else None,
        category=draw(st.sampled_from([Category.SYNTAX, Category.LINT_STYLE, Category.TYPE, Category.TEST_ERROR])),
        file=draw(st.sampled_from([None, "src/a.py", "src/b.py"])),
        line=draw(st.sampled_from([None, 1, 2, 3])),
        derived=draw(st.booleans()),
        flaky=draw(st.integers(0, 9)) == 0,
    )


@st.composite
def results(draw: st.DrawFn, check: str, statuses: tuple[Status, ...]) -> CheckResult:
    status = draw(st.sampled_from(statuses))
    found = draw(st.lists(findings(check), max_size=3)) if status is Status.FAIL else []
    return result(
        check,
        status,
        *found,
        tests=draw(st.sampled_from([(), NAMES, NAMES[:2]])) if check in ("unit", "e2e") else (),
        counters=Counters(collected=draw(st.sampled_from([None, 0, 2]))),
        first_error_only=draw(st.booleans()),
        required=check != "e2e",
    )


@st.composite
def wild_states(draw: st.DrawFn) -> ErrorState:
    """Any combination of results, impossible ones included: blocked checks that passed, masked findings anywhere."""
    names = draw(st.lists(st.sampled_from(sorted(CHECKS)), unique=True))
    found = [draw(results(name, tuple(Status))) for name in names]
    return ErrorState(
        results=tuple(
            r.model_copy(update={"findings": tuple(_perhaps_masked(draw, f) for f in r.findings)}) for r in found
        )
    )


def _perhaps_masked(draw: st.DrawFn, finding: Finding) -> Finding:
    return finding.model_copy(update={"masked": draw(st.integers(0, 3)) == 0})


@st.composite
def states(draw: st.DrawFn, machine_may_fail: bool = False) -> ErrorState:
    """All checks in order; after a failed stage some are blocked."""
    outcomes = (Status.PASS, Status.FAIL) + ((Status.INFRA,) if machine_may_fail else ())
    found: list[CheckResult] = []
    for check in CHECKS:
        stopped = any(r.status is not Status.PASS for r in found)
        if stopped and draw(st.booleans()):
            found.append(result(check, Status.NOT_RUN, required=check != "e2e"))
        else:
            found.append(draw(results(check, outcomes)))
    return ErrorState(results=tuple(found))


def moves() -> st.SearchStrategy[Move]:
    """What may come of asking a model: an edit, garbage, an old tree, a refused edit."""
    return st.builds(
        Move,
        after=st.none() | states(machine_may_fail=True),
        tree=st.sampled_from(["", "", "", "", "t0", "t1", "t2"]),
        guard_failed=st.integers(0, 5).map(lambda n: n == 0),
        diagnosis_fails=st.booleans(),
    )
