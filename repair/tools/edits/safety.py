"""Which paths may be read and written inside a tree: a rule on the text of a path alone."""

import re
import unicodedata

LONGEST_PATH = 4096  # bytes, as Linux has it
LONGEST_NAME = 255
DEEPEST = 100  # folders; a deeper tree is no project but an attack

_GIT_FOLDER = re.compile(r"\.git|git~\d+")


class UnsafePath(Exception):  # noqa: N818  # the name says what is wrong, as FileNotFoundError does in its way
    """A path that may not be touched; the message says why, for people."""


def checked_parts(path: str) -> tuple[str, ...]:
    """The components of a relative POSIX path. Raises `UnsafePath` for one that leaves the tree or enters `.git`."""
    if not path:
        raise UnsafePath("An empty path names no file.")
    if path.startswith("/"):
        raise UnsafePath(f"{shown(path)} is absolute; paths are relative to the repository's root.")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in path[:LONGEST_PATH]):
        raise UnsafePath(f"{shown(path)} holds a control character.")
    parts = tuple(path.split("/"))
    if len(path.encode("utf-8", "replace")) > LONGEST_PATH or len(parts) > DEEPEST:
        raise UnsafePath(f"{shown(path)} is too long.")
    for part in parts:
        _check(part, path)
    return parts


def shown(path: str) -> str:
    """The path as a message may show it: short, and without control characters."""
    return ascii(path if len(path) <= 120 else path[:117] + "...")


def _check(part: str, path: str) -> None:
    if part in ("", ".", ".."):
        raise UnsafePath(f"{shown(path)} is not a plain path: it holds an empty part, '.' or '..'.")
    if len(part.encode()) > LONGEST_NAME:
        raise UnsafePath(f"{shown(path)} holds a name that is too long.")
    if any(name == ".." or _is_git_folder(name) for name in part.split("\\")):
        raise UnsafePath(f"{shown(path)} leads into git's own folder or out of the tree.")


def _is_git_folder(name: str) -> bool:
    """Also as macOS (ignorable characters) and Windows (case, short names, streams, trailing dots) read it."""
    visible = "".join(character for character in name if unicodedata.category(character) != "Cf")
    plain = visible.casefold().split(":", 1)[0].rstrip(" .")
    return bool(_GIT_FOLDER.fullmatch(plain))
