"""The files of a tree that may be shown, and finding them by what imports, commands and messages call them."""

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

import pathspec

from repair.tools.context import exclude
from repair.tools.tree import Tree

# Contents beyond this are read again rather than kept.
KEPT_BYTES = 200_000_000
_MOST_MATCHES = 50
_SYSTEM = ("/usr/", "/lib/", "/etc/", "/opt/")
_LONGEST_NAME = 300


class Files:
    """The plain files of a tree without secrets, hidden files, and what is binary, huge or generated.

    `hidden` are paths, folders, or globs as in `.gitignore`.
    """

    def __init__(self, tree: Tree, hidden: Sequence[str] = ()) -> None:
        self._tree = tree
        self._contents: dict[str, bytes | None] = {}
        self._kept = 0
        self.paths = tuple(path for path in _visible(tree.paths(), hidden) if not exclude.secret(path))
        self._known = frozenset(self.paths)
        self.searched = tuple(path for path in self.paths if not exclude.vendored(path))
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_folder: dict[str, list[str]] = defaultdict(list)
        for path in self.searched:
            folder, name = posixpath.split(path)
            self._by_name[name].append(path)
            self._by_folder[folder].append(path)
        self._folders_by_name: dict[str, list[str]] = defaultdict(list)
        for folder in self._by_folder:
            self._folders_by_name[posixpath.basename(folder)].append(folder)

    def content(self, path: str) -> bytes | None:
        """The bytes of a file that may be shown, else `None`."""
        if path not in self._known:
            return None
        if path in self._contents:
            return self._contents[path]
        content = self._tree.read(path)
        if content is not None and (exclude.unreadable(content) or exclude.generated(content)):
            content = None
        if self._kept < KEPT_BYTES:
            self._contents[path] = content
            self._kept += len(content or b"")
        return content

    def text(self, path: str) -> str | None:
        """The text of a file that may be shown, else `None`."""
        content = self.content(path)
        return None if content is None else content.decode("utf-8-sig", errors="replace")

    def in_folder(self, folder: str) -> tuple[str, ...]:
        """The files right in a folder."""
        return tuple(self._by_folder.get(folder, ()))

    def match(self, candidate: str) -> tuple[str, ...]:
        """The files a candidate means: a path, `**/` and the end of one, a glob, or a folder with its final slash."""
        if len(candidate) > _LONGEST_NAME:
            return ()
        if candidate.endswith("/"):
            return self._match_folder(candidate.rstrip("/"))
        folder, name = posixpath.split(candidate.removeprefix("**/"))
        if any(sign in name for sign in "*?["):
            return tuple(path for path in self.in_folder(folder) if fnmatchcase(posixpath.basename(path), name))
        if not candidate.startswith("**/"):
            return (candidate,) if candidate in self._known else ()
        return _ending(self._by_name.get(name, ()), candidate)

    def first(self, candidates: Iterable[str]) -> tuple[str, ...]:
        """What the first candidate with a match means."""
        return next((found for candidate in candidates if (found := self.match(candidate))), ())

    def named(self, token: str) -> tuple[str, ...]:
        """The files a path in free text means: as it is, without leading folders, or as the end of a path."""
        if len(token) > _LONGEST_NAME or exclude.vendored(token) or token.startswith(_SYSTEM):
            return ()
        parts = [part for part in token.replace("\\", "/").split("/") if part not in ("", ".")]
        tails = ["/".join(parts[start:]) for start in range(len(parts))]
        if not tails:
            return ()
        return self.first((tails[0], f"**/{tails[0]}", *tails[1:]))

    def _match_folder(self, candidate: str) -> tuple[str, ...]:
        if not candidate.startswith("**/"):
            return self.in_folder("" if candidate == "." else candidate)
        tail = candidate.removeprefix("**/")
        folders = _ending(self._folders_by_name.get(posixpath.basename(tail), ()), candidate)
        return tuple(path for folder in folders for path in self._by_folder[folder])[:_MOST_MATCHES]


def _ending(paths: Iterable[str], candidate: str) -> tuple[str, ...]:
    tail = candidate.removeprefix("**/")
    found = [path for path in paths if path == tail or path.endswith(f"/{tail}")]
    return tuple(sorted(found, key=lambda path: (path.count("/"), path))[:_MOST_MATCHES])


def _visible(paths: Sequence[str], hidden: Sequence[str]) -> list[str]:
    if not hidden:
        return list(paths)
    folders = tuple(f"{path.rstrip('/')}/" for path in hidden)
    spec = pathspec.PathSpec.from_lines("gitignore", hidden)
    names = frozenset(hidden)
    return [path for path in paths if path not in names and not path.startswith(folders) and not spec.match_file(path)]
