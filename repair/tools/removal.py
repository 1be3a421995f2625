"""Unlocking and deleting what untrusted commands have had their hands on."""

import contextlib
import errno
import os
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path


def remove_tree(folder: Path) -> None:
    """Delete a folder whatever depth and modes untrusted commands, or overlayfs, gave to what is in it.

    With coreutils, as `shutil.rmtree` calls itself for every level and is at its end after a thousand.
    """
    if not _removed(folder):
        subprocess.run(["chmod", "-R", "u+rwx", "--", folder], capture_output=True)
        _removed(folder)


def _removed(folder: Path) -> bool:
    return subprocess.run(["rm", "-rf", "--", folder], capture_output=True).returncode == 0


def unlock(folder: Path, *, files: bool = False) -> None:
    """Give its owner a folder and those below it back, and with `files` also every file; links are not followed.

    No box may run on it meanwhile.
    """
    pending = [folder]
    while pending:
        opened = pending.pop()
        # What lies too deep for a path has no name that git could see either.
        with _but_too_long(), _opened(opened) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    pending.append(Path(entry.path))
                elif files and entry.is_file(follow_symlinks=False):
                    _open(Path(entry.path), 0o600)


@contextlib.contextmanager
def _but_too_long() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise


def _opened(folder: Path) -> "os._ScandirIterator[str]":
    _open(folder, 0o700)
    return os.scandir(folder)


def _open(path: Path, bits: int) -> None:
    mode = path.lstat().st_mode
    if mode & bits != bits:
        path.chmod(stat.S_IMODE(mode) | bits)


def remove_path(root: Path, path: str) -> None:
    """Delete a file or folder below `root`, and the folders above it that are empty then."""
    target = root / path
    if target.is_dir() and not target.is_symlink():
        remove_tree(target)
    else:
        target.unlink(missing_ok=True)
    for parent in target.parents:
        if parent == root or not parent.is_dir() or any(parent.iterdir()):
            return
        parent.rmdir()
