"""Putting new lines in the place of old ones without touching a byte that need not change."""

from collections.abc import Sequence

from repair.tools.edits.encoding import line_ending
from repair.tools.edits.indent import Indentation
from repair.tools.edits.lines import body, changes, ending


def spliced(lines: Sequence[str], start: int, quoted: Sequence[str], written: Sequence[str]) -> str:
    r"""The file with `written` in the place of `lines[start:start + len(quoted)]`.

    `lines` have their ends, `quoted` and `written` have none. A line of the quote that `written` keeps stays as the
    file has it; new lines get the indentation and the line ending of the place. The end of the file stays as it is.
    """
    end = start + len(quoted)
    real = [body(line) for line in lines[start:end]]
    indentation = Indentation(quoted, real, written, [body(line) for line in lines])
    usual = line_ending(list(lines))
    result: list[str] = []
    position = 0
    for change in changes(quoted, written):
        result += lines[start + position : start + change.old_start]
        eol = _ending_at(lines, start + change.old_start, usual)
        added = written[change.new_start : change.new_end]
        result += [(line if indentation.same else indentation.moved(line)) + eol for line in added]
        position = change.old_end
    result += lines[start + position : end]
    if end == len(lines):
        result = _ended(result, ending(lines[-1]), usual)
    return "".join((*lines[:start], *result, *lines[end:]))


def _ending_at(lines: Sequence[str], number: int, usual: str) -> str:
    """The ending of the line, or of the one before where it has none."""
    near = lines[max(0, number - 1) : number + 1][::-1]
    return next((ending(line) for line in near if ending(line)), usual)


def _ended(lines: list[str], final: str, usual: str) -> list[str]:
    """The last lines of a file: all but the last are ended, and the last as the file's last line was."""
    if not lines:
        return lines
    closed = [line if ending(line) else line + usual for line in lines]
    return closed if final else [*closed[:-1], body(closed[-1])]
