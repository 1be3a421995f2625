"""Facts about Python by its own parser; what it refuses is read with tree-sitter."""

import ast
from collections.abc import Iterator
from functools import lru_cache

from repair.tools.context import specifiers
from repair.tools.context.grammars import PYTHON
from repair.tools.context.seam import Definition, ImportRef, Reference
from repair.tools.context.treesitter import TreeSitterSource, nested, python_import

_BROKEN = TreeSitterSource(PYTHON, python_import)

_BLOCKS = (ast.stmt, ast.excepthandler, ast.match_case)
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@lru_cache(maxsize=8)
def parse(text: str) -> ast.Module | None:
    """The module, or `None` when Python refuses the text."""
    try:
        # `feature_version` and warnings do not matter: nothing is compiled.
        return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class PythonSource:
    """Facts about one Python file."""

    def definitions(self, path: str, text: str) -> tuple[Definition, ...]:
        """Functions and classes with their decorators, top-level assignments and statements."""
        module = parse(text)
        if module is None:
            return _BROKEN.definitions(path, text)
        scopes = [_definition(node) for node in _statements(module) if isinstance(node, _Scope)]
        return nested([*scopes, *(entry for node in module.body for entry in _top_level(node))])

    def references(self, path: str, text: str) -> tuple[Reference, ...]:
        """Names, attributes, and the names that imports bring in."""
        module = parse(text)
        if module is None:
            return _BROKEN.references(path, text)
        return tuple(dict.fromkeys(reference for node in ast.walk(module) for reference in _references(node)))

    def imports(self, path: str, text: str) -> tuple[ImportRef, ...]:
        """One reference for each imported name, wherever in the file."""
        module = parse(text)
        if module is None:
            return _BROKEN.imports(path, text)
        found = [node for node in _statements(module) if isinstance(node, ast.Import | ast.ImportFrom)]
        nodes = sorted(found, key=lambda node: node.lineno)
        return tuple(entry for node in nodes for entry in _imports(path, node))


def _statements(module: ast.Module) -> Iterator[ast.AST]:
    """All statements at any depth; unlike `ast.walk` this skips the expressions, which are most of a tree."""
    waiting: list[ast.AST] = list(module.body)
    while waiting:
        node = waiting.pop()
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            waiting.extend(getattr(node, field, ()) if isinstance(node, _BLOCKS) else ())


def _definition(node: _Scope) -> Definition:
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    kind = "class" if isinstance(node, ast.ClassDef) else "function"
    return Definition(node.name, kind, start, node.end_lineno or node.lineno)


def _top_level(node: ast.stmt) -> Iterator[Definition]:
    if isinstance(node, _Scope):
        return
    span = node.lineno, node.end_lineno or node.lineno
    yield Definition("", "statement", *span)
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    for target in targets:
        if isinstance(target, ast.Name):
            yield Definition(target.id, "constant", *span)


def _references(node: ast.AST) -> Iterator[Reference]:
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            yield Reference(name, node.lineno)
        case ast.Attribute(attr=name):
            yield Reference(name, node.end_lineno or node.lineno)
        case ast.ImportFrom(names=names):
            yield from (Reference(alias.name, alias.lineno) for alias in names if alias.name != "*")


def _imports(path: str, node: ast.Import | ast.ImportFrom) -> Iterator[ImportRef]:
    if isinstance(node, ast.Import):
        for alias in node.names:
            candidates = specifiers.python_module(path, alias.name, 0)
            yield ImportRef(alias.name, (alias.asname or alias.name,), node.lineno, candidates)
        return
    module = node.module or ""
    for alias in node.names:
        candidates = specifiers.python_module(path, module, node.level, alias.name)
        yield ImportRef("." * node.level + module, (alias.asname or alias.name,), node.lineno, candidates)
