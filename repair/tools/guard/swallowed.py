"""The rule about exceptions that are caught and dropped."""

import re
from collections import Counter
from collections.abc import Callable, Iterator

from tree_sitter import Node

from repair.tools.guard.change import FileChange, critical, major
from repair.tools.guard.source import Source, leaves, text_of, walk
from repair.values.change import Violation

_BROAD = frozenset({"Exception", "BaseException", "Throwable", "Error", "RuntimeException"})
_RAISES = frozenset({"raise", "throw", "panic", "exit", "_exit", "abort", "reject", "fail", "Fatal", "Fatalf"})


def swallowed(file: FileChange) -> Iterator[Violation]:
    """No new handler that catches everything and goes on, nor one that drops what it catches."""
    if file.after is None:
        return
    before = _handlers(file.before) if file.before else Counter()
    new = _handlers(file.after) - before
    if new["broad"]:
        yield critical("swallowed", "a new handler catches every exception and goes on", file.path)
    if new["dropped"]:
        yield major("swallowed", "a new handler drops the exception it catches", file.path)


def _handlers(source: Source) -> Counter[str]:
    if source.root is None or source.language is None:
        return Counter()
    judge = _JUDGES.get(source.language)
    return Counter(filter(None, map(judge, walk(source.root)))) if judge else Counter()


def _words(node: Node | None) -> set[str]:
    return {text_of(leaf) for leaf in leaves(node)} if node is not None else set()


def _python(node: Node) -> str:
    if node.type == "call" and re.match(r"(?:contextlib\.)?suppress$", text_of(node.child_by_field_name("function"))):
        return "broad" if _words(node) & _BROAD else "dropped"
    if node.type != "except_clause":
        return ""
    body = next((child for child in node.children if child.type == "block"), None)
    if _words(body) & _RAISES:
        return ""
    caught = {text_of(leaf) for child in node.named_children if child is not body for leaf in leaves(child)}
    body_words = _words(body)
    if not caught or caught & _BROAD:
        return "broad"
    return "dropped" if body_words <= {"pass", "...", "", "continue"} else ""


def _ecmascript(node: Node) -> str:
    if node.type == "catch_clause":
        body, caught = node.child_by_field_name("body"), node.child_by_field_name("parameter")
        used = _words(body)
        return "" if used & _RAISES or (caught is not None and _words(caught) & used) else "broad"
    called = node.child_by_field_name("function") if node.type == "call_expression" else None
    if called is None or text_of(called.child_by_field_name("property")) != "catch":
        return ""
    handler = next(iter(_arguments(node)), None)
    body = handler.child_by_field_name("body") if handler is not None else None
    return "broad" if body is not None and not any(word[:1].isalpha() for word in _words(body) - _CONSTANTS) else ""


_CONSTANTS = frozenset({"undefined", "null", "true", "false", "return", "void"})


def _arguments(node: Node) -> list[Node]:
    holder = node.child_by_field_name("arguments")
    return holder.named_children if holder is not None else []


def _java(node: Node) -> str:
    if node.type != "catch_clause":
        return ""
    body = node.child_by_field_name("body")
    words = _words(body)
    caught = {text_of(leaf) for child in node.named_children if child is not body for leaf in leaves(child)}
    if words & _RAISES:
        return ""
    return "broad" if caught & _BROAD else "dropped" if words <= {"{", "}"} else ""


def _go(node: Node) -> str:
    if node.type == "call_expression" and text_of(node.child_by_field_name("function")) == "recover":
        return "broad"
    if node.type != "assignment_statement":
        return ""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    return "dropped" if text_of(left) == "_" and text_of(right).lower().endswith("err") else ""


def _rust(node: Node) -> str:
    return "broad" if node.type == "identifier" and text_of(node) == "catch_unwind" else ""


_JUDGES: dict[str, Callable[[Node], str]] = {
    "python": _python,
    "javascript": _ecmascript,
    "typescript": _ecmascript,
    "tsx": _ecmascript,
    "java": _java,
    "go": _go,
    "rust": _rust,
}
