"""The contract of a run, built once from the first red state (semantics, section 14)."""

import hashlib
from collections.abc import Sequence

from repair.rules.comparison import roots
from repair.values.checks import Check, ErrorState
from repair.values.contract import Contract
from repair.values.settings import Settings


def build_contract(
    settings: Settings, checks: Sequence[Check], base_tree: str, state: ErrorState, protected: Sequence[str]
) -> Contract:
    """What the run may touch and must make true."""
    found = roots(state)
    top = found[0] if found else None
    required = tuple(check.name for check in checks if check.required)
    return Contract(
        goal=f"`{top.check}` passes: {top.message[:200]}" if top else "all checks pass",
        base_tree=base_tree,
        protected=tuple(protected),
        test_policy=settings.tests,
        targets=tuple(finding.fingerprint for finding in found),
        acceptance=required,
        invariants=tuple(invariant.name for invariant in settings.invariants),
    )


def contract_hash(contract: Contract) -> str:
    """The hash that shows a contract was not changed after it was frozen."""
    return hashlib.sha256(contract.model_dump_json().encode()).hexdigest()
