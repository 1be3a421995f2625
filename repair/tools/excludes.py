"""What git ignores in the user's folder, by the repository's rules and by the person's own."""

import os
from pathlib import Path

from repair.tools.git import Git, GitError

_SECRET_FILES = (".env", ".envrc", ".netrc", ".pypirc", ".npmrc", "id_rsa", "id_ed25519", "credentials.json")
_SECRET_ENDINGS = (".pem", ".key", ".p12", ".pfx", ".jks", ".kdbx")
_STALE_CACHES = ("__pycache__", ".pytest_cache", ".hypothesis")


def excludes_files(root: Path) -> tuple[Path, ...]:
    """The files with rules that belong to no commit: the repository's own, and the person's."""
    own = Path(root, Git(root).text("rev-parse", "--git-path", "info/exclude"))
    return tuple(path for path in (own, _personal(root)) if path is not None and path.is_file())


def ignored_paths(root: Path) -> tuple[str, ...]:
    """Ignored files and folders that checks may need, folders with a final slash.

    Left out: what holds secrets, and caches that could answer for code that has changed.
    """
    rules = (f"--exclude-from={path}" for path in excludes_files(root))
    listing = ("ls-files", "-z", "--others", "--ignored", "--directory", "--exclude-standard")
    listed = Git(root).paths(*listing, *rules)
    return tuple(path for path in listed if not _is_left_out(path) and os.path.lexists(root / path))


def _personal(root: Path) -> Path | None:
    try:
        named = Git(root, personal=True).text("config", "--get", "--type=path", "core.excludesFile")
    except GitError:  # not set: the default place (https://git-scm.com/docs/gitignore)
        return Path(os.environ.get("XDG_CONFIG_HOME") or Path("~/.config").expanduser(), "git/ignore")
    return Path(root, named) if named else None


def _is_left_out(path: str) -> bool:
    name = Path(path).name
    if name in _SECRET_FILES or name.startswith(".env.") or name.endswith(_SECRET_ENDINGS):
        return True
    return name in _STALE_CACHES or os.sep + "__pycache__" in path
