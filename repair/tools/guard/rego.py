"""A linear scanner for Rego: words, and the rules they make. There is no grammar for it to lean on."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

_WORD = re.compile(
    r"(?P<comment>\#[^\n]*)"
    r'|(?P<string>"(?:[^"\\\n]|\\.)*"?|`[^`]*`?)'
    r"|(?P<number>\d[\w.]*)"
    r"|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<op>:=|==|!=|<=|>=|[^\s\w])"
)
_OPENERS, _CLOSERS = frozenset("([{"), frozenset(")]}")
_NOT_A_HEAD = frozenset({"package", "import", "else", "some", "every", "not", "with", "if", "in"})


class Word(NamedTuple):
    """A word of Rego; lines count from 1."""

    text: str
    kind: str
    line: int


class Rule(NamedTuple):
    """One body of a rule: `else` branches and repeated heads each count. `words` include the head."""

    name: str
    words: tuple[Word, ...]


def scan(text: str) -> Iterator[Word]:
    """The words of the text, comments left out."""
    line, seen = 1, 0
    for match in _WORD.finditer(text):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        if match.lastgroup != "comment":
            yield Word(match.group(), str(match.lastgroup), line)


def rules(words: Sequence[Word]) -> tuple[Rule, ...]:
    """The rules in the order they stand; a `default` is a rule named `default NAME`."""
    found: list[Rule] = []
    heads = [*_heads(words), (len(words), "")]
    for (start, name), (end, _) in pairwise(heads):
        found.append(Rule(name, tuple(words[start:end])))
    return tuple(rule for rule in found if rule.name)


def _heads(words: Sequence[Word]) -> Iterator[tuple[int, str]]:
    """Where each rule starts; other statements give an empty name."""
    depth, line, name = 0, 0, ""
    for index, word in enumerate(words):
        fresh = depth == 0 and word.line != line
        line = word.line if depth == 0 else line
        depth = max(0, depth + (word.text in _OPENERS) - (word.text in _CLOSERS))
        if depth == 0 and word.text == "else" and word.kind == "name":
            yield index, name
        elif fresh and word.kind == "name" and not _continues(words, index):
            name = _head_name(words, index)
            yield index, name
        elif depth == 0:
            line = word.line


def _continues(words: Sequence[Word], index: int) -> bool:
    """Whether the line goes on with the statement before it."""
    before = words[index - 1].text if index else ""
    return before in {":=", "=", "==", "if", "contains", "|", ",", "."} or words[index].text in {"if", "contains"}


def _head_name(words: Sequence[Word], index: int) -> str:
    first = words[index].text
    if first == "default":
        return f"default {words[index + 1].text}" if index + 1 < len(words) else ""
    if first in _NOT_A_HEAD:
        return ""
    name, rest = first, index + 1
    while rest + 1 < len(words) and words[rest].text == "." and words[rest + 1].kind == "name":
        name += f".{words[rest + 1].text}"
        rest += 2
    return name
