"""Where a file named by a tool lies in the tree; pure, and never outside the root."""

import posixpath
import re

from repair.tools.triage.reading import plain_path
from repair.values.checks import Check

_CHANGE_FOLDER = re.compile(r"\s*cd\s+(?:--\s+)?(['\"]?)([\w./@+-]{1,300})\1\s*(?:&&|;|\n)")
_PATH_LIMIT = 1000
_UNPRINTABLE = re.compile(r"[\x00-\x1f\x7f]")
_INSTALLED = ("site-packages/", "dist-packages/", "/lib/python", "<")


def working_folder(check: Check) -> str:
    """The folder, relative to the root, that a check's relative paths start from: its `cwd`, and a leading `cd`."""
    changed = _CHANGE_FOLDER.match(check.run)
    return posixpath.normpath(posixpath.join(check.cwd, changed[2] if changed else "."))


def in_root(file: str, root: str, folder: str = ".") -> str | None:
    """`file` relative to `root`, POSIX; None for one outside, for the root itself, and for what is no path."""
    path = plain_path(file)
    if not path or len(path) > _PATH_LIMIT or _UNPRINTABLE.search(path):
        return None
    base = _absolute(root)
    target = _absolute(posixpath.join(base, folder, path))
    prefix = base.rstrip("/") + "/"
    return target.removeprefix(prefix) or None if target.startswith(prefix) else None


def of_repository(file: str, root: str) -> bool:
    """Whether a Python frame lies in the repository's own code, not in an installed package."""
    if any(part in file for part in _INSTALLED):
        return False
    return in_root(file, root) is not None


def _absolute(path: str) -> str:
    # POSIX lets two leading slashes mean something else, and normpath keeps them.
    return "/" + posixpath.normpath(path).lstrip("/")
