"""The Orchestrator: verifies, keeps the signature, routes, rolls back and stops. It writes no code."""

import asyncio

from repair.roles.analyzer import Analyzer
from repair.roles.auditor import Audit, Auditor
from repair.roles.repairer import Edit, Repairer, label
from repair.roles.workbench import BudgetSpent, Workbench
from repair.rules.comparison import carry_masked, passes, roots, signature
from repair.rules.inventory import lost_tests
from repair.rules.lineage import lineage
from repair.rules.outcome import conclude
from repair.rules.progress import next_streak, rule_on, shown
from repair.rules.routing import Facts, Target, choose_target
from repair.rules.score import score
from repair.rules.stagnation import Stop
from repair.rules.steps import Diagnose, Fix, Means, Repair, RollBack, next_step
from repair.rules.verdict import History, Trial, judge, judge_edit
from repair.tools.guard import allowed_path, inspect_change
from repair.tools.model import FailureKind, ModelFailure
from repair.tools.tree import Overlay, Tree
from repair.tools.verify import Verification
from repair.tools.workspace import ChangedMeanwhile
from repair.values.blackboard import (
    Action,
    Attempt,
    Attempted,
    Flaked,
    Outcome,
    RolledBack,
    Score,
    Verdict,
)
from repair.values.change import Severity, Violation
from repair.values.checks import Category, ErrorState, Stage, Status

_MOST_DIFF = 6_000
_NEVER_AGAIN = (FailureKind.UNAUTHORISED, FailureKind.NOT_FOUND)
_LOCAL = (Category.SYNTAX, Category.FORMAT, Category.LINT_STYLE, Category.SCHEMA_CONFIG)


class Orchestrator:
    """The loop around the blackboard."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._analyzer = Analyzer(bench)
        self._repairer = Repairer(bench)
        self._auditor = Auditor(bench)

    async def run(self) -> Stop:
        """Step after step until a rule says stop; the wall-clock limit ends even a step that hangs."""
        try:
            async with asyncio.timeout(self._bench.seconds_left):
                stop = await self._until_a_rule_says_stop()
        except TimeoutError:
            limit = self._bench.settings.limits.seconds
            stop = Stop(outcome=Outcome.BUDGET, reason=f"the limit of {limit:g} seconds is used up")
        except BudgetSpent as spent:
            stop = Stop(outcome=Outcome.BUDGET, reason=str(spent))
        except ModelFailure as failure:
            stop = Stop(outcome=Outcome.INFRA, reason=failure.message)
        except ChangedMeanwhile as changed:
            return Stop(outcome=Outcome.REFUSED, reason=str(changed))
        return await self._auditor.admit(conclude(self._bench.board, stop))

    async def _until_a_rule_says_stop(self) -> Stop:
        while True:
            step = next_step(self._bench.board, self._bench.settings.limits, self._means())
            if isinstance(step, Stop):
                return step
            await self._take(step)

    async def _take(self, step: RollBack | Fix | Diagnose | Repair) -> None:
        match step:
            case RollBack():
                self._roll_back(step)
            case Fix():
                await self._fix(step.fixer)
            case Diagnose():
                await self._diagnose(step.target)
            case Repair():
                await self._repair(step)

    def _means(self) -> Means:
        bench = self._bench
        board = bench.board
        fixers = () if passes(board.now.state) else tuple(label(fixer) for fixer in self._repairer.fixers())
        closed = self._closed_files()
        target = choose_target(board, closed)
        facts = self._analyzer.facts(target) if bench.model and target.findings and not fixers else Facts()
        return Means(fixers=fixers, model=bench.model is not None, facts=facts, seconds=bench.seconds, closed=closed)

    def _closed_files(self) -> tuple[str, ...]:
        """Files whose own form is at fault and which may not be edited: nothing else can mend that."""
        board = self._bench.board
        local = {f.file for f in roots(board.now.state) if f.file and f.stage <= Stage.LINT and f.category in _LOCAL}
        return tuple(sorted(file for file in local if allowed_path(file, board.contract)))

    def _roll_back(self, step: RollBack) -> None:
        board = self._bench.board
        self._bench.workspace.restore(step.to.tree)
        why = f"{board.streak} attempts without progress" if board.streak else "errors only change places"
        self._bench.record(
            RolledBack(n=len(board.entries) + 1, tree=step.to.tree, signature=signature(step.to.state, 0), why=why)
        )

    async def _fix(self, name: str) -> None:
        fixer = next(fixer for fixer in self._repairer.fixers() if label(fixer) == name)
        targets = tuple(dict.fromkeys(finding.fingerprint for finding in roots(self._bench.board.now.state)))
        await self._judge(await self._repairer.fix(fixer, targets))

    async def _diagnose(self, target: Target) -> None:
        try:
            self._bench.record(await self._analyzer.diagnose(target))
        except ModelFailure as failure:
            self._record_model_failure(failure, Action.DIAGNOSE, target)

    async def _repair(self, step: Repair) -> None:
        try:
            edit = await self._repairer.repair(step.target, step.action, self._analyzer.scan(step.target))
        except ModelFailure as failure:
            self._record_model_failure(failure, step.action, step.target)
        else:
            await self._judge(edit)

    def _record_model_failure(self, failure: ModelFailure, action: Action, target: Target) -> None:
        """A failed request costs one attempt; a wrong key or name will not mend itself."""
        if failure.kind in _NEVER_AGAIN:
            raise failure
        own_fault = failure.kind in (FailureKind.GARBAGE, FailureKind.TOO_LONG, FailureKind.REJECTED)
        edit = Edit(action=action, targets=target.fingerprints, problems=(f"the model failed: {failure.message}",))
        self._record(edit, Verdict.NOOP if own_fault else Verdict.INFRA)

    async def _judge(self, edit: Edit) -> None:
        """One attempt: guard, verify, verdict; then its tree stands or goes."""
        board = self._bench.board
        violations = edit.violations or self._inspect(edit)
        trial = Trial(
            tree_before=board.now.tree,
            tree_after=edit.tree,
            guard_failed=_refused(violations),
            targets=edit.targets,
        )
        early = judge_edit(trial, History.of(board))
        if early is not None:
            self._bench.workspace.restore(board.now.tree)
            self._record(edit, early, violations=violations)
            return
        await self._verify(edit, trial, violations)

    def _inspect(self, edit: Edit) -> tuple[Violation, ...]:
        if edit.tree is None:
            return ()
        board, workspace = self._bench.board, self._bench.workspace
        tool_made = edit.action is Action.FIXER
        base = workspace.view(board.now.tree) if tool_made else self._start()
        # Flaky ones too: an edit that only calms a flaky test is no fix.
        findings = [f for point in (*board.path, board.now) for result in point.state.results for f in result.findings]
        return inspect_change(base, workspace.files(edit.tree), board.contract, findings, tool_made=tool_made)

    def _start(self) -> Tree:
        """The tree a model's edit is compared with: the start, and on it what fixers did where no model had been.

        Against the last attempt small steps could add up; against the bare start a formatter's work
        on a protected file would look like the model's.
        """
        board, workspace = self._bench.board, self._bench.workspace
        made: dict[str, Tree] = {}
        touched: set[str] = set()
        for attempt in lineage(board, board.now.tree):
            changed = workspace.changed_paths(attempt.parent, attempt.tree or attempt.parent)
            if attempt.action is not Action.FIXER:
                touched.update(changed)
                continue
            made |= {path: workspace.view(attempt.tree or attempt.parent) for path in changed if path not in touched}
        base = workspace.view(board.baseline.tree)
        return Overlay(base, made) if made else base

    async def _verify(self, edit: Edit, trial: Trial, violations: tuple[Violation, ...]) -> None:
        bench, board, tree = self._bench, self._bench.board, edit.tree or ""
        changed = bench.workspace.changed_paths(board.now.tree, tree)
        began = bench.verifier.seconds
        verification = await self._run_checks(tree, changed)
        if _is_unfit(verification.state):
            verification = await self._run_checks(tree, changed)
        if verification.flaky:
            bench.record(Flaked(fingerprints=verification.flaky))
        state, verdict = verification.state, judge(trial, board.now.state, verification.state, History.of(board))
        if verdict is Verdict.PASS:
            audit = await self._confirm(edit, state)
            minimised = audit.tree != edit.tree
            edit = edit.model_copy(update={"tree": audit.tree, "notes": (*edit.notes, *audit.notes)})
            violations = (*(self._inspect(edit) if minimised else violations), *audit.violations)
            state = audit.state
            trial = trial.model_copy(update={"tree_after": audit.tree, "guard_failed": _refused(violations)})
            verdict = judge(trial, board.now.state, state, History.of(board))
        if verdict is not Verdict.PASS:
            state = carry_masked(board.now.state, state)
        self._record(edit, verdict, state=state, violations=violations, seconds=bench.verifier.seconds - began)

    async def _run_checks(self, tree: str, changed: tuple[str, ...]) -> Verification:
        bench, board = self._bench, self._bench.board
        verification = await bench.verifier.verify(
            bench.sandbox, bench.workspace.files(tree), before=board.now.state, changed=changed, flaky=board.flaky
        )
        bench.workspace.restore(tree)
        return verification

    async def _confirm(self, edit: Edit, state: ErrorState) -> Audit:
        tree = edit.tree or ""
        lost = lost_tests([point.state for point in self._bench.board.path], state)
        if lost:
            return Audit(tree=tree, state=state, violations=lost)
        verifier = self._bench.verifier
        began, before = verifier.seconds, verifier.assurance_seconds
        audit = await self._auditor.confirm(tree, state, minimise=edit.action is not Action.FIXER)
        verifier.assurance_seconds = before + verifier.seconds - began
        return audit

    def _record(
        self,
        edit: Edit,
        verdict: Verdict,
        *,
        state: ErrorState | None = None,
        violations: tuple[Violation, ...] = (),
        seconds: float = 0.0,
    ) -> None:
        bench, board = self._bench, self._bench.board
        ranked = None if state is None else self._score(edit, state, violations)
        ruling = rule_on(verdict, board.now.score, ranked)
        if not ruling.kept:
            bench.workspace.restore(board.now.tree)
        after = signature(state, 0) if state is not None else shown(board)
        attempt = Attempt(
            n=len(board.entries) + 1,
            action=edit.action,
            strategy=board.strategy,
            parent=board.now.tree,
            tree=edit.tree,
            targets=edit.targets,
            before=shown(board),
            after=after,
            verdict=verdict,
            kept=ruling.kept,
            progress=ruling.progress,
            decision=ruling.decision,
            score=ranked,
            violations=violations,
            problems=edit.problems,
            notes=edit.notes,
            edit=edit.digest,
            diff=self._diff(edit),
            tool=edit.tool,
            verify_seconds=seconds,
        )
        streak = next_streak(board.streak, attempt)
        attempt = attempt.model_copy(update={"after": after.model_copy(update={"streak": streak})})
        bench.record(Attempted(attempt=attempt, state=state))

    def _score(self, edit: Edit, state: ErrorState, violations: tuple[Violation, ...]) -> Score:
        board = self._bench.board
        size = self._bench.workspace.changed_lines(board.baseline.tree, edit.tree or board.now.tree)
        hidden = sum(violation.rule == "hidden-check" for violation in violations)
        return score(
            board.baseline.state,
            state,
            violations=violations,
            hidden_failures=hidden,
            diff_size=size,
            order=len(board.entries) + 1,
        )

    def _diff(self, edit: Edit) -> str:
        if edit.tree is None:
            return ""
        parent = self._bench.board.now.tree
        text = self._bench.workspace.diff(parent, edit.tree).decode("utf-8", errors="replace")
        return self._bench.redactor.redact(text[:_MOST_DIFF])


def _is_unfit(state: ErrorState) -> bool:
    return any(result.required and result.status is Status.INFRA for result in state.results)


def _refused(violations: tuple[Violation, ...]) -> bool:
    return any(violation.severity is Severity.CRITICAL for violation in violations)
