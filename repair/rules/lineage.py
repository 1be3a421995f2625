"""Which of the current work was made by tools alone."""

from repair.values.blackboard import Action, Blackboard


def tool_made_base(board: Blackboard) -> str:
    """The last tree of the current path that only fixers have led to; the baseline when there is none.

    The guard compares a model's edit with this tree: what a formatter did to a protected file
    before is not the model's doing.
    """
    standing = {point.tree for point in board.path} | {board.now.tree}
    tree = board.baseline.tree
    for attempt in board.attempts:
        if attempt.action is Action.FIXER and attempt.parent == tree and attempt.kept and attempt.tree in standing:
            tree = attempt.tree or tree
    return tree
