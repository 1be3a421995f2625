"""What a parser sees in a text: its structure, its errors, and the rows that hold words for people only."""

import ast
import re
import warnings
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import PurePosixPath
from typing import NamedTuple

from tree_sitter import Node

from repair.tools.edits.lines import split_byte_lines, split_lines
from repair.tools.guard.source import LARGEST_FILE, Source, is_comment, walk

_COMMENT_MARKS = {
    ".rego": "#", ".yml": "#", ".yaml": "#", ".toml": "#", ".rb": "#", ".c": "//", ".h": "//", ".cc": "//",
    ".cpp": "//", ".hpp": "//", ".cs": "//", ".kt": "//", ".swift": "//", ".php": "//", ".proto": "//",
}  # fmt: skip
_LITERAL = re.compile(r"string|template|heredoc|content|fragment|character|regex")
_DOCUMENTED = frozenset({"function_definition", "class_definition"})


class Rows(NamedTuple):
    """Row numbers from 0: those with code, and those of Python docstrings. The rest is comments and blank."""

    code: tuple[int, ...]
    docstrings: frozenset[int]


class _Piece(NamedTuple):
    """A stretch of bytes without inner structure."""

    start: int
    end: int
    docstring: bool = False


def parses(text: str) -> bool:
    """Whether Python takes the text."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an odd escape in a user's string is none of our business
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def error_count(text: str, path: str) -> int:
    """How many errors the parser of the path's language finds; 0 where there is no parser."""
    root = Source(path, text).root
    return 0 if root is None else sum(node.is_error or node.is_missing for node in walk(root))


def code_shape(text: str, path: str) -> list[object]:
    """What the code is but for blanks, line breaks and comments as far as these mean nothing; to be compared.

    By the language's parser, or else all lines that are not blank.
    """
    root = Source(path, text).root
    if root is None:
        return [line.rstrip() for line in split_lines(text) if line.strip()]
    return _shape(root, text.encode("utf-8", "replace"))


def rows(text: str, path: str) -> Rows | None:
    """The rows of code, by the language's parser or else its comment mark; `None` for an unknown language."""
    root = Source(path, text).root
    if root is not None:
        return _parsed_rows(text.encode("utf-8", "replace"), root)
    mark = _COMMENT_MARKS.get(PurePosixPath(path).suffix.lower())
    if mark is None or len(text) > LARGEST_FILE:
        return None
    lines = enumerate(line.strip() for line in split_lines(text))
    return Rows(tuple(row for row, line in lines if line and not line.startswith(mark)), frozenset())


def _parsed_rows(source: bytes, root: Node) -> Rows:
    starts = list(accumulate(map(len, split_byte_lines(source)), initial=0))
    code: set[int] = set()
    docstrings: set[int] = set()
    for piece in _pieces(root, source):
        touched = range(bisect_right(starts, piece.start) - 1, bisect_right(starts, piece.end - 1))
        (docstrings if piece.docstring else code).update(touched)
    return Rows(tuple(sorted(code)), frozenset(docstrings - code))


def _pieces(root: Node, source: bytes) -> Iterator[_Piece]:
    """All code in pieces, and the docstrings."""
    stack = [(root, "")]
    while stack:
        node, owner = stack.pop()
        if _means_nothing(node):
            continue
        yield from _own_text(node, source)
        docstring = _docstring(node, owner)
        if docstring is not None:
            yield _Piece(docstring.start_byte, docstring.end_byte, docstring=True)
        stack += [(child, node.type) for child in reversed(node.children) if child != docstring]


def _shape(root: Node, source: bytes) -> list[object]:
    """The tree in preorder without comments: each node as type and number of children, and its own text."""
    found: list[object] = []
    stack = [root]
    while stack:
        node = stack.pop()
        children = [child for child in node.children if not _means_nothing(child)]
        found.append((node.type, len(children)))
        found += [_trimmed(node, source[piece.start : piece.end]) for piece in _own_text(node, source)]
        stack.extend(reversed(children))
    return found


def _means_nothing(node: Node) -> bool:
    """A comment, or the token that some grammars have for the end of a line."""
    return is_comment(node) or not (node.is_named or node.is_missing or (node.text or b"").strip())


def _own_text(node: Node, source: bytes) -> Iterator[_Piece]:
    """What a node covers and no child of it: all of a leaf, and text between escapes, holes or errors."""
    edges = [edge for child in node.children for edge in (child.start_byte, child.end_byte)]
    for start, end in _pairs([node.start_byte, *edges, node.end_byte]):
        if start < end and (_is_literal(node) or source[start:end].strip()):
            yield _Piece(start, end)


def _pairs(edges: Sequence[int]) -> Iterator[tuple[int, int]]:
    return zip(edges[::2], edges[1::2], strict=True)


def _is_literal(node: Node) -> bool:
    """Whether blanks count in the node's own text."""
    return bool(not node.children and node.is_named) or bool(_LITERAL.search(node.type))


def _trimmed(node: Node, text: bytes) -> bytes:
    return text if _is_literal(node) else text.strip()


def _docstring(node: Node, owner: str) -> Node | None:
    if node.type != "module" and not (node.type == "block" and owner in _DOCUMENTED):
        return None
    first = next((child for child in node.children if not is_comment(child)), None)
    is_text = first is not None and first.type == "expression_statement" and first.child_count == 1
    return first if first is not None and is_text and first.children[0].type == "string" else None
