"""The private copy a run works in: snapshots, rollback, and the one careful way back to the user's tree.

A private git directory stores every tree of the run; the user's own repository is only read. The
work goes on in a private folder, or, in place, in the user's own folder (for `--sandbox none`).
In place only what the run itself did is stored, moved and taken back; see `repair.tools.in_place`.
"""

import os
import shutil
import tempfile
from collections.abc import Collection, Mapping
from pathlib import Path

from repair.tools.branch import diff_against_base_branch
from repair.tools.edits.safety import UnsafePath
from repair.tools.excludes import ignored_paths
from repair.tools.folder import FolderTree, write_files
from repair.tools.git import Git, GitError
from repair.tools.in_place import ChangedMeanwhile, SharedFolder
from repair.tools.removal import remove_path, remove_tree, unlock
from repair.tools.store import WorkspaceError, add_all, make_store
from repair.tools.stored import Stored
from repair.tools.tree import Tree

__all__ = ["ChangedMeanwhile", "Workspace", "WorkspaceError", "find_root", "remove_tree"]

_PLAIN_DIFF = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--binary", "--full-index")


class Workspace:
    """One run's trees. `root` is the user's tree, `tree` the folder that is edited and checked."""

    def __init__(self, root: Path, home: Path, *, in_place: bool) -> None:
        self.root = root
        self.home = home
        self.in_place = in_place
        self.tree = root if in_place else home / "tree"
        self._git_dir = home / "git"
        self._git = Git(self.tree, self._git_dir)
        self._shared = SharedFolder(self._git, self._git_dir / "index") if in_place else None

    @classmethod
    def create(
        cls, root: Path, home: Path, *, in_place: bool, hidden: tuple[Path, ...] = ()
    ) -> tuple["Workspace", str]:
        """A new workspace under `home`, and the tree hash of where the user's work stands.

        Uncommitted and untracked work is part of it; ignored files are not. `hidden` folders inside
        the tree are left out of it (the output of the run itself).
        """
        workspace = cls(root, home, in_place=in_place)
        workspace.tree.mkdir(parents=True, exist_ok=True)
        if Git(root).run("ls-files", "-u"):
            raise WorkspaceError("the tree has unresolved merge conflicts; resolve them first")
        make_store(root, workspace._git_dir, hidden)
        if in_place:
            add_all(workspace._git)
            return workspace, workspace._git.text("write-tree")
        tree = workspace.hash_of_root()
        workspace.restore(tree)
        return workspace, tree

    @classmethod
    def reopen(cls, root: Path, home: Path, *, in_place: bool) -> "Workspace":
        """The workspace of an earlier run. Raises `WorkspaceError` when it is gone.

        No other process may work on that run: locks that a killed one left are taken away.
        """
        workspace = cls(root, home, in_place=in_place)
        if not (workspace._git_dir / "HEAD").exists():
            raise WorkspaceError(f"the workspace {home} of that run is gone; start a new run instead of resuming")
        left = (
            *home.glob("*.lock"),
            *workspace._git_dir.glob("*.lock"),
            *(workspace._git_dir / "refs").rglob("*.lock"),
        )
        for lock in left:
            lock.unlink()
        if workspace._shared:
            workspace._shared.recall()
            workspace._shared.note()
        return workspace

    def hash_of_root(self) -> str:
        """The tree hash of the user's folder as it is now."""
        index = self.home / "root-index"
        git = Git(self.root, self._git_dir, index)
        own = self._git_dir / "index"
        if own.exists() and not index.exists():
            shutil.copy2(own, index)
        add_all(git)
        return git.text("write-tree")

    def write(self, changes: Mapping[str, bytes | None]) -> None:
        """Write whole files of the edited tree; `None` removes one. Raises like `write_files`.

        In place also `WorkspaceError`, before anything is written, when one of the files is not as it was stored.
        What a failed write began is put back.
        """
        files = [path for path in changes if not (self.tree / path).is_dir()]
        if self._shared and (foreign := self._shared.foreign(files)):
            raise ChangedMeanwhile(foreign)
        standing = self._git.text("write-tree")
        try:
            if self._shared:
                self._shared.intend(changes)
            write_files(self.tree, changes)
        except (UnsafePath, OSError):
            if self._shared:
                self._shared.stage(self._shared.foreign(files))
            self.restore(standing)
            raise

    def snapshot(self, name: str, paths: Collection[str] | None = None) -> str:
        """Store the edited tree and return its hash.

        In place `paths` are those the run edited, and only they are stored. Without them (a tool ran) all that
        changed since the last snapshot or restore is taken for the run's.
        """
        if self._shared:
            self._shared.stage(paths)
            self._shared.note()
        else:
            unlock(self.tree, files=paths is None)
            add_all(self._git)
        tree = self._git.text("write-tree")
        commit = self._git.text("commit-tree", tree, "-m", name)
        self._git.run("update-ref", f"refs/regomender/{name}", commit)
        return tree

    def restore(self, tree: str) -> None:
        """Make the edited folder exactly that tree again; ignored files stay.

        In place only the files the run changed are moved, from the tree that stands (the private index) to this one;
        whatever else its owner, or a check, did to the folder stays. Raises `WorkspaceError`, and writes nothing,
        when one of those files was changed meanwhile.
        """
        if self._shared:
            self._shared.move(tree)
            self._shared.note()
            return
        unlock(self.tree)
        self._git.run("read-tree", "--reset", "-u", tree)
        for path in self._git.paths("ls-files", "-z", "--others", "--exclude-standard"):
            remove_path(self.tree, path)

    def files(self, tree: str) -> Tree:
        """The stored tree the edited folder stands at now; what checks left behind is not in it."""
        return Stored(FolderTree(self.tree), self._modes(tree))

    def view(self, tree: str) -> Tree:
        """Any stored tree, to read from."""
        folder = self.home / "views" / tree
        if not folder.exists():
            # Beside, then renamed: a killed run leaves no half of a tree under its name.
            folder.parent.mkdir(exist_ok=True)
            self.clean_clone(tree).rename(folder)
        return Stored(FolderTree(folder), self._modes(tree))

    def clean_clone(self, tree: str) -> Path:
        """A fresh folder with nothing but that tree; the caller removes it."""
        folder = Path(tempfile.mkdtemp(prefix="clean-", dir=self.home))
        self._check_out(tree, folder)
        return folder

    def diff(self, before: str, after: str) -> bytes:
        """The difference as `git apply` takes it."""
        return self._git.run("diff", *_PLAIN_DIFF, before, after)

    def changed_paths(self, before: str, after: str) -> tuple[str, ...]:
        """The paths that differ between two trees."""
        return self._git.paths("diff-tree", "-r", "-z", "--no-renames", "--name-only", before, after)

    def changed_lines(self, before: str, after: str) -> int:
        """How many lines were added and removed, binary files as one each."""
        rows = self._git.text("diff", "--numstat", "--no-ext-diff", "--no-renames", before, after).splitlines()
        return sum(int(count) if count.isdigit() else 1 for row in rows for count in row.split("\t")[:2])

    def diff_against_base_branch(self) -> str:
        """What the branch changed against where it left its upstream or main branch; empty when unknown."""
        return diff_against_base_branch(self.root)

    def accept(self, base: str, tree: str) -> bool:
        """Bring the user's folder from `base` to `tree`; `False`, and untouched, when it changed meanwhile.

        In place only the files the run changed count, and their owner's edits in other files stay.
        """
        if self.in_place:
            try:
                self.restore(tree)
            except ChangedMeanwhile:
                return False
            return True
        standing = self.hash_of_root()
        if standing != base:
            return standing == tree
        patch = self.diff(base, tree)
        if patch:
            Git(self.root, self._git_dir).run("apply", "--whitespace=nowarn", "-", stdin=patch)
        return True

    def put_back(self, base: str) -> None:
        """Undo every edit of the run in a folder that was edited in place. Raises like `restore`."""
        if self.in_place:
            self.restore(base)

    def remove(self) -> None:
        """Delete everything private of the run."""
        remove_tree(self.home)

    def ignored(self) -> tuple[str, ...]:
        """Ignored files and folders of the user's tree that checks may need, folders with a final slash."""
        return ignored_paths(self.root)

    def ignores(self, path: str) -> bool:
        """Whether git would not see a file at this path, so that no snapshot could hold it; tracked files are seen.

        Also `True` for a path git refuses to look at (out of the tree, through a link).
        """
        try:
            return bool(self._git.run("check-ignore", "-z", "--stdin", stdin=os.fsencode(f"./{path}\0"), ok=(0, 1)))
        except (GitError, UnicodeEncodeError):
            return True

    def _modes(self, tree: str) -> dict[str, str]:
        entries = self._git.paths("ls-tree", "-r", "-z", "--full-tree", tree)
        return {path: fields.split()[0] for fields, _, path in (entry.partition("\t") for entry in entries)}

    def _check_out(self, tree: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        index = self.home / f"{folder.name}-index"
        Git(folder, self._git_dir, index).run("read-tree", "--reset", "-u", tree)
        index.unlink(missing_ok=True)


def find_root(path: Path) -> Path:
    """The root of the git work tree that holds `path`. Raises `WorkspaceError` when there is none."""
    if not path.is_dir():
        raise WorkspaceError(f"{path} is not a folder")
    try:
        return Path(Git(path.resolve()).text("rev-parse", "--show-toplevel"))
    except GitError as error:
        raise WorkspaceError(
            f"{path} is not a git work tree; RegoMender repairs git work trees (try `git init`)"
        ) from error
