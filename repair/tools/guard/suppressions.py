"""Rules about comments and types that silence a check."""

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tree_sitter import Node

from repair.tools.guard.change import Change, FileChange, critical, major
from repair.tools.guard.source import Source, text_of, walk
from repair.values.change import Violation
from repair.values.checks import Category

_CODES = r"(?P<codes>[\w@:/,\-\[\]() \t.=\"']{0,200})"
_PYTHON_TOOLS = "type|mypy|pyright|pyre|ruff|flake8|isort|pylint|pytype|nosec|fmt|yapf|pragma"
_PYTHON_VERBS = (
    "ignore(?:-errors|-file)?|disable(?:-error-code|-next|-line|-file|-msg)?|noqa|skip(?:_file)?|off|"
    "no[ -](?:cover|branch)"
)
_KINDS = (
    r"#[ \t]*noqa",
    rf"#[ \t]*(?:{_PYTHON_TOOLS})\b[ \t]*:?[ \t]*(?:{_PYTHON_VERBS})?",
    r"--[ \t]*noqa",
    "eslint-disable(?:-next-line|-line)?",
    "(?:biome|prettier|tflint|deno-lint)-ignore",
    "@ts-(?:ignore|expect-error|nocheck)",
    r"(?:istanbul|c8|v8|hadolint|regal|opa)[ \t]+ignore",
    r"(?:shellcheck|yamllint)[ \t]+disable",
    r"sqlfluff:[ \t]*(?:noqa|disable)",
    r"(?:tfsec|trivy|coverage):[ \t]*ignore",
    "(?:checkov|tslint):(?:skip|disable)",
    r"//[ \t]*(?:nolint|lint:ignore|nosec)",
    r"\#!?\[[ \t]*(?:allow|expect)[ \t]*\(",
    "rustfmt::skip",
    "@Suppress(?:FB)?Warnings",
    r"CHECKSTYLE:[ \t]*OFF",
    "NOSONAR",
    "nosemgrep",
)
_DIRECTIVE = re.compile(f"(?P<kind>{'|'.join(_KINDS)}){_CODES}", re.IGNORECASE)
# A type comment or a directive that switches a check on starts the same way and silences nothing.
_EMPTY_KIND = re.compile(
    r"#\s*(?:type|mypy|pyright|pyre|ruff|flake8|isort|pylint|pytype|fmt|yapf|pragma)\s*:?\s*$", re.I
)
_CODE = re.compile(r"[A-Za-z@][\w@:/.-]*\d*")
_PYTHON_ESCAPES = frozenset({"Any", "cast"})


class Directive(NamedTuple):
    """A comment or attribute that silences a check; without codes it silences everything."""

    kind: str
    codes: frozenset[str]

    def covers(self, other: "Directive") -> bool:
        """Whether this one already silences what the other does."""
        wide = not self.codes or (bool(other.codes) and other.codes <= self.codes)
        return self.kind == other.kind and wide


def suppressions(change: Change) -> Iterator[Violation]:
    """No new directive that silences a check, and none made wider; no new way around the types."""
    for file in change.files:
        if file.after is None or file.is_binary:
            continue
        before = directives(file.before) if file.before else []
        for new in _added(before, directives(file.after)):
            yield critical("suppression", f"a check is newly silenced: `{new.kind}`", file.path)
        yield from _escapes(file, change)


def directives(source: Source) -> list[Directive]:
    """The silencing directives in a file."""
    found = (
        Directive(" ".join(match["kind"].lower().split()), frozenset(_CODE.findall(_clean(match["codes"]))))
        for match in _DIRECTIVE.finditer(source.text)
    )
    return [directive for directive in found if not _EMPTY_KIND.match(directive.kind)]


def _clean(codes: str) -> str:
    """The list of codes without the reason that may follow it."""
    return codes.split("--", 1)[0].split("  ", 1)[0]


def _added(before: list[Directive], after: list[Directive]) -> list[Directive]:
    """The directives of `after` that no directive of `before`, used once, covers."""
    left, new = list(before), []
    for directive in sorted(after, key=lambda each: (each not in before, each.kind, sorted(each.codes))):
        cover = directive if directive in left else next((old for old in left if old.covers(directive)), None)
        if cover is None:
            new.append(directive)
        else:
            left.remove(cover)
    return new


def _escapes(file: FileChange, change: Change) -> Iterator[Violation]:
    if file.after is None:
        return
    before = _loose_types(file.before) if file.before else Counter()
    new = _loose_types(file.after) - before
    if not new.total() or file.is_test:
        return
    flagged = any(found.file == file.path and found.category is Category.TYPE for found in change.findings)
    kind = critical if flagged or file.language != "python" else major
    yield kind("loose-type", f"the types are newly left open: `{min(new)}`", file.path)


def _loose_types(source: Source) -> Counter[str]:
    """Uses of `any` and its like; an import alone loosens nothing."""
    if source.root is None or source.language not in {"python", "typescript", "tsx"}:
        return Counter()
    if source.language == "python":
        return Counter(_python_escapes(source.root))
    return Counter(filter(None, map(_escape, walk(source.root))))


def _escape(node: Node) -> str:
    if node.type == "predefined_type" and text_of(node) == "any":
        return "any"
    inner = node.children[0] if node.type == "as_expression" else None
    through = inner is not None and inner.type == "as_expression" and text_of(inner.children[-1]) == "unknown"
    return "as unknown as" if through else ""


def _python_escapes(root: Node) -> Iterator[str]:
    stack = [root]
    while stack:
        node = stack.pop()
        if node.type == "identifier" and text_of(node) in _PYTHON_ESCAPES:
            yield text_of(node)
        if node.type != "import_from_statement":
            stack.extend(node.children)
