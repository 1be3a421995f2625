"""How a tree came to be."""

from repair.values.blackboard import Attempt, Blackboard


def lineage(board: Blackboard, tree: str) -> tuple[Attempt, ...]:
    """The kept attempts that led from the start to a tree, first to last."""
    by_tree = {attempt.tree: attempt for attempt in board.attempts if attempt.kept and attempt.tree}
    found: list[Attempt] = []
    while tree in by_tree and tree != board.baseline.tree and by_tree[tree] not in found:
        found.append(by_tree[tree])
        tree = by_tree[tree].parent
    return tuple(reversed(found))
