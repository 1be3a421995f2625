"""What untrusted commands locked is opened and removed."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from repair.tools.removal import remove_tree, unlock


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


@pytest.fixture
def locked(tmp_path: Path) -> Path:
    """A folder in which nothing can be listed, read or written, and a link out of it."""
    root, outside = tmp_path / "root", tmp_path / "outside"
    (root / "a/b").mkdir(parents=True)
    outside.mkdir()
    (root / "a/b/file").write_text("1")
    (root / "run").write_text("1")
    (root / "link").symlink_to(outside)
    for path, bits in (("a/b/file", 0), ("run", 0o111), ("a/b", 0), ("a", 0o555), (".", 0o500)):
        (root / path).chmod(bits)
    outside.chmod(0o500)
    return root


def test_folders_are_opened_to_their_owner_and_links_are_not_followed(locked: Path, tmp_path: Path) -> None:
    unlock(locked)

    assert [mode(locked / path) for path in (".", "a", "a/b", "a/b/file", "run")] == [0o700, 0o755, 0o700, 0, 0o111]
    assert mode(tmp_path / "outside") == 0o500


def test_files_are_opened_too_when_asked_and_stay_programs(locked: Path) -> None:
    unlock(locked, files=True)

    assert [mode(locked / path) for path in ("a/b/file", "run")] == [0o600, 0o711]


def test_pipes_are_left_alone(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o200)

    unlock(tmp_path, files=True)

    assert mode(tmp_path / "pipe") == 0o200


def test_a_locked_folder_can_be_removed(locked: Path) -> None:
    remove_tree(locked)

    assert not locked.exists()


def test_a_folder_deeper_than_any_path_can_be_unlocked_and_removed(tmp_path: Path) -> None:
    root = tmp_path / "root"
    script = "mkdir root; cd root; for i in $(seq 1500); do mkdir abcdef; cd abcdef; done"
    subprocess.run(["bash", "-c", script], cwd=tmp_path, check=True)

    unlock(root, files=True)
    remove_tree(root)

    assert not root.exists()


def test_a_link_is_removed_and_not_its_target(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/file").write_text("1")
    (tmp_path / "root").mkdir()
    (tmp_path / "root/link").symlink_to(tmp_path / "outside")

    remove_tree(tmp_path / "root")

    assert not (tmp_path / "root").exists()
    assert (tmp_path / "outside/file").read_text() == "1"
