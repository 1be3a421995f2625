"""A patch taken apart into hunks, so that those it does not need can be left out."""

from collections.abc import Iterable, Mapping
from itertools import groupby

from repair.tools.edits.encoding import Text, decode
from repair.tools.edits.lines import Change, changes, split_byte_lines
from repair.tools.edits.syntax import code_shape
from repair.values.base import Value

MOST_JUDGED = 1_000_000  # bytes of one file's versions that are parsed to see whether hunks are formatting


class Hunk(Value):
    """Bytes of one file that became others. `line` is the first changed line, from 1.

    `old` is `None` for a file that is created, `new` is `None` for one that is deleted; both are one hunk, as are
    changes of binary and UTF-16 files. `formatting` hunks change blanks, line breaks and comments only.
    """

    path: str
    line: int = 1
    old: bytes | None
    new: bytes | None
    formatting: bool = False

    @property
    def whole(self) -> bool:
        """Whether the hunk creates or deletes its file."""
        return self.old is None or self.new is None


def split_hunks(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> tuple[Hunk, ...]:
    """All that differs between two trees, in the order of paths and lines."""
    paths = sorted(before.keys() | after.keys())
    return tuple(hunk for path in paths for hunk in _file_hunks(path, before.get(path), after.get(path)))


def compose(before: Mapping[str, bytes], kept: Iterable[Hunk]) -> dict[str, bytes]:
    """The tree with only these hunks in it. They must come from `split_hunks` with the same `before`."""
    tree = dict(before)
    ordered = sorted(kept, key=lambda hunk: (hunk.path, hunk.line))
    for path, group in groupby(ordered, key=lambda hunk: hunk.path):
        hunks = list(group)
        if hunks[0].new is None:
            tree.pop(path, None)
        elif hunks[0].old is None:
            tree[path] = hunks[0].new
        else:
            tree[path] = _patched(before[path], hunks)
    return tree


def minimise_order(hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
    """In which order to try leaving hunks out: what is least likely to be needed first.

    Formatting goes first, then edits from the smallest, then whole files that were created or deleted.
    """
    return tuple(sorted(hunks, key=_need))


def _need(hunk: Hunk) -> tuple[bool, bool, int, str, int]:
    size = len(hunk.old or b"") + len(hunk.new or b"")
    return not hunk.formatting, hunk.whole, size, hunk.path, hunk.line


def _file_hunks(path: str, old: bytes | None, new: bytes | None) -> list[Hunk]:
    if old == new:
        return []
    texts = _by_lines(old), _by_lines(new)
    if old is None or new is None or texts[0] is None or texts[1] is None:
        return [Hunk(path=path, old=old, new=new)]
    old_lines, new_lines = split_byte_lines(old), split_byte_lines(new)
    found = changes(old_lines, new_lines)
    shape = code_shape(texts[0].text, path) if (1 + len(found)) * len(old) <= MOST_JUDGED else None
    return [_hunk(path, old_lines, new_lines, change, shape) for change in found]


def _by_lines(content: bytes | None) -> Text | None:
    """The text of a file whose bytes can be cut at line feeds."""
    text = None if content is None else decode(content)
    return None if text is None or text.encoding.startswith("utf-16") else text


def _hunk(path: str, old: list[bytes], new: list[bytes], change: Change, shape: list[object] | None) -> Hunk:
    gone, come = old[change.old_start : change.old_end], new[change.new_start : change.new_end]
    formatting = False
    if shape is not None:
        result = decode(b"".join((*old[: change.old_start], *come, *old[change.old_end :])))
        formatting = result is not None and code_shape(result.text, path) == shape
    line = change.old_start + 1
    return Hunk(path=path, line=line, old=b"".join(gone), new=b"".join(come), formatting=formatting)


def _patched(content: bytes, hunks: list[Hunk]) -> bytes:
    lines = split_byte_lines(content)
    if len(hunks) == 1 and hunks[0].old == content:
        return hunks[0].new or b""
    for hunk in reversed(hunks):
        start = hunk.line - 1
        end = start + len(split_byte_lines(hunk.old or b""))
        lines[start:end] = [hunk.new or b""]
    return b"".join(lines)
