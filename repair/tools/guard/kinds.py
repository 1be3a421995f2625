"""Sets of words, such as the node types of grammars, written as running text."""


def kinds(*texts: str) -> frozenset[str]:
    """The words of the texts."""
    return frozenset(word for text in texts for word in text.split())
