"""Reads sqlfluff, psql and sqlite3, and the output of diff with which shell tests compare results."""

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from repair.tools.triage.reading import (
    Block,
    Tool,
    at,
    blocks,
    command,
    draft,
    each,
    json_values,
    lines_of,
    quoted,
    text,
)
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript, Triage

_FILE = re.compile(r"== \[(?P<file>.+)\] (?:FAIL|PASS)$")
_ROW = re.compile(r"L: *(?P<row>\d{1,7}) \| P: *(?P<col>\d{1,7}) \| *(?P<code>[A-Z]{2,3}\w*) \| (?P<said>.*)$")
_MORE = re.compile(r" +\| (?P<said>.*)$")
_NATIVE = re.compile(
    r"::\w+ title=SQLFluff,file=(?P<file>[^,]+),line=(?P<row>\d{1,7}),col=(?P<col>\d{1,7})[^:]*::(?P<said>.+)$"
)
_CODED = re.compile(r"(?P<code>[A-Z]{2,3}\w*): (?P<said>.*)$")
_RULE_NAME = re.compile(r" \[[\w.]+\]$")
_USER_ERROR = re.compile(r"User Error: (?P<said>.+)$")


def _sqlfluff(transcript: Transcript) -> Triage:
    found = list(_sqlfluff_json(transcript)) or list(_sqlfluff_text(transcript, lines_of(transcript.output)))
    return Triage(findings=tuple(found))


def _sqlfluff_json(transcript: Transcript) -> Iterator[Finding]:
    for document in json_values(transcript.output):
        for one in each(document):
            for violation in each(one, "violations"):
                row = at(violation, "start_line_no") or at(violation, "line_no")
                col = at(violation, "start_line_pos") or at(violation, "line_pos")
                if at(violation, "warning") is not True:
                    code, said = text(at(violation, "code")), text(at(violation, "description"))
                    yield _violation(transcript, (text(at(one, "filepath")), row, col), code, said, Origin.STRUCTURED)
            if match := _CODED.match(text(at(one, "message"))):
                place = (text(at(one, "file")), at(one, "start_line") or at(one, "line"), at(one, "start_column"))
                yield _violation(transcript, place, match["code"], match["said"], Origin.STRUCTURED)


def _sqlfluff_text(transcript: Transcript, lines: Sequence[str]) -> Iterator[Finding]:
    file = ""
    for n, line in enumerate(lines):
        if match := _FILE.match(line):
            file = match["file"]
        elif match := _ROW.match(line):
            more = [
                below["said"] for one in takewhile(_MORE.match, lines[n + 1 : n + 8]) if (below := _MORE.match(one))
            ]
            said = _RULE_NAME.sub("", " ".join([match["said"], *more]))
            yield _violation(transcript, (file, match["row"], match["col"]), match["code"], said, Origin.STABLE_TEXT)
        elif (match := _NATIVE.match(line)) and (coded := _CODED.match(match["said"])):
            place = (match["file"], match["row"], match["col"])
            yield _violation(transcript, place, coded["code"], _RULE_NAME.sub("", coded["said"]), Origin.STABLE_TEXT)
        elif match := _USER_ERROR.match(line):
            yield draft(transcript, Category.SCHEMA_CONFIG, match["said"], detail=[line])


def _violation(
    transcript: Transcript, place: tuple[str, object, object], code: str, said: str, origin: Origin
) -> Finding:
    kinds = {"PRS": Category.SYNTAX, "LXR": Category.SYNTAX, "TMP": Category.SCHEMA_CONFIG}
    category = kinds.get(code) or (Category.FORMAT if code.startswith("LT") else Category.LINT_STYLE)
    return draft(
        transcript,
        category,
        said,
        file=place[0],
        line=place[1],
        column=place[2],
        code=code,
        origin=origin,
        detail=[said],
    )


_PSQL = re.compile(
    r"(?:psql:(?P<file>[^:]+):(?P<row>\d{1,7}): (?:ERROR|FATAL|error): +|(?:ERROR|FATAL):  )(?P<said>.+)$"
)
_CONTINUED = ("LINE ", "DETAIL:", "HINT:", "CONTEXT:", "QUERY:", " ", "\t")
_CONNECTION = re.compile(r"psql: error: (?P<said>connection to server .+|could not connect .+)$")
_ABSENT = re.compile(
    r"(?:column|relation|table|type|schema|database|role|function|view) \"?(?P<name>[^\"\s(]+)\"?(?:\([^)]*\))?"
    r"(?: of relation \"[^\"]+\")? does not exist"
)


def _psql(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    found = tuple(_psql_error(transcript, block) for block in blocks(lines, _PSQL))
    refused = next((match["said"] for line in lines if (match := _CONNECTION.match(line))), "")
    # psql leaves with 3 when ON_ERROR_STOP ended it at the first error.
    return Triage(findings=found, first_error_only=transcript.exit_code == 3, infra="" if found else refused)


def _psql_error(transcript: Transcript, block: Block) -> Finding:
    match = block.match
    absent = _ABSENT.search(match["said"])
    below = takewhile(lambda line: line.startswith(_CONTINUED), block.body)
    return draft(
        transcript,
        _psql_category(match["said"]),
        match["said"],
        file=match["file"],
        line=match["row"],
        symbol=absent["name"] if absent else quoted(match["said"]),
        detail=[match.string, *below],
    )


def _psql_category(said: str) -> Category:
    if said.startswith(("syntax error", "unterminated", "invalid command")):
        return Category.SYNTAX
    if _ABSENT.search(said) or "missing FROM-clause" in said:
        return Category.NAME_UNRESOLVED
    if said.endswith("already exists"):
        return Category.SCHEMA_CONFIG
    types = (
        "must appear in the GROUP BY",
        "invalid input syntax",
        " is of type ",
        "operator does not exist",
        "cannot be cast",
        "ambiguous",
    )
    return Category.TYPE if any(words in said for words in types) else Category.TEST_ERROR


_SQLITE = re.compile(
    r"(?P<kind>Parse error|Runtime error|Error)(?:(?: near|: near) line (?P<row>\d{1,7}))?: (?P<said>.+)$"
)
_SQLITE_NAME = re.compile(r"no such (?:table|column|function|module|index|view|trigger): (?P<name>[\w.]+)")
_SQLITE_WORDS = (
    "no such ",
    'near "',
    "syntax error",
    "incomplete input",
    "unrecognized token",
    "constraint failed",
    "already exists",
    "error in ",
)
_READ = re.compile(r"(?:<|\.read|\.import)\s*['\"]?(?P<file>[\w./-]+\.sql)\b")


def _sqlite(transcript: Transcript) -> Triage:
    lines, found = lines_of(transcript.output), []
    files = [match["file"] for match in _READ.finditer(transcript.check.run[:4000])]
    for n, line in enumerate(lines):
        match = _SQLITE.match(line)
        if not match or (match["kind"] == "Error" and not any(words in match["said"] for words in _SQLITE_WORDS)):
            continue
        absent = _SQLITE_NAME.search(match["said"])
        below = list(takewhile(lambda one: one.startswith("  "), lines[n + 1 : n + 6]))
        found.append(
            draft(
                transcript,
                _sqlite_category(match["said"], bool(absent)),
                match["said"],
                # The message never names its file: only a command that reads a single one tells it.
                file=files[0] if len(files) == 1 else None,
                line=match["row"],
                symbol=absent["name"] if absent else quoted(match["said"]),
                detail=[*lines[max(0, n - 2) : n], line, *below],
            )
        )
    return Triage(findings=tuple(found), first_error_only="-bail" in transcript.check.run)


def _sqlite_category(said: str, absent: bool) -> Category:
    if absent:
        return Category.NAME_UNRESOLVED
    if any(words in said for words in ("syntax error", "incomplete input", "unrecognized token")):
        return Category.SYNTAX
    return Category.SCHEMA_CONFIG if "already exists" in said else Category.TEST_ERROR


_HUNK = re.compile(r"\d+(?:,\d+)?[acd]\d+(?:,\d+)?$")


def _diff(transcript: Transcript) -> Triage:
    lines = lines_of(transcript.output)
    region = [line for line in lines if _HUNK.match(line) or line.startswith(("< ", "> ", "---", "\\ No newline"))]
    if not any(_HUNK.match(line) for line in region):
        return Triage()
    said = [next((line for line in region if line.startswith(side)), "") for side in ("<", ">")]
    message = f"the compared outputs differ: {' '.join(filter(None, said))}"
    return Triage(
        findings=(draft(transcript, Category.TEST_ASSERTION, message, origin=Origin.HEURISTIC, detail=region),)
    )


TRIAGERS: tuple[Triager, ...] = (
    Tool("sqlfluff", command("sqlfluff"), ("\nL: ", "title=SQLFluff", '"SQLFluff"'), _sqlfluff),
    Tool("psql", command("psql"), ("psql:", "ERROR:  "), _psql),
    Tool(
        "sqlite3",
        command("sqlite3"),
        ("Parse error near line ", "Runtime error near line ", "Error: near line "),
        _sqlite,
    ),
    Tool("diff", command("diff"), ("\n< ", "\n> "), _diff),
)
