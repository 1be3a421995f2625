"""The private copy a run works in: snapshots, rollback, and the one careful way back to the user's tree.

A private git directory stores every tree of the run; the user's own repository is only read. The
work goes on in a private folder, or, in place, in the user's own folder (for `--sandbox none`).
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from repair.tools.folder import FolderTree
from repair.tools.git import Git, GitError
from repair.tools.tree import Tree

# Conversions would change bytes on their way in and out; this file outranks any .gitattributes
# (https://git-scm.com/docs/gitattributes).
_NO_CONVERSION = "* -text -eol -filter -ident -working-tree-encoding -diff=\n* diff\n"
_PLAIN_DIFF = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--binary", "--full-index")
_SECRET_FILES = (".env", ".envrc", ".netrc", ".pypirc", ".npmrc", "id_rsa", "id_ed25519", "credentials.json")
_SECRET_ENDINGS = (".pem", ".key", ".p12", ".pfx", ".jks", ".kdbx")
_STALE_CACHES = ("__pycache__", ".pytest_cache", ".hypothesis")


class WorkspaceError(Exception):
    """A sentence for people: what is wrong with the tree, and what to do."""


class Workspace:
    """One run's trees. `root` is the user's tree, `tree` the folder that is edited and checked."""

    def __init__(self, root: Path, home: Path, *, in_place: bool) -> None:
        self.root = root
        self.home = home
        self.in_place = in_place
        self.tree = root if in_place else home / "tree"
        self._git_dir = home / "git"
        self._git = Git(self.tree, self._git_dir)

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
        Git(root).run("init", "-q", "--bare", str(workspace._git_dir))
        workspace._borrow_objects()
        workspace._write_rules(hidden)
        workspace._adopt_index()
        tree = workspace.hash_of_root()
        workspace.restore(tree)
        return workspace, tree

    @classmethod
    def reopen(cls, root: Path, home: Path, *, in_place: bool) -> "Workspace":
        """The workspace of an earlier run. Raises `WorkspaceError` when it is gone."""
        workspace = cls(root, home, in_place=in_place)
        if not (workspace._git_dir / "HEAD").exists():
            raise WorkspaceError(f"the workspace {home} of that run is gone; start a new run instead of resuming")
        return workspace

    def hash_of_root(self) -> str:
        """The tree hash of the user's folder as it is now."""
        index = self.home / "root-index"
        git = Git(self.root, self._git_dir, index)
        own = self._git_dir / "index"
        if own.exists() and not index.exists():
            shutil.copy2(own, index)
        git.run("add", "-A", "--", ".")
        return git.text("write-tree")

    def snapshot(self, name: str) -> str:
        """Store the edited tree as it is and return its hash."""
        self._git.run("add", "-A", "--", ".")
        tree = self._git.text("write-tree")
        commit = self._git.text("commit-tree", tree, "-m", name)
        self._git.run("update-ref", f"refs/regomender/{name}", commit)
        return tree

    def restore(self, tree: str) -> None:
        """Make the edited folder exactly that tree again; ignored files stay."""
        self._git.run("read-tree", "--reset", "-u", tree)
        for path in self._git.paths("ls-files", "-z", "--others", "--exclude-standard"):
            self._remove(self.tree / path)

    def files(self, tree: str) -> Tree:
        """The stored tree the edited folder stands at now; what checks left behind is not in it."""
        return _Stored(FolderTree(self.tree), self._modes(tree))

    def view(self, tree: str) -> Tree:
        """Any stored tree, to read from."""
        folder = self.home / "views" / tree
        if not folder.exists():
            self._check_out(tree, folder)
        return _Stored(FolderTree(folder), self._modes(tree))

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
        git = Git(self.root)
        for branch in ("@{upstream}", "origin/HEAD", "origin/main", "origin/master", "main", "master"):
            try:
                fork = git.text("merge-base", "HEAD", branch)
                if fork != git.text("rev-parse", "HEAD"):
                    return git.text("diff", "--no-color", "--no-ext-diff", "--no-textconv", fork, "HEAD")[:200_000]
            except GitError:
                continue
        return ""

    def accept(self, base: str, tree: str) -> bool:
        """Bring the user's folder from `base` to `tree`; `False`, and untouched, when it changed meanwhile."""
        if self.in_place:
            self.restore(tree)
            return True
        if self.hash_of_root() != base:
            return False
        patch = self._git.run(
            "diff", "--no-color", "--no-ext-diff", "--no-renames", "--binary", "--full-index", base, tree
        )
        if patch:
            Git(self.root, self._git_dir).run("apply", "--whitespace=nowarn", "-", stdin=patch)
        return True

    def put_back(self, base: str) -> None:
        """Undo every edit in a folder that was edited in place."""
        if self.in_place:
            self.restore(base)

    def remove(self) -> None:
        """Delete everything private of the run."""
        remove_tree(self.home)

    def ignored(self) -> tuple[str, ...]:
        """Ignored files and folders of the user's tree that checks may need, folders with a final slash.

        Left out: what holds secrets, and caches that could answer for code that has changed.
        """
        listed = Git(self.root).paths("ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
        return tuple(path for path in listed if not _is_left_out(path) and (self.root / path).exists())

    def _borrow_objects(self) -> None:
        objects = Path(self.root, Git(self.root).text("rev-parse", "--git-path", "objects")).resolve()
        (self._git_dir / "objects/info/alternates").write_text(f"{objects}\n")

    def _write_rules(self, hidden: tuple[Path, ...]) -> None:
        user = Git(self.root)
        exclude = [Path(self.root, user.text("rev-parse", "--git-path", "info/exclude"))]
        named = _setting(self.root, "core.excludesFile")
        exclude.append(Path(named).expanduser() if named else Path("~/.config/git/ignore").expanduser())
        rules = [path.read_text(errors="replace") for path in exclude if path.is_file()]
        rules += [f"/{path.relative_to(self.root).as_posix()}/" for path in hidden if path.is_relative_to(self.root)]
        info = self._git_dir / "info"
        info.mkdir(exist_ok=True)
        (info / "exclude").write_text("\n".join(rules) + "\n")
        (info / "attributes").write_text(_NO_CONVERSION)

    def _adopt_index(self) -> None:
        # Files that are tracked though ignored must stay tracked, so the list starts from the user's.
        if Git(self.root).run("ls-files", "-u"):
            raise WorkspaceError("the tree has unresolved merge conflicts; resolve them first")
        entries = Git(self.root).run("ls-files", "-s", "-z")
        self._git.run("update-index", "-z", "--index-info", stdin=entries)

    def _modes(self, tree: str) -> dict[str, str]:
        entries = self._git.paths("ls-tree", "-r", "-z", "--full-tree", tree)
        return {path: fields.split()[0] for fields, _, path in (entry.partition("\t") for entry in entries)}

    def _check_out(self, tree: str, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        index = self.home / f"{folder.name}-index"
        Git(folder, self._git_dir, index).run("read-tree", "--reset", "-u", tree)
        index.unlink(missing_ok=True)

    def _remove(self, path: Path) -> None:
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
        else:
            path.unlink(missing_ok=True)
        for parent in path.parents:
            if parent == self.tree or not parent.is_dir() or any(parent.iterdir()):
                return
            parent.rmdir()


class _Stored:
    """The files and modes of a stored tree, read from a folder it is checked out in."""

    def __init__(self, folder: Tree, modes: dict[str, str]) -> None:
        self._folder = folder
        self._modes = modes

    def paths(self) -> Sequence[str]:
        return sorted(path for path, mode in self._modes.items() if mode.startswith("100"))

    def modes(self) -> Mapping[str, str]:
        return self._modes

    def read(self, path: str) -> bytes | None:
        return self._folder.read(path)


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


def remove_tree(folder: Path) -> None:
    """Delete a folder whatever modes untrusted commands, or overlayfs, gave to what is in it."""

    def unlock(delete: Callable[[str], object], path: str, _: object) -> None:
        with contextlib.suppress(OSError):
            for locked in (Path(path).parent, Path(path)):
                if not locked.is_symlink():
                    locked.chmod(0o700)
            if Path(path).is_dir() and not Path(path).is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                delete(path)

    shutil.rmtree(folder, onerror=unlock)


def _setting(root: Path, name: str) -> str:
    """A setting of the user's git, empty when unset."""
    try:
        return Git(root).text("config", "--get", name)
    except GitError:
        return ""


def _is_left_out(path: str) -> bool:
    name = Path(path).name
    if name in _SECRET_FILES or name.startswith(".env.") or name.endswith(_SECRET_ENDINGS):
        return True
    return name in _STALE_CACHES or os.sep + "__pycache__" in path
