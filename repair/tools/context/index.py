"""Which file defines a name, who uses it, and which file imports which."""

import posixpath
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from repair.tools.context import exclude
from repair.tools.context.facts import SHARED, FactCache
from repair.tools.context.files import Files
from repair.tools.context.seam import Definition, ImportRef, Reference
from repair.tools.context.sources import family_of, language_of
from repair.tools.tree import Tree

# Languages whose files in one folder see each other's names without an import.
_SHARE_FOLDER = frozenset(("go", "hcl", "java"))
# Languages whose names are global: a table is known wherever the database is.
_SHARE_ALL = frozenset(("sql",))
_ROOT_FILES = frozenset(("__init__", "index", "mod", "main", "lib"))
_SHORTEST_GUESS = 4
_MOST_GUESSES = 2
_MOST_IMPORTS = 1000
_MOST_PLACES = 20


class Place(NamedTuple):
    """A definition in a file, and how sure it is that a name means it."""

    path: str
    definition: Definition
    confidence: float = 1.0


class Index:
    """The graph of one tree, built as far as it is asked for: only files that contain a name as text are parsed.

    `hidden` files are as good as absent.
    """

    def __init__(self, tree: Tree, hidden: Sequence[str] = (), facts: FactCache = SHARED) -> None:
        self.files = Files(tree, hidden)
        self._facts = facts
        self._imports: dict[str, tuple[tuple[ImportRef, tuple[str, ...]], ...]] = {}
        self._references: dict[str, list[Reference]] = {}
        self._definitions: dict[str, tuple[Definition, ...]] = {}
        self._defining: dict[tuple[str, str | None], tuple[Place, ...]] = {}
        self._families: dict[str | None, list[str]] = {None: []}
        for path in self.files.searched:
            self._families[None].append(path)
            self._families.setdefault(family_of(path), []).append(path)

    def definitions(self, path: str) -> tuple[Definition, ...]:
        """The definitions in a file."""
        if path not in self._definitions:
            text = self.files.text(path)
            self._definitions[path] = () if text is None else self._facts.definitions(path, text)
        return self._definitions[path]

    def uses(self, path: str, start: int, end: int) -> tuple[str, ...]:
        """The names used from one line to another, in the order of their first use."""
        if path not in self._references:
            text = self.files.text(path)
            found = () if text is None else self._facts.references(path, text)
            self._references[path] = sorted(found, key=lambda entry: entry.line)
        references = self._references[path]
        first = bisect_left(references, start, key=lambda entry: entry.line)
        last = bisect_right(references, end, key=lambda entry: entry.line)
        return tuple(dict.fromkeys(entry.name for entry in references[first:last]))

    def defining(self, name: str, family: str | None = None) -> tuple[Place, ...]:
        """Where a name is defined, in all languages or in one family of them."""
        key = name, family
        if key not in self._defining:
            self._defining[key] = self.defined(name, self._likely(name, family))
        return self._defining[key]

    def defined(self, name: str, paths: Iterable[str]) -> tuple[Place, ...]:
        """Where some files define a name, at most twenty times."""
        found = (
            Place(path, entry, entry.confidence)
            for path in self._having(name, paths)
            for entry in self.definitions(path)
            if entry.name == name and name
        )
        return tuple(islice(found, _MOST_PLACES))

    def using(self, name: str, paths: Iterable[str]) -> tuple[tuple[str, int], ...]:
        """The lines of some files that use a name, as path and line."""
        return tuple(
            (path, entry.line)
            for path in self._having(name, paths)
            for entry in self._facts.references(path, self.files.text(path) or "")
            if entry.name == name
        )

    def mentioning(self, name: str, family: str) -> tuple[str, ...]:
        """The files of a family in which a name occurs as text."""
        return tuple(self._having(name, self._family(family)))

    def imports(self, path: str) -> tuple[tuple[ImportRef, tuple[str, ...]], ...]:
        """The imports of a file, each with the files it means; none for what is outside the tree."""
        if path not in self._imports:
            text = self.files.text(path)
            found = () if text is None else self._facts.imports(path, text)
            self._imports[path] = tuple((entry, self._meant(path, entry)) for entry in found[:_MOST_IMPORTS])
        return self._imports[path]

    def imported(self, path: str) -> tuple[str, ...]:
        """The files a file imports."""
        return tuple(dict.fromkeys(file for _, files in self.imports(path) for file in files))

    def importers(self, path: str) -> tuple[str, ...]:
        """The files that import a file."""
        stem = posixpath.splitext(posixpath.basename(path))[0]
        words = {stem, posixpath.basename(posixpath.dirname(path))} if stem in _ROOT_FILES else {stem}
        if language_of(path) in ("go", "hcl"):
            words = {posixpath.basename(posixpath.dirname(path))}
        if language_of(path) == "rust" and stem in _ROOT_FILES:
            words = {"use"}
        words |= {name.rpartition(".")[2] for name in self._packages(path)}
        likely = [*self._family(family_of(path)), *self._family("bash")]
        near = (file for word in sorted(words) for file in self._having(word, likely) if self._may_import(file, word))
        return tuple(file for file in dict.fromkeys(near) if file != path and path in self.imported(file))

    def neighbours(self, path: str) -> tuple[str, ...]:
        """The files whose names a file sees without importing them."""
        language = language_of(path)
        if language in _SHARE_FOLDER:
            folders = [posixpath.dirname(path)]
            if path.endswith(".tftest.hcl"):
                # `terraform test` runs the files of a tests folder in the module above it.
                folders.append(posixpath.dirname(folders[0]))
            files = [file for folder in folders for file in self.files.in_folder(folder)]
        elif language in _SHARE_ALL:
            files = list(self.files.searched)
        else:
            files = [file for package in self._packages(path) for file in self._declaring(package)]
        return tuple(file for file in dict.fromkeys(files) if file != path and language_of(file) == language)

    def resolve(self, path: str, name: str) -> tuple[Place, ...]:
        """What a name used in a file most likely means, the surest first; nothing when it is from outside the tree."""
        near = ((1.0, (path,)), (0.95, self.imported(path)), (0.9, self.neighbours(path)))
        for confidence, files in near:
            if found := self.defined(name, files):
                return tuple(place._replace(confidence=confidence * place.confidence) for place in found)
        outside = any(name in entry.names and not files for entry, files in self.imports(path))
        if outside or len(name) < _SHORTEST_GUESS or language_of(path) == "text":
            return ()
        guesses = [place for place in self.defining(name, family_of(path)) if not exclude.is_test(place.path)]
        return tuple(place._replace(confidence=0.5) for place in guesses) if len(guesses) <= _MOST_GUESSES else ()

    def _meant(self, path: str, entry: ImportRef) -> tuple[str, ...]:
        if entry.candidates:
            return tuple(file for file in self.files.first(entry.candidates) if file != path)
        if language_of(path) != "rego":
            return ()
        return self._declaring(entry.module) or self._declaring(entry.module.rpartition(".")[0])

    def _packages(self, path: str) -> tuple[str, ...]:
        if language_of(path) != "rego":
            return ()
        return tuple(entry.name for entry in self.definitions(path) if entry.kind == "package")

    def _declaring(self, package: str) -> tuple[str, ...]:
        places = self.defining(package, "rego") if package else ()
        return tuple(dict.fromkeys(place.path for place in places if place.definition.kind == "package"))

    def _family(self, family: str | None) -> Sequence[str]:
        return self._families.get(family, ())

    def _may_import(self, path: str, word: str) -> bool:
        """Whether an import of a Python file names a word; cheaper than parsing each file that contains it."""
        if family_of(path) != "python":
            return True
        named = rb"^[ \t]*(?:from|import)\b(?:[^\n(]{0,500}|[^\n(]{0,500}\([^)]{0,2000})\b%b\b"
        statement = re.compile(named % re.escape(word.encode("utf-8", errors="replace")), re.MULTILINE)
        return statement.search(self.files.content(path) or b"") is not None

    def _likely(self, name: str, family: str | None) -> Iterator[str]:
        """The files that may define a name; a Python file that only uses it need not be parsed."""
        word = name.encode("utf-8", errors="replace")
        headers = [start + word for start in (b"def ", b"class ", b"\n")]
        for path in self._having(name, self._family(family)):
            content = self.files.content(path) or b""
            if family_of(path) != "python" or content.startswith(word) or any(header in content for header in headers):
                yield path

    def _having(self, name: str, paths: Iterable[str]) -> Iterator[str]:
        """The files of those that contain the last part of a name as text."""
        word = name.rpartition(".")[2].encode("utf-8", errors="replace")
        for path in paths:
            content = self.files.content(path)
            if content is not None and word in content:
                yield path
