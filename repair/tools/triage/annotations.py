"""GitHub's workflow commands: `::error file=a.py,line=1::message` in the output of any tool."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from repair.tools.triage.reading import draft, lines_of
from repair.tools.triage.symbols import symbol_of
from repair.values.checks import Category
from repair.values.triage import Transcript, Triage

_COMMAND = re.compile(
    r"\s*::(?P<level>error|warning|notice)(?: (?P<properties>[^:]*(?::(?!:)[^:]*)*))?::(?P<message>.*)$"
)
_ESCAPES = (("%0D", ""), ("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%"))


class Annotation(NamedTuple):
    """One workflow command that annotates a place, unescaped; `line` and `column` are as written."""

    level: str
    file: str | None
    line: str
    column: str
    title: str
    message: str


def annotations(output: str) -> Iterator[Annotation]:
    """The error, warning and notice commands in an output."""
    if "::" not in output:
        return
    for line in lines_of(output):
        if match := _COMMAND.match(line):
            pairs = (pair.partition("=") for pair in (match["properties"] or "").split(","))
            given = {key.strip(): _unescaped(value) for key, _, value in pairs}
            yield Annotation(
                match["level"],
                given.get("file") or None,
                given.get("line", ""),
                given.get("col", ""),
                given.get("title", ""),
                _unescaped(match["message"]),
            )


def _unescaped(text: str) -> str:
    for escape, meaning in _ESCAPES:
        text = text.replace(escape, meaning)
    return text


class GithubAnnotations:
    """Any tool that speaks GitHub's workflow commands."""

    name = "github"

    def recognises(self, transcript: Transcript) -> bool:
        """Whether an error command is in the output."""
        return "::error" in transcript.output

    def triage(self, transcript: Transcript) -> Triage:
        """One finding for each error command; warnings and notices do not fail a job."""
        if not transcript.exit_code:
            return Triage()
        found = (each for each in annotations(transcript.output) if each.level == "error" and each.message.strip())
        return Triage(
            findings=tuple(
                draft(
                    transcript,
                    Category.UNKNOWN,
                    each.message.partition("\n")[0] or each.title,
                    file=each.file,
                    line=each.line,
                    column=each.column,
                    symbol=symbol_of(each.message),
                    code=each.title or None,
                    detail=each.message.split("\n"),
                )
                for each in found
            )
        )


TRIAGERS = (GithubAnnotations(),)
