"""The shared memory of a run: attempts, diagnoses, rollbacks, and the events that make it up."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from repair.values.base import Value
from repair.values.change import Violation
from repair.values.checks import Check, ErrorState, Signature
from repair.values.contract import Contract
from repair.values.model import Usage
from repair.values.settings import Settings


class Verdict(StrEnum):
    """What an attempt came to, in the order the rules are tried."""

    GUARD_FAIL = "GUARD_FAIL"
    NOOP = "NOOP"
    INFRA = "INFRA"
    PASS = "PASS"
    REVISIT = "REVISIT"
    SAME = "SAME"
    ADVANCE = "ADVANCE"
    IMPROVE = "IMPROVE"
    SHIFT = "SHIFT"
    REGRESS = "REGRESS"


class Action(StrEnum):
    """What a line of the journal did."""

    FIXER = "fixer"
    PATCH = "patch"
    REWRITE = "rewrite"
    DIAGNOSE = "diagnose"
    ROLLBACK = "rollback"


class Strategy(StrEnum):
    """How an attempt is asked for; each rollback moves one on."""

    MINIMAL = "minimal"
    ROOT_CAUSE = "root_cause"
    REWRITE = "rewrite"


class Outcome(StrEnum):
    """How a run ends."""

    FIXED = "fixed"
    IMPROVED = "improved"
    NOT_FIXED = "not_fixed"
    REFUSED = "refused"
    INFRA = "infra"
    BUDGET = "budget"


class Claim(Value):
    """Something a diagnosis says about the tree; kept only when it can be checked there."""

    file: str
    line: int | None = None
    quote: str = ""
    why: str = ""


class Diagnosis(Value):
    """The Analyzer's report. `fixable` is false when no edit of the tree can help, `why_not` says why."""

    hypothesis: str
    plan: str = ""
    claims: tuple[Claim, ...] = ()
    fixable: bool = True
    why_not: str = ""
    dropped_claims: int = 0


class Score(Value):
    """The rank of a candidate, compared field by field from the top; higher is better everywhere.

    Counts of bad things are therefore stored negated (semantics, section 13).
    """

    guard_ok: bool
    regressions: int
    front: int
    targets_resolved: int
    hidden_failures: int = 0
    critical: int = 0
    major: int = 0
    roots: int
    diff_size: int
    order: int

    @property
    def progress(self) -> tuple[int, ...]:
        """The fields down to the remaining roots: what counts as progress."""
        return (
            int(self.guard_ok),
            self.regressions,
            self.front,
            self.targets_resolved,
            self.hidden_failures,
            self.critical,
            self.major,
            self.roots,
        )

    @property
    def rank(self) -> tuple[int, ...]:
        """All fields, for choosing the best candidate."""
        return (*self.progress, self.diff_size, self.order)


class Attempt(Value):
    """One edit and its verdict. `parent` and `tree` are git tree hashes; `tree` is `None` without an edit.

    `kept` tells whether the tree stands after the attempt, `progress` whether it counts as progress.
    `edit` is a hash of the model's answer, `diff` the change itself, bounded.
    """

    n: int
    action: Action
    strategy: Strategy = Strategy.MINIMAL
    parent: str
    tree: str | None
    targets: tuple[str, ...] = ()
    before: Signature
    after: Signature
    verdict: Verdict
    kept: bool
    progress: bool
    decision: str
    score: Score | None = None
    violations: tuple[Violation, ...] = ()
    problems: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    edit: str = ""
    diff: str = ""
    tool: str = ""
    verify_seconds: float = 0.0


class Started(Value):
    """The first line of a journal. Paths are absolute; a resumed run keeps these settings and checks."""

    kind: Literal["started"] = "started"
    run: str
    root: str
    workspace: str
    sandbox: str
    contract: Contract
    contract_sha256: str
    settings: Settings
    checks: tuple[Check, ...]
    at: str


class Baseline(Value):
    """What the checks said before the first edit."""

    kind: Literal["baseline"] = "baseline"
    tree: str
    state: ErrorState
    score: Score


class Asked(Value):
    """The price of one request to the model, written as soon as it is known."""

    kind: Literal["asked"] = "asked"
    role: str
    usage: Usage
    seconds: float = 0.0
    failure: str = ""


class Diagnosed(Value):
    """A diagnosis, or why there is none."""

    kind: Literal["diagnosed"] = "diagnosed"
    n: int
    tree: str
    signature: Signature
    diagnosis: Diagnosis | None
    problem: str = ""


class Attempted(Value):
    """An attempt, and the state it led to when it was verified."""

    kind: Literal["attempted"] = "attempted"
    attempt: Attempt
    state: ErrorState | None = None


class RolledBack(Value):
    """A return to an earlier point; not an attempt."""

    kind: Literal["rolled_back"] = "rolled_back"
    n: int
    tree: str
    signature: Signature
    why: str


class Flaked(Value):
    """Findings that came and went on the same tree."""

    kind: Literal["flaked"] = "flaked"
    fingerprints: tuple[str, ...]
    tests: tuple[str, ...] = ()


class Finished(Value):
    """The last line of a journal."""

    kind: Literal["finished"] = "finished"
    outcome: Outcome
    reason: str
    tree: str


Event = Annotated[
    Started | Baseline | Asked | Diagnosed | Attempted | RolledBack | Flaked | Finished,
    Field(discriminator="kind"),
]


class Point(Value):
    """A tree on the current path together with the state its checks gave."""

    tree: str
    state: ErrorState
    score: Score


class Blackboard(Value):
    """Everything the roles know, folded from the journal; they never change it in place.

    `path` holds the progress points from the baseline on, `now` where the work stands (it may be one
    or more kept attempts without progress beyond the last point of the path). `seen` are all trees an
    attempt has led to, `walked` the state keys of the current path, `discarded` those of left branches.
    """

    contract: Contract
    baseline: Point
    path: tuple[Point, ...]
    now: Point
    best: Point
    attempts: tuple[Attempt, ...] = ()
    entries: tuple[Attempt | Diagnosed | RolledBack, ...] = ()
    usage: Usage = Usage()
    model_seconds: float = 0.0
    seen: tuple[str, ...] = ()
    walked: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    streak: int = 0
    churn: int = 0
    since_best: int = 0
    infra: int = 0
    ages: tuple[tuple[str, int], ...] = ()
    rollbacks: tuple[str, ...] = ()
    strategy: Strategy = Strategy.MINIMAL
    flaky: tuple[str, ...] = ()

    @property
    def age(self) -> dict[str, int]:
        """How many attempts each targeted fingerprint has survived."""
        return dict(self.ages)
