"""The difference of two trees as a patch that `git apply` takes."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from repair.tools.edits.lines import Change, changes, split_byte_lines

CONTEXT = 3
_NO_BLOB = "0" * 40
_ESCAPES = {0x07: "a", 0x08: "b", 0x09: "t", 0x0A: "n", 0x0B: "v", 0x0C: "f", 0x0D: "r", 0x22: '"', 0x5C: "\\"}


def unified_diff(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> bytes:
    r"""The patch from one tree to the other, files sorted by path; empty when they are equal.

    Bytes, because a patch repeats the files' bytes: latin-1, UTF-16, `\r\n` and NUL come through `git apply`
    unharmed, also in files that git itself would call binary. Modes are not known here: a new file is `100644`.
    """
    paths = sorted(before.keys() | after.keys())
    return b"".join(_file_diff(path, before.get(path), after.get(path)) for path in paths)


def diff_text(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """The patch for people and prompts: bytes that are not UTF-8 become replacement characters."""
    return unified_diff(before, after).decode("utf-8", errors="replace")


def _file_diff(path: str, old: bytes | None, new: bytes | None) -> bytes:
    if old == new:
        return b""
    header = [f"diff --git {_quoted('a/' + path)} {_quoted('b/' + path)}"]
    if old is None:
        header.append("new file mode 100644")
    if new is None:
        header.append("deleted file mode 100644")
    known_mode = "" if old is None or new is None else " 100644"
    header.append(f"index {_blob_id(old)}..{_blob_id(new)}{known_mode}")
    if old or new:
        header.append(f"--- {'/dev/null' if old is None else _named('a/' + path)}")
        header.append(f"+++ {'/dev/null' if new is None else _named('b/' + path)}")
    body = _hunks(split_byte_lines(old or b""), split_byte_lines(new or b""))
    return "".join(f"{line}\n" for line in header).encode() + b"".join(body)


def _blob_id(content: bytes | None) -> str:
    if content is None:
        return _NO_BLOB
    blob = b"blob %d\0" % len(content) + content
    return hashlib.sha1(blob, usedforsecurity=False).hexdigest()


def _named(path: str) -> str:
    """A tab ends a name with blanks, as git writes it, so that no reader takes the rest for a date."""
    quoted = _quoted(path)
    return f"{quoted}\t" if " " in path and not quoted.startswith('"') else quoted


def _quoted(path: str) -> str:
    raw = path.encode("utf-8", "surrogateescape")
    if not re.search(rb'[\x00-\x1f\x7f-\xff"\\]', raw):
        return path
    return '"' + "".join(map(_escaped, raw)) + '"'


def _escaped(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _hunks(old: Sequence[bytes], new: Sequence[bytes]) -> Iterable[bytes]:
    for group in _groups(changes(old, new)):
        first, last = group[0], group[-1]
        start = max(0, first.old_start - CONTEXT)
        end = min(len(old), last.old_end + CONTEXT)
        new_start = first.new_start - (first.old_start - start)
        new_end = last.new_end + (end - last.old_end)
        yield f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n".encode()
        yield from _marked(old, new, group, start, end)


def _groups(found: Sequence[Change]) -> Iterable[list[Change]]:
    group: list[Change] = []
    for change in found:
        if group and change.old_start - group[-1].old_end > 2 * CONTEXT:
            yield group
            group = []
        group.append(change)
    if group:
        yield group


def _range(start: int, end: int) -> str:
    """Lines as a hunk header counts them: an empty range names the line before it."""
    count = end - start
    first = start + 1 if count else start
    return str(first) if count == 1 else f"{first},{count}"


def _marked(
    old: Sequence[bytes], new: Sequence[bytes], group: Sequence[Change], start: int, end: int
) -> Iterable[bytes]:
    position = start
    for change in group:
        yield from (_line(b" ", line) for line in old[position : change.old_start])
        yield from (_line(b"-", line) for line in old[change.old_start : change.old_end])
        yield from (_line(b"+", line) for line in new[change.new_start : change.new_end])
        position = change.old_end
    yield from (_line(b" ", line) for line in old[position:end])


def _line(mark: bytes, line: bytes) -> bytes:
    return mark + line if line.endswith(b"\n") else mark + line + b"\n\\ No newline at end of file\n"
