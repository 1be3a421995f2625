"""Rules about code that is still there and does nothing any more."""

import re
from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from repair.tools.guard.change import Change, FileChange, critical, major, removable
from repair.tools.guard.definitions import Definition, definitions
from repair.tools.guard.kinds import kinds
from repair.tools.guard.source import NUMBERS, STRINGS, Source, is_comment, is_plain_string, text_of, walk
from repair.values.change import Violation

_CONSTANT_WORDS = kinds("True False None true false null nil undefined NULL ... none unit_expression ellipsis")
_LITERAL_HOLDERS = kinds(
    "list tuple set dictionary pair array object expression_list unary_operator unary_expression array_expression",
    "parenthesized_expression literal_value literal_element expression keyed_element tuple_expression",
    "composite_literal array_initializer",
)
_NOTHING = frozenset({"pass_statement", "empty_statement", "break_statement", "continue_statement"})
_NOT_WRITTEN = re.compile(
    r"NotImplemented|not[ _-]?implemented|todo!|unimplemented!|unreachable!|\bTODO\b", re.IGNORECASE
)
_ENDS = kinds("return_statement raise_statement throw_statement return_expression break_statement continue_statement")
_HOISTED = frozenset({"function_declaration", "class_declaration", "function_item", "expression_case"})
_RETURNS = frozenset({"return_statement", "return_expression"})
_SEQUENCES = frozenset(
    {"block", "statement_block", "statement_list", "module", "program", "constructor_body", "compound_statement"}
)
_DEAD_CONDITION = re.compile(
    r"\b(?:if|elif|while|when)[ (]{1,4}(?:False|false|0|None|null|!true|not True)[ )]{0,4}"
    r"(?:[:{;]|then\b|&&|and\b|return\b)|"
    r"\bif[ (]{1,4}(?:True|true|1)[ )]{0,4}(?:[:{;]|then\b)|#\[cfg\(any\(\)\)\]|:[ ]*<<[ ]?'"
)
_DEAD_SQL = re.compile(
    r"\b(?:where|and|on)\s{1,9}(?:false|1\s{0,9}=\s{0,9}0|0\s{0,9}=\s{0,9}1)\b|\blimit\s{1,9}0\b", re.IGNORECASE
)
_DEAD_HCL = re.compile(r"\b(?:count[ ]*=[ ]*0|for_each[ ]*=[ ]*(?:\{\}|\[\]|toset\(\[\]\)))[ ]*(?:\n|$)")
_DEAD_REGO = re.compile(r"(?m)^[ \t]*(?:false|1 == 0|0 == 1)[ \t]*$|\bif[ ]+false\b")
_BY_LANGUAGE = {"sql": _DEAD_SQL, "hcl": _DEAD_HCL, "rego": _DEAD_REGO}


def emptied(change: Change) -> Iterator[Violation]:
    """No function reduced to a constant, no code made unreachable or turned into a comment."""
    for file, before, after in change.edited:
        if file.is_test:
            continue
        yield from _hollow(file, before, after)
        yield from _unreachable(file, before, after)
        yield from _commented(file, before, after, {finding.line for finding in removable(change.findings, file.path)})


def _hollow(file: FileChange, before: Source, after: Source) -> Iterator[Violation]:
    old = {unit.name: unit for unit in definitions(before) if unit.kind == "function"}
    for unit in definitions(after):
        known = old.get(unit.name)
        if known is None or unit.kind != "function" or _trivial(known):
            continue
        if _trivial(unit):
            yield critical("emptied", f"`{unit.name}` no longer computes anything", file.path, unit.line)
        elif _table_of_answers(unit) and not _table_of_answers(known):
            yield major("emptied", f"`{unit.name}` now gives only constants", file.path, unit.line)


def _trivial(unit: Definition) -> bool:
    """Whether a function only gives a constant, does nothing, or says that it is not written."""
    if unit.body is None:
        return False
    if unit.body.type not in _SEQUENCES:
        return _constant(unit.body)
    return all(map(_does_nothing, _statements(unit.body)))


def _table_of_answers(unit: Definition) -> bool:
    """Whether every way out gives a constant, and not just a truth value."""
    returns = [node for node in walk(unit.body) if node.type in _RETURNS] if unit.body is not None else []
    values = {text_of(child) for node in returns for child in node.named_children}
    return all(map(_constant_return, returns)) and bool(values - _CONSTANT_WORDS)


def _statements(body: Node) -> list[Node]:
    """The statements of a block without comments and docstrings."""
    inner = [child for child in body.named_children if not is_comment(child)]
    if len(inner) == 1 and inner[0].type == "statement_list":
        return _statements(inner[0])
    return [child for child in inner if not _docstring(child)]


def _docstring(node: Node) -> bool:
    return (
        node.type == "expression_statement" and node.named_child_count == 1 and is_plain_string(node.named_children[0])
    )


def _does_nothing(node: Node) -> bool:
    if node.type in _NOTHING or _constant(node):
        return True
    if node.type in _ENDS or node.type in {"expression_statement", "macro_invocation", "command"}:
        text = text_of(node)
        return (
            bool(_NOT_WRITTEN.search(text))
            or text.strip() in {"true", ":", "return 0", "return"}
            or _constant_return(node)
        )
    return False


def _constant_return(node: Node) -> bool:
    inner = node.named_children[0] if node.type == "expression_statement" and node.named_children else node
    return inner.type in _RETURNS and all(_constant(child) for child in inner.named_children)


def _constant(node: Node) -> bool:
    """Whether an expression is made of literals alone."""
    stack = [node]
    while stack:
        inner = stack.pop()
        if inner.type in NUMBERS or is_plain_string(inner) or text_of(inner).strip() in _CONSTANT_WORDS:
            continue
        if inner.type in STRINGS or (inner.child_count == 0 and inner.is_named):
            return False
        if inner.type not in _LITERAL_HOLDERS and inner.is_named:
            return False
        stack.extend(inner.children)
    return True


def _unreachable(file: FileChange, before: Source, after: Source) -> Iterator[Violation]:
    for pattern in (_DEAD_CONDITION, _BY_LANGUAGE.get(str(file.language))):
        new = Counter(pattern.findall(after.text)) - Counter(pattern.findall(before.text)) if pattern else Counter()
        if pattern and file.language and new.total():
            yield critical("unreachable", f"code is switched off: `{' '.join(min(new).split())}`", file.path)
    if _dead_statements(after) > _dead_statements(before):
        yield critical("unreachable", "statements newly follow a way out", file.path)


def _dead_statements(source: Source) -> int:
    """How many statements stand behind a way out of their block."""
    if source.root is None:
        return 0
    return sum(map(_behind_an_end, (node for node in walk(source.root) if node.type in _SEQUENCES)))


def _behind_an_end(block: Node) -> int:
    kinds = [child.type for child in block.named_children if not is_comment(child)]
    ends = [index for index, kind in enumerate(kinds) if kind in _ENDS]
    return sum(kind not in _HOISTED for kind in kinds[ends[0] + 1 :]) if ends else 0


def _commented(file: FileChange, before: Source, after: Source, flagged: set[int | None]) -> Iterator[Violation]:
    """Lines of code that went into a comment."""
    if file.language is None:
        return
    code = {_squeezed(line) for number, line in enumerate(before.lines, 1) if number not in flagged}
    still = {_squeezed(line) for line in after.lines}
    fresh = set(after.lines) - set(before.lines)
    for line in after.lines:
        body = _squeezed(_COMMENT.sub("", line, count=1)) if line in fresh and _COMMENT.match(line) else ""
        if len(body) > 8 and body in code and body not in still:
            yield critical("commented-out", "code was turned into a comment", file.path)
            return


_COMMENT = re.compile(r"[ \t]*(?:#|//|--|/\*|\*)[ \t]*")


def _squeezed(line: str) -> str:
    return "".join(line.split()).removesuffix("*/")
