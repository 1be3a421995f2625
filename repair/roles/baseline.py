"""The start of a run: the red is seen with our own eyes, or the run ends here without a model call."""

from datetime import UTC, datetime

from repair.roles.setup import set_up
from repair.roles.workbench import Workbench
from repair.rules.comparison import passes
from repair.rules.contracts import build_contract, contract_hash
from repair.rules.score import score
from repair.rules.stagnation import Stop
from repair.tools.guard import protected_globs
from repair.tools.verify import OBSERVATIONS
from repair.values.blackboard import Baseline, Flaked, Outcome, Started
from repair.values.checks import CheckResult, ErrorState, Stage, Status


async def establish(bench: Workbench, tree: str) -> Stop | None:
    """Verify the tree as it came and record contract and baseline; a `Stop` when there is nothing to repair."""
    why = await set_up(bench, bench.sandbox)
    bench.workspace.restore(tree)
    if why:
        _record(bench, tree, _nothing_ran(bench))
        return Stop(outcome=Outcome.INFRA, reason=why)
    verification = await bench.verifier.verify(bench.sandbox, bench.workspace.files(tree))
    if _unfit(verification.state):
        verification = await bench.verifier.verify(bench.sandbox, bench.workspace.files(tree))
    bench.workspace.restore(tree)
    state = verification.state
    _record(bench, tree, state)
    if verification.flaky:
        bench.record(Flaked(fingerprints=verification.flaky))
    if _unfit(state):
        return Stop(outcome=Outcome.INFRA, reason="; ".join(result.why for result in _unfit(state)))
    return await _not_red(bench, tree, state) if passes(state) else None


async def _not_red(bench: Workbench, tree: str, state: ErrorState) -> Stop:
    flaky = _flaky_checks(state) or await _sometimes_red(bench, tree)
    if flaky:
        return Stop(outcome=Outcome.REFUSED, reason=f"flaky: {', '.join(flaky)} failed only sometimes on the same tree")
    names = ", ".join(result.check for result in state.results)
    return Stop(outcome=Outcome.REFUSED, reason=f"not reproduced: all checks pass here ({names})")


async def _sometimes_red(bench: Workbench, tree: str) -> list[str]:
    """Tests that pass are looked at as often as tests that fail, before the run says there is no red."""
    files, red = bench.workspace.files(tree), set()
    for check in bench.checks:
        for _ in range(OBSERVATIONS - 1 if check.stage >= Stage.UNIT else 0):
            result = await bench.verifier.observe(bench.sandbox, files, check)
            if result.status is Status.FAIL:
                red.add(check.name)
    bench.workspace.restore(tree)
    return sorted(red)


def _record(bench: Workbench, tree: str, state: ErrorState) -> None:
    protected = protected_globs(bench.settings.protect)
    contract = build_contract(bench.settings, bench.checks, tree, state, protected)
    bench.record(
        Started(
            run=bench.run,
            root=str(bench.workspace.root),
            workspace=str(bench.workspace.home),
            sandbox=bench.sandbox_name,
            contract=contract,
            contract_sha256=contract_hash(contract),
            settings=bench.settings,
            checks=tuple(bench.checks),
            at=datetime.now(UTC).isoformat(timespec="seconds"),
        )
    )
    bench.record(Baseline(tree=tree, state=state, score=score(state, state)))


def _nothing_ran(bench: Workbench) -> ErrorState:
    results = (
        CheckResult(check=check.name, stage=check.stage, status=Status.NOT_RUN, required=check.required)
        for check in bench.verifier.checks
    )
    return ErrorState(results=tuple(results))


def _unfit(state: ErrorState) -> list[CheckResult]:
    return [result for result in state.results if result.required and result.status is Status.INFRA]


def _flaky_checks(state: ErrorState) -> list[str]:
    return [result.check for result in state.results if any(finding.flaky for finding in result.findings)]
