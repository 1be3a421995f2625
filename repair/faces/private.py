"""The private files of runs on this machine, and which runs may be at work at one time."""

import hashlib
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from repair.tools.locks import InUse, hold
from repair.tools.removal import remove_tree

_KEPT_SECONDS = 7 * 24 * 3600.0


class UsageError(Exception):
    """Something in what the person asked for is wrong; the message says what to do."""


def private_base() -> Path:
    """A folder of our own for the private trees of runs; those of killed runs are kept a week for `--resume`.

    Not below the home folder: the box layers that, and an overlay may not hold its own upper layer.
    Raises `UsageError` when it is not ours alone.
    """
    base = Path("/var/tmp" if Path("/var/tmp").is_dir() else tempfile.gettempdir(), f"regomender-{os.geteuid()}")  # noqa: S108
    base.mkdir(mode=0o700, exist_ok=True)
    status = base.lstat()
    if base.is_symlink() or status.st_uid != os.geteuid() or status.st_mode & 0o077:
        raise UsageError(f"{base} must be a folder that only you can read; remove it or set its mode to 700")
    for left in base.glob("run-*"):
        if time.time() - left.lstat().st_mtime > _KEPT_SECONDS:
            remove_tree(left)
    return base


@contextmanager
def occupied(root: Path, *, alone: bool) -> Iterator[None]:
    """Keep other runs off a tree that is edited in place; runs on private copies may share one. Raises `UsageError`."""
    name = hashlib.sha256(os.fsencode(root)).hexdigest()[:16]
    try:
        lock = hold(private_base() / f"tree-{name}.lock", shared=not alone)
    except InUse as error:
        raise UsageError(f"another run works on {root}; wait for its end") from error
    with lock:
        yield
