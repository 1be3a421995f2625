"""A stored tree, read from a folder it is checked out in."""

from collections.abc import Mapping, Sequence

from repair.tools.tree import Tree


class Stored:
    """The files and modes of a stored tree; what else lies in the folder is not part of it and cannot be read."""

    def __init__(self, folder: Tree, modes: Mapping[str, str]) -> None:
        self._folder = folder
        self._modes = modes

    def paths(self) -> Sequence[str]:
        """The plain files, sorted."""
        return sorted(path for path, mode in self._modes.items() if mode.startswith("100"))

    def modes(self) -> Mapping[str, str]:
        """The git mode of every entry, links too."""
        return self._modes

    def read(self, path: str) -> bytes | None:
        """The content of a plain file of the tree; `None` for anything else."""
        return self._folder.read(path) if self._modes.get(path, "").startswith("100") else None
