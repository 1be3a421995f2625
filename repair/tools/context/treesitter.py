"""Facts read with tree-sitter, which sees what is left of a broken file too."""

import posixpath
import re
from collections.abc import Callable, Iterable

from tree_sitter import Node

from repair.tools.context import specifiers
from repair.tools.context.grammars import Grammar, first_line, last_line, legible, matches, root_of, text_of
from repair.tools.context.seam import Definition, ImportRef, Reference
from repair.tools.context.text import IDENTIFIER, identifiers, outline

# Below a tree with error nodes a span may reach too far or too short.
BROKEN = 0.7

_KIND = "definition."
_NOT_STATEMENTS = frozenset(("comment", "line_comment", "block_comment", "hash_bang_line", "attribute_item", "ERROR"))

ImportReader = Callable[[str, Node, Node], Iterable[ImportRef]]
Outline = Callable[[str], tuple[Definition, ...]]


class TreeSitterSource:
    """Facts about files of one grammar; `read_import` turns the captures of an import into references."""

    def __init__(self, grammar: Grammar, read_import: ImportReader | None = None, broken: Outline = outline) -> None:
        self.grammar = grammar
        self._read_import = read_import
        self._outline = broken

    def definitions(self, path: str, text: str) -> tuple[Definition, ...]:
        """What the tree defines; in a tree with errors also what the outline sees and the tree lost."""
        if not legible(self.grammar, text):
            return self._outline(text)
        found = self.named(text) + statements(root_of(self.grammar, text))
        if root_of(self.grammar, text).has_error:
            found = corrected(found, self._outline(text))
        return nested(found)

    def named(self, text: str) -> list[Definition]:
        """The definitions the query captures, without those around them as parents."""
        found: list[Definition] = []
        for captures in matches(self.grammar, text):
            kind = next((name for name in captures if name.startswith(_KIND)), None)
            if kind and "name" in captures:
                node = captures[kind][0]
                parent = tuple(text_of(owner) for owner in captures.get("parent", ()))
                span = first_line(node), last_line(node)
                found.extend(Definition(text_of(name), kind[len(_KIND) :], *span, parent) for name in captures["name"])
        return found

    def references(self, path: str, text: str) -> tuple[Reference, ...]:
        """All identifiers but those that name a definition."""
        if not legible(self.grammar, text):
            return identifiers(text)
        captured = matches(self.grammar, text)
        naming = {node.start_byte for captures in captured if _defines(captures) for node in captures["name"]}
        nodes = [node for captures in captured for node in captures.get("reference", ())]
        names = (Reference(text_of(node), first_line(node)) for node in nodes if node.start_byte not in naming)
        return tuple(dict.fromkeys(names))

    def imports(self, path: str, text: str) -> tuple[ImportRef, ...]:
        """All imports with the files they may mean."""
        found: list[ImportRef] = []
        for captures in matches(self.grammar, text):
            if self._read_import and "module" in captures:
                module = captures["module"][0]
                found.extend(self._read_import(path, captures.get("import", [module])[0], module))
        return tuple(dict.fromkeys(sorted(found, key=lambda entry: entry.line)))


def _defines(captures: dict[str, list[Node]]) -> bool:
    return "name" in captures and any(name.startswith(_KIND) for name in captures)


def statements(root: Node) -> list[Definition]:
    """The top-level constructs of a tree, unnamed."""
    nodes = [node for node in root.children if node.is_named and node.type not in _NOT_STATEMENTS]
    return [Definition("", "statement", first_line(node), last_line(node)) for node in nodes]


def nested(found: list[Definition]) -> tuple[Definition, ...]:
    """The definitions in the order of the file, each with the names of those around it as its parents.

    A statement that a definition spans whole is that definition.
    """
    spans = {(entry.start, entry.end) for entry in found if entry.name}
    wanted = dict.fromkeys(entry for entry in found if entry.name or (entry.start, entry.end) not in spans)
    ordered = sorted(wanted, key=lambda entry: (entry.start, -entry.end, not entry.name))
    result = []
    around: list[Definition] = []
    for entry in ordered:
        while around and around[-1].end < entry.end:
            around.pop()
        parents = tuple(outer.name for outer in around if outer.name)
        result.append(entry._replace(parent=parents + entry.parent))
        if entry.name and entry.kind != "constant":
            around.append(entry)
    return tuple(result)


def corrected(found: list[Definition], outline: tuple[Definition, ...]) -> list[Definition]:
    """Mends what a broken tree gave by what the outline sees: an unclosed bracket hides or swallows definitions."""
    ends = {(entry.name, entry.start): entry.end for entry in outline}
    clipped = [
        entry._replace(confidence=BROKEN, end=min(entry.end, ends.get((entry.name, entry.start), entry.end)))
        for entry in found
    ]
    known = {(entry.name, entry.start) for entry in found}
    return clipped + [entry._replace(parent=()) for entry in outline if (entry.name, entry.start) not in known]


def javascript_import(path: str, statement: Node, module: Node) -> Iterable[ImportRef]:
    """An import, re-export or require, with the names it brings in."""
    specifier = text_of(module)
    clause = text_of(statement).split(specifier)[0][:2000]
    names = [name for name in IDENTIFIER.findall(clause) if name not in ("import", "export", "from", "type", "require")]
    yield ImportRef(specifier, tuple(names), first_line(statement), specifiers.script(path, specifier))


def python_import(path: str, statement: Node, module: Node) -> Iterable[ImportRef]:
    """An import statement in a file that does not parse."""
    text = text_of(module)
    name = text.lstrip(".")
    level = len(text) - len(name)
    names = IDENTIFIER.findall(text_of(statement).partition("import")[2][:2000])
    for imported in names if statement.type == "import_from_statement" else [""]:
        candidates = specifiers.python_module(path, name, level, imported)
        yield ImportRef(text, (imported or name,), first_line(statement), candidates)


def go_import(path: str, statement: Node, module: Node) -> Iterable[ImportRef]:
    """An import path and the package name it usually has."""
    specifier = text_of(module).strip('"`')
    name = posixpath.basename(specifier)
    yield ImportRef(specifier, (name,), first_line(statement), specifiers.go_package(specifier))


def java_import(path: str, statement: Node, module: Node) -> Iterable[ImportRef]:
    """An imported class or member."""
    name = text_of(module)
    yield ImportRef(name, (name.rpartition(".")[2],), first_line(statement), specifiers.java_class(name))


def rust_import(path: str, statement: Node, module: Node) -> Iterable[ImportRef]:
    """`mod name;` or the paths of a `use`."""
    text = text_of(module)
    if statement.type == "mod_item":
        yield ImportRef(text, (text,), first_line(statement), specifiers.rust_module(path, text))
        return
    for parts in specifiers.uses(text):
        yield ImportRef("::".join(parts), (parts[-1],), first_line(statement), specifiers.rust_use(path, parts))


def shell_import(path: str, statement: Node, module: Node) -> Iterable[ImportRef]:
    """A word that looks like a path: sourced, run, or read. A variable before the first slash is taken as the root."""
    word = re.sub(r"^\$\{?\w+\}?/|^\$\([^()]*\)/", "", text_of(module).strip("\"'"))
    if "$" in word or " " in word or not ("/" in word or "." in word.strip(".")) or len(word) > 300:
        return
    near = specifiers.beside(path, word)
    plain = posixpath.normpath(word).lstrip("/.")
    candidates = (plain, *([near] if near else []), f"**/{plain}")
    yield ImportRef(word, (), first_line(module), candidates)
