"""One child process: how it ends, and what is kept of its output."""

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from repair.tools.sandbox import process
from repair.tools.sandbox.process import run_process
from repair.values.execution import Ended, Execution


def ran(script: str, cwd: Path, timeout: float = 30) -> Execution:
    return asyncio.run(run_process(["bash", "-c", script], env=dict(os.environ), cwd=cwd, timeout=timeout))


def test_output_and_exit_status_are_kept(tmp_path: Path) -> None:
    execution = ran("echo out; echo err >&2; exit 3", tmp_path)

    assert (execution.ended, execution.exit_code, execution.output) == (Ended.EXITED, 3, "out\nerr\n")


def test_a_signal_is_told_as_a_shell_tells_it(tmp_path: Path) -> None:
    assert ran("kill -SEGV $$", tmp_path).exit_code == 139


def test_a_daemon_that_keeps_the_output_open_is_not_waited_for(tmp_path: Path) -> None:
    execution = ran("setsid -f sleep 60; echo done", tmp_path, timeout=20)

    assert (execution.ended, execution.exit_code, execution.output) == (Ended.EXITED, 0, "done\n")


def test_a_command_that_closes_its_output_is_waited_for(tmp_path: Path) -> None:
    execution = ran("exec >&- 2>&-; sleep 1; exit 7", tmp_path)

    assert (execution.ended, execution.exit_code) == (Ended.EXITED, 7)


def test_a_command_that_hangs_is_ended(tmp_path: Path) -> None:
    execution = ran("echo begun; sleep 60", tmp_path, timeout=1)

    assert (execution.ended, execution.output) == (Ended.TIMED_OUT, "begun\n")


def test_a_flood_is_stopped_and_its_beginning_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(process, "FLOOD_BYTES", 5_000_000)

    execution = ran("echo begun; yes", tmp_path)

    assert execution.ended is Ended.TOO_MUCH_OUTPUT
    assert execution.output.startswith("begun\ny\n")
    assert len(execution.output) < 3 * process.KEPT_BYTES


@pytest.mark.parametrize("script", ["true", "yes", "sleep 60", "setsid -f sleep 5", "exit 1", "kill -9 $$"])
def test_no_complaint_of_the_interpreter_reaches_the_person(tmp_path: Path, script: str) -> None:
    program = (
        "import asyncio, os, pathlib, sys\n"
        "from repair.tools.sandbox import process\n"
        "process.FLOOD_BYTES = 2_000_000\n"
        "asyncio.run(process.run_process(['bash', '-c', sys.argv[1]], env=os.environ, cwd=pathlib.Path(), timeout=3))\n"
    )

    finished = subprocess.run(
        [sys.executable, "-W", "default", "-c", program, script], cwd=tmp_path, env=_importing(), capture_output=True
    )

    assert (finished.returncode, finished.stderr) == (0, b"")


def _importing() -> dict[str, str]:
    return dict(os.environ) | {"PYTHONPATH": os.pathsep.join(path for path in (str(_ROOT), *sys.path) if path)}


_ROOT = Path(__file__).resolve().parents[4]
