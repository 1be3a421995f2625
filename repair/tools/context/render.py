"""A context pack as plain text for a prompt."""

from repair.tools.context.visible import fence, visible
from repair.values.context import ContextPack, Excerpt


def render(pack: ContextPack) -> str:
    """Each excerpt under its place and reason, fenced with more backticks than it holds; hidden characters escaped."""
    parts = [_excerpt(excerpt) for excerpt in pack.excerpts]
    if pack.cut:
        parts.append(f"(Left out for lack of room: {', '.join(pack.cut)}.)")
    return "\n\n".join(parts)


def _excerpt(excerpt: Excerpt) -> str:
    text = visible(excerpt.text)
    marks = fence(text)
    place = _in_line(f"{excerpt.path}:{excerpt.start}-{excerpt.end}")
    return f"{place} ({_in_line(excerpt.reason)})\n{marks}\n{text}\n{marks}"


def _in_line(text: str) -> str:
    return visible(text.replace("\n", " ").replace("\t", " "))
