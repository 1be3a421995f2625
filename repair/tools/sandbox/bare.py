"""No sandbox at all: for a person's own tree, only when asked for by name."""

import os
import tempfile
from pathlib import Path

from repair.tools.sandbox.environment import check_environment
from repair.tools.sandbox.process import run_process
from repair.values.execution import Command, Execution


class NoSandbox:
    """Commands run as the person, in the tree itself; only secrets in the environment are kept from them."""

    name = "none"

    def __init__(self, root: Path, reports: Path) -> None:
        self.root = root
        self.reports = reports

    async def run(self, command: Command) -> Execution:
        """Run in the tree."""
        env = check_environment() | {"TMPDIR": os.environ.get("TMPDIR", tempfile.gettempdir())} | dict(command.env)
        return await run_process(command.argv, env=env, cwd=self.root / command.cwd, timeout=command.timeout)

    def on(self, tree: Path) -> "NoSandbox":
        """The same place: without mounts another copy cannot stand where the environment expects it."""
        return self
