"""No box: commands run in the tree itself, and still nothing of them stays."""

import asyncio
import os
from pathlib import Path

import pytest

from repair.tools.sandbox.bare import NoSandbox
from repair.values.execution import Command, Ended


async def gone(pid: int) -> bool:
    """Whether a process has ended; the kernel takes it away a moment after its death."""
    for _ in range(100):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state == "Z":
            return True
        await asyncio.sleep(0.1)
    return False


@pytest.mark.parametrize(("then", "ended"), [("true", Ended.EXITED), ("sleep 60", Ended.TIMED_OUT)])
async def test_a_program_in_a_session_of_its_own_dies_with_the_command(tmp_path: Path, then: str, ended: Ended) -> None:
    script = f"setsid -f bash -c 'echo $$ > pid; exec sleep 600' > /dev/null 2>&1; sleep 0.5; {then}"

    ran = await NoSandbox(tmp_path, tmp_path).run(Command(argv=("bash", "-c", script), timeout=2))

    assert ran.ended is ended
    assert await gone(int((tmp_path / "pid").read_text()))


async def test_processes_of_others_live_on(tmp_path: Path) -> None:
    other = await asyncio.create_subprocess_exec("sleep", "600")

    await NoSandbox(tmp_path, tmp_path).run(Command(argv=("true",), timeout=20))

    os.kill(other.pid, 0)
    assert other.returncode is None
    other.kill()
    await other.wait()
