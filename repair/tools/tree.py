"""Reading a tree of files without ever leaving it."""

from collections.abc import Sequence
from typing import Protocol


class Tree(Protocol):
    """A tree at one moment. Paths are relative to its root, POSIX, and name plain files only."""

    def paths(self) -> Sequence[str]:
        """All plain files, sorted."""

    def read(self, path: str) -> bytes | None:
        """The content of a plain file; `None` when there is none, or a link or folder stands there."""


def read_text(tree: Tree, path: str) -> str | None:
    """The file as text; bytes that are not UTF-8 become replacement characters."""
    content = tree.read(path)
    return None if content is None else content.decode("utf-8-sig", errors="replace")
