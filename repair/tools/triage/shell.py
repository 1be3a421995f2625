"""Reads shellcheck, the errors of bash and dash, and those of the common file commands."""

import re
from collections.abc import Iterable, Iterator, Sequence

from repair.tools.triage.reading import (
    Tool,
    at,
    command,
    draft,
    each,
    json_values,
    lines_of,
    number,
    quoted,
    text,
    unique,
)
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript, Triage

_PLACE = re.compile(r"In (?P<file>\S.*) line (?P<row>\d{1,7}):$")
_REMARK = re.compile(r" *\^[-^]* (?P<code>SC\d{4})(?: \((?P<level>\w+)\))?: (?P<said>.+)$")
_GCC = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<row>\d{1,7}):(?P<col>\d{1,7}): "
    r"(?P<level>error|warning|note|style): (?P<said>.+) \[(?P<code>SC\d{4})\]$"
)
_ABSENT = re.compile(r"(?P<file>[^\s:][^:]*): (?P=file): openBinaryFile: (?P<said>.+)$")


def _shellcheck(transcript: Transcript) -> Triage:
    found = list(_shellcheck_json(transcript)) or list(_shellcheck_text(transcript, lines_of(transcript.output)))
    return Triage(findings=unique(found))


def _shellcheck_json(transcript: Transcript) -> Iterator[Finding]:
    for document in json_values(transcript.output):
        for one in each(document, "comments") or each(document):
            if code := number(at(one, "code")):
                place = (text(at(one, "file")), at(one, "line"), at(one, "column"))
                said = text(at(one, "message"))
                yield _remark(transcript, f"SC{code}", text(at(one, "level")), said, place, [said], Origin.STRUCTURED)


def _shellcheck_text(transcript: Transcript, lines: Sequence[str]) -> Iterator[Finding]:
    file, row, source = "", "", ""
    for n, line in enumerate(lines):
        if match := _PLACE.match(line):
            file, row, source = match["file"], match["row"], lines[n + 1] if n + 1 < len(lines) else ""
        elif match := _REMARK.match(line):
            place, detail = (file, row, line.index("^") + 1), [source, line]
            yield _remark(
                transcript, match["code"], match["level"] or "", match["said"], place, detail, Origin.STABLE_TEXT
            )
        elif match := _GCC.match(line):
            place = (match["file"], match["row"], int(match["col"]))
            yield _remark(transcript, match["code"], match["level"], match["said"], place, [line], Origin.STABLE_TEXT)
        elif match := _ABSENT.match(line):
            yield draft(transcript, Category.SCHEMA_CONFIG, line, symbol=match["file"], detail=[line])


def _remark(
    transcript: Transcript,
    code: str,
    level: str,
    said: str,
    place: tuple[str, object, object],
    detail: Sequence[str],
    origin: Origin,
) -> Finding:
    category = Category.SYNTAX if code.startswith("SC1") and level == "error" else Category.LINT_STYLE
    names = said.split(" ", 1)[0] if code in {"SC2154", "SC2034"} else None
    return draft(
        transcript,
        Category.NAME_UNRESOLVED if code == "SC2154" else category,
        said,
        file=place[0],
        line=place[1],
        column=place[2],
        symbol=names,
        code=code,
        origin=origin,
        detail=detail,
    )


_BASH = re.compile(r"(?P<file>[^\s:][^:]*): line (?P<row>\d{1,7}): (?P<said>.+)$")
_DASH = re.compile(
    r"(?P<file>[^\s:][^:]*): (?P<row>\d{1,7}): "
    r"(?P<said>(?:\S+: )?(?:Syntax error: .+|not found|parameter not set|Permission denied))$"
)
# The name a shell gives itself where it runs the text of a check, and no script.
_SHELLS = {"bash", "sh", "dash", "/bin/sh", "/bin/bash", "/usr/bin/bash", "environment"}
_MISSING = re.compile(r"(?P<name>\S+): (?:command )?not found$")
_UNSET = re.compile(r"(?P<name>\w+): (?:unbound variable|parameter not set)$")
_FILE_COMMAND = re.compile(
    r"(?P<tool>awk|bash|cat|cd|chmod|cp|cut|find|grep|head|install|ln|ls|mkdir|mv|rm|rmdir|sed|sh|sort|tail|tar|touch)"
    r": (?P<said>.*: (?:No such file or directory|Permission denied|Is a directory|Not a directory|File exists))$"
)


def _bash(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    errors = [*_shell_errors(transcript, lines)]
    found = errors or [*_file_errors(transcript, lines)]
    return Triage(findings=unique(found), first_error_only=True)


def _shell_errors(transcript: Transcript, lines: Sequence[str]) -> Iterator[Finding]:
    for n, line in enumerate(lines):
        match = _BASH.match(line) or _DASH.match(line)
        # Bash says a syntax error twice: what it is, and then the source line in a quotation.
        if not match or match["said"].startswith("`"):
            continue
        missing, unset = _MISSING.match(match["said"]), _UNSET.match(match["said"])
        category = _category(match["said"], bool(missing), bool(unset))
        if category:
            name = missing["name"] if missing else unset["name"] if unset else quoted(match["said"])
            below = [one for one in lines[n + 1 : n + 2] if one.startswith(f"{match['file']}: line ")]
            script = None if match["file"] in _SHELLS else match["file"]
            yield draft(
                transcript,
                category,
                match["said"],
                file=script,
                line=match["row"],
                symbol=name,
                detail=[line, *below],
            )


def _category(said: str, missing: bool, unset: bool) -> Category | None:
    """The category of an error that stops a script, or None where a script would go on."""
    if said.lower().startswith(("syntax error", "unexpected eof", "conditional binary operator")):
        return Category.SYNTAX
    if missing or unset:
        return Category.NAME_UNRESOLVED
    stops = ("No such file or directory", "Permission denied", "bad substitution", "cannot execute", "Is a directory")
    return Category.TEST_ERROR if said.endswith(stops) else None


def _file_errors(transcript: Transcript, lines: Iterable[str]) -> Iterator[Finding]:
    for line in lines:
        if match := _FILE_COMMAND.match(line):
            yield draft(
                transcript,
                Category.TEST_ERROR,
                line,
                symbol=quoted(line),
                code=match["tool"],
                origin=Origin.HEURISTIC,
                detail=[line],
            )


TRIAGERS: tuple[Triager, ...] = (
    Tool("shellcheck", command("shellcheck"), ("shellcheck.net/wiki/", " [SC", "\n     ^-- SC"), _shellcheck),
    Tool(
        "bash",
        command(r"(?:bash|sh|dash)\s+-n"),
        (": line ", "ot found", "yntax error: ", "arameter not set", "cannot ", " directory"),
        _bash,
    ),
)
