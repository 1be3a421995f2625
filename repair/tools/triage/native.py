"""Gathers the readers of compiled languages and of the shell, and reads make, which passes on their failures."""

import re

from repair.tools.triage import compilers, golang, java, rust, shell
from repair.tools.triage.reading import Tool, command, draft, lines_of, unique
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript, Triage

_RECIPE = re.compile(
    r"g?make(?:\[\d+\])?: \*\*\* \[(?:(?P<file>[^\s:\]]+):(?P<row>\d{1,7}): )?(?P<target>[^\]]+)\] (?P<said>.+)$"
)
_RULE = re.compile(r"g?make(?:\[\d+\])?: \*\*\* (?P<said>No rule to make target [`'](?P<target>[^']+)'.*)$")
_SYNTAX = re.compile(r"(?P<file>[^\s:][^:]*):(?P<row>\d{1,7}): \*\*\* (?P<said>.+)$")
_COMPILED: tuple[Triager, ...] = (
    *rust.TRIAGERS,
    *golang.TRIAGERS,
    *compilers.TRIAGERS,
    *java.TRIAGERS,
    *shell.TRIAGERS,
)


def _make(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    own = [finding for line in lines if (finding := _own_error(transcript, line))]
    recipes = [match for line in lines if (match := _RECIPE.match(line))]
    # The first failed recipe is the innermost; the outer makes only pass its failure on.
    if own or not recipes or _explained(transcript):
        return Triage(findings=unique(own), first_error_only=True)
    first = recipes[0]
    said = f"recipe for {first['target']} failed: {first['said']}"
    above = lines[max(0, lines.index(first.string) - 15) : lines.index(first.string) + 1]
    failed = draft(
        transcript,
        Category.BUILD_TOOL,
        said,
        file=first["file"],
        line=first["row"],
        symbol=first["target"],
        origin=Origin.HEURISTIC,
        detail=above,
    )
    return Triage(findings=(failed,), first_error_only=True)


def _own_error(transcript: Transcript, line: str) -> Finding | None:
    if match := _RULE.match(line):
        return draft(transcript, Category.BUILD_TOOL, match["said"], symbol=match["target"], detail=[line])
    if match := _SYNTAX.match(line):
        return draft(transcript, Category.SYNTAX, match["said"], file=match["file"], line=match["row"], detail=[line])
    return None


def _explained(transcript: Transcript) -> bool:
    return any(one.triage(transcript).findings for one in _COMPILED if one.recognises(transcript))


TRIAGERS: tuple[Triager, ...] = (*_COMPILED, Tool("make", command("g?make"), (": *** ",), _make))
