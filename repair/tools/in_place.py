"""Working in a folder whose owner goes on working there: only what the run did is recorded, moved or taken back."""

import os
import shutil
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from repair.tools.git import Git, GitError


class ChangedMeanwhile(Exception):  # noqa: N818  # names the state, not a mistake
    """Files that the run would have to write were changed by somebody else; nothing was written."""

    def __init__(self, paths: Collection[str]) -> None:
        self.paths = tuple(sorted(paths))
        shown = ", ".join(self.paths[:10]) + (f" and {len(paths) - 10} more" if len(paths) > 10 else "")
        super().__init__(f"{shown}: changed meanwhile; left alone")


class SharedFolder:
    """The folder as the run knows it: a private index that holds the start and the run's own changes.

    An edit the owner makes meanwhile is a difference to that index, and stays one: it is neither taken into
    a snapshot nor written over. Files the run did not make are never deleted.
    """

    def __init__(self, git: Git, index: Path) -> None:
        self._git = git
        self._index = index
        self._foreign: frozenset[str] = frozenset()

    def adopt(self) -> str:
        """Take everything that is there now as the start; its tree hash."""
        self._git.run("add", "-A", "--", ".")
        return self._git.text("write-tree")

    def note(self) -> None:
        """Remember what differs from the index now: it is the owner's, and the next `stage` leaves it out."""
        self._foreign = frozenset(self._differing())

    def stage(self, paths: Iterable[str] | None = None) -> None:
        """Record changes of the run: those paths, or without them all that differs since the last `note`."""
        self._record(self._differing() - self._foreign if paths is None else paths)

    def refuse_foreign(self, paths: Iterable[str]) -> None:
        """Raises `ChangedMeanwhile` when one of the paths is not what the index holds."""
        touched = set(paths) & self._differing(ignored=True)
        if touched:
            raise ChangedMeanwhile(touched)

    def move(self, wanted: str) -> None:
        """Bring the run's files to the tree `wanted`, and no other file. Raises `ChangedMeanwhile`."""
        standing = self._git.text("write-tree")
        rows = self._git.paths("diff-tree", "-r", "-z", "--no-renames", "--name-only", standing, wanted)
        touched = set(rows) & self._differing(ignored=True, among=rows)
        if touched:
            self._take_equal(touched, wanted)
            standing = self._git.text("write-tree")
        self._git.run("update-index", "-q", "--refresh", ok=(0, 1))
        try:
            # The two-way merge leaves local changes alone or refuses (https://git-scm.com/docs/git-read-tree).
            self._git.run("read-tree", "-m", "-u", standing, wanted)
        except GitError as error:
            raise ChangedMeanwhile(self._differing(ignored=True, among=rows) & set(rows) or rows) from error

    def _take_equal(self, touched: Collection[str], wanted: str) -> None:
        """Record files that already are as wanted: a run that was killed may have come that far."""
        trial_index = self._index.with_name("trial-index")
        shutil.copy2(self._index, trial_index)
        trial = SharedFolder(Git(self._git.work_tree, self._git.git_dir, trial_index), trial_index)
        trial._record(touched)
        differs = self._git.paths("diff-tree", "-r", "-z", "--no-renames", "--name-only", trial._tree(), wanted)
        trial_index.unlink()
        if foreign := set(touched) & set(differs):
            raise ChangedMeanwhile(foreign)
        self._record(touched)

    def _tree(self) -> str:
        return self._git.text("write-tree")

    def _record(self, paths: Iterable[str]) -> None:
        names = b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))
        self._git.run("update-index", "--add", "--remove", "--replace", "-z", "--stdin", stdin=names)

    def _differing(self, *, ignored: bool = False, among: Sequence[str] | None = None) -> set[str]:
        """The paths whose content is not the index's; untracked ones too, ignored ones only `among` some paths."""
