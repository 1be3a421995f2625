"""Reading YAML that somebody else wrote: bounded, with lines, and never executed.

Scalars stay text as written (`3.10`, `on` and `yes` mean what their reader says they mean);
an empty or null scalar is `None`.
"""

from dataclasses import dataclass, field
from typing import Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode

MAX_CHARACTERS: Final = 256 * 1024
MAX_DEPTH: Final = 40
MAX_VALUES: Final = 20_000
MAX_SHOWN: Final = 80

Path = tuple[str | int, ...]
Plain = None | str | list["Plain"] | dict[str, "Plain"]


class DocumentError(Exception):
    """The text is not a document that we read. `line` counts from 1."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Document:
    """A document as plain values, and the line on which the value, or its key, at each path stands."""

    value: Plain = None
    lines: dict[Path, int] = field(default_factory=dict)

    def line(self, path: Path) -> int:
        """The line of the value at the path, or of the nearest one around it."""
        while path and path not in self.lines:
            path = path[:-1]
        return self.lines.get(path, 1)


def read_document(text: str) -> Document:
    """Read one YAML document. Raises `DocumentError` for whatever cannot be read."""
    if len(text) > MAX_CHARACTERS:
        raise DocumentError(f"the file is larger than {MAX_CHARACTERS // 1024} KiB")
    root = _compose(text.removeprefix("\ufeff"))
    if root is None:
        return Document()
    document = _Reader()
    value = document.read(root, ())
    return Document(value, document.lines)


def mapping_of(value: Plain) -> dict[str, Plain]:
    """The value when it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def list_of(value: Plain) -> list[Plain]:
    """The value when it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: Plain) -> str:
    """The value when it is text, else an empty one."""
    return value if isinstance(value, str) else ""


def shown(text: object) -> str:
    """Somebody else's text for one line of a message: bounded, without control characters."""
    line = "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in str(text)[: MAX_SHOWN + 1])
    return line if len(line) <= MAX_SHOWN else line[:MAX_SHOWN] + "..."


def _compose(text: str) -> Node | None:
    yaml = YAML(typ="safe", pure=True)
    # YAML lets an anchor be used again; ruamel would print a paragraph for each.
    yaml.composer.warn_double_anchors = False
    try:
        # Nodes only: without constructors no tag means anything, and no date or number can fail.
        return yaml.compose(text)  # type: ignore[no-any-return]  # ruamel has no types here
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise DocumentError(f"not valid YAML: {shown(error.problem)}", mark and mark.line + 1) from error
    except YAMLError as error:
        raise DocumentError(f"not valid YAML: {shown(str(error).strip().partition(chr(10))[0])}") from error
    except RecursionError as error:
        raise DocumentError("nested too deeply") from error
    except Exception as error:
        # ruamel's scanner lets plain built-in errors out on some malformed directives, tags and escapes.
        raise DocumentError(f"not valid YAML ({type(error).__name__})") from error


class _Reader:
    """Turns nodes into plain values within a budget, so that aliases can neither loop nor multiply."""

    def __init__(self) -> None:
        self.lines: dict[Path, int] = {}

    def read(self, node: Node, path: Path) -> Plain:
        line = node.start_mark.line + 1
        self.lines.setdefault(path, line)
        if len(path) > MAX_DEPTH:
            raise DocumentError("nested too deeply", line)
        if len(self.lines) > MAX_VALUES:
            raise DocumentError("too many values; aliases count as often as they are used", line)
        if isinstance(node, ScalarNode):
            return _scalar(node)
        if isinstance(node, MappingNode):
            return self._mapping(node, path)
        return [self.read(item, (*path, index)) for index, item in enumerate(node.value)]

    def _mapping(self, node: MappingNode, path: Path) -> dict[str, Plain]:
        mapping: dict[str, Plain] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, ScalarNode):
                raise DocumentError("a key must be plain text", line)
            key = _scalar(key_node) or ""
            if key in mapping:
                raise DocumentError(f"the key `{shown(key)}` stands here twice", line)
            self.lines[*path, key] = line
            mapping[key] = self.read(value_node, (*path, key))
        return mapping


def _scalar(node: ScalarNode) -> str | None:
    text = str(node.value)
    if node.style is None and text in {"", "~", "null", "Null", "NULL"}:
        return None
    # Neither survives the way into a command: `\0` ends an argument, a lone surrogate has no bytes.
    if "\0" in text or any("\ud800" <= char <= "\udfff" for char in text):
        raise DocumentError("a text holds a NUL or half a character", node.start_mark.line + 1)
    return text
