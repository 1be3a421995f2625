"""Working in a folder whose owner goes on working there: only what the run did is recorded, moved or taken back."""

import os
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path

from repair.tools.edits.safety import checked_parts
from repair.tools.folder import remove_unfinished
from repair.tools.git import Git, GitError
from repair.tools.store import WorkspaceError

_NAMES = ("diff-tree", "-r", "-z", "--no-renames", "--name-only")


class ChangedMeanwhile(WorkspaceError):  # noqa: N818  # names the state, not a mistake
    """Files that the run would have to write were changed by somebody else; nothing was written."""

    def __init__(self, paths: Collection[str]) -> None:
        self.paths = tuple(sorted(paths))
        shown = ", ".join(self.paths[:10]) + (f" and {len(paths) - 10} more" if len(paths) > 10 else "")
        super().__init__(f"{shown}: changed meanwhile; left alone")


class SharedFolder:
    """The folder as the run knows it: a private index that holds the start and the run's own changes.

    What its owner edits meanwhile differs from that index, and goes on to: it is neither taken into a snapshot nor
    written over. Untracked files that the run did not make are never deleted.
    """

    def __init__(self, git: Git, index: Path) -> None:
        self._git = git
        self._index = index
        self._intended = index.with_name("intended")
        self._foreign: frozenset[str] = frozenset()

    def note(self) -> None:
        """Remember what differs from the index now: it is not the run's, and the next `stage` leaves it out."""
        self._foreign = frozenset(self._modified() | self._untracked())
        self._intended.unlink(missing_ok=True)

    def intend(self, changes: Mapping[str, bytes | None]) -> None:
        """Store what is about to be written, so that it is known after a kill. Raises `UnsafePath`."""
        for path in changes:
            checked_parts(path)
        trial, modes = self._trial(), self._modes()
        entries = (self._entry(path, content, modes.get(path, "100644")) for path, content in changes.items())
        trial.run("update-index", "--add", "--replace", "-z", "--index-info", stdin=b"".join(entries))
        self._intend(trial.text("write-tree"))

    def recall(self) -> None:
        """Record what a process that was killed had written already of what it was about to write.

        A file that is not as it was to become is its owner's, or was not reached.
        """
        if not self._intended.exists():
            return
        wanted = self._intended.read_text()
        ours = self._git.paths(*_NAMES, self._git.text("write-tree"), wanted)
        remove_unfinished(self._git.work_tree, ours)
        _record(self._git, self._equal(ours, wanted))

    def stage(self, paths: Iterable[str] | None = None) -> None:
        """Record changes of the run: in those paths, or without them in all that differs since the last `note`."""
        own = (self._modified() | self._untracked()) - self._foreign if paths is None else paths
        _record(self._git, own)

    def foreign(self, paths: Collection[str]) -> set[str]:
        """Those of the paths that stand otherwise than in the index."""
        known = set(self._git.paths("ls-files", "-z"))
        made = {path for path in paths if path not in known and os.path.lexists(self._git.work_tree / path)}
        return made | (self._modified() & set(paths))

    def move(self, wanted: str) -> None:
        """Bring the run's own files to the tree `wanted`. Raises `ChangedMeanwhile` before anything is written."""
        self._intend(wanted)
        ours = self._git.paths(*_NAMES, self._git.text("write-tree"), wanted)
        touched = self.foreign(ours)
        if touched:
            self._record_equal(touched, wanted)
        try:
            # The two-way merge keeps local changes or refuses (https://git-scm.com/docs/git-read-tree).
            self._git.run("read-tree", "-m", "-u", self._git.text("write-tree"), wanted)
        except GitError as error:
            raise ChangedMeanwhile(self.foreign(ours) or ours) from error

    def _record_equal(self, paths: Collection[str], wanted: str) -> None:
        """Record files that are as wanted already: a run that was killed may have come that far."""
        equal = self._equal(paths, wanted)
        if differ := set(paths) - equal:
            raise ChangedMeanwhile(differ)
        _record(self._git, equal)

    def _equal(self, paths: Collection[str], wanted: str) -> set[str]:
        """Those of the paths that stand in the folder as in the tree `wanted`."""
        folders = {path for path in paths if (self._git.work_tree / path).is_dir()}
        trial = self._trial()
        _record(trial, [path for path in paths if path not in folders or (self._git.work_tree / path).is_symlink()])
        return set(paths) - set(self._git.paths(*_NAMES, trial.text("write-tree"), wanted))

    def _trial(self) -> Git:
        """A copy of the index to try things with."""
        copy = self._index.with_name("trial-index")
        shutil.copy2(self._index, copy)
        return Git(self._git.work_tree, self._git.git_dir, copy)

    def _intend(self, wanted: str) -> None:
        partial = self._intended.with_name("intended.partial")
        partial.write_text(wanted)
        partial.replace(self._intended)

    def _entry(self, path: str, content: bytes | None, mode: str) -> bytes:
        """A line for `git update-index --index-info`; mode 0 removes the path."""
        blob = self._git.text("hash-object", "-w", "--stdin", stdin=content or b"")
        return f"{0 if content is None else mode} {blob}\t".encode() + os.fsencode(path) + b"\0"

    def _modes(self) -> dict[str, str]:
        entries = (entry.partition("\t") for entry in self._git.paths("ls-files", "-s", "-z"))
        return {path: fields.split()[0] for fields, _, path in entries}

    def _modified(self) -> set[str]:
        # Without a refresh a file that was only touched would count as changed.
        self._git.run("update-index", "-q", "--refresh", ok=(0, 1))
        return set(self._git.paths("diff-files", "-z", "--name-only", "--ignore-submodules=all"))

    def _untracked(self) -> set[str]:
        others = self._git.paths("ls-files", "-z", "--others", "--exclude-standard")
        return {path for path in others if not path.endswith("/")}


def _record(git: Git, paths: Iterable[str]) -> None:
    names = b"".join(os.fsencode(path) + b"\0" for path in sorted(paths))
    git.run("update-index", "--add", "--remove", "--replace", "-z", "--stdin", stdin=names)
