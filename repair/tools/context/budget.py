"""Fitting a pack into its budget."""

from collections.abc import Iterable, Iterator, Sequence

from repair.tools.context.visible import fence, visible
from repair.values.context import ContextPack, Excerpt

# What is dropped first when the budget is exceeded; the kinds after `c` only when nothing else is left to drop.
CUT_ORDER = "ijdhcgfbea"
# Line numbers, brackets and empty lines around one excerpt, in characters.
OVERHEAD = 40
# One excerpt may take this share of the budget, so that no huge unit stands alone.
_LARGEST_SHARE = 0.5


def cost(excerpt: Excerpt) -> int:
    """The characters an excerpt takes in a prompt."""
    text = visible(excerpt.text)
    return len(text) + 2 * len(fence(text)) + len(visible(excerpt.path)) + len(visible(excerpt.reason)) + OVERHEAD


def fit(excerpts: Iterable[Excerpt], budget: int) -> ContextPack:
    """The excerpts in the order of their kinds, the last ones of the cheapest kinds dropped until all fit.

    What lies within an excerpt that comes before it is left out.
    """
    kept = [_shortened(excerpt, int(budget * _LARGEST_SHARE)) for excerpt in _distinct(excerpts)]
    kept.sort(key=lambda excerpt: excerpt.kind)
    total = sum(map(cost, kept))
    cut = []
    for kind in CUT_ORDER:
        for position in range(len(kept) - 1, -1, -1):
            if total <= budget:
                break
            if kept[position].kind == kind:
                total -= cost(kept.pop(position))
                cut.append(kind)
    apart = [excerpt for excerpt in kept if not any(_inside(excerpt, other) for other in kept)]
    return ContextPack(excerpts=tuple(apart), cut=tuple(dict.fromkeys(cut)))


def _distinct(excerpts: Iterable[Excerpt]) -> Iterator[Excerpt]:
    """Without code that is shown already; hunks and old versions are no copies of it."""
    seen: list[Excerpt] = []
    for excerpt in excerpts:
        if excerpt.kind in "gh":
            yield excerpt
        elif not any(_within(excerpt, other) for other in seen):
            seen.append(excerpt)
            yield excerpt


def _inside(excerpt: Excerpt, other: Excerpt) -> bool:
    """Whether a larger excerpt of a later kind, which was not cut, shows this one as well."""
    both_code = not {excerpt.kind, other.kind} & set("agh")
    return both_code and excerpt.kind < other.kind and _within(excerpt, other)


def _within(excerpt: Excerpt, other: Excerpt) -> bool:
    return excerpt.path == other.path and other.start <= excerpt.start and excerpt.end <= other.end


def _shortened(excerpt: Excerpt, most: int) -> Excerpt:
    """An excerpt of at most `most` characters: lines furthest from the marked ones go first, else the last lines."""
    lines = excerpt.text.split("\n")
    sizes = [len(visible(line)) + 1 for line in lines]
    room = most - cost(excerpt.model_copy(update={"text": ""})) - len(_ELLIPSIS) * 2
    if sum(sizes) <= room:
        return excerpt
    start, end = _window(lines, sizes, room)
    body = [*([_ELLIPSIS] if start else []), *lines[start:end], *([_ELLIPSIS] if end < len(lines) else [])]
    return excerpt.model_copy(update={"text": "\n".join(body)})


_ELLIPSIS = "... (left out)"


def _window(lines: Sequence[str], sizes: Sequence[int], room: int) -> tuple[int, int]:
    start = end = next((position for position, line in enumerate(lines) if line.startswith("> ")), 0)
    while room > 0:
        if end < len(lines) and sizes[end] <= room:
            room -= sizes[end]
            end += 1
        elif start > 0 and sizes[start - 1] <= room:
            start -= 1
            room -= sizes[start]
        else:
            break
        if start > 0 and sizes[start - 1] <= room:
            start -= 1
            room -= sizes[start]
    return start, end
