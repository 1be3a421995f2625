"""A model's answer put into new file contents, or in words why it cannot be."""

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from pydantic import Field
from rapidfuzz import process

from repair.tools.edits.encoding import Text, decode, encode
from repair.tools.edits.lines import body, split_lines
from repair.tools.edits.match import Place, locate, occurrences, trimmed
from repair.tools.edits.safety import UnsafePath, checked_parts, shown
from repair.tools.edits.splice import spliced
from repair.tools.edits.whole import left_out, rewritten
from repair.tools.tree import Tree
from repair.values.base import Value
from repair.values.change import Answer, Block, Unit

MOST_PROBLEMS = 8
MOST_BLOCKS = 200
_DIVIDER = re.compile(r"={5,9}[ \t]*")
_DIVIDER_LINE = "======="
_MOST_READINGS = 10


class Applied(Value):
    """What an answer comes to: whole new contents, or problems for the next prompt and then no changes at all."""

    changes: dict[str, bytes] = Field(default_factory=dict)
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


class _Step(NamedTuple):
    text: str | None = None
    note: str = ""
    problem: str = ""


class _Draft:
    """The tree with the answer's earlier blocks in it."""

    def __init__(self, files: Tree):
        self._files = files
        self.changes: dict[str, bytes] = {}

    def read(self, path: str) -> bytes | None:
        return self.changes[path] if path in self.changes else self._files.read(path)

    def paths(self) -> set[str]:
        return {*self._listed, *self.changes}

    @cached_property
    def _listed(self) -> Sequence[str]:
        return self._files.paths()

    def put(self, path: str, old: Text, text: str) -> str:
        """Writes the text as the old one was written; returns a problem or nothing."""
        try:
            content = encode(old.model_copy(update={"text": text}))
        except UnicodeEncodeError as error:
            return f"The file is {old.encoding} and cannot hold {error.object[error.start]!a}."
        if content != self.read(path):
            self.changes[path] = content
        return ""


def apply(files: Tree, answer: Answer, unit: Unit | None = None) -> Applied:
    """Applies the answer's blocks in order, or its fenced code to the unit asked for. All of it or nothing.

    Every block must match exactly one place; later blocks see what earlier ones did. Never raises on any answer.
    """
    draft = _Draft(files)
    notes: list[str] = []
    problems: list[str] = []
    for path, step in _steps(draft, answer, unit):
        if step.note:
            notes.append(f"{path}: {step.note}" if path else step.note)
        if step.problem:
            problems.append(f"{path}: {step.problem}" if path else step.problem)
        if len(problems) == MOST_PROBLEMS:
            break
    changed = {path: content for path, content in draft.changes.items() if content != files.read(path)}
    if not changed and not problems:
        problems.append("The answer changes nothing: what it proposes is what stands there already.")
    return Applied(changes={} if problems else changed, notes=tuple(notes), problems=tuple(problems))


def _steps(draft: _Draft, answer: Answer, unit: Unit | None) -> Iterator[tuple[str, _Step]]:
    if not answer.blocks:
        yield _fences(draft, answer.fences, unit)
    if len(answer.blocks) > MOST_BLOCKS:
        yield "", _Step(problem=f"The answer holds more than {MOST_BLOCKS} blocks.")
        return
    done: set[Block] = set()
    for block in answer.blocks:
        path = block.path or (unit.path if unit else "")
        yield (shown(path)[1:-1], _again() if block in done else _block(draft, path, block))
        done.add(block)


def _again() -> _Step:
    return _Step(note="the same block stands twice in the answer; applied once")


def _block(draft: _Draft, path: str, block: Block) -> _Step:
    if not path:
        return _Step(problem="A block names no file. Write the path on the line above its SEARCH marker.")
    try:
        checked_parts(path)
    except UnsafePath as error:
        return _Step(problem=f"Refused: {error}")
    target, note = _target(draft, path, block)
    content = draft.read(target)
    if content is None:
        return _missing(draft, path, block)
    text = decode(content)
    if text is None:
        return _Step(problem="This is a binary file and cannot be edited.")
    step = _edit(text.text, block)
    problem = step.problem if step.text is None else draft.put(target, text, step.text)
    return _Step(step.text, "; ".join(filter(None, (note, step.note))), problem)


def _target(draft: _Draft, path: str, block: Block) -> tuple[str, str]:
    """The path, or the only file whose path ends like it when an existing file must be meant."""
    if draft.read(path) is not None or not block.search.strip():
        return path, ""
    alike = [known for known in draft.paths() if f"/{known}".endswith(f"/{path}") or f"/{path}".endswith(f"/{known}")]
    return (alike[0], f"taken for {alike[0]}") if len(alike) == 1 else (path, "")


def _missing(draft: _Draft, path: str, block: Block) -> _Step:
    if not block.search.strip():
        return _created(draft, path, block)
    best = process.extractOne(path, sorted(draft.paths()), score_cutoff=70)
    hint = f" Is {best[0]} meant?" if best else " To create it, leave SEARCH empty."
    return _Step(problem=f"There is no such file.{hint}")


def _created(draft: _Draft, path: str, block: Block) -> _Step:
    for known in draft.paths():
        if known.startswith(f"{path}/"):
            return _Step(problem="A folder has this name.")
        if path.startswith(f"{known}/"):
            return _Step(problem=f"{known} is a file, so there can be no file in it.")
    problem = draft.put(path, Text(text=""), block.replace)
    return _Step(block.replace, "new file", problem)


def _edit(text: str, block: Block) -> _Step:
    """The file's text with the block in it; where the block can be read in several ways, the one that fits best."""
    search, replace = _split(block.search), _split(block.replace)
    for other_search, other_replace in _readings(search, replace):
        if any(map(str.strip, other_search)) and len(occurrences(_split(text), other_search)) == 1:
            return _edited(text, other_search, other_replace)
    return _edited(text, search, replace)


def _split(text: str) -> list[str]:
    return [body(line) for line in split_lines(text)]


def _readings(search: list[str], replace: list[str]) -> Iterator[tuple[list[str], list[str]]]:
    """All ways to divide a block whose text has lines like its divider (a heading's underline), the most exact first.

    The more text of the file a reading quotes, the less can it match by chance.
    """
    lines = [*search, _DIVIDER_LINE, *replace]
    cuts = [number for number, line in enumerate(lines) if _DIVIDER.fullmatch(line)]
    for cut in reversed(cuts[:_MOST_READINGS] if len(cuts) > 1 else []):
        yield lines[:cut], lines[cut + 1 :]


def _edited(text: str, search: list[str], replace: list[str]) -> _Step:
    bodies = _split(text)
    if not any(map(str.strip, search)):
        return _filled(text, bodies, replace)
    if missing := left_out(replace, [*search, *bodies]):
        return _Step(problem=missing)
    if search == replace:
        return _Step(text, "SEARCH and REPLACE are equal: nothing to do")
    place = locate(bodies, search)
    if isinstance(place, Place):
        quoted, written = _cores(search, replace, place)
        return _Step(spliced(split_lines(text), place.start, quoted, written), place.note)
    if not occurrences(bodies, search) and _stands(bodies, replace):
        return _Step(text, "the replacement stands there already")
    return _Step(problem=place)


def _stands(bodies: list[str], replace: list[str]) -> bool:
    return any(re.search(r"\w", line) for line in replace) and len(occurrences(bodies, replace)) == 1


def _filled(text: str, bodies: list[str], replace: list[str]) -> _Step:
    if not text.strip():
        return _Step("".join(f"{line}\n" for line in replace))
    if bodies == replace:
        return _Step(text, "the file stands there already")
    return _Step(problem="The file exists. Quote in SEARCH the lines that shall be replaced.")


def _cores(search: list[str], replace: list[str], place: Place) -> tuple[list[str], list[str]]:
    """Both texts without the blank lines around SEARCH that the file does not have."""
    head, tail, _ = trimmed(replace)
    quoted = search[place.head : len(search) - place.tail]
    return quoted, replace[min(head, place.head) : len(replace) - min(tail, place.tail)]


def _fences(draft: _Draft, fences: tuple[str, ...], unit: Unit | None) -> tuple[str, _Step]:
    if not fences:
        return "", _Step(problem="The answer holds no SEARCH/REPLACE block.")
    if unit is None:
        return "", _Step(problem="The answer holds code but no SEARCH/REPLACE block that says where it goes.")
    content = draft.read(unit.path)
    text = None if content is None else decode(content)
    if text is None:
        return unit.path, _Step(problem="There is no such text file.")
    result = rewritten(text.text, unit, fences)
    if not result.problem and result.text is not None:
        return unit.path, _Step(result.text, result.note, draft.put(unit.path, text, result.text))
    return unit.path, _Step(problem=result.problem)
