"""Changes to a tree: what a model proposes, what an edit did, what the guard objects to."""

from enum import StrEnum

from repair.values.base import Value


class Block(Value):
    """One SEARCH/REPLACE block; an empty `search` creates the file."""

    path: str
    search: str
    replace: str


class Answer(Value):
    """The edits in a model's answer: blocks, and fenced code without a path."""

    blocks: tuple[Block, ...] = ()
    fences: tuple[str, ...] = ()


class Unit(Value):
    """A stretch of one file that is asked for, or shown, as a whole. Lines count from 1, both included."""

    path: str
    start: int
    end: int
    name: str = ""
    kind: str = "file"

    @property
    def lines(self) -> int:
        """How many lines the unit has."""
        return self.end - self.start + 1


class Severity(StrEnum):
    """How bad a violation is: `critical` refuses the edit, `major` forbids delivery without a person."""

    CRITICAL = "critical"
    MAJOR = "major"


class Violation(Value):
    """A rule of the guard that a change breaks. `rule` is a short stable name such as `suppression`."""

    rule: str
    severity: Severity
    message: str
    file: str | None = None
    line: int | None = None

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}: " if self.file and self.line else f"{self.file}: " if self.file else ""
        return f"{place}{self.message} [{self.rule}]"
