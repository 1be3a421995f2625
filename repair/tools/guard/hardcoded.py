"""Rules about values that took the place of something computed or configured."""

from collections import Counter
from collections.abc import Iterator

from tree_sitter import Node

from repair.tools.guard.change import Change, FileChange, critical, decode, major, test_files
from repair.tools.guard.definitions import Definition, definitions
from repair.tools.guard.kinds import kinds
from repair.tools.guard.source import NUMBERS, STRINGS, Source, ancestors, text_of, tokens_of, walk
from repair.tools.guard.words import literal_value, plain
from repair.values.change import Violation
from repair.values.checks import Finding

_BINDINGS = kinds("assignment variable_declarator const_spec const_item static_item variable_assignment")
_TOP = kinds(
    "module program source_file expression_statement lexical_declaration variable_declaration const_declaration",
    "export_statement field_declaration class_body",
)


def hardcoded(change: Change) -> Iterator[Violation]:
    """No parameter replaced by a value, and no named constant tuned to please a test."""
    for file, before, after in change.edited:
        if not file.is_test:
            yield from _parameters(file, before, after)
            yield from _constants(file, before, after, change)


def _parameters(file: FileChange, before: Source, after: Source) -> Iterator[Violation]:
    """A parameter the body no longer uses, while a value came in that was not there."""
    old = {unit.name: unit for unit in definitions(before)}
    for unit in definitions(after):
        known = old.get(unit.name)
        if known is None or not unit.parameters:
            continue
        used, uses = _names(known), _names(unit)
        lost = [name for name in unit.parameters if name in known.parameters and name in used and name not in uses]
        if lost and _values(unit) - _values(known):
            message = f"a fixed value took the place of the parameter `{lost[0]}` of `{unit.name}`"
            yield critical("hard-coded", message, file.path, unit.line)


def _names(unit: Definition) -> set[str]:
    return {token.text for token in unit.body_tokens if token.kind == "name"}


def _values(unit: Definition) -> Counter[str]:
    return Counter(plain(token) for token in unit.body_tokens if token.kind in {"string", "number"})


def _constants(file: FileChange, before: Source, after: Source, change: Change) -> Iterator[Violation]:
    old, new = constants(before), constants(after)
    for name, value in new.items():
        if name not in old or old[name] == value:
            continue
        if _reached_by_flaky_tests_alone(name, before, change):
            yield critical("hard-coded", f"`{name}` was tuned for a test that fails by chance", file.path)
        else:
            yield major("constant", f"the constant `{name}` changed from {old[name]} to {value}", file.path)


def constants(source: Source) -> dict[str, str]:
    """The named values at the top of a file whose value is a literal."""
    if source.root is None:
        return {}
    if source.language == "hcl":
        return dict(_defaults(source))
    bindings = (node for node in walk(source.root) if node.type in _BINDINGS and _at_top(node))
    return {name: value for name, value in map(_binding, bindings) if name and value}


def _at_top(node: Node) -> bool:
    return all(around.type in _TOP for around in ancestors(node))


def _binding(node: Node) -> tuple[str, str]:
    name = node.child_by_field_name("name") or node.child_by_field_name("left")
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    return text_of(name), literal(value) if name is not None and value is not None else ""


def literal(node: Node) -> str:
    """The value of a node that is one literal, as a formatter cannot change it; else an empty string."""
    if node.type in STRINGS | NUMBERS:  # HCL's words are smaller than its texts
        return literal_value(text_of(node))
    tokens = tokens_of(node)
    sign, rest = ("-", tokens[1:]) if tokens and tokens[0].text == "-" else ("", tokens)
    return sign + plain(rest[0]) if len(rest) == 1 and rest[0].kind in {"string", "number"} else ""


def _defaults(source: Source) -> Iterator[tuple[str, str]]:
    """The defaults of HCL variables."""
    for unit in definitions(source):
        if unit.name.startswith("variable.") and unit.node is not None:
            for attribute in attributes(unit.node):
                if attribute[0] == "default" and (value := literal(attribute[1])):
                    yield unit.name, value


def attributes(block: Node) -> Iterator[tuple[str, Node]]:
    """The attributes of an HCL block, those of blocks inside it left out."""
    for body in (child for child in block.children if child.type == "body"):
        for child in body.children:
            if child.type == "attribute" and len(child.named_children) > 1:
                yield text_of(child.named_children[0]), child.named_children[-1]


def _reached_by_flaky_tests_alone(name: str, before: Source, change: Change) -> bool:
    flaky = [found for found in change.findings if found.flaky and found.test]
    if not flaky:
        return False
    users = {unit.name.rsplit(".", 1)[-1] for unit in definitions(before) if name in _names(unit)} | {name}
    real = [found for found in change.findings if not found.flaky and found.test]
    return _mentions(flaky, users, change) and not _mentions(real, users, change)


def _mentions(findings: list[Finding], users: set[str], change: Change) -> bool:
    """Whether the file of one of the tests names one of `users`."""
    contents = ((path, change.base.read(path)) for path in sorted(test_files(findings)))
    sources = (Source(path, decode(content)) for path, content in contents if content)
    return any(token.text in users for source in sources for token in source.tokens)
