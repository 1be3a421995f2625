"""The journal: only appended to, and mended where a crash tore its last line."""

import subprocess
import sys
from pathlib import Path

import pytest

from repair.tools.journal import Journal, JournalError
from repair.values.blackboard import Asked, Flaked
from repair.values.model import Usage


def test_what_was_appended_is_read_back_in_order(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "j.jsonl")
    events = [Flaked(fingerprints=("a",)), Asked(role="analyzer", usage=Usage(calls=1), seconds=0.5)]
    for event in events:
        journal.append(event)

    assert journal.read() == tuple(events)


@pytest.mark.parametrize("torn", ['{"kind": "fla', "x", '{"kind":"flaked","fingerprints":["b"]}'])
def test_a_torn_last_line_is_cut_off_and_the_next_one_is_whole(tmp_path: Path, torn: str) -> None:
    path = tmp_path / "j.jsonl"
    journal = Journal(path)
    journal.append(Flaked(fingerprints=("a",)))
    with path.open("a") as file:
        file.write(torn)

    assert journal.read() == (Flaked(fingerprints=("a",)),)
    journal.append(Flaked(fingerprints=("c",)))
    assert len(journal.read()) == 2


def test_damage_anywhere_else_is_told_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_text('{"kind":"flaked","fingerprints":[]}\nnonsense\n{"kind":"flaked","fingerprints":[]}\n')

    with pytest.raises(JournalError, match="line 2"):
        Journal(path).read()


def test_a_folder_without_a_journal_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="--resume"):
        Journal(tmp_path / "j.jsonl").read()


def test_a_run_belongs_to_one_process_until_that_is_gone(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    hold = f"from pathlib import Path; from repair.tools.journal import Journal; j = Journal(Path({str(path)!r}))"
    hold += "; j.lock(); print('held', flush=True); input()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(JournalError, match="another process works on this run"):
            Journal(path).lock()
        other.kill()

    journal = Journal(path)
    journal.lock()
    journal.lock()
