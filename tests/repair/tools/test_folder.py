"""Files in a folder that nobody vouches for."""

import os
import socket
import stat
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from repair.tools.edits.safety import UnsafePath
from repair.tools.folder import FolderTree, StaleFile, safe_read, write_files

SECRET = b"a secret outside of the tree"


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    folder = tmp_path / "outside"
    folder.mkdir()
    (folder / "secret").write_bytes(SECRET)
    return folder


@pytest.fixture
def root(tmp_path: Path, outside: Path) -> Path:
    """A tree with everything in it that is not a plain file."""
    root = tmp_path / "root"
    (root / "src").mkdir(parents=True)
    (root / "src/app.py").write_bytes(b"x = 1\n")
    (root / "a b").write_bytes(b"1")
    for git in (root / ".git", root / "src/.git", root / "src/.GIT"):
        git.mkdir()
        (git / "config").write_bytes(b"[core]")
    (root / "link").symlink_to(outside / "secret")
    (root / "inner").symlink_to(root / "src/app.py")
    (root / "folder_link").symlink_to(outside)
    (root / "dangling").symlink_to(outside / "new")
    os.mkfifo(root / "pipe")
    address = socket.socket(socket.AF_UNIX)
    here = Path.cwd()
    os.chdir(root)  # the name of a socket has room for about a hundred bytes
    address.bind("socket")
    os.chdir(here)
    address.close()
    return root


STRANGE = ["link", "inner", "dangling", "pipe", "socket", "src"]
BEYOND = ["folder_link/secret", "folder_link/new", "src/app.py/x", "link/x", "pipe/x"]
REFUSED = [
    "../outside/secret",
    "/etc/passwd",
    ".git/config",
    "src/.GIT/config",
    "src/git~1/x",
    "",
    "a\0b",
    "src/../a b",
]


def test_a_tree_has_its_plain_files_and_nothing_of_git(root: Path) -> None:
    tree = FolderTree(root)
    assert tree.paths() == ["a b", "src/app.py"]
    assert tree.read("src/app.py") == b"x = 1\n"


@pytest.mark.parametrize("path", STRANGE + BEYOND + REFUSED + ["missing", "missing/too", "x" * 5000])
def test_whatever_is_no_plain_file_inside_is_not_read(root: Path, path: str) -> None:
    assert safe_read(root, path) is None


def test_a_file_over_the_limit_is_not_read(root: Path) -> None:
    assert safe_read(root, "src/app.py", 6) == b"x = 1\n"
    assert safe_read(root, "src/app.py", 5) is None


def test_a_folder_that_is_missing_has_no_files(tmp_path: Path) -> None:
    assert FolderTree(tmp_path / "none").paths() == []
    assert safe_read(tmp_path / "none", "a") is None


def test_names_that_are_no_text_are_left_out(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"\xff")).write_bytes(b"")
    (tmp_path / "new\nline").write_bytes(b"")
    assert FolderTree(tmp_path).paths() == []


def test_a_very_deep_tree_is_listed_without_its_depths(tmp_path: Path) -> None:
    folder = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("d", dir_fd=folder)
        inner = os.open("d", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    (tmp_path / "d/near").write_bytes(b"")
    assert FolderTree(tmp_path).paths() == ["d/near"]


def test_files_are_written_with_the_folders_they_need(root: Path) -> None:
    write_files(root, {"src/app.py": b"x = 2\n", "new/deep/file.py": b"", "a b": None})
    assert (root / "src/app.py").read_bytes() == b"x = 2\n"
    assert (root / "new/deep/file.py").read_bytes() == b""
    assert FolderTree(root).paths() == ["new/deep/file.py", "src/app.py"]


def test_the_mode_of_a_file_is_kept_but_for_set_user_id(root: Path) -> None:
    script = root / "src/app.py"
    script.chmod(0o4751)
    write_files(root, {"src/app.py": b"x"})
    assert stat.S_IMODE(script.stat().st_mode) == 0o751


def test_another_name_of_the_same_file_keeps_its_content(root: Path, outside: Path) -> None:
    os.link(outside / "secret", root / "hard")
    write_files(root, {"hard": b"new"})
    assert (outside / "secret").read_bytes() == SECRET


@pytest.mark.parametrize("path", STRANGE + BEYOND + REFUSED)
@pytest.mark.parametrize("content", [b"evil", None])
def test_nothing_else_is_written_over_or_through(root: Path, outside: Path, path: str, content: bytes | None) -> None:
    with pytest.raises(UnsafePath):
        write_files(root, {"a b": b"2", path: content})
    assert (root / "a b").read_bytes() == b"1", "all paths are looked at before the first is written"
    assert [file.name for file in outside.iterdir()] == ["secret"]
    assert (outside / "secret").read_bytes() == SECRET
    assert (root / "link").is_symlink()


def test_a_change_is_not_written_over_what_it_was_not_made_for(root: Path) -> None:
    write_files(root, {"a b": b"2", "new": b"3"}, expected={"a b": b"1", "new": None})
    for expected in ({"a b": b"1"}, {"a b": None}, {"gone": b"x"}, {"a b": b"22"}, {"a b": b""}):
        with pytest.raises(StaleFile):
            write_files(root, {"a b": b"4"}, expected=expected)
    assert (root / "a b").read_bytes() == b"2"


def test_removing_what_is_gone_is_no_error(root: Path) -> None:
    write_files(root, {"missing": None, "no/folder": None})
    assert FolderTree(root).paths() == ["a b", "src/app.py"]


def test_a_failed_write_leaves_no_traces(root: Path) -> None:
    with pytest.raises(TypeError):
        write_files(root, {"src/new.py": "no bytes"})  # type: ignore[dict-item]  # the failure is the point
    assert [file.name for file in (root / "src").iterdir() if file.is_file()] == ["app.py"]
    assert FolderTree(root).paths() == ["a b", "src/app.py"]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.lists(
        st.sampled_from(["..", ".", "", "outside", "secret", "folder_link", "link", ".git", "root", "\0", "x", "src"])
    )
    .map("/".join)
    .map(str)
    | st.text(max_size=20)
)
def test_no_path_escapes(root: Path, outside: Path, path: str) -> None:
    assert safe_read(root, path) != SECRET
    try:
        write_files(root, {path: b"evil"})
    except UnsafePath:
        pass
    else:
        assert safe_read(root, path) == b"evil"
        write_files(root, {path: None})
    assert [file.name for file in outside.iterdir()] == ["secret"]
    assert (outside / "secret").read_bytes() == SECRET
    assert sorted(entry.name for entry in root.parent.iterdir()) == ["outside", "root"]
    assert sorted(entry.name for entry in (root / ".git").iterdir()) == ["config"]
