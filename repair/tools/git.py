"""Git as a child process that trusts nothing in the repository it looks at.

A work tree may carry hooks, filters, an fsmonitor command or attributes that make git run programs
(https://git-scm.com/docs/git-config); every call here switches them off.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

_HARDENED = (
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "core.untrackedCache=false",
    "core.autocrlf=false",
    "core.quotePath=false",
    "protocol.allow=never",
    "gc.auto=0",
    "maintenance.auto=false",
    "advice.addEmbeddedRepo=false",
    # Only configuration from the command line may name trusted owners; nothing of theirs is run.
    "safe.directory=*",
)
_IDENTITY = {
    "GIT_AUTHOR_NAME": "RegoMender",
    "GIT_AUTHOR_EMAIL": "regomender@localhost",
    "GIT_COMMITTER_NAME": "RegoMender",
    "GIT_COMMITTER_EMAIL": "regomender@localhost",
}
_SETTINGS = {
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "LC_ALL": "C",
}
_NO_CONFIGURATION = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}


class GitError(Exception):
    """A git command failed; the message holds the command and what git said."""


class Git:
    """Git for one repository. Without `git_dir` git finds it from `work_tree`.

    `personal` reads the person's own settings too: only for `git config`, which runs no program they name.
    """

    def __init__(
        self, work_tree: Path, git_dir: Path | None = None, index: Path | None = None, *, personal: bool = False
    ) -> None:
        self.work_tree = work_tree
        self.git_dir = git_dir
        self.index = index
        self.personal = personal

    def run(self, *arguments: str, stdin: bytes = b"", ok: Sequence[int] = (0,)) -> bytes:
        """The output of `git ARGUMENTS`. Raises `GitError` when its exit code is not one of `ok`."""
        finished = subprocess.run(
            self._command(*arguments),
            cwd=self.work_tree,
            env=self._environment(),
            input=stdin,
            capture_output=True,
            # Ctrl-C goes to the whole foreground group: it would leave git's work half done, and its lock.
            start_new_session=True,
        )
        if finished.returncode not in ok:
            said = finished.stderr.decode(errors="replace").strip()
            raise GitError(f"git {' '.join(arguments[:3])} failed: {said[-2000:]}")
        return finished.stdout

    def text(self, *arguments: str, stdin: bytes = b"") -> str:
        """The output as text, without the final newline."""
        return self.run(*arguments, stdin=stdin).decode(errors="replace").rstrip("\n")

    def paths(self, *arguments: str) -> tuple[str, ...]:
        """The output of a command that ends each path with NUL."""
        return tuple(os.fsdecode(path) for path in self.run(*arguments).split(b"\0") if path)

    def _command(self, *arguments: str) -> list[str]:
        command = ["git"]
        for setting in _HARDENED:
            command += ["-c", setting]
        if self.git_dir is not None:
            command += [f"--git-dir={self.git_dir}", f"--work-tree={self.work_tree}"]
        return [*command, *arguments]

    def _environment(self) -> Mapping[str, str]:
        own = ("GIT_CONFIG",) if self.personal else ()
        kept = {n: value for n, value in os.environ.items() if not n.startswith("GIT_") or n.startswith(own)}
        if self.index is not None:
            kept["GIT_INDEX_FILE"] = str(self.index)
        return kept | _IDENTITY | _SETTINGS | ({} if self.personal else _NO_CONFIGURATION)
