"""Reading and writing files in a folder that untrusted commands have had their hands on.

Such a command can leave a link, a pipe or a device where a file was. So no name is resolved by the kernel in one go:
every component is opened on its own, below the one before, and never through a link (open(2), `O_NOFOLLOW`).
"""

import errno
import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from repair.tools.edits.safety import UnsafePath, checked_parts, shown

LARGEST_FILE = 10_000_000  # bytes

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: opening a pipe would wait for its writer for ever (open(2)).
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_BESIDE = re.compile(r"\.regomender-[0-9a-f]{16}")
_NOT_THERE = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.ENXIO, errno.EACCES, errno.ENAMETOOLONG})


class StaleFile(Exception):  # noqa: N818  # the name says what is wrong
    """A file is not what the change was made for; the message says which, for people."""


class FolderTree:
    """The plain files of a folder as they are now, without git's own folders."""

    def __init__(self, root: Path, limit: int = LARGEST_FILE) -> None:
        self.root = root
        self.limit = limit

    def paths(self) -> Sequence[str]:
        """All plain files, sorted. Links are no files and are not followed; unsafe names are left out."""
        return sorted(_walk(self.root))

    def read(self, path: str) -> bytes | None:
        """The content of a plain file; `None` when there is none or it is larger than the limit."""
        return safe_read(self.root, path, self.limit)


def safe_read(root: Path, path: str, limit: int = LARGEST_FILE) -> bytes | None:
    """The content of a plain file of at most `limit` bytes below `root`, else `None`.

    `None` also for a link, a folder, a pipe, a path through a link or out of the root, and one into `.git`.
    Raises `OSError` only for failures that are no property of the path, such as a disk error.
    """
    try:
        *folders, name = checked_parts(path)
    except UnsafePath:
        return None
    with _missing_is_none(), _opened_folder(root, folders) as folder:
        return _content(folder, name, limit)
    return None


def write_files(
    root: Path, changes: Mapping[str, bytes | None], *, expected: Mapping[str, bytes | None] | None = None
) -> None:
    """Writes whole files below `root` and makes the folders they need; `None` removes a file.

    All paths are looked at before anything is written. Raises `UnsafePath` for a path that is refused, or where
    something else than a plain file stands, and `StaleFile` where the content is not the `expected` one (`None`:
    no file). A file that is replaced keeps its mode; each is replaced at once, never seen half written.
    """
    for path in changes:
        _check(root, path)
    for path, content in (expected or {}).items():
        limit = len(content or b"") + 1
        if safe_read(root, path, limit) != content or (content is None and _standing(root, path) is not None):
            raise StaleFile(f"{shown(path)} is not what the change was made for.")
    for path, content in changes.items():
        _write(root, path, content)


def remove_unfinished(root: Path, paths: Iterable[str]) -> None:
    """Remove what a `write_files` of these paths left beside them when its process was killed."""
    for folders in {checked_parts(path)[:-1] for path in paths if _is_safe(path)}:
        with _missing_is_none(), _opened_folder(root, folders) as folder, os.scandir(folder) as entries:
            for name in [entry.name for entry in entries if _BESIDE.fullmatch(entry.name)]:
                os.unlink(name, dir_fd=folder)


def _check(root: Path, path: str) -> None:
    standing = _standing(root, path)
    if standing is not None and not stat.S_ISREG(standing.st_mode):
        raise UnsafePath(f"{shown(path)} is not a plain file but a {_kind(standing.st_mode)}.")


def _standing(root: Path, path: str) -> os.stat_result | None:
    """What stands at the path, not followed. Raises `UnsafePath` when the way to it is not all folders."""
    *folders, name = checked_parts(path)
    try:
        with _opened_folder(root, folders) as folder:
            return os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ENOTDIR, errno.ELOOP):
            raise UnsafePath(f"The way to {shown(path)} leads through a link or a file.") from error
        raise


def _kind(mode: int) -> str:
    kinds = {stat.S_IFLNK: "link", stat.S_IFDIR: "folder", stat.S_IFIFO: "pipe", stat.S_IFSOCK: "socket"}
    return kinds.get(stat.S_IFMT(mode), "device")


@contextmanager
def _missing_is_none() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno not in _NOT_THERE:
            raise


@contextmanager
def _opened_folder(root: Path, folders: Sequence[str], *, make: bool = False) -> Iterator[int]:
    """A descriptor of the folder, reached from `root` without following a link."""
    folder = os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        for name in folders:
            if make:
                _make_folder(folder, name)
            inner = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = inner
        yield folder
    finally:
        os.close(folder)


def _make_folder(folder: int, name: str) -> None:
    try:
        os.mkdir(name, dir_fd=folder)
    except FileExistsError:
        return
    if os.geteuid() == 0:
        owner = os.fstat(folder)
        os.chown(name, owner.st_uid, owner.st_gid, dir_fd=folder, follow_symlinks=False)


def _content(folder: int, name: str, limit: int) -> bytes | None:
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        with os.fdopen(descriptor, "rb", closefd=False) as file:
            content = file.read(limit + 1)
    finally:
        os.close(descriptor)
    return content if len(content) <= limit else None


def _write(root: Path, path: str, content: bytes | None) -> None:
    *folders, name = checked_parts(path)
    _check(root, path)
    if content is None:
        with suppress(FileNotFoundError), _opened_folder(root, folders) as folder:
            os.unlink(name, dir_fd=folder)
        return
    with _opened_folder(root, folders, make=True) as folder:
        _replace(folder, name, content)


def _replace(folder: int, name: str, content: bytes) -> None:
    """Writes beside and renames over: a rename replaces a link that was put there meanwhile, never its target."""
    beside = f".regomender-{secrets.token_hex(8)}"
    try:
        descriptor = os.open(beside, _NEW_FILE, mode=0o666, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            _take_over(folder, name, descriptor)
            file.write(content)
        os.rename(beside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(FileNotFoundError):
            os.unlink(beside, dir_fd=folder)
        raise


def _take_over(folder: int, name: str, descriptor: int) -> None:
    """Gives the new file the mode and, as root, the owner of the old one: the sandbox's user goes on writing it."""
    try:
        model = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        model = os.fstat(folder)
    else:
        os.fchmod(descriptor, stat.S_IMODE(model.st_mode) & 0o777)
    if os.geteuid() == 0:
        os.fchown(descriptor, model.st_uid, model.st_gid)


def _walk(root: Path) -> Iterator[str]:
    pending: list[tuple[str, ...]] = [()]
    while pending:
        parts = pending.pop()
        with _missing_is_none(), _opened_folder(root, parts) as folder, os.scandir(folder) as entries:
            for entry in entries:
                inner = (*parts, entry.name)
                if not _is_safe("/".join(inner)):
                    continue
                if entry.is_dir(follow_symlinks=False):
                    pending.append(inner)
                elif entry.is_file(follow_symlinks=False):
                    yield "/".join(inner)


def _is_safe(path: str) -> bool:
    try:
        checked_parts(path)
    except UnsafePath:
        return False
    return True
