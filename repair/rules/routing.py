"""Who works next, and with what: routes, units and the order of steps (semantics, sections 5 to 8)."""

from collections import Counter
from collections.abc import Collection

from repair.rules.comparison import roots
from repair.rules.progress import is_free
from repair.values.base import Value
from repair.values.blackboard import Action, Attempt, Blackboard, Diagnosed, RolledBack, Strategy
from repair.values.checks import Category, Finding, Origin

_SIMPLE = frozenset({Category.SYNTAX, Category.FORMAT, Category.LINT_STYLE})
_SIMPLE_WITH_ONE_CANDIDATE = frozenset({Category.NAME_UNRESOLVED, Category.IMPORT_DEPENDENCY})
_MOST_DIRECT_ROOTS = 10
_OLD = 2
_DIAGNOSIS_TRIES = 2


class Facts(Value):
    """What the Context Scan knows of the targets.

    `single_candidate` holds when each unresolved name has one possible definition;
    `outside_dependents` when other files use the affected symbols in a way a fix would break;
    `in_scope` when the contract lets every named file be edited and the named lines exist.
    """

    single_candidate: bool = False
    outside_dependents: bool = False
    in_scope: bool = True


class Target(Value):
    """The findings one attempt is for. All of them lie in `file`, unless it is unknown."""

    file: str | None
    findings: tuple[Finding, ...]

    @property
    def fingerprints(self) -> tuple[str, ...]:
        """The identity of the target."""
        return tuple(finding.fingerprint for finding in self.findings)


def choose_target(board: Blackboard, closed: Collection[str] = ()) -> Target:
    """One file of the front stage: the least tried first, then the one with most roots.

    The findings of one file go into one request; files wait for their turn, since a patch is for
    one root cause. What the machine broke is nobody's to repair, and neither is the form of a
    `closed` file, which may not be edited.
    """
    found = [f for f in roots(board.now.state) if f.category is not Category.INFRA and f.file not in closed]
    if not found:
        return Target(file=None, findings=())
    by_file: dict[str | None, list[Finding]] = {}
    for finding in found:
        by_file.setdefault(finding.file, []).append(finding)
    tried = Counter(key for attempt in board.attempts for key in attempt.targets)
    file, findings = min(
        by_file.items(),
        key=lambda item: (min(tried[f.fingerprint] for f in item[1]), -len(item[1]), item[0] or "\uffff"),
    )
    return Target(file=file, findings=tuple(findings))


def is_direct(board: Blackboard, target: Target, facts: Facts) -> bool:
    """Whether the Repairer may go first; everything else passes through the Analyzer."""
    if board.streak or _is_after_rollback(board):
        return False
    if not 0 < len(target.findings) <= _MOST_DIRECT_ROOTS or facts.outside_dependents or not facts.in_scope:
        return False
    return all(_is_simple(finding, board, facts) for finding in target.findings)


def _is_after_rollback(board: Blackboard) -> bool:
    spoken = (e for e in reversed(board.entries) if not isinstance(e, Diagnosed) and not _says_nothing(e))
    return isinstance(next(spoken, None), RolledBack)


def _says_nothing(entry: Attempt | RolledBack) -> bool:
    return isinstance(entry, Attempt) and is_free(entry)


def _is_simple(finding: Finding, board: Blackboard, facts: Facts) -> bool:
    if finding.origin not in (Origin.STRUCTURED, Origin.STABLE_TEXT) or finding.file is None or finding.line is None:
        return False
    if board.age.get(finding.fingerprint, 0):
        return False
    if finding.category in _SIMPLE_WITH_ONE_CANDIDATE:
        return facts.single_candidate
    return finding.category in _SIMPLE


def needs_diagnosis(board: Blackboard, target: Target, facts: Facts) -> bool:
    """Whether the Analyzer must speak before the next attempt: its last word is older than that attempt."""
    if is_direct(board, target, facts):
        return False
    failures = 0
    for entry in reversed(board.entries):
        if isinstance(entry, Diagnosed) and entry.diagnosis is None:
            failures += 1
        elif isinstance(entry, Diagnosed):
            return False
        elif isinstance(entry, Attempt) and entry.action is Action.DIAGNOSE:
            failures += 1
        elif not _says_nothing(entry):
            break
    return failures < _DIAGNOSIS_TRIES


def is_old(board: Blackboard, target: Target) -> bool:
    """Whether a targeted error has survived two attempts: the Analyzer looks wider then."""
    return any(board.age.get(key, 0) >= _OLD for key in target.fingerprints)


def patch_or_rewrite(board: Blackboard, target: Target, rewrite_above: int) -> Action:
    """Rewrite for more than `rewrite_above` root findings in one file, or where a patch failed to parse."""
    if target.file is None:
        return Action.PATCH
    if len(target.findings) > rewrite_above or board.strategy is Strategy.REWRITE:
        return Action.REWRITE
    return Action.REWRITE if _patch_left_it_unparsable(board, target) else Action.PATCH


def _patch_left_it_unparsable(board: Blackboard, target: Target) -> bool:
    unparsable = {finding.fingerprint for finding in target.findings if finding.category is Category.SYNTAX}
    return any(
        attempt.action is Action.PATCH and not attempt.progress and not is_free(attempt)
        for attempt in board.attempts
        if unparsable & set(attempt.targets)
    )
