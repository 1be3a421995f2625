"""What git ignores in the user's folder, by the repository's rules and by the person's own."""

import contextlib
import os
import re
from pathlib import Path

from repair.tools.git import Git, GitError
from repair.tools.redact import secrets_of

_SECRET_FILES = (".env", ".envrc", ".netrc", ".pypirc", ".npmrc", "id_rsa", "id_ed25519", "credentials.json")
# Not `.pem`: the certificates every HTTP client ships end so, and without them nothing imports.
_SECRET_ENDINGS = (".key", ".p12", ".pfx", ".jks", ".kdbx")
_MOST_READ = 65_536
_ASSIGNMENT = re.compile(
    r"^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w{0,99})[ \t]*=[ \t]*(\S.{0,2000}?)[ \t\r]*$", re.MULTILINE
)
_STALE_CACHES = ("__pycache__", ".pytest_cache", ".hypothesis")


def excludes_files(root: Path) -> tuple[Path, ...]:
    """The files with rules that belong to no commit: the repository's own, and the person's."""
    own = Path(root, Git(root).text("rev-parse", "--git-path", "info/exclude"))
    return tuple(path for path in (own, _personal(root)) if path is not None and path.is_file())


def ignored_paths(root: Path) -> tuple[str, ...]:
    """Ignored files and folders that checks may need, folders with a final slash.

    Left out: what holds secrets, and caches that could answer for code that has changed.
    """
    return tuple(path for path in _listed(root) if not _is_left_out(path) and os.path.lexists(root / path))


def secret_files(root: Path) -> tuple[Path, ...]:
    """Every ignored file that is named like one that holds secrets, however deep in an ignored folder."""
    listed = _listed(root)
    alone = [root / path for path in listed if not path.endswith("/") and _is_secret(Path(path).name)]
    below = [secret for path in listed if path.endswith("/") for secret in secrets_below(root / path)]
    return (*(path for path in alone if _is_plain(path)), *below)


def secrets_below(folder: Path) -> tuple[Path, ...]:
    """The plain files below a folder that are named like ones that hold secrets; links are not followed."""
    if folder.is_symlink():
        return ()
    found = (Path(within, name) for within, _, names in os.walk(folder) for name in names if _is_secret(name))
    return tuple(path for path in found if _is_plain(path))


def secret_values(root: Path) -> tuple[str, ...]:
    """The values in those files, as far as they are lines `NAME=value` with the name of a secret."""
    found: list[str] = []
    for path in secret_files(root):
        with contextlib.suppress(OSError), path.open("rb") as file:
            content = file.read(_MOST_READ).decode("utf-8", errors="replace")
            found += secrets_of({name: value.strip().strip("'\"") for name, value in _ASSIGNMENT.findall(content)})
    return tuple(dict.fromkeys(found))


def _listed(root: Path) -> tuple[str, ...]:
    rules = (f"--exclude-from={path}" for path in excludes_files(root))
    return Git(root).paths("ls-files", "-z", "--others", "--ignored", "--directory", "--exclude-standard", *rules)


def _personal(root: Path) -> Path | None:
    try:
        named = Git(root, personal=True).text("config", "--get", "--type=path", "core.excludesFile")
    except GitError:  # not set: the default place (https://git-scm.com/docs/gitignore)
        return Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser(), "git/ignore")
    return Path(root, named) if named else None


def _is_left_out(path: str) -> bool:
    name = Path(path).name
    # A folder may be called `.env` too: people name virtual environments so.
    if not path.endswith("/") and (_is_secret(name) or name.endswith(".pem")):
        return True
    return name in _STALE_CACHES or os.sep + "__pycache__" in path


def _is_plain(path: Path) -> bool:
    return path.is_file() and not path.is_symlink()


def _is_secret(name: str) -> bool:
    return name in _SECRET_FILES or name.startswith(".env.") or name.endswith(_SECRET_ENDINGS)
