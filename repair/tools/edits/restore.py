"""Comments, docstrings and blank lines that an edit lost without need are put back."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from repair.tools.edits.encoding import line_ending
from repair.tools.edits.lines import changes, split_lines
from repair.tools.edits.syntax import Rows, error_count, parses, rows

LARGEST_TEXT = 300_000  # characters; reading every token of more takes seconds
MOST_BLANKS = 2  # more blank lines in a row are a style error that the edit may have meant to mend

# A comment that speaks to a tool is part of the program: taking it away can be the repair.
_DIRECTIVE = re.compile(
    r"(?<![\w-])(?:noqa|type:\s?ignore|mypy:|pyright:|pylint:|ruff:|flake8:|fmt:|isort:|yapf:|black:|nosec|pragma:|coverage:"
    r"|eslint-|@ts-|tslint:|prettier-ignore|biome-|istanbul |c8 |v8 |stylelint-|nolint|go:|\+build|rustfmt|clippy"
    r"|shellcheck |tflint-|tfsec:|checkov:|trivy:|yamllint |sqlfluff|-- sqlfluff|regal |opa-|nosonar|hadolint )",
    re.IGNORECASE,
)


class _Layout:
    """A text as rows of code and the gaps of words and blank lines around them; gap `n` is before code row `n`."""

    def __init__(self, text: str, found: Rows):
        self.lines = split_lines(text)
        self.rows = found
        self.code = [self.lines[row].rstrip() for row in found.code]
        self._edges = [-1, *found.code, len(self.lines)]

    def gap(self, number: int) -> list[str]:
        return self.lines[self._edges[number] + 1 : self._edges[number + 1]]

    def docstring(self, number: int) -> list[str]:
        """The docstring that the gap begins with."""
        first, last = self._edges[number] + 1, self._edges[number + 1]
        end = first
        while end < last and end in self.rows.docstrings:
            end += 1
        return self.lines[first:end]

    def attached(self, number: int) -> list[str]:
        """The words directly above the code that the gap ends with."""
        first, last = self._edges[number] + 1, self._edges[number + 1]
        start = last
        while start > first and (start - 1 in self.rows.docstrings or self.lines[start - 1].strip()):
            start -= 1
        return self.lines[start:last]


class _Lost(NamedTuple):
    """How often a line of words stood in the file and stands now; a line that only moved is not lost."""

    before: Counter[str]
    after: Counter[str]

    def claim(self, lines: Sequence[str]) -> bool:
        """Whether all of the lines are lost, quotes and rules aside; if so they count as found."""
        words = [line.strip() for line in lines if line.strip()]
        telling = Counter(line for line in words if re.search(r"\w", line)) or Counter(words)
        found = bool(telling) and all(self.before[line] >= self.after[line] + telling[line] for line in telling)
        self.after.update(words if found else ())
        return found


def restore_lost_text(before: str, after: str, path: str) -> str:
    """The edited text with the words put back that stood beside code which still stands.

    Lines of code are never touched. A text whose code did not change comes back as it is, for then the edit was about
    its comments or blank lines; so does one that would parse worse, one in an unknown language, and a very large one.
    """
    if max(len(before), len(after)) > LARGEST_TEXT:
        return after
    old_rows, new_rows = rows(before, path), rows(after, path)
    if old_rows is None or new_rows is None:
        return after
    old, new = _Layout(before, old_rows), _Layout(after, new_rows)
    if old.code == new.code:
        return after
    result = _woven(old, new)
    return result if result != after and _is_sound(result, after, new, path) else after


def _is_sound(result: str, after: str, new: _Layout, path: str) -> bool:
    found = rows(result, path)
    if found is None or _Layout(result, found).code != new.code:
        return False
    if path.endswith((".py", ".pyi")) and parses(after) and not parses(result):
        return False
    return error_count(result, path) <= error_count(after, path)


def _woven(old: _Layout, new: _Layout) -> str:
    stands = _standing(old.code, new.code)
    lost = _Lost(Counter(map(str.strip, old.lines)), Counter(map(str.strip, new.lines)))
    usual = line_ending(new.lines)
    result: list[str] = []
    for number in range(len(new.code) + 1):
        gap = _restored(old, new, stands, lost, number)
        if number and gap and not new.lines[new.rows.code[number - 1]].endswith("\n"):
            gap = new.gap(number)  # the last line of code has no end, and code is not touched
        result += [line if line.endswith("\n") else line + usual for line in gap[:-1]] + gap[-1:]
        if number < len(new.code):
            if gap and not gap[-1].endswith("\n"):
                result[-1] += usual
            result.append(new.lines[new.rows.code[number]])
    return "".join(result)


def _standing(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """Which row of old code each row of new code is; the beginning and the end of the file stand always."""
    stands = {-1: -1, len(new): len(old)}
    position = old_position = 0
    for change in [*changes(old, new), None]:
        end = change.new_start if change else len(new)
        stands.update(zip(range(position, end), range(old_position, old_position + end - position), strict=True))
        if change:
            position, old_position = change.new_end, change.old_end
    return stands


def _restored(old: _Layout, new: _Layout, stands: dict[int, int], lost: _Lost, number: int) -> list[str]:
    """The gap before a row of new code with what it lost."""
    gap, above, below = new.gap(number), stands.get(number - 1), stands.get(number)
    if above is not None and below == above + 1:
        return _merged(old.gap(below), gap, lost, at_end=number == len(new.code))
    words = [] if above is None else old.docstring(above + 1)
    if not new.docstring(number) and lost.claim(words):
        return [*words, *gap]
    words = [] if below is None or number == len(new.code) else old.attached(below)
    return [*gap, *_kept(words)] if _only_blanks(gap) and lost.claim(words) else gap


def _merged(old: Sequence[str], new: Sequence[str], lost: _Lost, *, at_end: bool) -> list[str]:
    """The new gap with the lines that the old one has more; lines that were rewritten stay so."""
    result: list[str] = []
    position = 0
    for change in changes([line.rstrip() for line in old], [line.rstrip() for line in new]):
        result += new[position : change.new_start]
        position = change.new_start
        gone = old[change.old_start : change.old_end]
        if change.new_start == change.new_end and (_only_blanks(gone) or lost.claim(gone)):
            result += _kept(gone)
    result += new[position:]
    if _only_blanks(result):
        return list(new) if at_end or len(result) > MOST_BLANKS else result
    return result


def _only_blanks(lines: Sequence[str]) -> bool:
    return not any(map(str.strip, lines))


def _kept(lines: Sequence[str]) -> list[str]:
    return [line for line in lines if not _DIRECTIVE.search(line[:400])]
