"""Facts about Rego by a scan of its lines: rules begin in the first column, and no grammar is to be had."""

import re

from repair.tools.context.seam import Definition, ImportRef, Reference
from repair.tools.context.text import IDENTIFIER, lines_of

_PACKAGE = re.compile(r"package\s+([\w.]+)")
_IMPORT = re.compile(r"import\s+([\w.]+)(?:\s+as\s+(\w+))?")
_HEAD = re.compile(r"(?:default\s+)?([A-Za-z_]\w*)")
_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`|#.*')
_WORDS = frozenset(
    ("package", "import", "default", "else", "if", "contains", "some", "every", "in", "not", "with", "as")
) | {"true", "false", "null", "input", "data"}
CONFIDENCE = 0.8


class RegoSource:
    """Packages, rules and imports."""

    def definitions(self, path: str, text: str) -> tuple[Definition, ...]:
        """The package, named by its full path, and every rule head, each up to the last line of its body."""
        lines = lines_of(text)
        heads = [(number, named) for number, line in enumerate(lines, 1) if (named := _head(line))]
        starts = [number for number, _ in heads[1:]] + [len(lines) + 1]
        return tuple(
            Definition(name, kind, number, _last_filled(lines, number, following), (), CONFIDENCE)
            for (number, (kind, name)), following in zip(heads, starts, strict=False)
            if kind != "import"
        )

    def references(self, path: str, text: str) -> tuple[Reference, ...]:
        """All identifiers outside strings and comments but the language's own words."""
        found = [
            Reference(name, number)
            for number, line in enumerate(lines_of(text), 1)
            for name in IDENTIFIER.findall(_STRING_OR_COMMENT.sub(" ", line))
            if name not in _WORDS
        ]
        return tuple(dict.fromkeys(found))

    def imports(self, path: str, text: str) -> tuple[ImportRef, ...]:
        """Imports below `data`; the module is the package's path without it."""
        found = ((number, _IMPORT.match(line)) for number, line in enumerate(lines_of(text), 1))
        return tuple(
            ImportRef(match[1].removeprefix("data."), (match[2] or match[1].rpartition(".")[2],), number)
            for number, match in found
            if match and match[1].startswith("data.")
        )


def _head(line: str) -> tuple[str, str] | None:
    """The kind and name of what a line in the first column begins; `else` goes on with the rule before it."""
    if match := _PACKAGE.match(line):
        return "package", match[1]
    if _IMPORT.match(line):
        return "import", ""
    match = _HEAD.match(line)
    return ("rule", match[1]) if match and match[1] not in _WORDS else None


def _last_filled(lines: list[str], start: int, following: int) -> int:
    """The last line before `following` that is neither blank nor a comment."""
    for number in range(following - 1, start, -1):
        stripped = lines[number - 1].strip()
        if stripped and not stripped.startswith("#"):
            return number
    return start
