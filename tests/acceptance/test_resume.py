"""A run that is killed at any line of its journal goes on with the same history."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.acceptance.cases import Case, all_cases, blocks, environment, git, need, parameters
from tests.acceptance.players import in_turn
from tests.model_double import ModelDouble

ONE = [case for case in all_cases() if case.name == "py-circular-import"]
_PATIENCE = 300


def started(tree: Path, *options: str) -> "subprocess.Popen[bytes]":
    """`regomender repair` as a process of its own."""
    command = [sys.executable, "-m", "repair.faces.cli", "repair", str(tree), "--json", *options]
    environ = {name: value for name, value in environment().items() if not name.startswith(("OPENAI_", "REGOMENDER_"))}
    return subprocess.Popen(command, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def journal(output: Path) -> list[str]:
    """The whole lines of a journal."""
    path = output / "journal.jsonl"
    return path.read_text().split("\n")[:-1] if path.exists() else []


def kill_at(process: "subprocess.Popen[bytes]", output: Path, lines: int) -> None:
    """SIGKILL as soon as the journal has that many lines."""
    deadline = time.monotonic() + _PATIENCE
    while len(journal(output)) < lines and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.parametrize("case", parameters(ONE))
@pytest.mark.parametrize("sandbox", ["bubblewrap", "none"])
@pytest.mark.parametrize("lines", [2, 4, 5])
def test_a_killed_run_goes_on_with_the_same_history(
    case: Case, sandbox: str, lines: int, tmp_path: Path, model_server: ModelDouble
) -> None:
    need(case)
    path = "src/parcel/weights.py"
    first = (case.folder / "broken" / path).read_text().splitlines(keepends=True)[0]
    wrong = f"{path}\n<<<<<<< SEARCH\n{first}=======\nWRONG = 1\n{first}>>>>>>> REPLACE\n"
    model_server.play(in_turn([wrong, wrong, "\n".join(blocks(case.patched(case.fix, tmp_path / "fixed")))]))
    tree, output = case.check_out(tmp_path / "tree"), tmp_path / "output"
    options = ["--config", str(case.configuration(tmp_path / "c.yml")), "--sandbox", sandbox, *model_server.options]

    kill_at(started(tree, *options, "--output", str(output)), output, lines)
    before = journal(output)
    with (output / "journal.jsonl").open("a") as file:
        file.write('{"kind": "attempted", "attem')  # the line that was being written
    process = started(tree, "--resume", str(output), *model_server.options)
    out, errors = process.communicate(timeout=_PATIENCE)

    report = json.loads(out)
    assert (process.returncode, report["outcome"]) == (0, "fixed"), errors.decode()
    assert journal(output)[: len(before)] == before
    numbers = [entry["n"] for entry in report["iterations"]]
    assert numbers == list(range(1, len(numbers) + 1))
    assert "WRONG" not in report["patch"]
    # Without a box, what the repository's own commands leave behind stays where they left it.
    untracked = "no" if sandbox == "none" else "all"
    changed = git(tree, "status", "--porcelain", f"--untracked-files={untracked}").split()
    assert changed == ["M", "src/parcel/zones.py"]


@pytest.mark.parametrize("case", parameters(ONE))
def test_an_interrupted_run_leaves_an_edited_tree_as_it_was(
    case: Case, tmp_path: Path, model_server: ModelDouble
) -> None:
    need(case)
    path = "src/parcel/weights.py"
    first = (case.folder / "broken" / path).read_text().splitlines(keepends=True)[0]
    wrong = f"{path}\n<<<<<<< SEARCH\n{first}=======\nWRONG = 1\n{first}>>>>>>> REPLACE\n"
    model_server.play(in_turn([wrong]))
    tree, output = case.check_out(tmp_path / "tree"), tmp_path / "output"
    options = ["--config", str(case.configuration(tmp_path / "c.yml")), "--sandbox", "none", *model_server.options]
    process = started(tree, *options, "--output", str(output))
    deadline = time.monotonic() + _PATIENCE
    while len(journal(output)) < 4 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.01)

    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=_PATIENCE)

    assert process.returncode == 130, errors.decode()
    assert "--resume" in errors.decode()
    assert git(tree, "status", "--porcelain") == ""
