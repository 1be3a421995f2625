"""Files, lines and names that free text speaks of: messages, tracebacks, commands."""

import re
from typing import NamedTuple

from repair.tools.context.files import Files
from repair.tools.context.specifiers import python_module
from repair.tools.context.text import lines_of

_MOST_LINES = 400
_MOST_FILES = 40
_MOST_NAMES = 30

_PLACE = re.compile(
    r"""(?P<path>[\w.@+~*?/\\-]{1,300})
    (?: :(?P<colon>\d{1,7}) | \((?P<bracket>\d{1,7})[,)] | "?,?[ ]line[ ](?P<word>\d{1,7}) )?""",
    re.VERBOSE,
)
_QUOTED = re.compile(r'"(?P<path>[^"]{1,300})", line (?P<line>\d{1,7})')
_MODULE = re.compile(
    r"\bimport\s{1,4}(?P<plain>\w[\w.]{0,200})|(?<![\w./\\-])(?P<dotted>[^\W\d]\w{0,80}(?:\.[^\W\d]\w{0,80}){1,8})"
)
_NAME = re.compile(
    r"""["'`\u2018\u201c](?P<quoted>[^\W\d][\w.-]{0,100})["'`\u2019\u201d]|\b(?:table|view|column|relation|function|method|variable|var|rule|"""
    r"""name|named|module|attribute|field|symbol|type|trigger|index|undefined:|command)[:]?\s{1,4}(?P<word>[^\W\d][\w.-]{0,100})"""
    r"""|\bdata\.(?P<rego>\w[\w.]{0,100})|(?P<call>[^\W\d]\w{0,80})\("""
)


class Mention(NamedTuple):
    """A file that a text speaks of, and the line where it says one."""

    path: str
    line: int | None = None


def mentioned(files: Files, text: str) -> tuple[Mention, ...]:
    """The files a text speaks of, in its order, by path, end of a path, or Python module."""
    found: dict[Mention, None] = {}
    for line in lines_of(text)[:_MOST_LINES]:
        found.update(dict.fromkeys(_in_line(files, line)))
        if len(found) >= _MOST_FILES:
            break
    with_line = {mention.path for mention in found if mention.line}
    return tuple(mention for mention in found if mention.line or mention.path not in with_line)[:_MOST_FILES]


def names_in(text: str) -> tuple[str, ...]:
    """What looks like names of code in a message: quoted, called, or after a word such as `table`."""
    found = (
        match[match.lastgroup]
        for line in lines_of(text)[:_MOST_LINES]
        for match in _NAME.finditer(line)
        if match.lastgroup
    )
    dotted = (part for name in found for part in (name, name.rstrip(".").rpartition(".")[2]))
    return tuple(dict.fromkeys(name for name in dotted if name))[:_MOST_NAMES]


def _in_line(files: Files, line: str) -> list[Mention]:
    found = [
        Mention(path, int(match["line"])) for match in _QUOTED.finditer(line) for path in files.named(match["path"])
    ]
    for match in _PLACE.finditer(line):
        token = match["path"].strip(".,").removeprefix("file://")
        if ("." in token or "/" in token) and not token.startswith("*"):
            number = match["colon"] or match["bracket"] or match["word"]
            found.extend(Mention(path, int(number) if number else None) for path in files.named(token))
    for match in _MODULE.finditer(line):
        found.extend(Mention(path) for path in _module(files, match["plain"] or match["dotted"]))
    return found


def _module(files: Files, dotted: str) -> tuple[str, ...]:
    """The file of a dotted module, or of the module an attribute belongs to."""
    owner, _, _ = dotted.rpartition(".")
    return files.first((*python_module("", dotted, 0), *(python_module("", owner, 0) if owner else ())))
