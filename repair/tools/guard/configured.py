"""Rules about what a repository configures: references replaced by today's values, globs by today's files."""

import re
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatchcase

from tree_sitter import Node

from repair.tools.guard.change import Change, FileChange, critical
from repair.tools.guard.definitions import definitions
from repair.tools.guard.hardcoded import attributes
from repair.tools.guard.source import Source, text_of, walk
from repair.values.change import Violation

_GLOB = re.compile(r"(?<![\w./*-])[\w./-]{0,200}\*(?!\*?\s)[\w./*-]{0,60}\.[\w*]{1,20}")
_FILE = re.compile(r"[\w./{},*-]{1,300}")
_MOST_EXPANDED = 64
_WORD = re.compile(r"[^\W_]+")


def configured(change: Change) -> Iterator[Violation]:
    """No HCL reference replaced by a value it has today, no glob by the files it matches today."""
    for file, before, after in change.edited:
        if file.is_test:
            continue
        if file.language == "hcl":
            yield from _references(file, before, after, change)
        yield from _file_lists(file, before, after, change)


def _references(file: FileChange, before: Source, after: Source, change: Change) -> Iterator[Violation]:
    old, new = dict(_expressions(before)), dict(_expressions(after))
    for name, node in new.items():
        lost = _referenced(old[name]) - _referenced(node) if name in old else set()
        if not lost:
            continue
        if not _referenced(node):
            yield critical("hard-coded", f"`{name}` no longer refers to anything", file.path, node.start_point.row + 1)
        elif same := sorted((_words(node) - _words(old[name])) & _defaults(change)):
            message = f"`{name}` repeats the configured value `{same[0]}`"
            yield critical("hard-coded", message, file.path, node.start_point.row + 1)


def _expressions(source: Source) -> Iterator[tuple[str, Node]]:
    """Every attribute of every block, and every field of an object in it, under its full name."""
    for unit in definitions(source):
        stack = [(f"{unit.name}.{name}", node) for name, node in attributes(unit.node)] if unit.node else []
        while stack:
            name, node = stack.pop()
            fields = list(_fields(node))
            if not fields:
                yield name, node
            stack.extend((f"{name}.{key}", value) for key, value in fields)


def _fields(node: Node) -> Iterator[tuple[str, Node]]:
    while node.type in {"expression", "collection_value"} and node.named_child_count == 1:
        node = node.named_children[0]
    for child in node.named_children if node.type == "object" else ():
        key, value = child.child_by_field_name("key"), child.child_by_field_name("val")
        if key is not None and value is not None:
            yield text_of(key).strip('"'), value


def _referenced(node: Node) -> set[str]:
    """The names an expression refers to, attributes included; keys of objects are none."""
    return {_traversal(inner) for inner in walk(node) if inner.type == "variable_expr" and not _is_key(inner)}


def _traversal(node: Node) -> str:
    name, field = text_of(node), node.next_named_sibling
    while field is not None and field.type == "get_attr":
        name += text_of(field)
        field = field.next_named_sibling
    return name


def _is_key(node: Node) -> bool:
    holder = node.parent
    elem = holder.parent if holder is not None else None
    return elem is not None and elem.type == "object_elem" and elem.child_by_field_name("key") == holder


def _words(node: Node) -> set[str]:
    """The words of the texts, numbers and object keys in an expression."""
    found: set[str] = set()
    for inner in walk(node):
        if inner.type in {"template_literal", "numeric_lit"} or (inner.type == "variable_expr" and _is_key(inner)):
            found |= {word.casefold() for word in _WORD.findall(text_of(inner))}
    return {word for word in found if len(word) > 1}


def _defaults(change: Change) -> set[str]:
    """The words of the defaults of all variables in the base tree."""
    found: set[str] = set()
    for source in change.base_sources(tests=False):
        if source.language == "hcl":
            units = (unit.node for unit in definitions(source) if unit.name.startswith("variable.") and unit.node)
            found |= {
                word
                for node in units
                for name, value in attributes(node)
                if name == "default"
                for word in _words(value)
            }
    return found


def _file_lists(file: FileChange, before: Source, after: Source, change: Change) -> Iterator[Violation]:
    lost = Counter(_GLOB.findall(before.text)) - Counter(_GLOB.findall(after.text))
    if not lost or file.language is None:
        return
    known = Counter(_FILE.findall(before.text))
    fresh = [name for text in (Counter(_FILE.findall(after.text)) - known) for name in expanded(text)]
    for glob in sorted(lost):
        listed = {name for name in fresh if name != glob and fnmatchcase(name, glob)}
        matched = {path for path in change.base.paths() if fnmatchcase(path, glob)}
        if len(listed) >= 2 or (listed and listed == matched):
            yield critical("file-list", f"`{glob}` was replaced by the files it matches today", file.path)


def expanded(text: str) -> list[str]:
    """The words a shell's braces stand for, at most a handful."""
    done: list[str] = []
    left = [text]
    while left and len(done) + len(left) <= _MOST_EXPANDED:
        word = left.pop()
        match = re.search(r"\{([^{}]*,[^{}]*)\}", word)
        if match is None:
            done.append(word)
        else:
            left.extend(word[: match.start()] + choice + word[match.end() :] for choice in match[1].split(","))
    return done + left
