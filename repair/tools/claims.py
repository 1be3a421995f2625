"""What of a diagnosis can be found in the tree (semantics, section 11)."""

from collections.abc import Iterable, Sequence

from repair.tools.tree import Tree, read_text
from repair.values.blackboard import Claim


def surviving(claims: Iterable[Claim], tree: Tree, outputs: Sequence[str]) -> tuple[Claim, ...]:
    """The claims whose file exists and whose quote stands there, or in an output.

    A wrong line is set right only when the quote is unique in the file; otherwise it is dropped.
    """
    checked = (_checked(claim, tree, outputs) for claim in claims)
    return tuple(claim for claim in checked if claim is not None)


def _checked(claim: Claim, tree: Tree, outputs: Sequence[str]) -> Claim | None:
    text = read_text(tree, claim.file)
    if text is None:
        return None
    quote = _folded(claim.quote)
    lines = text.splitlines()
    if not quote:
        return claim if claim.line is not None and 1 <= claim.line <= len(lines) else None
    if quote not in _folded(text):
        return claim.model_copy(update={"line": None}) if any(quote in _folded(output) for output in outputs) else None
    places = [number for number, line in enumerate(lines, 1) if quote in _folded(line)]
    if claim.line in places:
        return claim
    return claim.model_copy(update={"line": places[0] if len(places) == 1 else None})


def _folded(text: str) -> str:
    return " ".join(text.split())
