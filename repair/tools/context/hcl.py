"""Facts about HCL as Terraform uses it, where names are addresses such as `var.region` or `module.queue`."""

import posixpath
from collections.abc import Iterator

from tree_sitter import Node

from repair.tools.context import specifiers
from repair.tools.context.grammars import HCL, first_line, last_line, legible, matches, root_of, text_of
from repair.tools.context.outlines import address, hcl_outline
from repair.tools.context.seam import Definition, ImportRef, Reference
from repair.tools.context.treesitter import corrected, nested

_IMPLICIT = frozenset(("each", "count", "self", "path", "terraform"))


class HclSource:
    """Blocks by their address; the values of `locals` as `local.NAME`."""

    def definitions(self, path: str, text: str) -> tuple[Definition, ...]:
        """All blocks of the file and all locals."""
        if not legible(HCL, text):
            return hcl_outline(text)
        found = [entry for block in _blocks(text) for entry in _defined(block)]
        if root_of(HCL, text).has_error:
            found = corrected(found, hcl_outline(text))
        return tuple(entry._replace(parent=()) for entry in nested(found))

    def references(self, path: str, text: str) -> tuple[Reference, ...]:
        """The addresses used; `module.q.x` is also `output.x`, and an argument of a module is also `var.x`."""
        found = [
            Reference(name, first_line(node))
            for captures in matches(HCL, text)
            for node in captures.get("reference", ())
            for name in _addresses(node)
        ]
        for block in _blocks(text):
            if _kind(block) == "module":
                found.extend(Reference(f"var.{key}", first_line(node)) for key, node in _attributes(block))
        return tuple(dict.fromkeys(found))

    def imports(self, path: str, text: str) -> tuple[ImportRef, ...]:
        """The local sources of modules."""
        return tuple(
            ImportRef(source, _labels(block)[:1], first_line(node), (f"{near}/",))
            for block in _blocks(text)
            if _kind(block) == "module"
            for key, node in _attributes(block)
            if key == "source" and (source := _value(node)).startswith(".")
            if (near := specifiers.beside(posixpath.join(posixpath.dirname(path), "x"), source)) is not None
        )


def _blocks(text: str) -> Iterator[Node]:
    return (block for captures in matches(HCL, text) for block in captures.get("block", ()))


def _kind(block: Node) -> str:
    return text_of(block.children[0])


def _labels(block: Node) -> tuple[str, ...]:
    return tuple(
        text_of(child).strip('"') for child in block.children[1:4] if child.type in ("string_lit", "identifier")
    )


def _attributes(block: Node) -> Iterator[tuple[str, Node]]:
    bodies = [child for child in block.children if child.type == "body"]
    nodes = (node for body in bodies for node in body.children if node.type == "attribute" and node.children)
    return ((text_of(node.children[0]), node) for node in nodes)


def _value(attribute: Node) -> str:
    return text_of(attribute.children[-1]).strip().strip('"')


def _defined(block: Node) -> Iterator[Definition]:
    kind = _kind(block)
    yield Definition(address(kind, _labels(block)), kind, first_line(block), last_line(block))
    if kind == "locals":
        for name, node in _attributes(block):
            yield Definition(f"local.{name}", "local", first_line(node), last_line(node))


def _addresses(head: Node) -> Iterator[str]:
    """The addresses an expression that begins with the name `head` may stand for."""
    parts = [text_of(head)]
    node = head.next_named_sibling
    while node is not None and node.type == "get_attr" and len(parts) < 4:
        parts.append(text_of(node).lstrip("."))
        node = node.next_named_sibling
    if parts[0] in _IMPLICIT or len(parts) < 2:
        return
    length = 3 if parts[0] == "data" else 2
    yield ".".join(parts[:length])
    if parts[0] in ("module", "output") and len(parts) > length:
        yield f"output.{parts[length]}"
