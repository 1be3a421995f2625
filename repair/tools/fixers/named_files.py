"""The files that findings name, as arguments for a command."""

import posixpath
from collections.abc import Sequence
from shlex import quote
from typing import Final

from repair.tools.invocations import Invocation
from repair.tools.shell import SimpleCommand, simple_commands
from repair.values.checks import Check, Finding

# Beyond this many the whole of what the check looks at is formatted: the findings say as much.
MAX_FILES: Final = 100


def files_named(check: Check, findings: Sequence[Finding]) -> tuple[str, ...]:
    """The files in the check's findings, relative to the root, sorted."""
    named = {finding.file for finding in findings if finding.check == check.name and not finding.masked}
    return tuple(sorted(file for file in named if file and _is_plain(file)))


def as_arguments(files: Sequence[str], folder: str) -> tuple[str, ...]:
    """The files as quoted words for a command in that folder; none can be taken for an option."""
    # Both from one root, for a relative path would be completed with our own working directory.
    relative = (posixpath.relpath(f"/{file}", f"/{folder}") for file in files)
    return tuple(quote(_unlike_option(path)) for path in relative)


def folder_of(command: SimpleCommand, call: Invocation, cwd: str) -> str | None:
    """The folder the call works in, relative to the root; `None` where only a run can tell."""
    if call.elsewhere:
        return None
    folder: str | None = cwd if _is_plain(cwd) else None
    for statement in command.before:
        folder = _moved(statement, folder)
    return folder


def _moved(statement: str, folder: str | None) -> str | None:
    words = next((part.words for part in simple_commands(statement)), ())
    name = words[0].value if words else None
    if folder is None or name in {"popd", "eval"}:
        return None
    if name not in {"cd", "pushd"}:
        return folder
    target = words[1].value if len(words) == 2 else None
    if not target or target[0] in "/~-":
        return None
    moved = posixpath.normpath(posixpath.join(folder, target))
    return moved if _is_plain(moved) else None


def _is_plain(path: str) -> bool:
    return not path.startswith("/") and ".." not in path.split("/") and path.isprintable()


def _unlike_option(file: str) -> str:
    return f"./{file}" if file.startswith("-") else file
