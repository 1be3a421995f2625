"""Locks between processes; the kernel gives one up when its process dies, however it dies (flock(2))."""

import fcntl
from pathlib import Path
from typing import BinaryIO


class InUse(Exception):  # noqa: N818  # names the state, not a mistake
    """Another process holds the lock."""


def hold(path: Path, *, shared: bool = False) -> BinaryIO:
    """Lock a file until the returned one is closed; shared locks exclude only others. Raises `InUse`."""
    file = path.open("ab")
    try:
        fcntl.flock(file, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except BlockingIOError as error:
        file.close()
        raise InUse(str(path)) from error
    return file
