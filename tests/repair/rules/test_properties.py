"""What holds for every state and every run."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from repair.rules.comparison import aligned, carry_masked, compare, counted, multiset, passes, regressions, state_key
from repair.rules.outcome import conclude
from repair.rules.progress import replay
from repair.rules.score import better, score
from repair.rules.stagnation import ROLLBACK_LIMIT
from repair.rules.steps import Means
from repair.rules.verdict import History, Trial, judge
from repair.values.blackboard import Attempted, Outcome, Point, Verdict
from repair.values.checks import CheckResult, ErrorState, Finding, Status
from repair.values.settings import Limits
from tests.repair.rules.builders import GREEN, Move, Run, play, rank
from tests.repair.rules.strategies import findings, moves, states, wild_states

TREES = st.sampled_from(["t0", "t1", "t2", "t3"])
KEYS = st.lists(wild_states().map(state_key), max_size=3).map(tuple)
TRIALS = st.builds(
    Trial,
    tree_before=TREES,
    tree_after=st.none() | TREES,
    guard_failed=st.booleans(),
    targets=st.lists(st.sampled_from(["lint-a", "unit-a", "none"]), max_size=2).map(tuple),
)
HISTORIES = st.builds(
    History, seen=st.lists(TREES, max_size=3).map(tuple), walked=KEYS, discarded=KEYS.map(lambda keys: keys * 2)
)
LIMITS = st.builds(Limits, iterations=st.integers(1, 20), stagnation=st.integers(2, 5))


@given(TRIALS, wild_states(), wild_states(), HISTORIES)
def test_every_pair_of_states_has_exactly_one_verdict(
    trial: Trial, before: ErrorState, after: ErrorState, history: History
) -> None:
    verdict = judge(trial, before, after, history)
    assert verdict in Verdict
    assert judge(trial, before, after, history) is verdict


@given(TRIALS, wild_states(), wild_states(), HISTORIES)
def test_a_verdict_is_pass_exactly_when_the_checks_pass_and_nothing_forbids_it(
    trial: Trial, before: ErrorState, after: ErrorState, history: History
) -> None:
    verdict = judge(trial, before, after, history)
    if verdict not in (Verdict.GUARD_FAIL, Verdict.NOOP, Verdict.INFRA):
        assert (verdict is Verdict.PASS) == passes(after)


@given(states(), states())
def test_resolved_new_and_persisting_findings_partition_both_states(before: ErrorState, after: ErrorState) -> None:
    old, new = aligned(before, after)
    change = compare(old, new)
    persisting = multiset(old) & multiset(new)
    assert Counter(change.resolved) + persisting == multiset(old)
    assert Counter(finding.fingerprint for finding in change.new) + persisting == multiset(new)


@given(states(), states())
def test_carrying_masked_findings_twice_is_carrying_them_once(before: ErrorState, after: ErrorState) -> None:
    once = carry_masked(before, after)
    assert carry_masked(before, once) == once


@given(states(), st.lists(states(machine_may_fail=True), min_size=1, max_size=4))
def test_a_masked_finding_is_lost_only_when_its_check_has_run(before: ErrorState, later: list[ErrorState]) -> None:
    now = before
    for after in later:
        full = carry_masked(now, after)
        for check in ("parse", "types", "lint", "unit"):
            raw = after.of(check)
            assert raw is not None
            if raw.status in (Status.NOT_RUN, Status.INFRA):
                assert _of(full, check) == _of(now, check)
            assert _of(full, check) >= _of(ErrorState(results=(raw,)), check)
        now = full


def _of(state: ErrorState, check: str) -> Counter[str]:
    return Counter(finding.fingerprint for finding in counted(state) if finding.check == check)


@given(states(), st.data())
def test_the_order_in_which_tools_report_does_not_matter(state: ErrorState, data: st.DataObject) -> None:
    shuffled = ErrorState(
        results=tuple(
            r.model_copy(update={"findings": tuple(data.draw(st.permutations(r.findings)))})
            for r in data.draw(st.permutations(state.results))
        )
    )
    assert state_key(shuffled) == state_key(state)


@given(st.sampled_from(["parse", "lint", "unit"]).flatmap(findings))
def test_two_equal_findings_count_twice(found: Finding) -> None:
    finding = found.model_copy(update={"flaky": False})
    once, twice = _with_findings(finding), _with_findings(finding, finding)
    assert multiset(twice)[finding.fingerprint] == 2
    assert state_key(once) != state_key(twice)


def _with_findings(*extra: Finding) -> ErrorState:
    check = extra[0].check
    return ErrorState(
        results=tuple(
            r.model_copy(update={"status": Status.FAIL, "findings": extra}) if r.check == check else r
            for r in GREEN.results
        )
    )


@given(states(), st.data())
def test_a_state_that_only_adds_errors_never_beats_the_start(base: ErrorState, data: st.DataObject) -> None:
    worse = ErrorState(results=tuple(r if r.status is Status.NOT_RUN else _with_more(data, r) for r in base.results))
    start = Point(tree="t0", state=base, score=score(base, base))
    assert not better(Point(tree="t1", state=worse, score=score(base, worse)), start)


def _with_more(data: st.DataObject, earlier: CheckResult) -> CheckResult:
    real = findings(earlier.check).map(lambda finding: finding.model_copy(update={"flaky": False}))
    more = data.draw(st.lists(real, max_size=2))
    return (
        earlier.model_copy(update={"status": Status.FAIL, "findings": (*earlier.findings, *more)}) if more else earlier
    )


@given(states())
def test_nothing_regresses_against_itself(base: ErrorState) -> None:
    assert regressions(base, base) == 0


RANKS = st.builds(
    rank,
    regressions=st.integers(-1, 0),
    front=st.integers(0, 2),
    roots=st.integers(-1, 0),
    diff_size=st.integers(-1, 0),
    order=st.integers(-1, 0),
).map(lambda found: Point(tree="t", state=GREEN, score=found))


@given(RANKS, RANKS, RANKS)
def test_better_is_a_strict_order(one: Point, two: Point, three: Point) -> None:
    assert not better(one, one)
    assert not (better(one, two) and better(two, one))
    if better(one, two) and better(two, three):
        assert better(one, three)
    if not better(one, two) and not better(two, one):
        assert one.score.rank == two.score.rank


@given(states(), st.lists(moves(), min_size=1, max_size=8), LIMITS)
@settings(deadline=None)
def test_the_loop_ends_within_its_iterations_whatever_happens(
    base: ErrorState, line: list[Move], limits: Limits
) -> None:
    run = Run(base)
    stop = play(run, line, limits)
    assert len(run.board.attempts) <= limits.iterations
    assert len(run.board.rollbacks) <= ROLLBACK_LIMIT
    assert conclude(run.board, stop).outcome in Outcome


@given(states(), st.lists(moves(), min_size=1, max_size=8), LIMITS)
@settings(deadline=None)
def test_a_run_is_fixed_exactly_when_its_best_candidate_passes(
    base: ErrorState, line: list[Move], limits: Limits
) -> None:
    run = Run(base)
    stop = play(run, line, limits)
    outcome = conclude(run.board, stop).outcome
    assert (outcome is Outcome.FIXED) == passes(run.board.best.state)
    if outcome is Outcome.IMPROVED:
        assert run.board.best.score.progress > run.board.baseline.score.progress


@given(states(), st.lists(moves(), min_size=1, max_size=8), LIMITS)
@settings(deadline=None)
def test_every_board_on_the_way_keeps_its_books(base: ErrorState, line: list[Move], limits: Limits) -> None:
    run = Run(base)
    play(run, line, limits)
    for end in range(2, len(run.events) + 1):
        board, event = replay(run.events[:end]), run.events[end - 1]
        assert board is not None
        assert board.streak >= 0
        assert board.churn >= 0
        assert not better(board.now, board.best)
        assert board.path[0] == board.baseline
        assert {point.tree for point in board.path} <= set(board.seen)
        if event.kind == "rolled_back":
            assert board.now == board.path[-1]
            assert (board.streak, board.churn) == (0, 0)
        if isinstance(event, Attempted) and event.attempt.progress:
            assert board.streak == 0
            assert board.now == board.path[-1]
    assert replay(run.events) == run.board


@given(states(), st.lists(moves(), min_size=1, max_size=8))
@settings(deadline=None)
def test_without_a_model_nothing_but_tools_is_tried(base: ErrorState, line: list[Move]) -> None:
    run = Run(base)
    play(run, line, Limits(), Means())
    assert run.board.attempts == ()
