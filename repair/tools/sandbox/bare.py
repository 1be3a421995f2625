"""No sandbox at all: for a person's own tree, only when asked for by name."""

import os
import secrets
import tempfile
from pathlib import Path

from repair.tools.sandbox.environment import check_environment
from repair.tools.sandbox.process import kill_marked, run_process
from repair.values.execution import Command, Execution

_MARK = "REGOMENDER_COMMAND"


class NoSandbox:
    """Commands run as the person, in the tree itself; only secrets in the environment are kept from them."""

    name = "none"

    def __init__(self, root: Path, reports: Path) -> None:
        self.root = root
        self.reports = reports

    async def run(self, command: Command) -> Execution:
        """Run in the tree. What it started dies with it, also in its own session, unless it cleared its variables."""
        env = check_environment() | {"TMPDIR": os.environ.get("TMPDIR", tempfile.gettempdir())} | dict(command.env)
        mark = secrets.token_hex(8)
        env[_MARK] = mark
        try:
            return await run_process(command.argv, env=env, cwd=self.root / command.cwd, timeout=command.timeout)
        finally:
            kill_marked(_MARK, mark)

    def on(self, tree: Path) -> "NoSandbox":
        """The same place: without mounts another copy cannot stand where the environment expects it."""
        return self
