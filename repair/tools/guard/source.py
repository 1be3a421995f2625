"""One version of a file as the guard reads it: language, tokens and syntax tree. Nothing here raises on garbage."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from tree_sitter import Language, Node, Parser

from repair.tools.guard.kinds import kinds
from repair.tools.guard.rego import scan as scan_rego

# Beyond this a file is not parsed; the gate says so instead of letting it pass unread.
LARGEST_FILE = 1_000_000
DEEPEST_TREE = 400  # nodes
_LONGEST_PHRASE = 4000  # bytes
_DEEPEST = 60  # nodes

_LANGUAGES = {
    ".py": "python", ".pyi": "python",
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "tsx",
    ".go": "go", ".rs": "rust", ".java": "java", ".sh": "bash", ".bash": "bash", ".bats": "bash",
    ".tf": "hcl", ".hcl": "hcl", ".tfvars": "hcl", ".sql": "sql", ".rego": "rego",
}  # fmt: skip
STRINGS = kinds(
    "string template_string regex interpreted_string_literal raw_string_literal rune_literal string_literal",
    "char_literal character_literal raw_string ansi_c_string string_lit",
)
NUMBERS = kinds(
    "integer float number int_literal float_literal integer_literal decimal_integer_literal hex_integer_literal",
    "decimal_floating_point_literal numeric_lit",
)
_PIECES = frozenset({"string_content", "string_fragment", "template_literal", "heredoc_body", "heredoc_content"})
_HOLES = kinds(
    "interpolation template_substitution template_interpolation simple_expansion expansion command_substitution",
    "template_directive",
)
_COMMENTS = frozenset({"comment", "line_comment", "block_comment", "marginalia", "hash_bang_line"})


class Token(NamedTuple):
    """A word of the code, comments left out. `kind` is string, number, name or op; lines count from 1."""

    text: str
    kind: str
    line: int


def language_of(path: str, text: str) -> str | None:
    """The grammar for the file, by its name or its `#!` line; `None` for data and everything else."""
    known = _LANGUAGES.get(PurePosixPath(path).suffix.lower())
    if known or not text.startswith("#!"):
        return known
    first = text.split("\n", 1)[0]
    return next((language for word, language in _SHEBANGS.items() if word in first), None)


_SHEBANGS = {"python": "python", "bash": "bash", "/sh": "bash", " sh": "bash", "node": "javascript"}


@cache
def _parser(language: str) -> Parser:
    if language in {"typescript", "tsx"}:
        module = importlib.import_module("tree_sitter_typescript")
        return Parser(Language(getattr(module, f"language_{language}")()))
    return Parser(Language(importlib.import_module(f"tree_sitter_{language}").language()))


def is_comment(node: Node) -> bool:
    """Whether the node is a comment in any of the grammars."""
    return node.type in _COMMENTS


def text_of(node: Node | None) -> str:
    """The source of a node; empty for one too long to be a name or a value, so that nesting costs no copies."""
    if node is None or (node.end_byte - node.start_byte > _LONGEST_PHRASE and not _is_word(node)):
        return ""
    return (node.text or b"").decode("utf-8", errors="replace")


def ancestors(node: Node) -> Iterator[Node]:
    """The nodes around `node`, nearest first, as far as anyone nests code on purpose."""
    above = node.parent
    for _ in range(_DEEPEST):
        if above is None:
            return
        yield above
        above = above.parent


def walk(root: Node) -> Iterator[Node]:
    """Every node below `root` and itself, in source order, without recursion."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(reversed(node.children))


def _depth_within(root: Node, limit: int) -> bool:
    """Whether no node lies deeper than `limit`; finding a node's parent costs as much as its depth."""
    level = [root]
    for _ in range(limit):
        level = [child for node in level if node.child_count for child in node.children]
        if not level:
            return True
    return False


def _is_word(node: Node) -> bool:
    return node.child_count == 0 or node.type in _PIECES or node.type in STRINGS


def is_plain_string(node: Node) -> bool:
    """Whether the node is a string without a hole for an expression."""
    return node.type in STRINGS and not any(child.type in _HOLES for child in node.children)


def leaves(root: Node) -> Iterator[Node]:
    """The words below `root`: a plain string is one word, a comment none."""
    stack = [root]
    while stack:
        node = stack.pop()
        if is_comment(node):
            continue
        if node.child_count == 0 or node.type in _PIECES or is_plain_string(node):
            yield node
        else:
            stack.extend(reversed(node.children))


def token_of(node: Node) -> Token:
    """A word of the tree as a token."""
    text = text_of(node)
    return Token(text, _kind(node, text), node.start_point.row + 1)


def _kind(node: Node, text: str) -> str:
    if node.type in STRINGS or node.type in _PIECES:
        return "string"
    if node.type in NUMBERS:
        return "number"
    if node.type == "literal":  # SQL does not tell them apart
        return "string" if text[:1] in {"'", '"'} else "number" if text[:1].isdigit() else "name"
    return "name" if text[:1].isalpha() or text[:1] in {"_", "$", "@"} else "op"


def tokens_of(root: Node) -> tuple[Token, ...]:
    """All words below a node."""
    found = (token_of(leaf) for leaf in leaves(root))
    return tuple(token for token in found if token.text.strip())


@dataclass(frozen=True)
class Source:
    """The text of one file in one tree."""

    path: str
    text: str

    @cached_property
    def language(self) -> str | None:
        """The grammar's name, `rego` for the scanner's language."""
        return language_of(self.path, self.text)

    @cached_property
    def unread(self) -> bool:
        """Whether the file is code, and too large or too deeply nested to be read as such."""
        return self._too_large or (self.root is None and self.language not in {None, "rego"})

    @cached_property
    def _too_large(self) -> bool:
        return len(self.text) > LARGEST_FILE

    @cached_property
    def root(self) -> Node | None:
        """The syntax tree; `None` where it cannot be read. Errors in the code give a tree with holes."""
        if self.language in {None, "rego"} or self._too_large:
            return None
        root = _parser(str(self.language)).parse(self.text.encode("utf-8", errors="replace")).root_node
        return root if _depth_within(root, DEEPEST_TREE) else None

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The words of the code without comments."""
        if self.language == "rego" and not self._too_large:
            return tuple(Token(*word) for word in scan_rego(self.text))
        return tokens_of(self.root) if self.root is not None else ()

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines of the text."""
        return tuple(self.text.splitlines())
