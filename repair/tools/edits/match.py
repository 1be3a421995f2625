"""Where in a file the lines stand that a model quotes."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz, process

from repair.tools.edits.indent import consistent

ENOUGH = 95  # per cent of similarity below which a quote is another text
WORTH_SHOWING = 50
LINES_SHOWN = 12
MOST_WORK = 1_000_000_000  # steps of a similarity search, about a second
_COUNTED = 5


class Place(NamedTuple):
    """Lines `start:end` (from 0, end excluded); `head` and `tail` count blank quoted lines that are not there."""

    start: int
    end: int
    head: int = 0
    tail: int = 0
    note: str = ""


def occurrences(lines: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """Where the wanted lines stand, from 0; at most a few places are counted. Lines have no ends."""
    haystack, needle = _framed(lines), _framed(wanted)
    found: list[int] = []
    position = haystack.find(needle)
    while position >= 0 and len(found) < _COUNTED:
        found.append(haystack.count("\n", 0, position))
        position = haystack.find(needle, position + 1)
    return found


def locate(lines: Sequence[str], quoted: Sequence[str]) -> Place | str:
    """The one place the quote means, or in words why there is none. Lines have no ends; one is not blank.

    Exact text goes before text that differs in trailing blanks, then in indentation, then in up to 5 %.
    """
    if exact := occurrences(lines, quoted):
        return Place(exact[0], exact[0] + len(quoted)) if len(exact) == 1 else _several(exact)
    head, tail, core = trimmed(quoted)
    for key, note in ((str.rstrip, "trailing blanks"), (str.strip, "indentation")):
        starts = _alike(lines, core, key)
        if len(starts) > 1:
            return _several(starts)
        if starts:
            return Place(starts[0], starts[0] + len(core), head, tail, f"matched but for {note}")
    return _similar(lines, core, head, tail)


def trimmed(lines: Sequence[str]) -> tuple[int, int, list[str]]:
    """How many blank lines lead and trail, and the lines between them."""
    filled = [number for number, line in enumerate(lines) if line.strip()]
    if not filled:
        return len(lines), 0, []
    return filled[0], len(lines) - filled[-1] - 1, list(lines[filled[0] : filled[-1] + 1])


def excerpt(lines: Sequence[str], start: int, end: int) -> str:
    """Some lines with their numbers, short enough for a prompt."""
    shown = [
        f"{number + 1}| {lines[number][:160]}" for number in range(start, min(end, start + LINES_SHOWN, len(lines)))
    ]
    return "\n".join(shown + ["..."] * (end - start > LINES_SHOWN))


def _framed(lines: Sequence[str]) -> str:
    return "\n" + "".join(f"{line}\n" for line in lines)


def _alike(lines: Sequence[str], core: Sequence[str], key: Callable[[str], str]) -> list[int]:
    starts = occurrences([key(line) for line in lines], [key(line) for line in core])
    return [start for start in starts if consistent(core, lines[start : start + len(core)])]


def _several(starts: Sequence[int]) -> str:
    places = ", ".join(str(start + 1) for start in starts)
    many = "or more " if len(starts) == _COUNTED else ""
    return f"SEARCH matches {len(starts)} {many}times (lines {places}). Quote more lines around the one you mean."


def _similar(lines: Sequence[str], core: Sequence[str], head: int, tail: int) -> Place | str:
    ranked = _ranked(lines, core)
    if not ranked:
        return "SEARCH matches nowhere in this file, and nothing in it is similar."
    (best, start), rivals = ranked[0], ranked[1:]
    end = start + len(core)
    if best >= ENOUGH and rivals and rivals[0][0] == best:
        return _several([start, rivals[0][1]])
    if best >= ENOUGH and consistent(core, lines[start:end]):
        return Place(start, end, head, tail, f"matched with {best:.0f} % similarity")
    return f"SEARCH matches nowhere. The closest lines ({best:.0f} % similar) are:\n{excerpt(lines, start, end)}"


def _ranked(lines: Sequence[str], core: Sequence[str]) -> list[tuple[float, int]]:
    """The two most similar stretches as (per cent, start); none when looking for them would take too long."""
    stripped, wanted = [line.strip() for line in lines], "\n".join(line.strip() for line in core)
    count = len(lines) - len(core) + 1
    work = count * len(wanted) ** 2 // 64 + len(core) * sum(map(len, stripped))
    if count < 1 or work > MOST_WORK:
        return []
    stretches = ["\n".join(stripped[start : start + len(core)]) for start in range(count)]
    best = process.extract(wanted, stretches, scorer=fuzz.ratio, score_cutoff=WORTH_SHOWING, limit=2)
    return [(score, start) for _, score, start in best]
