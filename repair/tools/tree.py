"""Reading a tree of files without ever leaving it."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Tree(Protocol):
    """A tree at one moment. Paths are relative to its root, POSIX, and name plain files only."""

    def paths(self) -> Sequence[str]:
        """All plain files, sorted."""

    def read(self, path: str) -> bytes | None:
        """The content of a plain file; `None` when there is none, or a link or folder stands there."""


class Overlay:
    """A tree in which some files come from another one."""

    def __init__(self, below: Tree, above: Mapping[str, Tree]) -> None:
        self._below = below
        self._above = above

    def paths(self) -> Sequence[str]:
        """All plain files, sorted."""
        own = {path for path, tree in self._above.items() if tree.read(path) is not None}
        return sorted((set(self._below.paths()) - self._above.keys()) | own)

    def read(self, path: str) -> bytes | None:
        """The content, from above where the path is laid over."""
        return self._above[path].read(path) if path in self._above else self._below.read(path)


def read_text(tree: Tree, path: str) -> str | None:
    """The file as text; bytes that are not UTF-8 become replacement characters."""
    content = tree.read(path)
    return None if content is None else content.decode("utf-8-sig", errors="replace")
