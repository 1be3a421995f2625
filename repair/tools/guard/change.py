"""A change as the rules see it: two trees, and the files in which they differ."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

from repair.tools.guard.protection import is_test
from repair.tools.guard.source import Source
from repair.tools.tree import Tree
from repair.values.change import Severity, Violation
from repair.values.checks import Category, Finding
from repair.values.contract import Contract


@runtime_checkable
class ModedTree(Tree, Protocol):
    """A tree that also knows git's file modes, those of links and submodules included."""

    def modes(self) -> Mapping[str, str]:
        """Git's mode of every entry, such as `100644`, `100755` or `120000`."""


@dataclass(frozen=True)
class FileChange:
    """A file that differs; `before` or `after` is `None` where it does not exist as a plain file."""

    path: str
    before: Source | None
    after: Source | None

    @cached_property
    def is_test(self) -> bool:
        """Whether the file is a test or a fixture."""
        return is_test(self.path)

    @cached_property
    def is_binary(self) -> bool:
        """Whether either version is no text."""
        return any("\0" in side.text for side in (self.before, self.after) if side)

    @cached_property
    def language(self) -> str | None:
        """The grammar of the newer version."""
        side = self.after or self.before
        return side.language if side else None


@dataclass(frozen=True)
class Change:
    """Everything a rule may look at. `base` is the tree at the start of the run."""

    base: Tree
    candidate: Tree
    contract: Contract
    findings: tuple[Finding, ...]
    tool_made: bool

    @cached_property
    def files(self) -> tuple[FileChange, ...]:
        """The files that differ, sorted by path."""
        paths = sorted({*self.base.paths(), *self.candidate.paths()})
        return tuple(found for path in paths if (found := self._file(path)) is not None)

    def _file(self, path: str) -> FileChange | None:
        before, after = self.base.read(path), self.candidate.read(path)
        if before == after:
            return None
        return FileChange(path, _source(path, before), _source(path, after))

    @cached_property
    def edited(self) -> tuple[tuple[FileChange, Source, Source], ...]:
        """The text files that exist on both sides."""
        return tuple(
            (file, file.before, file.after) for file in self.files if file.before and file.after and not file.is_binary
        )

    @cached_property
    def product(self) -> tuple[FileChange, ...]:
        """The changed text files that are no tests."""
        return tuple(file for file in self.files if not file.is_test and not file.is_binary)

    def base_sources(self, *, tests: bool) -> Iterator[Source]:
        """The text files of the base tree that are tests, or those that are not."""
        for path in self.base.paths():
            content = self.base.read(path) if is_test(path) is tests else None
            if content is not None and b"\0" not in content:
                yield Source(path, decode(content))


def decode(content: bytes) -> str:
    """The text of a file; bytes that are no UTF-8 become replacement characters."""
    return content.decode("utf-8-sig", errors="replace")


def _source(path: str, content: bytes | None) -> Source | None:
    return None if content is None else Source(path, decode(content))


_REMOVABLE = re.compile(
    r"\b(unused|never (?:used|read|called|constructed)|not (?:used|accessed)|duplicate[ds]?|redefin\w+|redeclar\w+|"
    r"already (?:defined|declared)|unreachable|dead code|imported but|declared but)\b",
    re.IGNORECASE,
)
_QUOTED = re.compile(r"[`'\"\u2018\u201c]([^`'\"\u2019\u201d]{1,200})[`'\"\u2019\u201d]")
_STATIC = frozenset(Category) - {Category.TEST_ASSERTION, Category.TEST_ERROR, Category.INFRA, Category.UNKNOWN}


def removable(findings: Iterable[Finding], path: str) -> Sequence[Finding]:
    """The findings that ask for something unused, duplicate or unreachable in `path` to go.

    Tests say what their authors like, so only findings of static checks count.
    """
    return [
        finding
        for finding in findings
        if finding.file == path
        and finding.test is None
        and finding.category in _STATIC
        and _REMOVABLE.search(f"{finding.code or ''} {finding.symbol or ''} {finding.message}".replace("-", " "))
    ]


def asks_for(finding: Finding, name: str, line: int) -> bool:
    """Whether the finding is about the unit `name` that starts at `line`, and not about something in it."""
    last = name.rsplit(".", 1)[-1]
    if finding.symbol is not None:
        return finding.symbol in {name, last}
    quoted = _QUOTED.search(finding.message)
    return quoted[1] == last if quoted else finding.line == line


def test_files(findings: Iterable[Finding]) -> set[str]:
    """The files of the tests that fail, as far as the findings name them."""
    named = {path for found in findings if found.test for path in (found.file, found.test.split("::", 1)[0]) if path}
    return {path for path in named if is_test(path)}


def critical(rule: str, message: str, path: str | None = None, line: int | None = None) -> Violation:
    """A violation that refuses the edit."""
    return Violation(rule=rule, severity=Severity.CRITICAL, message=message, file=path, line=line)


def major(rule: str, message: str, path: str | None = None, line: int | None = None) -> Violation:
    """A violation that forbids delivery without a person."""
    return Violation(rule=rule, severity=Severity.MAJOR, message=message, file=path, line=line)
