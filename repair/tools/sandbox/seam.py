"""The seam every sandbox stands behind."""

from pathlib import Path
from typing import Protocol

from repair.values.execution import Command, Execution


class SandboxUnavailable(Exception):  # noqa: N818  # names the state, not a mistake
    """The sandbox that was asked for cannot be had here; the message says what to change."""


class Sandbox(Protocol):
    """Runs commands of the repository on one tree.

    `root` is the absolute path the tree has for the commands; `reports` is a folder that both sides
    see under the same path, for machine-readable reports.
    """

    name: str
    root: Path
    reports: Path

    async def run(self, command: Command) -> Execution:
        """Run to the end or the timeout; nothing of it lives on afterwards. Never raises for what the command does."""

    def on(self, tree: Path) -> "Sandbox":
        """The same sandbox, fresh, for another copy of the tree at the same `root`."""
