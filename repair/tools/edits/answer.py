"""A model's answer as edits: SEARCH/REPLACE blocks, or fenced code when there is no block."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from repair.tools.edits.fences import fenced
from repair.tools.edits.naming import is_plain_path, path_above, path_in
from repair.values.change import Answer, Block

LONGEST_ANSWER = 2_000_000  # characters; no model writes as much, a broken server may
_LENGTHS = (7, 5, 6, 8, 9)
_MARKER = re.compile(
    r"(?P<prefix>[ \t]{0,16})(?:"
    r"(?P<head><{5,9})[ \t]?SEARCH\b[ \t:>]*(?P<path>.{0,300})"
    r"|(?P<tail>>{5,9})[ \t]*REPLACE[ \t`.]*"
    r"|(?P<divider>={5,9})[ \t]*"
    r"|(?P<bare>>{5,9})[ \t]*"
    r"|(?P<open><{5,9})(?: .{0,300})?"
    r"|(?P<close>>{5,9}) .{0,300}"
    r")"
)


class _Marker(NamedTuple):
    line: int
    kind: str
    prefix: str
    length: int
    path: str

    def like(self, other: "_Marker") -> bool:
        """Equal in length and depth. Few kinds of markers keep the search for a tail linear."""
        return self.length == other.length and len(self.prefix) == len(other.prefix)


def parse_answer(text: str) -> Answer:
    """The edits in a model's answer; whatever else it says is ignored, and nothing raises.

    The texts of a block end every line with one newline. An unterminated block or fence is dropped.
    A block that names no file belongs to the file named last; its path is empty when there was none.
    """
    lines = _readable(text).split("\n")
    blocks = tuple(_blocks(lines))
    return Answer(blocks=blocks) if blocks else Answer(fences=fenced(lines, _is_head))


def render(blocks: Iterable[Block]) -> str:
    """The blocks as a model should write them, with markers of a length that their text does not contain."""
    return "\n".join(_rendered(block) for block in blocks)


def _rendered(block: Block) -> str:
    lines = (block.search + block.replace).split("\n")
    taken = {marker.length for marker in _markers(lines)}
    length = next((length for length in _LENGTHS if length not in taken), _LENGTHS[0])
    path = block.path if is_plain_path(block.path) else f"File: `{block.path}`"
    head, middle, tail = "<" * length, "=" * length, ">" * length
    return f"{path}\n{head} SEARCH\n{block.search}{middle}\n{block.replace}{tail} REPLACE\n"


def _readable(text: str) -> str:
    cut = text[:LONGEST_ANSWER].encode("utf-8", "replace").decode("utf-8").replace("\r\n", "\n")
    if not cut.lstrip().startswith("<think>"):
        return cut
    return cut.partition("</think>")[2]


def _markers(lines: Sequence[str]) -> list[_Marker]:
    found = []
    for number, line in enumerate(lines):
        if line.lstrip(" \t")[:1] not in ("<", "=", ">") or not (match := _MARKER.fullmatch(line)):
            continue
        kind = next(name for name, value in match.groupdict().items() if value and name not in ("prefix", "path"))
        found.append(_Marker(number, kind, match["prefix"], len(match[kind]), match["path"] or ""))
    return found


def _is_head(line: str) -> bool:
    return any(marker.kind == "head" for marker in _markers([line]))


def _blocks(lines: Sequence[str]) -> Iterable[Block]:
    markers = _markers(lines)
    path, floor = "", 0
    for index, head in enumerate(markers):
        if head.kind != "head" or head.line < floor:
            continue
        span = _span(markers, index, strict=True) or _span(markers, index, strict=False)
        if span is None:
            continue
        divider, tail = span
        path = path_in(head.path) or path_above(lines[floor : head.line]) or path
        search, replace = _sections(lines[head.line + 1 : divider], lines[divider + 1 : tail], head.prefix, path)
        yield Block(path=path, search=search, replace=replace)
        floor = tail + 1


def _span(markers: Sequence[_Marker], index: int, *, strict: bool) -> tuple[int, int] | None:
    """Where the block's divider and tail stand; `strict` sees only markers of the length of its head."""
    head, bare, conflict = markers[index], None, False
    inside: list[int] = []
    outside: list[int] = []
    for position in range(index + 1, len(markers)):
        marker = markers[position]
        if strict and not marker.like(head):
            continue
        match marker.kind:
            case "head":
                break
            case "open" | "close":
                conflict = marker.kind == "open"
            case "divider":
                (inside if conflict else outside).append(marker.line)
            case "bare":
                bare = marker.line if bare is None and outside else bare
            case "tail":
                return _halves(head.line, outside or inside, marker.line)
    return None if bare is None else _halves(head.line, outside, bare)


def _halves(head: int, dividers: Sequence[int], tail: int) -> tuple[int, int] | None:
    """Of several dividers the middle one: the others are headings that stand in both texts."""
    before = [divider for divider in dividers if divider < tail]
    if not before:
        return None
    return (before[0] if before[0] == head + 1 else before[(len(before) - 1) // 2]), tail


def _sections(search: Sequence[str], replace: Sequence[str], prefix: str, path: str) -> tuple[str, str]:
    if prefix and all(line.startswith(prefix) or not line.strip() for line in (*search, *replace)):
        search = [line.removeprefix(prefix) for line in search]
        replace = [line.removeprefix(prefix) for line in replace]
    wrapped = (not search or _is_fenced(search)) and _is_fenced(replace)
    if wrapped and not path.endswith((".md", ".rst", ".mdx")):
        search, replace = search[1:-1], replace[1:-1]
    return _joined(search), _joined(replace)


def _is_fenced(lines: Sequence[str]) -> bool:
    return len(lines) > 1 and lines[0].startswith("```") and lines[-1].strip() == "```"


def _joined(lines: Sequence[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
