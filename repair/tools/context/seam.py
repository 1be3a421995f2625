"""What a language has to tell so that code in it can be shown in its context."""

from typing import NamedTuple, Protocol


class Definition(NamedTuple):
    """A named construct, or an unnamed top-level `statement` with an empty name.

    Lines count from 1, both included. `parent` holds the names of the enclosing definitions, outermost first.
    """

    name: str
    kind: str
    start: int
    end: int
    parent: tuple[str, ...] = ()
    confidence: float = 1.0

    @property
    def path(self) -> str:
        """The dotted path of names from the file down to this definition."""
        return ".".join((*self.parent, self.name))


class Reference(NamedTuple):
    """A name used on a line; for an attribute, the attribute's own name."""

    name: str
    line: int


class ImportRef(NamedTuple):
    """One imported thing. `module` is the text in the source, `names` what the file calls it.

    `candidates` are the files it may mean, best first, relative to the root: `a/b.py` is that file, `**/a/b.py` a file
    whose path ends so, and a final slash means all files of the folder. Without candidates the module is a package
    that files declare themselves (Rego).
    """

    module: str
    names: tuple[str, ...]
    line: int
    candidates: tuple[str, ...] = ()


class ContextSource(Protocol):
    """The facts about files of one language; none of the methods raises on text that does not parse."""

    def definitions(self, path: str, text: str) -> tuple[Definition, ...]:
        """All definitions, outer before inner, and the top-level statements."""

    def references(self, path: str, text: str) -> tuple[Reference, ...]:
        """All names used, each once per line."""

    def imports(self, path: str, text: str) -> tuple[ImportRef, ...]:
        """All imports, in the order of the file."""
