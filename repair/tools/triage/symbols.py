"""The name an error message is about."""

import re

_NAME = r"[`'\"\u2018\u201c](?P<name>[^`'\"\u2018\u2019\u201c\u201d\s]{1,200})[`'\"\u2019\u201d]"
_SHAPES = tuple(
    re.compile(shape)
    for shape in (
        rf"cannot import name {_NAME}",
        rf"has no attribute {_NAME}",
        rf"[Nn]o module named {_NAME}",
        rf"module named {_NAME}",
        rf"stubs not installed for {_NAME}",
        rf"(?:[Uu]ndefined|[Uu]ndeclared|[Uu]nknown|[Uu]nresolved)[\w ]{{0,40}}:? ?{_NAME}",
        rf"\b[Nn]ame {_NAME}",
        rf"\b[Vv]ariable {_NAME}",
        rf"\bfixture {_NAME}",
        rf"{_NAME}[\w ]{{0,20}} (?:is )?(?:not defined|undefined|undeclared|imported but unused|not found)",
        rf"unexpected keyword argument {_NAME}",
        rf"^KeyError: {_NAME}",
        rf"^{_NAME} ",
        r"(?:satisfies the requirement|No matching distribution found for) (?P<name>[\w.-]{1,200})",
    )
)


def symbol_of(message: str) -> str | None:
    """The undefined, missing or unused name in a message, or None where it quotes none."""
    for shape in _SHAPES:
        if match := shape.search(message[:2000]):
            return match["name"]
    return None
