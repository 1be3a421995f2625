"""The tree-sitter grammars and the queries that read facts from their trees."""

import re
import time
import warnings
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module, resources

from tree_sitter import Language, Node, Parser, Query, QueryCursor, Tree

# A query stops remembering beginnings of matches beyond this many, which bounds its time on hostile trees.
MATCH_LIMIT = 4096
_LONGEST_LINE = 5000
_DEEPEST_BRACKETS = 300
_LARGEST_BROKEN = 100_000
# Operators without an operand between them: a long expression of such costs the parser time and memory with the square
# of its length (12 KB were seen to take 7 s and 1.7 GB), in a single step that the time limit cannot interrupt.
_BETWEEN = r"(?:\s|#[^\n]{0,200}\n)"
_PILED = re.compile(rf"(?:[!<>=%@|&^+-]{_BETWEEN}{{0,50}}|/{_BETWEEN}{{1,50}}|/(?=\*#))\*")
_MOST_PILED = 100
# The largest files that parse take a fraction of this processor time.
_PARSE_SECONDS = 0.5
_PIECE = 65_536


@dataclass(frozen=True)
class Grammar:
    """A grammar in a wheel of its own; its queries are the files of those names under `queries/`."""

    wheel: str
    queries: tuple[str, ...]
    entry: str = "language"


PYTHON = Grammar("tree_sitter_python", ("python",))
JAVASCRIPT = Grammar("tree_sitter_javascript", ("javascript",))
# The grammar of TypeScript extends the one of JavaScript, so its query comes on top.
TYPESCRIPT = Grammar("tree_sitter_typescript", ("javascript", "typescript"), "language_typescript")
TSX = Grammar("tree_sitter_typescript", ("javascript", "typescript"), "language_tsx")
GO = Grammar("tree_sitter_go", ("go",))
RUST = Grammar("tree_sitter_rust", ("rust",))
JAVA = Grammar("tree_sitter_java", ("java",))
BASH = Grammar("tree_sitter_bash", ("bash",))
HCL = Grammar("tree_sitter_hcl", ("hcl",))
SQL = Grammar("tree_sitter_sql", ("sql",))


@lru_cache(maxsize=16)
def _language(grammar: Grammar) -> Language:
    entry = getattr(import_module(grammar.wheel), grammar.entry)
    with warnings.catch_warnings():
        # Some wheels still hand out an integer, which py-tree-sitter takes with a DeprecationWarning.
        warnings.simplefilter("ignore", DeprecationWarning)
        return Language(entry())


@lru_cache(maxsize=16)
def _query(grammar: Grammar) -> Query:
    folder = resources.files("repair.tools.context") / "queries"
    source = "\n".join((folder / f"{name}.scm").read_text("utf-8") for name in grammar.queries)
    return Query(_language(grammar), source)


# The three questions about a file follow each other, so a few remembered trees save two parses of three.
@lru_cache(maxsize=8)
def parse(grammar: Grammar, text: str) -> Tree | None:
    """The tree of the text, with error nodes where it does not parse; `None` where that takes too long."""
    source = text.encode("utf-8", errors="replace")
    parser = Parser(_language(grammar))
    return parser.parse(source) if _in_time(parser, source) else None


def _in_time(parser: Parser, source: bytes) -> bool:
    """Whether a trial parse ends in time.

    Only a parse of text that comes in pieces can be stopped; its nodes would ask for their text piece by piece too,
    which is slow, so its tree is not used.
    """
    end = time.thread_time() + _PARSE_SECONDS
    try:
        parser.parse(
            lambda offset, _: source[offset : offset + _PIECE],
            progress_callback=lambda *_: time.thread_time() > end,
        )
    except ValueError:
        # What py-tree-sitter raises for a parse that its callback stopped.
        parser.reset()
        return False
    return True


@lru_cache(maxsize=8)
def matches(grammar: Grammar, text: str) -> list[dict[str, list[Node]]]:
    """What the grammar's queries capture, match by match; nothing in a text that is not `legible`."""
    if not legible(grammar, text):
        return []
    cursor = QueryCursor(_query(grammar), match_limit=MATCH_LIMIT)
    return [captures for _, captures in cursor.matches(root_of(grammar, text))]


def root_of(grammar: Grammar, text: str) -> Node:
    """The root of the tree of a text that is `legible`."""
    tree = parse(grammar, text)
    if tree is None:
        raise ValueError("the text was not parsed in time")
    return tree.root_node


def legible(grammar: Grammar, text: str) -> bool:
    """Whether the text is worth parsing: on wild text the time of parsing and querying grows with its square.

    Wild are lines of many thousand characters, brackets nested hundreds deep, errors in a large file, and what the
    parser does not recover from in time.
    """
    if any(len(line) > _LONGEST_LINE for line in text.split("\n")) or _deepest(text) > _DEEPEST_BRACKETS:
        return False
    if sum(1 for _ in _PILED.finditer(text)) > _MOST_PILED:
        return False
    tree = parse(grammar, text)
    return tree is not None and (len(text) <= _LARGEST_BROKEN or not tree.root_node.has_error)


def _deepest(text: str) -> int:
    deepest = depth = 0
    for bracket in re.findall(r"[(\[{}\])]", text):
        depth = depth + 1 if bracket in "([{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def text_of(node: Node) -> str:
    """The source text of a node."""
    return node.text.decode("utf-8", errors="replace") if node.text else ""


def first_line(node: Node) -> int:
    """The line a node begins on, from 1."""
    return node.start_point.row + 1


def last_line(node: Node) -> int:
    """The line a node's last character is on, from 1; some nodes include the line feed that ends them."""
    end = node.end_point
    return max(first_line(node), end.row if end.column == 0 else end.row + 1)
