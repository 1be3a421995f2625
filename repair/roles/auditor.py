"""The Auditor: a green state is confirmed, tried against the hidden checks, and made no larger than needed."""

from collections.abc import Mapping, Sequence

from repair.roles.setup import set_up
from repair.roles.workbench import Workbench
from repair.rules.comparison import carry_masked, passes
from repair.rules.inventory import lost_tests
from repair.rules.score import improves, score
from repair.rules.stagnation import Stop
from repair.tools.edits.hunks import Hunk, compose, minimise_order, split_hunks
from repair.tools.folder import FolderTree
from repair.tools.sandbox import Sandbox
from repair.tools.tree import Tree
from repair.tools.verify import OBSERVATIONS, Verification
from repair.tools.workspace import remove_tree
from repair.values.base import Value
from repair.values.blackboard import Flaked, Outcome
from repair.values.change import Severity, Violation
from repair.values.checks import Check, CheckResult, ErrorState, Stage, Status
from repair.values.execution import Command, Ended

MINIMISE_TRIES = 8
MINIMISE_SECONDS = 120.0
_INVARIANT_SECONDS = 300.0


class Audit(Value):
    """What became of a green candidate: the tree that stands, and `violations` unless it was confirmed."""

    tree: str
    state: ErrorState
    violations: tuple[Violation, ...] = ()
    hidden: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class Auditor:
    """Trusts no green it has not seen twice, once of it in a clean clone (semantics, section 10)."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    async def confirm(self, tree: str, state: ErrorState, *, minimise: bool) -> Audit:
        """Confirm a passing tree; with `minimise`, what is not needed is taken out first."""
        again = await self._second_run(tree, state)
        if not passes(again):
            return Audit(tree=tree, state=again, notes=("green once, red on the second run of the same tree",))
        small = await self._minimised(tree) if minimise else tree
        audit = await self._in_clean_clone(small)
        if small != tree and not _is_clean(audit):
            # Something the checks in place did not see needs what was taken out.
            self._bench.workspace.restore(tree)
            small, audit = tree, await self._in_clean_clone(tree)
        if small == tree or not _is_clean(audit):
            return audit
        lines = [self._bench.workspace.changed_lines(self._bench.board.baseline.tree, t) for t in (tree, small)]
        return audit.model_copy(update={"notes": (f"minimised from {lines[0]} to {lines[1]} changed lines",)})

    async def admit(self, stop: Stop) -> Stop:
        """Let an improvement that is no full fix pass only if it stands up in a clean clone.

        It may fail hidden checks that failed at the start too, but no other.
        """
        board = self._bench.board
        if stop.outcome is not Outcome.IMPROVED or passes(board.best.state):
            return stop
        self._bench.workspace.restore(board.best.tree)
        audit = await self._in_clean_clone(board.best.tree)
        newly_hidden = set(audit.hidden) - set(await self._hidden_at_start()) if audit.hidden else set()
        seen = score(board.baseline.state, carry_masked(board.best.state, audit.state))
        if newly_hidden or not improves(seen, board.baseline.score):
            reason = f"{stop.reason}; the better candidate did not stand up in a clean clone and was dropped"
            return Stop(outcome=Outcome.NOT_FIXED, reason=reason)
        return stop

    async def _hidden_at_start(self) -> tuple[str, ...]:
        folder = self._bench.workspace.clean_clone(self._bench.board.baseline.tree)
        try:
            return await self._hidden(self._bench.sandbox.on(folder))
        finally:
            remove_tree(folder)

    async def _second_run(self, tree: str, state: ErrorState) -> ErrorState:
        """Tests that were red before run once more; what a compiler or linter says does not change."""
        results = list(state.results)
        for index, result in enumerate(results):
            check = self._bench.check(result.check)
            if check.stage < Stage.UNIT or not self._was_red(check):
                continue
            self._bench.watcher.working(f"{check.name}, second run")
            again = await self._verify(self._bench.sandbox, self._bench.workspace.files(tree), only=(check.name,))
            results[index] = again.state.results[0]
        self._bench.workspace.restore(tree)
        return ErrorState(results=tuple(results))

    def _was_red(self, check: Check) -> bool:
        states = [self._bench.board.baseline.state, self._bench.board.now.state]
        return any((result := state.of(check.name)) and result.status is not Status.PASS for state in states)

    async def _verify(self, sandbox: Sandbox, files: Tree, only: Sequence[str] = ()) -> Verification:
        """Run the checks; a test that was red for real before may not be excused as flaky now."""
        board = self._bench.board
        real = {
            (finding.check, finding.test)
            for point in (*board.path, board.now)
            for result in point.state.results
            for finding in result.findings
            if finding.test and not finding.flaky
        }
        verification = await self._bench.verifier.verify(sandbox, files, flaky=board.flaky, only=only, real=real)
        if verification.flaky:
            self._bench.record(Flaked(fingerprints=verification.flaky))
        return verification

    async def _in_clean_clone(self, tree: str) -> Audit:
        bench = self._bench
        bench.watcher.working("all checks in a clean clone")
        folder = bench.workspace.clean_clone(tree)
        try:
            sandbox, files = bench.sandbox.on(folder), FolderTree(folder)
            why = await set_up(bench, sandbox)
            if why:
                return Audit(tree=tree, state=self._broken(why), notes=(why,))
            state = (await self._verify(sandbox, files)).state
            state = ErrorState(results=tuple([await self._once_green(sandbox, files, r) for r in state.results]))
            hidden = await self._hidden(sandbox)
            violations = (*lost_tests([point.state for point in bench.board.path], state), *_hidden_violation(hidden))
            return Audit(tree=tree, state=state, violations=violations, hidden=hidden)
        finally:
            remove_tree(folder)
            bench.workspace.restore(tree)

    async def _once_green(self, sandbox: Sandbox, files: Tree, result: CheckResult) -> CheckResult:
        """A check that passes but for flaky tests gets a few runs to pass as a whole."""
        for _ in range(OBSERVATIONS if result.status is Status.PASS and result.findings else 0):
            again = await self._bench.verifier.observe(sandbox, files, self._bench.check(result.check))
            if again.status is Status.PASS:
                return again
        return result

    def _broken(self, why: str) -> ErrorState:
        checks = self._bench.verifier.checks
        return ErrorState(
            results=tuple(
                CheckResult(check=c.name, stage=c.stage, status=Status.INFRA, required=c.required, why=why)
                for c in checks
            )
        )

    async def _hidden(self, sandbox: Sandbox) -> tuple[str, ...]:
        """The names of the hidden checks that fail."""
        failed = []
        for invariant in self._bench.settings.invariants:
            command = Command(argv=Command.bash(invariant.run), timeout=_INVARIANT_SECONDS)
            execution = await sandbox.run(command)
            if execution.ended is not Ended.EXITED or execution.exit_code:
                failed.append(invariant.name)
        return tuple(failed)

    async def _minimised(self, tree: str) -> str:
        """The tree without the hunks that no check needs."""
        bench, base = self._bench, self._bench.board.baseline.tree
        before, after, whole = self._contents(base, tree)
        kept = list(split_hunks(before, after))
        if len(kept) < 2 or not whole:
            return tree
        began, best = bench.verifier.seconds, tree
        for hunk in minimise_order(kept)[:MINIMISE_TRIES]:
            if len(kept) < 2 or bench.verifier.seconds - began > min(MINIMISE_SECONDS, bench.seconds_left / 4):
                break
            fewer = [other for other in kept if other is not hunk]
            trial = await self._without(before, fewer, best)
            if trial is not None:
                kept, best = fewer, trial
        bench.workspace.restore(best)
        return best

    async def _without(self, before: Mapping[str, bytes], kept: Sequence[Hunk], best: str) -> str | None:
        bench = self._bench
        wanted = compose(before, kept)
        touched = bench.workspace.changed_paths(bench.board.baseline.tree, best)
        bench.workspace.restore(best)
        bench.workspace.write({path: wanted.get(path) for path in touched})
        tree = bench.workspace.snapshot(f"minimise-{len(bench.board.entries)}", touched)
        bench.watcher.working("looking for what the fix does not need")
        state = (await self._verify(bench.sandbox, bench.workspace.files(tree))).state
        bench.workspace.restore(tree)
        return tree if passes(state) and not lost_tests([p.state for p in bench.board.path], state) else None

    def _contents(self, base: str, tree: str) -> tuple[dict[str, bytes], dict[str, bytes], bool]:
        """The changed files before and after, and whether all of them could be read."""
        workspace = self._bench.workspace
        paths = workspace.changed_paths(base, tree)
        before, after = _read(workspace.view(base), paths), _read(workspace.files(tree), paths)
        return before, after, after.keys() == set(paths)


def _hidden_violation(failed: Sequence[str]) -> tuple[Violation, ...]:
    """One violation without the names: the Repairer learns only that something observable is wrong."""
    message = "a hidden check fails: the behaviour is wrong where the known checks do not look"
    return (Violation(rule="hidden-check", severity=Severity.CRITICAL, message=message),) if failed else ()


def _is_clean(audit: Audit) -> bool:
    return passes(audit.state) and not audit.violations


def _read(tree: Tree, paths: Sequence[str]) -> dict[str, bytes]:
    contents = {path: tree.read(path) for path in paths}
    return {path: content for path, content in contents.items() if content is not None}
