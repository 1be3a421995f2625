"""GitHub's problem matchers: the patterns a repository registers with `::add-matcher::`.

The format: https://github.com/actions/toolkit/blob/main/docs/problem-matchers.md
"""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Self

import regex  # type: ignore[import-untyped]  # ships no types
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from repair.tools.triage.reading import draft, each, lines_of
from repair.tools.triage.symbols import symbol_of
from repair.values.checks import Category, Finding
from repair.values.triage import Transcript

_PLACES = ("file", "line", "column", "severity", "code", "message")
_IGNORED = ("warning", "notice", "note", "info")
_DOCUMENT_LIMIT = 1_000_000
_FINDING_LIMIT = 500
# The expressions are the repository's: `re` cannot be stopped once it backtracks, `regex` can. In seconds.
_MATCH_TIMEOUT = 0.05
_PATIENCE = 20


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class MatcherPattern(_Part):
    """One line of a problem: an expression, and the numbers of the groups that hold its parts."""

    regexp: str = Field(min_length=1, max_length=2000)
    file: int | None = Field(default=None, ge=0)
    line: int | None = Field(default=None, ge=0)
    column: int | None = Field(default=None, ge=0)
    severity: int | None = Field(default=None, ge=0)
    code: int | None = Field(default=None, ge=0)
    message: int | None = Field(default=None, ge=0)
    loop: bool = False

    @model_validator(mode="after")
    def _usable(self) -> Self:
        try:
            groups = regex.compile(self.regexp).groups
        except (regex.error, RecursionError, OverflowError) as error:
            raise ValueError(f"the expression does not compile: {error}") from error
        if missing := [place for place in _PLACES if (getattr(self, place) or 0) > groups]:
            raise ValueError(f"the expression has no group for {', '.join(missing)}")
        return self


class ProblemMatcher(_Part):
    """The patterns that consecutive lines of a problem match; the last may `loop` over several problems."""

    owner: str = ""
    severity: str = "error"
    patterns: tuple[MatcherPattern, ...] = Field(alias="pattern", min_length=1, max_length=20)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if all(pattern.message is None for pattern in self.patterns):
            raise ValueError("no pattern has a message")
        if any(pattern.loop for pattern in self.patterns[:-1]):
            raise ValueError("only the last pattern may loop")
        return self


def load_matchers(text: str) -> tuple[ProblemMatcher, ...]:
    """The usable matchers of a document, in order; `broken_matchers` says why the others are not."""
    return tuple(matcher for matcher in _read(text) if isinstance(matcher, ProblemMatcher))


def broken_matchers(text: str) -> tuple[str, ...]:
    """One line for each matcher that cannot be used, or for the document, with the reason."""
    return tuple(reason for reason in _read(text) if isinstance(reason, str))


def _read(text: str) -> Iterator[ProblemMatcher | str]:
    if len(text) > _DOCUMENT_LIMIT:
        yield "the document is too large"
        return
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        yield f"not JSON: {error}"
        return
    for entry in each(document, "problemMatcher"):
        try:
            yield ProblemMatcher.model_validate(entry)
        except ValidationError as error:
            owner = entry.get("owner", "unnamed") if isinstance(entry, dict) else "unnamed"
            yield f"{owner}: " + "; ".join(problem["msg"] for problem in error.errors())


def match_problems(transcript: Transcript, matchers: Sequence[ProblemMatcher]) -> tuple[Finding, ...]:
    """The errors the matchers find in the output; warnings and notices fail no job and are left out."""
    if not matchers:
        return ()
    lines = lines_of(transcript.output)
    found = (_finding(transcript, matcher, parts) for matcher in matchers for parts in _problems(matcher, lines))
    return tuple(islice((finding for finding in found if finding), _FINDING_LIMIT))


def _problems(matcher: ProblemMatcher, lines: Sequence[str]) -> Iterator[dict[str, str]]:
    """The parts of each problem, read line by line as the runner does."""
    patience, position = _PATIENCE, 0
    parts: dict[str, str] = {}
    last = len(matcher.patterns) - 1
    for line in lines:
        try:
            matched = _parts(matcher.patterns[position], line)
            if matched is None and position:
                position, parts = 0, {}
                matched = _parts(matcher.patterns[0], line)
        except TimeoutError:
            patience, position, parts = patience - 1, 0, {}
            if not patience:
                return
            continue
        if matched is None:
            continue
        parts = {**parts, **matched}
        if position < last:
            position += 1
            continue
        yield parts
        if not matcher.patterns[last].loop:
            position, parts = 0, {}


def _parts(pattern: MatcherPattern, line: str) -> dict[str, str] | None:
    match = regex.search(pattern.regexp, line, timeout=_MATCH_TIMEOUT)
    if match is None:
        return None
    numbered = {place: getattr(pattern, place) for place in _PLACES}
    return {place: match[number] or "" for place, number in numbered.items() if number is not None}


def _finding(transcript: Transcript, matcher: ProblemMatcher, parts: dict[str, str]) -> Finding | None:
    severity = (parts.get("severity") or matcher.severity).lower()
    if severity in _IGNORED or not parts.get("message", "").strip():
        return None
    return draft(
        transcript,
        Category.UNKNOWN,
        parts["message"],
        file=parts.get("file", "").strip() or None,
        line=parts.get("line"),
        column=parts.get("column"),
        symbol=symbol_of(parts["message"]),
        code=parts.get("code") or None,
        detail=[f"{matcher.owner}: {parts['message']}"],
    )
