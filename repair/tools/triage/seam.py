"""The seam every triager stands behind."""

from typing import Protocol

from repair.values.triage import Transcript, Triage


class Triager(Protocol):
    """Knows the output of one tool, or of one family of tools."""

    name: str

    def recognises(self, transcript: Transcript) -> bool:
        """Whether the run looks like this tool's; cheap, and never an exception."""

    def triage(self, transcript: Transcript) -> Triage:
        """The findings and counters in the run."""
