"""What is left when no triager knows the output: compiler-like lines, then the log itself."""

import re
from collections.abc import Iterator, Sequence

from repair.tools.triage.reading import draft, lines_of, unique
from repair.tools.triage.symbols import symbol_of
from repair.tools.triage.text import anchor, excerpt
from repair.values.checks import Category, Finding, Origin
from repair.values.triage import Transcript

EXCERPT_LIMIT = 4000
_FINDING_LIMIT = 50
_LINE = re.compile(
    r"(?P<file>(?=[^\s:]*[./])[^\s:()\[\]\"'`]{1,300})"
    r"(?::(?P<line>\d{1,7})(?::(?P<column>\d{1,6}))?|\((?P<row>\d{1,7})(?:,(?P<cell>\d{1,6}))?\)):?\s{1,20}"
    r"(?:- )?(?:(?P<level>(?:fatal |syntax )?error|warning|note|info)\b:?\s{0,20})?(?P<message>\S.*)$",
    re.IGNORECASE,
)
_HARMLESS = ("warning", "note", "info")
_TIMED_OUT = (124, 137, 143)
_MEANINGS = tuple(
    (re.compile(words, re.IGNORECASE), category)
    for words, category in (
        (r"syntax error|parse error|unexpected (?:token|end|eof)|expected .{1,40} before", Category.SYNTAX),
        (r"no matching distribution|could not find a version|unable to locate package", Category.IMPORT_DEPENDENCY),
        (r"\bERESOLVE\b|\bE404\b|cannot find (?:module|package)|module not found", Category.IMPORT_DEPENDENCY),
        (r"fatal error: .{1,200}: no such file or directory", Category.IMPORT_DEPENDENCY),
        (r"undeclared|undefined|not defined|unresolved|unbound variable", Category.NAME_UNRESOLVED),
    )
)


def heuristic_findings(transcript: Transcript) -> tuple[Finding, ...]:
    """Lines of the form `file:line: error: message` that compilers and linters share."""
    matches = [match for line in lines_of(transcript.output) if (match := _LINE.match(line))]
    said = [match for match in matches if (match["level"] or "").lower() not in _HARMLESS]
    errors = [match for match in said if match["level"]] or said
    return unique(_found(transcript, errors))[:_FINDING_LIMIT]


def _found(transcript: Transcript, matches: Sequence[re.Match[str]]) -> Iterator[Finding]:
    for match in matches:
        yield draft(
            transcript,
            _meaning(f"{match['level']}: {match['message']}"),
            match["message"],
            file=match["file"],
            line=match["line"] or match["row"],
            column=match["column"] or match["cell"],
            symbol=symbol_of(match["message"]),
            origin=Origin.HEURISTIC,
            detail=[match[0]],
        )


def _meaning(message: str) -> Category:
    return next((category for shape, category in _MEANINGS if shape.search(message)), Category.UNKNOWN)


def unstructured(transcript: Transcript) -> Finding:
    """The one finding of a failed run in which nothing is recognised; its detail is an excerpt of the log."""
    first = anchor(transcript.output)
    last = transcript.output.strip().rpartition("\n")[2]
    said = first.text.strip() if first else last or f"exit status {transcript.exit_code} and no output"
    category = Category.RESOURCE_TIMEOUT if transcript.exit_code in _TIMED_OUT else _meaning(said)
    finding = draft(transcript, category, said, symbol=symbol_of(said), code="unstructured", origin=Origin.NONE)
    return finding.model_copy(update={"detail": excerpt(transcript.output, EXCERPT_LIMIT)})
