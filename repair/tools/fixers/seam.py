"""The seam every fixer stands behind."""

from collections.abc import Sequence
from typing import Protocol

from repair.values.base import Value
from repair.values.checks import Check, Finding


class FixCommand(Value):
    """Shell text that may repair the tree, to be run in `cwd` with the check's own variables.

    Its exit status says nothing: many fixers end with 1 while something is left.
    """

    tool: str
    run: str
    cwd: str = "."


class Fixer(Protocol):
    """Derives the fixing commands of one tool from a check that calls it."""

    @property
    def name(self) -> str:
        """How the journal calls it."""

    def commands(self, check: Check, findings: Sequence[Finding]) -> tuple[str, ...]:
        """Shell text for the check's folder; nothing where the check is not understood. Never an exception."""
