"""Small states, scores and runs to state the rules with."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from repair.rules.comparison import carry_masked, roots, signature
from repair.rules.progress import begin, fold, rule_on, shown
from repair.rules.routing import Target
from repair.rules.score import score
from repair.rules.stagnation import Stop
from repair.rules.steps import Diagnose, Fix, Means, Repair, RollBack, next_step
from repair.rules.verdict import History, Trial, judge, judge_edit
from repair.values.blackboard import (
    Action,
    Attempt,
    Attempted,
    Baseline,
    Blackboard,
    Diagnosed,
    Diagnosis,
    Event,
    RolledBack,
    Score,
    Started,
    Verdict,
)
from repair.values.change import Severity, Violation
from repair.values.checks import Category, CheckResult, ErrorState, Finding, Origin, Stage, Status
from repair.values.contract import Contract
from repair.values.settings import Limits, Settings

CHECKS = {"parse": Stage.PARSE, "types": Stage.COMPILE, "lint": Stage.LINT, "unit": Stage.UNIT, "e2e": Stage.OTHER}
_CATEGORIES = {
    "parse": Category.SYNTAX,
    "types": Category.TYPE,
    "lint": Category.LINT_STYLE,
    "unit": Category.TEST_ASSERTION,
    "e2e": Category.TEST_ERROR,
}
REFUSED = Violation(rule="suppression", severity=Severity.CRITICAL, message="a new noqa")


def error(name: str, check: str = "lint", **fields: Any) -> Finding:
    """A finding whose fingerprint is its name, unless another is given."""
    given = {
        "category": _CATEGORIES[check],
        "message": name,
        "file": "src/a.py",
        "line": 3,
        "origin": Origin.STRUCTURED,
        "fingerprint": name,
    }
    return Finding.model_validate({"check": check, "stage": CHECKS[check], **given, **fields})


def failing_test(name: str, check: str = "unit", **fields: Any) -> Finding:
    """A test that fails; its name is also its identity."""
    return error(name, check, **{"test": name, "file": "tests/test_a.py", **fields})


def result(check: str, status: Status, *findings: Finding, **fields: object) -> CheckResult:
    """What one check gave."""
    return CheckResult.model_validate(
        {"check": check, "stage": CHECKS[check], "status": status, "findings": findings, **fields}
    )


def passed(check: str, **fields: object) -> CheckResult:
    return result(check, Status.PASS, **fields)


def failed(check: str, *findings: Finding, **fields: object) -> CheckResult:
    return result(check, Status.FAIL, *findings, **fields)


def not_run(check: str, *findings: Finding) -> CheckResult:
    return result(check, Status.NOT_RUN, *findings)


def infra(check: str, why: str = "disk full") -> CheckResult:
    return result(check, Status.INFRA, why=why)


def state(*results: CheckResult) -> ErrorState:
    return ErrorState(results=results)


def red(*errors: Finding) -> ErrorState:
    """A state in which every check ran: those with errors failed, the others passed."""
    return state(
        *(
            failed(check, *mine) if (mine := [e for e in errors if e.check == check]) else passed(check)
            for check in CHECKS
        )
    )


def blocked(*errors: Finding) -> ErrorState:
    """A state in which the errors keep all checks of later stages from running."""
    full = red(*errors)
    front = min(e.stage for e in errors)
    return state(*(r if r.stage <= front else not_run(r.check) for r in full.results))


GREEN = red()


def rank(**fields: int) -> Score:
    """A score that is zero but for the given fields."""
    zero = {"guard_ok": True, "regressions": 0, "front": 0, "targets_resolved": 0, "roots": 0, "diff_size": 0}
    return Score.model_validate({**zero, "order": 0, **fields})


def verdict_of(
    before: ErrorState,
    after: ErrorState,
    *,
    targets: Iterable[str] = (),
    history: History | None = None,
    guard_failed: bool = False,
    trees: tuple[str, str | None] = ("t0", "t1"),
) -> Verdict:
    """The verdict of one attempt in a run without a past, unless one is given."""
    trial = Trial(tree_before=trees[0], tree_after=trees[1], guard_failed=guard_failed, targets=tuple(targets))
    return judge(trial, before, after, history or History(seen=("t0",)))


@dataclass
class Run:
    """A run without models, tools or git: states are played through the rules as the loop would."""

    baseline: ErrorState
    events: list[Event] = field(default_factory=list)
    board: Blackboard = field(init=False)

    def __post_init__(self) -> None:
        started = Started(
            run="r",
            root="/r",
            workspace="/w",
            sandbox="none",
            contract=Contract(goal="green", base_tree="t0"),
            contract_sha256="",
            settings=Settings(),
            checks=(),
            at="",
        )
        baseline = Baseline(tree="t0", state=self.baseline, score=score(self.baseline, self.baseline))
        self.events += [started, baseline]
        self.board = begin(started, baseline)

    def tell(self, event: Event) -> None:
        self.events.append(event)
        self.board = fold(self.board, event)

    def attempt(
        self,
        after: ErrorState | None,
        *,
        tree: str | None = "",
        action: Action = Action.PATCH,
        targets: Iterable[str] | None = None,
        guard_failed: bool = False,
        diff_size: int = 1,
    ) -> Attempt:
        """Judge, score, rule on and fold one edit; without `after` there was nothing to apply."""
        board, n = self.board, len(self.board.attempts) + 1
        tree_after = None if after is None else (f"t{n}" if tree == "" else tree)
        chosen = tuple(f.fingerprint for f in self._roots()) if targets is None else tuple(targets)
        trial = Trial(tree_before=board.now.tree, tree_after=tree_after, guard_failed=guard_failed, targets=chosen)
        verdict = judge_edit(trial, History.of(board))
        new, rank_of_new = None, None
        if verdict is None and after is not None:
            verdict = judge(trial, board.now.state, after, History.of(board))
            new = carry_masked(board.now.state, after)
            rank_of_new = score(self.baseline, new, diff_size=diff_size, order=n)
        assert verdict is not None
        ruling = rule_on(verdict, board.now.score, rank_of_new)
        done = Attempt(
            n=n,
            action=action,
            strategy=board.strategy,
            parent=board.now.tree,
            tree=tree_after,
            targets=chosen,
            before=shown(board),
            after=signature(new or board.now.state, board.streak),
            verdict=verdict,
            score=rank_of_new,
            violations=(REFUSED,) if guard_failed else (),
            **ruling.model_dump(),
        )
        self.tell(Attempted(attempt=done, state=new))
        return done

    def diagnose(self, *, fails: bool = False, fixable: bool = True) -> None:
        diagnosis = None if fails else Diagnosis(hypothesis="h", fixable=fixable, why_not="" if fixable else "no key")
        board = self.board
        self.tell(Diagnosed(n=len(board.attempts), tree=board.now.tree, signature=shown(board), diagnosis=diagnosis))

    def roll_back(self, tree: str) -> None:
        board = self.board
        self.tell(RolledBack(n=len(board.attempts), tree=tree, signature=shown(board), why="stagnant"))

    def next(
        self, limits: Limits | None = None, means: Means | None = None
    ) -> Stop | RollBack | Fix | Diagnose | Repair:
        return next_step(self.board, limits or Limits(), means or Means(model=True))

    def target(self) -> Target:
        return Target(file="src/a.py", findings=tuple(self._roots()))

    def _roots(self) -> list[Finding]:
        return list(roots(self.board.now.state))


@dataclass(frozen=True)
class Move:
    """What the model does when it is asked, and what the checks say of it."""

    after: ErrorState | None
    tree: str | None = ""
    guard_failed: bool = False
    diagnosis_fails: bool = False


def play(run: Run, moves: Iterable[Move], limits: Limits, means: Means | None = None, most_steps: int = 1000) -> Stop:
    """The loop: the next step, until one is to stop. Moves are taken round and round."""
    line = list(moves)
    for _ in range(most_steps):
        move = line[len(run.board.attempts) % len(line)]
        step = run.next(limits, means)
        if isinstance(step, Stop):
            return step
        if isinstance(step, RollBack):
            run.roll_back(step.to.tree)
        elif isinstance(step, Diagnose):
            run.diagnose(fails=move.diagnosis_fails)
        else:
            action = Action.FIXER if isinstance(step, Fix) else step.action
            run.attempt(move.after, tree=move.tree, action=action, guard_failed=move.guard_failed)
    raise AssertionError(f"the loop did not end in {most_steps} steps")
