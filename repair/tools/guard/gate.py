"""The gate every edit passes before a check runs: a fixed set of rules, no model, no opinion."""

from collections.abc import Callable, Iterable, Sequence

from repair.tools.guard.bypass import bypass
from repair.tools.guard.change import Change
from repair.tools.guard.configured import configured
from repair.tools.guard.constraints import constraints
from repair.tools.guard.copied import copied
from repair.tools.guard.emptied import emptied
from repair.tools.guard.hardcoded import hardcoded
from repair.tools.guard.let_through import let_through
from repair.tools.guard.paths import paths
from repair.tools.guard.removed import removed
from repair.tools.guard.suppressions import suppressions
from repair.tools.guard.tests_kept import tests_kept
from repair.tools.tree import Tree
from repair.values.change import Severity, Violation
from repair.values.checks import Finding
from repair.values.contract import Contract

_RULES: tuple[Callable[[Change], Iterable[Violation]], ...] = (
    paths,
    tests_kept,
    suppressions,
    bypass,
    removed,
    let_through,
    emptied,
    hardcoded,
    copied,
    configured,
    constraints,
)


def inspect_change(
    base: Tree, candidate: Tree, contract: Contract, findings: Sequence[Finding], *, tool_made: bool = False
) -> tuple[Violation, ...]:
    """What is wrong with turning `base` into `candidate`; empty when nothing is.

    `base` is the tree at the start of the run, never the last attempt, so that small steps cannot add up.
    `findings` are all findings of the run so far: a unit a check calls unused, duplicate or unreachable may
    go. `tool_made` marks the work of a formatter or fixer, which may reformat tests. A critical violation
    refuses the edit, a major one forbids delivery without a person. Critical ones come first.
    """
    change = Change(base, candidate, contract, tuple(findings), tool_made)
    found = {violation for rule in _RULES for violation in rule(change)}
    return tuple(sorted(found, key=_order))


def _order(violation: Violation) -> tuple[bool, str, int, str, str]:
    minor = violation.severity is not Severity.CRITICAL
    return minor, violation.file or "", violation.line or 0, violation.rule, violation.message
