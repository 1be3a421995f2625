"""The named units of a file: functions, classes, rules, blocks, views."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tree_sitter import Node

from repair.tools.guard import rego
from repair.tools.guard.kinds import kinds
from repair.tools.guard.source import Source, Token, leaves, text_of, tokens_of, walk

_FUNCTIONS = kinds(
    "function_definition function_declaration generator_function_declaration method_definition method_declaration",
    "constructor_declaration function_item macro_definition create_function create_trigger",
)
_HOLDERS = kinds(
    "class_definition class_declaration abstract_class_declaration interface_declaration enum_declaration",
    "record_declaration internal_module trait_item mod_item struct_item enum_item",
)
_OTHERS = kinds(
    "type_alias_declaration type_spec type_item create_table create_view create_materialized_view create_index",
    "create_type",
)
_FUNCTION_VALUES = frozenset({"arrow_function", "function_expression", "function", "generator_function"})
_DEEPEST_HOLDER = 8
_PARAMETER_HOLDERS = ("parameters", "parameter")


@dataclass(frozen=True)
class Definition:
    """A named unit. `name` is qualified by its holders; `tokens` are those of the whole unit.

    `exported` units can be reached from other files or by a framework. Lines count from 1.
    """

    kind: str
    name: str
    exported: bool
    line: int
    end_line: int
    tokens: tuple[Token, ...]
    node: Node | None = None

    @cached_property
    def body(self) -> Node | None:
        """The body of a function, or `None`."""
        return self.node.child_by_field_name("body") if self.node is not None else None

    @cached_property
    def body_tokens(self) -> tuple[Token, ...]:
        """The words of the body, or of the whole unit where the grammar knows no body."""
        return tokens_of(self.body) if self.body is not None else self.tokens

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """The names of a function's parameters."""
        if self.kind != "function" or self.node is None:
            return ()
        holder = next(filter(None, map(self.node.child_by_field_name, _PARAMETER_HOLDERS)), None)
        if holder is None:
            return ()
        children = [holder] if holder.type == "identifier" else holder.named_children
        return tuple(name for child in children if (name := _parameter(child)))


def _parameter(node: Node) -> str:
    """The name a parameter binds: the first identifier outside its type and default."""
    named = node.child_by_field_name("name") or node.child_by_field_name("pattern") or node
    token = next((leaf for leaf in leaves(named) if leaf.type in {"identifier", "shorthand_field_identifier"}), None)
    return text_of(token)


@lru_cache(maxsize=128)
def definitions(source: Source) -> tuple[Definition, ...]:
    """The named units of a file, those inside functions left out."""
    if source.language == "rego":
        return tuple(_of_rego(source))
    if source.root is None:
        return ()
    if source.language == "hcl":
        return tuple(_of_hcl(source.root, ""))
    exports = _named_exports(source.root) if source.language in {"javascript", "typescript", "tsx"} else frozenset()
    return tuple(_of_tree(source.root, str(source.language), exports))


def _of_rego(source: Source) -> Iterator[Definition]:
    for name, words in rego.rules(source.tokens):  # type: ignore[arg-type]  # a Token has the fields of a Word
        tokens = tuple(Token(*word) for word in words)
        yield Definition("rule", name, True, tokens[0].line, tokens[-1].line, tokens)


def _of_hcl(node: Node, holder: str) -> Iterator[Definition]:
    stack = [(node, holder)]
    while stack:
        node, holder = stack.pop()
        name = holder
        if node.type == "block":
            labels = [
                text_of(child).strip('"') for child in node.children if child.type in {"identifier", "string_lit"}
            ]
            name = f"{holder}.{'.'.join(labels)}".lstrip(".")
            yield _definition("block", name, True, node)
        if node.type in {"config_file", "body", "block"} and name.count(".") < 3 * _DEEPEST_HOLDER:
            stack.extend((child, name) for child in reversed(node.children))


def _of_tree(root: Node, language: str, exports: frozenset[str]) -> Iterator[Definition]:
    stack = [(root, "")]
    while stack:
        node, holder = stack.pop()
        kind = _kind(node)
        name = _name(node) if kind else ""
        if not kind or not name:
            scope = f"{holder}.{_implemented(node)}".lstrip(".") if node.type == "impl_item" else holder
            stack.extend((child, scope) for child in reversed(node.children))
            continue
        qualified = f"{holder}.{name}".lstrip(".")
        yield _definition(kind, qualified, _exported(node, name, language, exports), _function_of(node))
        if kind == "class" and qualified.count(".") < _DEEPEST_HOLDER:
            stack.extend((child, qualified) for child in reversed(node.children))


def _implemented(node: Node) -> str:
    """The type an `impl` is for, without its generics."""
    return text_of(node.child_by_field_name("type")).split("<", 1)[0]


def _definition(kind: str, name: str, exported: bool, node: Node) -> Definition:
    return Definition(kind, name, exported, node.start_point.row + 1, node.end_point.row + 1, tokens_of(node), node)


def _kind(node: Node) -> str:
    if node.type in _FUNCTIONS or _function_of(node) is not node:
        return "function"
    return "class" if node.type in _HOLDERS else "type" if node.type in _OTHERS else ""


def _function_of(node: Node) -> Node:
    """The function a variable is bound to, else the node itself."""
    if node.type not in {"variable_declarator", "public_field_definition", "field_definition"}:
        return node
    value = node.child_by_field_name("value")
    return value if value is not None and value.type in _FUNCTION_VALUES else node


def _name(node: Node) -> str:
    named = node.child_by_field_name("name") or node.child_by_field_name("property")
    if named is None:
        named = next((child for child in node.children if child.type == "object_reference"), None)
    receiver = node.child_by_field_name("receiver")
    own = next((leaf for leaf in walk(receiver) if leaf.type == "type_identifier"), None) if receiver else None
    return f"{text_of(own)}.{text_of(named)}".lstrip(".") if named is not None else ""


def _exported(node: Node, name: str, language: str, exports: frozenset[str]) -> bool:
    last = name.rsplit(".", 1)[-1]
    parent = node.parent
    if language == "python":
        return not last.startswith("_") or last.startswith("__") or _decorated(parent)
    if language == "go":
        return last[:1].isupper()
    if language == "rust":
        return any(child.type == "visibility_modifier" for child in node.children)
    if language == "java":
        return "private" not in {text_of(leaf) for child in node.children[:1] for leaf in leaves(child)}
    if language in {"bash", "sql"}:
        return True
    if node.type in {"method_definition", "public_field_definition", "field_definition"}:
        return not last.startswith(("_", "#"))
    holders = (parent, parent.parent if parent is not None else None)
    return last in exports or any(holder is not None and holder.type == "export_statement" for holder in holders)


def _decorated(parent: Node | None) -> bool:
    return parent is not None and parent.type == "decorated_definition"


def _named_exports(root: Node) -> frozenset[str]:
    """The names in `export {...}`, `export default NAME` and `module.exports = ...`."""
    found: set[str] = set()
    for node in root.children:
        first = text_of(next(leaves(node), None))
        clause = node.type == "export_statement" and node.child_by_field_name("declaration") is None
        if clause or (node.type == "expression_statement" and first in {"module", "exports"}):
            found |= {text_of(leaf) for leaf in leaves(node)}
    return frozenset(found)
