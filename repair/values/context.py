"""The facts about the code around an error, collected without a model."""

from repair.values.base import Value


class Excerpt(Value):
    """A piece of the tree and why it is shown. Lines count from 1, both included.

    `kind` is a letter of the scan: a unit, b imports, c definitions, d dependents, e failing test,
    f rule or configuration, g diff of the pull request, h last green version, i similar code, j decisions.
    """

    kind: str
    path: str
    start: int
    end: int
    text: str
    reason: str
    confidence: float = 1.0


class ContextPack(Value):
    """All excerpts of one scan in the order they are shown; `cut` names the kinds the budget left out."""

    excerpts: tuple[Excerpt, ...] = ()
    cut: tuple[str, ...] = ()

    def of(self, kind: str) -> tuple[Excerpt, ...]:
        """The excerpts of one kind."""
        return tuple(excerpt for excerpt in self.excerpts if excerpt.kind == kind)
