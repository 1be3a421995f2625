"""The tests of a file: which there are, what they assert, whether they run."""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tree_sitter import Node

from repair.tools.guard import rego
from repair.tools.guard.source import Source, Token, ancestors, is_comment, leaves, text_of, tokens_of, walk
from repair.tools.guard.words import normal

_ASSERTION = re.compile(
    r"assert\w*!?|expect\w*|should|raises|warns|require|ensure|fail\w*|Fail\w*|Error|Errorf|Fatal|Fatalf|verify|"
    r"debug_assert\w*|should_panic|snapshot|toMatch\w*|panic"
)
_JS_TEST = frozenset({"it", "test", "specify", "fit", "xit", "xtest"})
_CASES = frozenset({"parametrize", "each", "expand", "case", "values", "ValueSource", "CsvSource", "MethodSource"})


@dataclass(frozen=True)
class Test:
    """One test. `assertions` are the statements that assert, as words; `cases` the words of its parameter tables."""

    name: str
    assertions: tuple[str, ...]
    cases: int


def facts(source: Source) -> dict[str, Test]:
    """The tests of a file by name; tests of equal names are numbered."""
    seen: Counter[str] = Counter()
    found: dict[str, Test] = {}
    for name, assertions, cases in _tests(source):
        seen[name] += 1
        key = name if seen[name] == 1 else f"{name} #{seen[name]}"
        found[key] = Test(key, assertions, cases)
    return found


def _tests(source: Source) -> Iterator[tuple[str, tuple[str, ...], int]]:
    if source.language == "rego":
        yield from _rego_tests(source)
    elif source.root is not None:
        for node in walk(source.root):
            name = _test_name(node, str(source.language))
            if name:
                yield name, tuple(_assertions(node)), _cases(node)


def _rego_tests(source: Source) -> Iterator[tuple[str, tuple[str, ...], int]]:
    for name, words in rego.rules(source.tokens):  # type: ignore[arg-type]  # a Token has the fields of a Word
        if name.startswith("test_"):
            lines = sorted({word.line for word in words[2:]})
            body = tuple(" ".join(word.text for word in words if word.line == line) for line in lines)
            yield name, tuple(text for text in body[1:] if text != "}") or body, 0


def _test_name(node: Node, language: str) -> str:
    named = text_of(node.child_by_field_name("name"))
    if language == "python":
        return named if node.type == "function_definition" and named.startswith("test") else ""
    if language == "go":
        runs = node.type == "function_declaration" and re.match(r"(Test|Benchmark|Fuzz|Example)(?![a-z])", named)
        return named if runs else ""
    if language == "rust":
        return named if node.type == "function_item" and any("test" in text for text in _attributes(node)) else ""
    if language == "java":
        marks = " ".join(text_of(child) for child in node.children[:1] if child.type == "modifiers")
        return named if node.type == "method_declaration" and re.search(r"@\w*Test\b", marks) else ""
    if language == "hcl":
        return _run_name(node) if node.type == "block" else ""
    return _js_name(node) if language in {"javascript", "typescript", "tsx"} else ""


def _attributes(node: Node) -> Iterator[str]:
    """The Rust attributes that stand before an item."""
    before = node.prev_named_sibling
    while before is not None and (before.type == "attribute_item" or is_comment(before)):
        if not is_comment(before):
            yield text_of(before)
        before = before.prev_named_sibling


def _run_name(node: Node) -> str:
    words = [text_of(child).strip('"') for child in node.children if child.type in {"identifier", "string_lit"}]
    return " ".join(words) if words[:1] == ["run"] else ""


def _js_name(node: Node) -> str:
    if node.type != "call_expression":
        return ""
    called = node.child_by_field_name("function")
    first = next(leaves(called), None) if called is not None else None
    arguments = node.child_by_field_name("arguments")
    if text_of(first) not in _JS_TEST or arguments is None or not arguments.named_children:
        return ""
    title = arguments.named_children[0]
    return text_of(title)[1:-1] if title.type in {"string", "template_string"} else ""


def _assertions(node: Node) -> Iterator[str]:
    """The statements below a test that hold a word of assertion, each once."""
    seen: set[int] = set()
    for leaf in leaves(node):
        if leaf.is_named and not _ASSERTION.fullmatch(text_of(leaf)):
            continue
        if not leaf.is_named and leaf.type != "assert":
            continue
        statement = _statement(leaf, node)
        if statement.id not in seen and statement.id != node.id:
            seen.add(statement.id)
            yield normal(tokens_of(statement))


def _statement(leaf: Node, test: Node) -> Node:
    """The statement a word stands in, or its outermost call where the test is a single expression."""
    call = leaf
    for node in ancestors(leaf):
        if node.id == test.id:
            break
        if node.type.endswith(("_statement", "_declaration", "macro_invocation")) or node.type == "block":
            return node
        call = node if node.type == "call_expression" else call
    return call


def _cases(node: Node) -> int:
    """How many words the parameter tables of a test have."""
    parent = node.parent
    marks = [child for child in parent.children if child.type == "decorator"] if parent is not None else []
    marks += [child for child in node.children[:1] if child.type in {"modifiers", "call_expression"}]
    tables = [tokens_of(mark) for mark in marks]
    return sum(len(_values(table)) for table in tables if any(token.text in _CASES for token in table))


def _values(tokens: tuple[Token, ...]) -> list[Token]:
    return [token for token in tokens if token.kind in {"string", "number", "name"}]
