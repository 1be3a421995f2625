"""The Auditor: a green state is confirmed, tried against the hidden checks, and made no larger than needed."""

from collections.abc import Mapping, Sequence

from repair.roles.workbench import Workbench
from repair.rules.comparison import passes
from repair.rules.inventory import lost_tests
from repair.tools.edits.hunks import Hunk, compose, minimise_order, split_hunks
from repair.tools.folder import FolderTree, write_files
from repair.tools.sandbox import Sandbox
from repair.tools.tree import Tree
from repair.tools.workspace import remove_tree
from repair.values.base import Value
from repair.values.change import Severity, Violation
from repair.values.checks import Check, ErrorState, Stage, Status
from repair.values.execution import Command, Ended

MINIMISE_TRIES = 8
MINIMISE_SECONDS = 120.0
_INVARIANT_SECONDS = 300.0


class Audit(Value):
    """What became of a green candidate: the tree that stands, and `violations` unless it was confirmed."""

    tree: str
    state: ErrorState
    violations: tuple[Violation, ...] = ()
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

    async def _second_run(self, tree: str, state: ErrorState) -> ErrorState:
        """Tests that were red before run once more; what a compiler or linter says does not change."""
        bench, results = self._bench, list(state.results)
        for index, result in enumerate(results):
            check = bench.check(result.check)
            if check.stage < Stage.UNIT or not self._was_red(check):
                continue
            bench.watcher.working(f"{check.name}, second run")
            again = await bench.verifier.verify(
                bench.sandbox, bench.workspace.files(tree), flaky=bench.board.flaky, only=(check.name,)
            )
            results[index] = again.state.results[0]
        bench.workspace.restore(tree)
        return ErrorState(results=tuple(results))

    def _was_red(self, check: Check) -> bool:
        states = [self._bench.board.baseline.state, self._bench.board.now.state]
        return any((result := state.of(check.name)) and result.status is not Status.PASS for state in states)

    async def _in_clean_clone(self, tree: str) -> Audit:
        bench = self._bench
        bench.watcher.working("all checks in a clean clone")
        folder = bench.workspace.clean_clone(tree)
        try:
            sandbox = bench.sandbox.on(folder)
            await set_up(bench, sandbox)
            files = FolderTree(folder)
            verification = await bench.verifier.verify(sandbox, files, flaky=bench.board.flaky)
            violations: tuple[Violation, ...] = lost_tests(bench.board.baseline.state, verification.state)
            if passes(verification.state):
                violations += await self._hidden(sandbox)
            return Audit(tree=tree, state=verification.state, violations=violations)
        finally:
            remove_tree(folder)
            bench.workspace.restore(tree)

    async def _hidden(self, sandbox: Sandbox) -> tuple[Violation, ...]:
        # The Repairer learns only that something observable is wrong, never the name or text of the check.
        for invariant in self._bench.settings.invariants:
            execution = await sandbox.run(
                Command(
                    argv=("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", invariant.run),
                    timeout=_INVARIANT_SECONDS,
                )
            )
            if execution.ended is not Ended.EXITED or execution.exit_code:
                message = "all checks pass, yet the behaviour is wrong for other inputs than those they use"
                return (Violation(rule="hidden-check", severity=Severity.CRITICAL, message=message),)
        return ()

    async def _minimised(self, tree: str) -> str:
        """The tree without the hunks that no check needs."""
        bench, base = self._bench, self._bench.board.baseline.tree
        before, after = self._contents(base, tree)
        kept = list(split_hunks(before, after))
        if len(kept) < 2:
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
        touched = self._bench.workspace.changed_paths(bench.board.baseline.tree, best)
        bench.workspace.restore(best)
        write_files(bench.workspace.tree, {path: wanted.get(path) for path in touched})
        tree = bench.workspace.snapshot(f"minimise-{len(bench.board.entries)}")
        bench.watcher.working("looking for what the fix does not need")
        verification = await bench.verifier.verify(bench.sandbox, bench.workspace.files(tree), flaky=bench.board.flaky)
        good = passes(verification.state) and not lost_tests(bench.board.baseline.state, verification.state)
        return tree if good else None

    def _contents(self, base: str, tree: str) -> tuple[dict[str, bytes], dict[str, bytes]]:
        workspace = self._bench.workspace
        paths = workspace.changed_paths(base, tree)
        return _read(workspace.view(base), paths), _read(workspace.files(tree), paths)


async def set_up(bench: Workbench, sandbox: Sandbox) -> str:
    """Run the configured set-up commands with the network; returns why it failed, or an empty text."""
    for command in bench.settings.setup:
        bench.watcher.working(f"set-up: {command}")
        execution = await sandbox.run(
            Command(
                argv=("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", command),
                timeout=max(1.0, bench.seconds_left),
                network=True,
            )
        )
        if execution.ended is not Ended.EXITED or execution.exit_code:
            said = bench.redactor.redact(execution.output[-1500:]).strip()
            return f"the set-up command `{command}` failed: {said}"
    return ""


def _is_clean(audit: Audit) -> bool:
    return passes(audit.state) and not audit.violations


def _read(tree: Tree, paths: Sequence[str]) -> dict[str, bytes]:
    contents = {path: tree.read(path) for path in paths}
    return {path: content for path, content in contents.items() if content is not None}
