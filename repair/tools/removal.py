"""Deleting what untrusted commands have had their hands on."""

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path


def remove_tree(folder: Path) -> None:
    """Delete a folder whatever modes untrusted commands, or overlayfs, gave to what is in it."""

    def unlock(delete: Callable[[str], object], path: str, _: object) -> None:
        with contextlib.suppress(OSError):
            for locked in (Path(path).parent, Path(path)):
                if not locked.is_symlink():
                    locked.chmod(0o700)
            if Path(path).is_dir() and not Path(path).is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                delete(path)

    shutil.rmtree(folder, onerror=unlock)


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
