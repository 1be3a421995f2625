"""The literals of a file and what each is for."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache

from tree_sitter import Node

from repair.tools.guard.kinds import kinds
from repair.tools.guard.literals_rego import roles
from repair.tools.guard.source import STRINGS, Source, ancestors, is_plain_string, text_of, token_of, walk
from repair.tools.guard.words import plain


class Role(StrEnum):
    """What a literal is for. `other` covers imports, types, format texts and plain arguments."""

    COMPARED = "compared"
    CASE = "case"
    KEY = "key"
    DATA = "data"
    RETURNED = "returned"
    ASSIGNED = "assigned"
    CONSTANT = "constant"
    SUBSCRIPT = "subscript"
    MESSAGE = "message"
    OTHER = "other"


@dataclass(frozen=True)
class Literal:
    """A literal: a string without its quotes, or a number in its usual form. Lines count from 1."""

    value: str
    kind: str
    line: int
    node: Node | None = None
    given: Role = Role.OTHER

    @cached_property
    def role(self) -> Role:
        """What the literal is for; looked up only when asked, as looking around a node is slow."""
        return role_of(self.node) if self.node is not None else self.given


_EQUALITIES = frozenset({"==", "!=", "===", "!==", "in", "not in", "is", "=", "<>", "IN", "-eq", "-ne", "like", "LIKE"})
_COMPARISONS = frozenset({"comparison_operator", "binary_expression", "binary_operation", "test_operator"})
_COMPARING_CALLS = kinds(
    "equals eq Equal EqualFold startswith startsWith endswith endsWith HasPrefix HasSuffix Contains includes contains",
    "has indexOf starts_with ends_with localeCompare equalsIgnoreCase removeprefix is_in Is",
)
_MESSAGE_CALLS = kinds(
    "print printf println sprintf Sprintf Errorf Printf Println format log debug info warn warning error exception",
    "critical fatal panic Error New fail reject eprintln write puts echo",
)
_BARE_WORDS = frozenset({"word", "extglob_pattern"})  # a shell needs no quotes
_RAISING = frozenset({"raise_statement", "throw_statement"})
_CASES = frozenset({"case_pattern", "switch_case", "expression_case", "match_pattern", "switch_label", "case_item"})
_PASSED = kinds(
    "parenthesized_expression unary_operator unary_expression unary_operation conditional_expression",
    "ternary_expression expression literal_value literal_element expression_list term expression_statement",
    "collection_value operation as_expression satisfies_expression when_clause case list_item conditional",
)
_CONTAINERS = kinds(
    "list tuple set dictionary array object array_expression composite_literal array_initializer tuple_expression",
    "object_elem pair keyed_element list_comprehension spread_element",
)
_SUBSCRIPTS = frozenset({"subscript", "subscript_expression", "index_expression", "new_index", "legacy_index"})
_RETURNS = frozenset({"return_statement", "return_expression", "lambda", "arrow_function", "match_arm"})
_ASSIGNS = kinds(
    "assignment variable_declarator assignment_expression short_var_declaration var_spec let_declaration",
    "assignment_statement variable_assignment attribute augmented_assignment",
)
_CONSTANT_BINDINGS = frozenset({"const_spec", "const_item", "static_item", "enum_assignment", "enum_variant"})
_CALLS = kinds(
    "call call_expression macro_invocation function_call method_invocation object_creation_expression new_expression",
    "invocation command",
)
_STATEMENTS = frozenset({"block", "statement_block", "statement_list", "module", "program", "source_file", "body"})
_BODIES = kinds(
    "function_definition function_declaration method_definition method_declaration arrow_function function_item",
    "func_literal closure_expression config_file",
)


@lru_cache(maxsize=128)
def literals(source: Source) -> tuple[Literal, ...]:
    """All literals of a file in source order."""
    if source.language == "rego":
        return tuple(Literal(value, kind, line, given=Role(role)) for value, kind, role, line in roles(source.tokens))
    return tuple(_literals(source.root)) if source.root is not None else ()


def _literals(root: Node) -> Iterator[Literal]:
    content = root.text or b""
    for node in walk(root):
        token = token_of(node) if node.child_count == 0 or is_plain_string(node) else None
        if token is None or (token.kind not in {"string", "number"} and node.type not in _BARE_WORDS):
            continue
        if token.kind == "number":
            minus = content[node.start_byte - root.start_byte - 1 : node.start_byte - root.start_byte] == b"-"
            yield Literal(f"-{plain(token)}" if minus else plain(token), "number", token.line, node)
        elif node.type in STRINGS | _BARE_WORDS or node.type == "literal":
            yield Literal(plain(token), "string", token.line, node)


def role_of(node: Node) -> Role:
    """What the literal is for, read off the nodes around it."""
    role, above = _nearest(node)
    if above is not None and role is not Role.OTHER and _in_message(above):
        return Role.MESSAGE
    return role


def _nearest(node: Node) -> tuple[Role, Node | None]:
    """The role that the nodes around a literal give it, and the node that decided."""
    child, found = node, Role.OTHER
    for parent in ancestors(node):
        if parent.type in _STATEMENTS:
            return (Role.RETURNED if _is_tail(parent, child, node) else found), parent
        role = _role(parent, child)
        if role is not None:
            return _stronger(role, found), parent
        if parent.type in _CONTAINERS and found is Role.OTHER:
            found = Role.KEY if child == parent.child_by_field_name("key") else Role.DATA
        elif parent.type not in _CONTAINERS | _PASSED:
            return found, parent
        child = parent
    return found, None


def _is_tail(block: Node, child: Node, node: Node) -> bool:
    """Whether a literal stands alone at the end of a Rust block, which gives it back."""
    last = child.next_sibling if child is node and block.type == "block" else None
    return last is not None and last.type == "}"


def _stronger(role: Role, found: Role) -> Role:
    """A value in a table keeps its role, unless the whole table is compared."""
    return role if found is Role.OTHER or role is Role.COMPARED else found


def _role(parent: Node, child: Node) -> Role | None:
    kind = parent.type
    if kind in _COMPARISONS:
        return Role.COMPARED if _equality(parent, child) else Role.OTHER
    if kind in _CASES:
        return Role.CASE if child != parent.child_by_field_name("body") else None
    if kind in _SUBSCRIPTS:
        return Role.SUBSCRIPT
    if kind in _RETURNS:
        return Role.RETURNED
    if kind in _CONSTANT_BINDINGS:
        return Role.CONSTANT
    if kind in _ASSIGNS:
        return Role.ASSIGNED if _in_body(parent) else Role.CONSTANT
    if kind in {"argument_list", "arguments", "function_arguments", "token_tree"}:
        return Role.COMPARED if called(parent.parent) in _COMPARING_CALLS else Role.OTHER
    return None


def _equality(parent: Node, child: Node) -> bool:
    """Whether the literal is compared for equality with something that is not a length."""
    operators = {text_of(each).lower() for each in parent.children if each != child and each.child_count == 0}
    other = " ".join(text_of(each) for each in parent.children if each != child).lower()
    sized = any(word in other for word in ("len(", ".length", ".size", "count(", "len()", "count()", "%"))
    return bool(operators & {each.lower() for each in _EQUALITIES}) and not sized


def _in_body(node: Node) -> bool:
    """Whether a binding stands inside a function, or in an HCL block that declares no variable."""
    for around in ancestors(node):
        if around.type == "block" and around.children and text_of(around.children[0]) == "variable":
            return False
        if around.type in _BODIES:
            return True
    return False


def _in_message(node: Node) -> bool:
    """Whether the literal ends in an error or a text for people."""
    for around in (node, *ancestors(node)):
        if around.type in _STATEMENTS:
            return False
        if around.type in _RAISING or (around.type in _CALLS and _speaks(called(around))):
            return True
    return False


def _speaks(name: str) -> bool:
    return name.rstrip("!") in _MESSAGE_CALLS or name.endswith(("Error", "Exception", "Warning"))


def called(node: Node | None) -> str:
    """The last name of what a call calls."""
    if node is None or node.type not in _CALLS:
        return ""
    fields = ("function", "macro", "constructor", "type", "name")
    target = next(filter(None, map(node.child_by_field_name, fields)), None) or node.named_child(0)
    while target is not None and target.named_child_count:
        target = target.named_child(target.named_child_count - 1)
    return text_of(target)
