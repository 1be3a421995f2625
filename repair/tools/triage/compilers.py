"""Reads gcc, clang and their linker."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from repair.tools.triage.reading import Tool, command, draft, lines_of, quoted, unique
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Finding
from repair.values.triage import Transcript, Triage

_C = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<row>\d{1,7}):(?:(?P<col>\d{1,7}):)? "
    r"(?P<level>fatal error|error|warning|note): (?P<said>.*?)(?: \[(?P<flag>-[\w=+-]+)\])?$"
)
_SECTION = re.compile(r"(?:\S*ld: )?(?P<file>[^\s:]+):\(")
_LIBRARY = re.compile(r"\S*ld: cannot find (?P<name>-l\S+|\S+\.[ao])")
_FUNCTION = re.compile(
    r"[^\s:][^:]*: In (?:member |static member )?(?:function|constructor|destructor) "
    r"[\u2018'](?P<declaration>[^\u2019'(]+)"
)
_MEMBER = re.compile(r"(?:named|member) [\u2018'](?P<name>[^\u2019']+)[\u2019']")
_IN_C = re.compile(r"\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|m|mm|inc|ipp|tpp|cu)$")
_UNDECLARED = (
    "undeclared",
    "was not declared",
    "no member named",
    "has no member",
    "does not name a type",
    "unknown type name",
)
_PARSER = ("expected ", "stray ", "missing terminating", "unterminated", "extraneous ")


def _gcc(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    return Triage(findings=unique([*_c_errors(transcript, lines), *_link_errors(transcript, lines)]))


def _c_errors(transcript: Transcript, lines: Sequence[str]) -> Iterator[Finding]:
    function = None
    for n, line in enumerate(lines):
        if match := _FUNCTION.match(line):
            function = match["declaration"].rpartition(" ")[2].lstrip("*&")
        elif (match := _C.match(line)) and match["level"].endswith("error") and _IN_C.search(match["file"]):
            excerpt = takewhile(lambda below: below.startswith(" "), lines[n + 1 : n + 12])
            yield _c_error(transcript, match, function, list(excerpt))


def _c_error(transcript: Transcript, match: re.Match[str], function: str | None, excerpt: Sequence[str]) -> Finding:
    said = match["said"]
    return draft(
        transcript,
        _c_category(said, match["flag"]),
        said,
        file=match["file"],
        line=match["row"],
        column=match["col"],
        symbol=_symbol(said),
        scope=function,
        code=match["flag"],
        detail=[match.string, *excerpt],
    )


def _symbol(said: str) -> str | None:
    header, missing, _ = said.partition(": No such file")
    if missing:
        return header
    member = _MEMBER.search(said)
    return member["name"] if member else quoted(said)


def _c_category(said: str, flag: str | None) -> Category:
    if "No such file" in said or "file not found" in said:
        return Category.IMPORT_DEPENDENCY
    if any(words in said for words in _UNDECLARED):
        return Category.NAME_UNRESOLVED
    if said.startswith(_PARSER):
        return Category.SYNTAX
    return Category.LINT_STYLE if flag and flag.startswith("-Werror") else Category.TYPE


def _link_errors(transcript: Transcript, lines: Sequence[str]) -> Iterator[Finding]:
    for line in lines:
        place, undefined, name = line.partition("undefined reference to ")
        if undefined:
            section, symbol = _SECTION.match(place), name.strip("`'\u2018\u2019\"")
            file = section["file"] if section else None
            said = f"undefined reference to {symbol}"
            yield draft(transcript, Category.NAME_UNRESOLVED, said, file=file, symbol=symbol, code="ld", detail=[line])
        elif match := _LIBRARY.match(line):
            said = f"cannot find {match['name']}"
            yield draft(transcript, Category.IMPORT_DEPENDENCY, said, symbol=match["name"], code="ld", detail=[line])


TRIAGERS: tuple[Triager, ...] = (
    Tool(
        "gcc",
        command("gcc", r"g\+\+", r"clang(?:\+\+)?", "cc"),
        (" error: ", "undefined reference to ", "ld: cannot find "),
        _gcc,
    ),
)
