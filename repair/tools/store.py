"""The private git directory that stores every tree of a run."""

from pathlib import Path

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
    Git(root).run("init", "-q", "--bare", str(git_dir))
    objects = Path(root, Git(root).text("rev-parse", "--git-path", "objects")).resolve()
    (git_dir / "objects/info/alternates").write_text(f"{objects}\n")
    _write_rules(root, git_dir / "info", hidden)
    # Files that are tracked though ignored must stay tracked, so the list starts from the user's.
    entries = Git(root).run("ls-files", "-s", "-z")
    Git(root, git_dir).run("update-index", "-z", "--index-info", stdin=entries)


def _write_rules(root: Path, info: Path, hidden: tuple[Path, ...]) -> None:
    rules = [path.read_text(errors="replace") for path in excludes_files(root)]
    rules += [f"/{path.relative_to(root).as_posix()}/" for path in hidden if path.is_relative_to(root)]
    info.mkdir(exist_ok=True)
    (info / "exclude").write_text("\n".join(rules) + "\n")
    (info / "attributes").write_text(_NO_CONVERSION)


def add_all(git: Git) -> None:
    """Take the whole work tree into the index. Raises `WorkspaceError` for what git cannot take in."""
    try:
        git.run("add", "-A", "--", ".")
    except GitError as error:
        raise WorkspaceError(
            f"git cannot take in the whole tree. {error}\nCommit what it names (a git repository inside the tree needs "
            "a first commit), or move it away, or add it to .gitignore."
        ) from error
