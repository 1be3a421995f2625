"""The configured set-up commands, run before the checks."""

from repair.roles.workbench import Workbench
from repair.tools.sandbox import Sandbox
from repair.values.execution import Command, Ended


async def set_up(bench: Workbench, sandbox: Sandbox) -> str:
    """Run the set-up commands with the network; returns why it failed, or an empty text."""
    for command in bench.settings.setup:
        bench.watcher.working(f"set-up: {command}")
        execution = await sandbox.run(
            Command(argv=Command.bash(command), timeout=max(1.0, bench.seconds_left), network=True)
        )
        if execution.ended is not Ended.EXITED or execution.exit_code:
            said = bench.redactor.redact(execution.output[-1500:]).strip()
            return f"the set-up command `{command}` failed: {said}"
    return ""
