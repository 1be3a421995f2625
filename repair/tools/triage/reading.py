"""Reading a finished run: its lines, blocks and JSON values, and the findings drafted from them.

A tool's output is untrusted: every line is cut, every number bounded, and garbage yields nothing.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript, Triage

LINE_LIMIT = 2000
DETAIL_LIMIT = 2000
MESSAGE_LIMIT = 400
BLOCK_LIMIT = 200

_FOREIGN = ("node_modules/", "/.cargo/", "/rustc/", "site-packages/", "node:", "internal/", "<")
_GENERATED = re.compile(r"(?:^|/)(?:dist|build|out|target)/")
_QUOTED = re.compile(r"[`'\"\u2018\u201c]([^`'\"\u2018\u2019\u201c\u201d]{1,200})['\"\u2019\u201d`]")
_NAME = re.compile(r"[^\W\d][^\s()]*|[@./][^\s()]*\w[^\s()]*")


@dataclass(slots=True)
class Tool:
    """A triager: the commands and the marks in the output that give a tool away, and a reader of its output."""

    name: str
    command: re.Pattern[str]
    marks: tuple[str, ...]
    read: Callable[[Transcript], Triage]

    def recognises(self, transcript: Transcript) -> bool:
        """Whether the output bears a mark of the tool, or the command names it."""
        if any(mark in transcript.output for mark in self.marks):
            return True
        return self.command.search(transcript.check.run[: 4 * LINE_LIMIT]) is not None

    def triage(self, transcript: Transcript) -> Triage:
        """What the reader finds; a run that passed keeps its counters but has no findings."""
        triage = self.read(transcript)
        return triage if transcript.exit_code else triage.model_copy(update={"findings": ()})


class Block(NamedTuple):
    """A header line and the lines up to the next header."""

    match: re.Match[str]
    body: list[str]

    @property
    def lines(self) -> list[str]:
        """The block as it was printed."""
        return [self.match.string, *self.body]


class Site(NamedTuple):
    """A place in a file."""

    file: str
    line: int | None
    column: int | None


def command(*names: str) -> re.Pattern[str]:
    """A pattern that finds any of these words, each a regular expression, as a command in shell text."""
    return re.compile(rf"(?<![\w.-])(?:{'|'.join(names)})(?![\w.-])")


def lines_of(text: str) -> list[str]:
    """The lines of an output, each cut to `LINE_LIMIT` so that no pattern meets an endless one."""
    return [line[:LINE_LIMIT].rstrip("\r") for line in text.split("\n")]


def blocks(lines: Iterable[str], header: re.Pattern[str], limit: int = BLOCK_LIMIT) -> list[Block]:
    """Every line that `header` matches, with up to `limit` of the lines below it."""
    found: list[Block] = []
    for line in lines:
        if match := header.match(line):
            found.append(Block(match, []))
        elif found and len(found[-1].body) < limit:
            found[-1].body.append(line)
    return found


def json_values(text: str) -> Iterator[object]:
    """The JSON objects and arrays that begin at the start of a line, wherever they lie between other output."""
    decoder, position, patience = json.JSONDecoder(), 0, 4 * len(text) + 100
    while position < len(text) and patience > 0:
        following = text.find("\n", position) + 1 or len(text)
        if text[position] in "[{":
            try:
                value, following = decoder.raw_decode(text, position)
            except json.JSONDecodeError as error:
                # A broken document costs its length at every attempt: the sum is bounded, so the whole is linear.
                patience -= error.pos - position
            except (ValueError, RecursionError):
                return
            else:
                yield value
                following = text.find("\n", following) + 1 or len(text)
        position = following


def at(value: object, *path: str) -> object:
    """The value under these keys, or None where the document is of another shape."""
    for key in path:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def each(value: object, *path: str) -> list[object]:
    """The list under these keys, or an empty one."""
    found = at(value, *path)
    return found if isinstance(found, list) else []


def text(value: object) -> str:
    """A string of a JSON document without lone surrogates; an empty one for anything else."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else ""


def number(value: object) -> int | None:
    """A positive line, column or count, from an integer or from digits."""
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 10**9 else None


def quoted(message: str) -> str | None:
    """The first quoted text in a message that could be a name: a word, a path or an address without spaces."""
    return next((name for name in _QUOTED.findall(message[:LINE_LIMIT]) if _NAME.fullmatch(name)), None)


def in_tree(path: str, root: str) -> bool:
    """Whether a frame of a stack lies in the repository, and not in an installed package."""
    if any(part in path for part in _FOREIGN):
        return False
    return not path.startswith("/") or path.startswith(root.rstrip("/") + "/")


def site(stack: Iterable[str], root: str) -> Site | None:
    """The first frame in the tree of a stack whose innermost frame is first; sources go before build output."""
    frames = [frame for line in stack if (frame := _frame(line)) and in_tree(frame.file, root)]
    return next((frame for frame in frames if not _GENERATED.search(frame.file)), frames[0] if frames else None)


def _frame(line: str) -> Site | None:
    place = line.strip().removesuffix(" {").removesuffix(")").rpartition("(")[2].split()
    parts = place[-1].rsplit(":", 2) if place else []
    if len(parts) != 3 or not number(parts[1]) or not number(parts[2]):
        return None
    return Site(plain_path(parts[0]), number(parts[1]), number(parts[2]))


def plain_path(path: str) -> str:
    """A path without the `file://` of a URL."""
    return unquote(path.removeprefix("file://"), errors="replace") if path.startswith("file://") else path


def unique(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings without those a tool printed twice, in order."""
    kept: dict[tuple[object, ...], Finding] = {}
    for found in findings:
        kept.setdefault((found.file, found.line, found.column, found.code, found.message, found.test), found)
    return tuple(kept.values())


def draft(
    transcript: Transcript,
    category: Category,
    message: str,
    *,
    file: str | None = None,
    line: object = None,
    column: object = None,
    symbol: str | None = None,
    scope: str | None = None,
    test: str | None = None,
    code: str | None = None,
    origin: Origin = Origin.STABLE_TEXT,
    detail: Sequence[str] = (),
) -> Finding:
    """A finding of the transcript's check, its texts bounded and free of the root's absolute path."""
    place = Site(plain_path(file), number(line), number(column)) if file else Site("", None, None)
    said = " ".join(_relative(message, transcript.root).split())
    return Finding(
        check=transcript.check.name,
        stage=transcript.check.stage,
        category=category,
        message=said[:MESSAGE_LIMIT] or category.value,
        file=place.file or None,
        line=place.line,
        column=place.column if place.line else None,
        symbol=_relative(symbol or "", transcript.root)[:200] or None,
        scope=(scope or "")[:200] or None,
        test=_relative(test or "", transcript.root)[:300] or None,
        code=(code or "")[:100] or None,
        origin=origin,
        detail=_excerpt(_relative("\n".join(detail), transcript.root)),
    )


def _relative(text: str, root: str) -> str:
    prefix = root.rstrip("/") + "/"
    return text if prefix == "/" else text.replace("file://" + prefix, "").replace(prefix, "")


def _excerpt(text: str) -> str:
    trimmed = text.strip("\n").rstrip()
    return trimmed if len(trimmed) <= DETAIL_LIMIT else trimmed[: DETAIL_LIMIT - 4] + "\n..."
