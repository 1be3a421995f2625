"""The private git directory that stores every tree of a run."""

import os
import re
from collections.abc import Iterator
from pathlib import Path, PurePath

from repair.tools.excludes import excludes_files
from repair.tools.git import Git, GitError

# Conversions would change bytes on their way in and out; this file outranks any .gitattributes
# (https://git-scm.com/docs/gitattributes).
_NO_CONVERSION = "* -text -eol -filter -ident -working-tree-encoding -diff=\n* diff\n"


class WorkspaceError(Exception):
    """A sentence for people: what is wrong with the tree, and what to do."""


def make_store(root: Path, git_dir: Path, hidden: tuple[Path, ...]) -> None:
    """A bare repository beside the user's: it borrows their objects, ignores what they ignore, tracks what they track.

    `hidden` folders inside `root` are ignored too.
    """
    form = Git(root).text("rev-parse", "--show-object-format")
    Git(root).run("init", "-q", "--bare", f"--object-format={form}", str(git_dir))
    objects = Path(root, Git(root).text("rev-parse", "--git-path", "objects")).resolve()
    (git_dir / "objects/info/alternates").write_text(f"{objects}\n")
    _write_rules(root, git_dir / "info", hidden)
    # Files that are tracked though ignored must stay tracked, so the list starts from the user's.
    entries = Git(root).run("ls-files", "-s", "-z")
    Git(root, git_dir).run("update-index", "-z", "--index-info", stdin=entries)


def _write_rules(root: Path, info: Path, hidden: tuple[Path, ...]) -> None:
    rules = [path.read_text(errors="replace") for path in excludes_files(root)]
    rules += [f"/{_literal(path.relative_to(root))}/" for path in hidden if path.is_relative_to(root)]
    info.mkdir(exist_ok=True)
    (info / "exclude").write_text("\n".join(rules) + "\n")
    (info / "attributes").write_text(_NO_CONVERSION)


def _literal(path: PurePath) -> str:
    """The path as a rule that matches nothing else (https://git-scm.com/docs/gitignore)."""
    return re.sub(r"([\\*?\[])", r"\\\1", path.as_posix())


def add_all(git: Git) -> None:
    """Take the whole work tree into the index, submodules as they stand there already.

    Raises `WorkspaceError` for what git cannot take in.
    """
    # In a submodule with a repository git would run `git status`, and so the filters that repository names; a check
    # may have put it there.
    skipped = b"".join(b":(exclude,literal)" + os.fsencode(path) + b"\0" for path in _repositories(git))
    try:
        git.run("add", "-A", "--pathspec-from-file=-", "--pathspec-file-nul", stdin=b".\0" + skipped)
    except GitError as error:
        raise WorkspaceError(
            f"git cannot take in the whole tree. {error}\nCommit what it names (a git repository inside the tree needs "
            "a first commit), or move it away, or add it to .gitignore."
        ) from error


def _repositories(git: Git) -> Iterator[str]:
    """The submodules in the index that hold a repository, or what may be taken for one."""
    for entry in git.paths("ls-files", "-s", "-z"):
        fields, _, path = entry.partition("\t")
        if fields.startswith("160000 ") and os.path.lexists(git.work_tree / path / ".git"):
            yield path
