"""Rules about declared limits: validation, database constraints, exhaustiveness, sets of variants."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from tree_sitter import Node

from repair.tools.guard.change import Change, FileChange, critical, major
from repair.tools.guard.definitions import Definition, definitions
from repair.tools.guard.hardcoded import attributes, literal
from repair.tools.guard.source import Source, leaves, text_of, walk
from repair.values.change import Violation

# The same limit under the names libraries give it; `+1` limits from below, `-1` from above, 0 is a pattern.
_LIMITS: dict[str, tuple[str, int]] = {
    "pattern": ("pattern", 0), "regex": ("pattern", 0), "Pattern": ("pattern", 0),
    "ge": ("ge", 1), "gt": ("gt", 1), "minimum": ("ge", 1), "exclusiveMinimum": ("gt", 1), "Min": ("ge", 1),
    "le": ("le", -1), "lt": ("lt", -1), "maximum": ("le", -1), "exclusiveMaximum": ("lt", -1), "Max": ("le", -1),
    "min_length": ("min_length", 1), "minLength": ("min_length", 1), "min_items": ("min_length", 1),
    "max_length": ("max_length", -1), "maxLength": ("max_length", -1), "max_items": ("max_length", -1),
    "multiple_of": ("multiple_of", 0), "multipleOf": ("multiple_of", 0), "max_digits": ("max_digits", -1),
    "decimal_places": ("decimal_places", -1),
}  # fmt: skip
_FIELD_CALLS = re.compile(
    r"(?:\w+\.)*(?:Field|con(?:str|int|float|list|set|bytes|decimal)|StringConstraints|Query|Path|Body|Header|Cookie|Form|"
    r"Interval|Len|attr\.ib|\w*Field|Column|Annotated)"
)
_EXHAUSTIVE = frozenset({"assertNever", "assert_never", "absurd", "assertUnreachable", "exhaustiveCheck"})
_VARIANTS = frozenset({"enum_constant", "enum_variant", "enum_assignment"})
_SQL_LIMIT = re.compile(
    r"\b(not\s{1,9}null|check|unique|primary\s{1,9}key|references|foreign\s{1,9}key)\b", re.IGNORECASE
)
_SQL_COMMENT = re.compile(r"--[^\n]*")
_DISTINCT_TOTAL = re.compile(r"\b(?:sum|avg|total)\s{0,9}\(\s{0,9}distinct\b", re.IGNORECASE)
_DIVIDED = re.compile(r"/\s{0,9}(?:\w+\s{0,9}\(\s{0,9}){0,3}count\s{0,9}\(\s{0,9}distinct\b", re.IGNORECASE)
_JSON_LIMIT = re.compile(
    r"[\"']?\b(pattern|m(?:in|ax)imum|m(?:in|ax)Length|m(?:in|ax)Items|exclusiveM(?:in|ax)imum)[\"']?\s{0,9}:"
)
_JAVA_LIMIT = re.compile(
    r"@(?:NotNull|NotBlank|NotEmpty|Size|Min|Max|Pattern|Positive\w*|Negative\w*|Email|Valid|Past|Future)\b"
)
_CHAINED_LIMIT = re.compile(r"\.(?:min|max|length|regex|email|url|uuid|nonempty|positive|nonnegative|int|strict)\(")
_GO_LIMIT = re.compile(r"\b(?:validate|binding):\\?\"[^\"\n]{1,200}")


def constraints(change: Change) -> Iterator[Violation]:
    """No declared limit lost or loosened, no total that hides a fan-out, no variant taken away."""
    for file, before, after in change.edited:
        if file.is_test:
            continue
        yield from _limits(file, before, after)
        yield from _counted(file, before, after)
        yield from _closed_sets(file, before, after)
        if file.language == "hcl":
            yield from _for_each(file, before, after)


def _limits(file: FileChange, before: Source, after: Source) -> Iterator[Violation]:
    old, new = _declared(before), _declared(after)
    gone, come = old - new, new - old
    for limit, value in sorted(gone):
        replaced = [other for name, other in come if name == limit]
        if replaced and _tighter_or_unclear(limit, value, replaced):
            yield major("constraint", f"the limit `{limit}` changed from {value} to {replaced[0]}", file.path)
        else:
            yield critical("constraint", f"the limit `{limit}` = {value} is gone or looser", file.path)


def _tighter_or_unclear(limit: str, value: str, replaced: Iterable[str]) -> bool:
    direction = next(way for name, way in _LIMITS.values() if name == limit)
    try:
        return direction != 0 and all((float(other) - float(value)) * direction >= 0 for other in replaced)
    except ValueError:
        return direction != 0


def _declared(source: Source) -> Counter[tuple[str, str]]:
    """The limits that calls declare, as name and value."""
    found: Counter[tuple[str, str]] = Counter()
    if source.language != "python" or source.root is None:
        return found
    for node in walk(source.root):
        if (
            node.type == "keyword_argument"
            and _LIMITS.get(text_of(node.child_by_field_name("name")))
            and _in_field(node)
        ):
            name, value = _LIMITS[text_of(node.child_by_field_name("name"))][0], node.child_by_field_name("value")
            plain = literal(value) if value is not None else ""
            found[name, plain or text_of(value)] += 1
    return found


def _in_field(node: Node) -> bool:
    call = node.parent.parent if node.parent is not None else None
    return call is not None and bool(_FIELD_CALLS.fullmatch(text_of(call.child_by_field_name("function"))))


def _counted(file: FileChange, before: Source, after: Source) -> Iterator[Violation]:
    for pattern, languages in _FEWER:
        if file.language in languages or file.path.endswith(languages):
            lost = _count(pattern, before) - _count(pattern, after)
            if lost.total():
                yield critical("constraint", f"the declared limit `{min(lost)}` is gone", file.path)
    if file.language != "sql":
        return
    for pattern, message in _HIDING:
        if (_count(pattern, after) - _count(pattern, before)).total():
            yield critical("fan-out", message, file.path)


_FEWER: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (_SQL_LIMIT, ("sql",)),
    (_JSON_LIMIT, (".json", ".yaml", ".yml")),
    (_JAVA_LIMIT, ("java",)),
    (_CHAINED_LIMIT, ("typescript", "javascript", "tsx")),
    (_GO_LIMIT, ("go",)),
)
_HIDING = (
    (_DISTINCT_TOTAL, "a total over DISTINCT values drops equal amounts"),
    (_DIVIDED, "a total divided by a count hides a join that multiplies rows"),
)


def _count(pattern: re.Pattern[str], source: Source) -> Counter[str]:
    text = _SQL_COMMENT.sub("", source.text) if source.language == "sql" else source.text
    if pattern is _CHAINED_LIMIT and not re.search(r"\b(?:zod|yup|joi|valibot)\b", text, re.IGNORECASE):
        return Counter()
    return Counter(" ".join(found.lower().split()) for found in pattern.findall(text))


def _closed_sets(file: FileChange, before: Source, after: Source) -> Iterator[Violation]:
    exhaustive = _exhaustive(before) - _exhaustive(after)
    if exhaustive.total():
        yield critical("exhaustiveness", f"the check `{min(exhaustive)}` is gone", file.path)
    new = {unit.name: unit for unit in definitions(after)}
    for unit in definitions(before):
        lost = _variants(unit) - _variants(new[unit.name]) if unit.name in new else set()
        if lost and len(_variants(new[unit.name])) < len(_variants(unit)):
            yield critical("variant-removed", f"`{unit.name}` no longer has `{min(lost)}`", file.path, unit.line)


def _exhaustive(source: Source) -> Counter[str]:
    """Calls that only compile when every variant was handled; their imports and definitions do not count."""
    if source.root is None:
        return Counter()
    calls = (
        node.child_by_field_name("function") for node in walk(source.root) if node.type in {"call", "call_expression"}
    )
    return Counter(name for name in (text_of(node).rsplit(".", 1)[-1] for node in calls) if name in _EXHAUSTIVE)


def _variants(unit: Definition) -> set[str]:
    """The members of a union, an enumeration, or a `Literal`."""
    if unit.node is None or unit.kind == "function":
        return set()
    value = unit.node.child_by_field_name("value")
    if value is not None and value.type == "union_type":
        return {text_of(leaf) for leaf in leaves(value)} - {"|"}
    if unit.node.type == "enum_declaration" or unit.node.type == "enum_item":
        return {text_of(_named(node)) for node in walk(unit.node) if node.type in _VARIANTS | {"property_identifier"}}
    bases = text_of(unit.node.child_by_field_name("superclasses"))
    if re.search(r"\b\w*(?:Enum|Flag)\b", bases):
        return {text_of(node.child_by_field_name("left")) for node in walk(unit.node) if node.type == "assignment"}
    return set()


def _named(node: Node) -> Node:
    return node.child_by_field_name("name") or node


def _for_each(file: FileChange, before: Source, after: Source) -> Iterator[Violation]:
    new = {unit.name: unit for unit in definitions(after)}
    for unit in definitions(before):
        if unit.node is None or unit.name not in new or new[unit.name].node is None:
            continue
        old_names, new_names = _attribute_names(unit), _attribute_names(new[unit.name])
        if "for_each" in old_names - new_names and "count" in new_names - old_names:
            yield critical("identity", f"`{unit.name}` identifies its instances by position now", file.path, unit.line)


def _attribute_names(unit: Definition) -> set[str]:
    return {name for name, _ in attributes(unit.node)} if unit.node is not None else set()
