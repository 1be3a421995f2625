"""The rule against answers copied from the tests into the code."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from repair.tools.guard.change import Change, FileChange, critical, major, test_files
from repair.tools.guard.literals import Literal, Role, literals
from repair.tools.guard.source import Source
from repair.tools.guard.words import number_value
from repair.values.change import Violation

_JUDGED = frozenset({Role.COMPARED, Role.CASE, Role.KEY, Role.DATA, Role.RETURNED, Role.ASSIGNED, Role.CONSTANT})
_STRUCTURE = frozenset({Role.KEY, Role.SUBSCRIPT})
_COMMON = frozenset({"0.0", "1.0", "-1.0", "true", "false", "null", "none"})
_WORD = re.compile(r"[^\s|,;\"']+")
_LARGEST_FIXTURE = 65_536
_DATA = (".json", ".jsonl", ".yaml", ".yml", ".toml", ".csv", ".tsv", ".ini", ".cfg", ".properties", ".txt", ".xml")
_NUMBER = re.compile(r"(?<![\w.])-?\d{1,30}(?:\.\d{1,30})?(?:[eE][-+]?\d{1,4})?(?![\w.])")
_MOST_NUMBERS = 2000
_CHANCE = 1  # a single value that data and a test share says nothing


def copied(change: Change) -> Iterator[Violation]:
    """No literal of a test decides, is looked up, or is given back where the product never knew it."""
    tests = _Tests(change)
    for file in change.product:
        seen: set[str] = set()
        for literal in _new_literals(file):
            if (
                literal.value not in seen
                and tests.hold(literal)
                and literal.role in _JUDGED
                and not _known(literal, change)
            ):
                seen.add(literal.value)
                yield _violation(literal, file)
        if file.language is None and file.path.endswith(_DATA):
            yield from _answers(file, tests, change)


def _answers(file: FileChange, tests: "_Tests", change: Change) -> Iterator[Violation]:
    """Numbers of the tests in data: a new file of them is a table of answers, in a known one they may be the fix."""
    new = _numbers(file.after) - _numbers(file.before)
    found = [each for each in (Literal(value, "number", 1) for value in sorted(new)) if _telling(each)]
    shared = [each.value.removesuffix(".0") for each in found if tests.hold(each) and not _known(each, change)]
    if len(shared) > _CHANCE:
        message = f"the values {', '.join(f'`{value}`' for value in shared[:5])} come from a test"
        yield (critical if file.before is None else major)("copied", message, file.path)


def _numbers(source: Source | None) -> set[str]:
    found = _NUMBER.finditer(source.text[:_LARGEST_FIXTURE]) if source else ()
    return {number_value(match[0]) for match in islice(found, _MOST_NUMBERS)}


def _violation(literal: Literal, file: FileChange) -> Violation:
    shown = literal.value.removesuffix(".0") if literal.kind == "number" else literal.value[:60]
    message = f"the value `{shown}` comes from a test"
    if literal.role is Role.CONSTANT:
        return major("copied", message, file.path, literal.line)
    return critical("copied", message, file.path, literal.line)


def _new_literals(file: FileChange) -> Iterator[Literal]:
    if file.after is None:
        return
    before = {literal.value for literal in literals(file.before)} if file.before else set()
    for literal in literals(file.after):
        if literal.value not in before and _telling(literal):
            yield literal


def _telling(literal: Literal) -> bool:
    """Whether the value is more than punctuation or one of the values everything uses."""
    return literal.value.lower() not in _COMMON and any(sign.isalnum() for sign in literal.value)


def _known(literal: Literal, change: Change) -> bool:
    """Whether the product's code had the value, or a name spelled like it, at the start of the run."""
    for source in change.base_sources(tests=False):
        if source.language is None or not _may_hold(source, literal):
            continue
        if any(known.value == literal.value for known in literals(source)):
            return True
        if literal.kind == "string" and any(word.text == literal.value for word in source.tokens):
            return True
    return False


def _may_hold(source: Source, literal: Literal) -> bool:
    """A cheap look before a file is parsed."""
    if literal.kind == "string":
        return literal.value.encode("unicode_escape").decode() in source.text or literal.value in source.text
    return literal.value.removesuffix(".0").lstrip("-") in source.text.replace("_", "")


@dataclass(frozen=True)
class _Tests:
    """The literals of the tests: those of the failing ones where the findings name them, else of all."""

    change: Change

    @cached_property
    def _sources(self) -> list[Source]:
        failing = test_files(self.change.findings)
        sources = list(self.change.base_sources(tests=True))
        chosen = [source for source in sources if source.path in failing or source.language is None]
        return chosen if failing and any(source.language for source in chosen) else sources

    def hold(self, literal: Literal) -> bool:
        """Whether a test has the value, or for a key of a table also its beginning or end."""
        return any(self._in(source, literal) for source in self._sources)

    def _in(self, source: Source, literal: Literal) -> bool:
        if source.language is None:
            return literal.kind == "string" and _in_fixture(source, literal.value)
        if not _may_hold(source, literal):
            return False
        same = [known for known in literals(source) if known.kind == literal.kind and _like(known.value, literal)]
        structure = _STRUCTURE if same and literal.role in {Role.KEY, Role.DATA} else frozenset()
        return any(known.role not in structure for known in same)


def _like(value: str, literal: Literal) -> bool:
    """Whether a test's value is the literal, or may be where a key was cut out of."""
    return value == literal.value or (_cut(literal.value, value) and literal.role is Role.KEY)


def _in_fixture(source: Source, value: str) -> bool:
    if len(value) < 3 or len(source.text) > _LARGEST_FIXTURE or value not in source.text:
        return False
    return value in source.lines or value in _WORD.findall(source.text)


def _cut(part: str, value: str) -> bool:
    """Whether `part` is the beginning or end of a name-like value, cut at a boundary."""
    if len(part) < 3 or len(part) >= len(value) or any(sign.isspace() for sign in value):
        return False
    if value.endswith(part):
        return not (part[0].isalnum() and value[-len(part) - 1].isalnum())
    return value.startswith(part) and not (part[-1].isalnum() and value[len(part)].isalnum())
