"""Outlines by pattern, for broken files in which a grammar loses sight of what is defined."""

import re
from collections.abc import Callable

from repair.tools.context.seam import Definition
from repair.tools.context.text import CONFIDENCE, lines_of

_BLOCK = re.compile(r'(?P<kind>[a-z_]\w{0,60})(?P<labels>(?:\s{1,8}"[^"\n]{0,200}"){0,3})\s{0,8}\{')
_LABEL = re.compile(r'"([^"\n]*)"')
_SHELL_FUNCTION = re.compile(r"(?:function\s{1,8})?(?P<name>[\w:.-]{1,100})\s{0,8}\(\s{0,8}\)")
_CREATE = re.compile(
    r"\s{0,40}create\s{1,8}(?:or\s{1,8}replace\s{1,8})?(?:(?:temp|temporary|unique|materialized)\s{1,8})?"
    r"(?P<kind>table|view|function|procedure|trigger|index|type)\s{1,8}(?:if\s{1,8}not\s{1,8}exists\s{1,8})?"
    r'(?:["`\[]?\w{1,100}["`\]]?\.)?["`\[]?(?P<name>\w{1,100})',
    re.IGNORECASE,
)
_PREFIX = {"variable": "var"}


def address(kind: str, labels: tuple[str, ...]) -> str:
    """How HCL refers to a block: `var.x`, `module.x`, `output.x`, `aws_bucket.x`, `data.aws_ami.x`."""
    head = () if kind == "resource" else (_PREFIX.get(kind, kind),)
    return ".".join((*head, *labels))


def hcl_outline(text: str) -> tuple[Definition, ...]:
    """Blocks that begin in the first column, each up to the next closing brace in the first column."""
    return _blocks(text, _hcl_header)


def shell_outline(text: str) -> tuple[Definition, ...]:
    """Functions that begin in the first column, each up to the next closing brace there."""
    return _blocks(text, _shell_header)


def sql_outline(text: str) -> tuple[Definition, ...]:
    """Statements that create something, each up to the next line that ends with a semicolon."""
    return _spans(text, _sql_header, lambda line: line.rstrip().endswith(";"))


def _hcl_header(line: str) -> tuple[str, str] | None:
    match = _BLOCK.match(line)
    return (address(match["kind"], tuple(_LABEL.findall(match["labels"]))), match["kind"]) if match else None


def _shell_header(line: str) -> tuple[str, str] | None:
    match = _SHELL_FUNCTION.match(line)
    return (match["name"], "function") if match else None


def _sql_header(line: str) -> tuple[str, str] | None:
    match = _CREATE.match(line)
    return (match["name"], match["kind"].lower()) if match else None


def _blocks(text: str, header: Callable[[str], tuple[str, str] | None]) -> tuple[Definition, ...]:
    return _spans(text, header, lambda line: line.startswith("}") or line.rstrip().endswith("{}"))


def _spans(
    text: str, header: Callable[[str], tuple[str, str] | None], closes: Callable[[str], bool]
) -> tuple[Definition, ...]:
    """What `header` recognises (name and kind), each up to the next line that `closes`."""
    lines = lines_of(text)
    found = []
    end = len(lines)
    for number in range(len(lines), 0, -1):
        line = lines[number - 1]
        if closes(line):
            end = number
        if named := header(line):
            found.append(Definition(*named, number, end, (), CONFIDENCE))
    return tuple(reversed(found))
