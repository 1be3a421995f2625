"""A log as plain text, and the part of it worth reading."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[()][0-9A-Za-z]|[ -/@-Z\\^_=>])")
_CONTROL = (*(chr(code) for code in range(32) if chr(code) not in "\t\n"), "\x7f")
_OVERWRITTEN = re.compile(r"^(?:[^\r\n]*\r)+(?=[^\r\n])", re.MULTILINE)
# GitHub writes each line of a job's log behind a timestamp of seven decimals; with `gh run view --log` the names of
# the job and the step come before it.
_STEP = re.compile(r"\n(?:[^\t\n]{1,200}\t){1,2}(?=\ufeff?\d{4}-\d\d-\d\dT)")
_STAMP = re.compile(r"\n\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}Z ?")
_MARKER = re.compile(
    r"^(?:##\[(?:group|endgroup|section|command|debug|notice|warning|error)\]|::(?:end)?group::)", re.MULTILINE
)
_VERDICT = re.compile(r"^##\[error\]Process completed with exit code \d+\.?$", re.MULTILINE)

_STRONG = re.compile(
    r"Traceback \(most recent call last\)|panicked at|Segmentation fault|: (?:command )?not found$"
    r"|\b[A-Z]\w{0,60}(?:Error|Exception): "
    r"|(?<![\w.-])(?:[Ee]rror|ERROR|fatal)(?:\[\w{1,20}\])?: ?\S"
    r"|^(?:E {2,}\S|not ok \d|\s{0,20}--- FAIL|FAIL(?:ED)?\b|\s{0,20}[✖✕✗\u00d7●] |npm (?:ERR!|error) |::error\b)",
    re.MULTILINE,
)
_HINTS = (
    *("Traceback", "panicked", "fault", "not found", "rror", "ERROR", "xception", "fatal"),
    *("E  ", "not ok", "FAIL", "✖", "✕", "✗", "\u00d7", "●", "npm ERR"),
)
_WEAK = re.compile(
    r"\b(?:errors?|failed|failures?|fail|cannot|undefined|unexpected|denied|invalid|missing|not found|exception)\b",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(?:0|no) (?:\w{1,30} )?(?:errors?|failed|failures?)\b|\bPASSED\b|\.\.\. ok$|^\s*(?:✓|✔|ok )", re.IGNORECASE
)

_CUT = "[... {} characters cut ...]"
_CONTEXT_LINES = 3
_LINE_LIMIT = 2000
_REGION = 1 << 16


class Line(NamedTuple):
    """A line of a text, and where it begins."""

    start: int
    text: str


def plain(text: str) -> str:
    """The text without colours, overwritten progress, control characters, CI timestamps and group markers."""
    if not text.isascii():
        text = text.encode("utf-8", "replace").decode().removeprefix("\ufeff")
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if "\r" in text:
        text = _OVERWRITTEN.sub("", text.replace("\r\n", "\n")).replace("\r", "")
    for control in _CONTROL:
        if control in text:
            text = text.replace(control, "")
    text = _without_prefixes(text)
    if "##[" in text or "group::" in text:
        text = _MARKER.sub("", _VERDICT.sub("", text))
    return text


def _without_prefixes(text: str) -> str:
    # A literal newline before the pattern makes the search of a large log several times faster than `^` does.
    lines = "\n" + text
    for prefix in (_STEP, _STAMP):
        if prefix.search(lines, 0, _REGION):
            lines = prefix.sub("\n", lines)
    return lines[1:]


def anchor(text: str) -> Line | None:
    """The line where the first error is told: the cause is often first, the verdict last."""
    for start, end in _regions(text):
        if any(text.find(hint, start, end) >= 0 for hint in _HINTS) and (line := _first(_STRONG, text, start, end)):
            return line
    return _first(_WEAK, text, 0, _REGION * 16)


def excerpt(text: str, limit: int) -> str:
    """At most `limit` characters: the region of the first error and the tail, each cut marked."""
    text = text.strip("\n").rstrip()
    if len(text) <= limit:
        return text
    room = limit - 2 * len(_CUT.format(len(text))) - 2
    if room < 80:
        return text[-limit:] if limit > 0 else ""
    tail = len(text) - room // 3
    found = anchor(text)
    start = min(_lines_before(text, found.start), tail) if found else 0
    end = min(start + room - room // 3, tail)
    parts = [_cut(start), text[start:end].strip("\n"), _cut(tail - end), text[tail:].strip("\n")]
    return "\n".join(part for part in parts if part)


def tail(lines: Sequence[str], limit: int) -> list[str]:
    """The last lines that fit into `limit` characters, and at least the last one."""
    kept: list[str] = []
    for line in reversed(lines):
        limit -= len(line) + 1
        if kept and limit < 0:
            break
        kept.append(line)
    return kept[::-1]


def _regions(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start + _REGION) + 1 or len(text)
        yield start, end
        start = end


def _first(pattern: re.Pattern[str], text: str, start: int, end: int) -> Line | None:
    while match := pattern.search(text, start, end):
        line = _line_around(text, match.start())
        if not _HARMLESS.search(line.text):
            return line
        start = max(match.end(), line.start + len(line.text))
    return None


def _line_around(text: str, position: int) -> Line:
    start = text.rfind("\n", max(position - _LINE_LIMIT, 0), position) + 1 or max(position - _LINE_LIMIT, 0)
    end = text.find("\n", position, position + _LINE_LIMIT)
    return Line(start, text[start : end if end >= 0 else position + _LINE_LIMIT])


def _lines_before(text: str, position: int) -> int:
    """Where the few lines of context before a line begin, none of them endless."""
    start = position
    for _ in range(_CONTEXT_LINES):
        if start == 0:
            break
        start = text.rfind("\n", 0, start - 1) + 1
    return start if position - start < 600 else position


def _cut(length: int) -> str:
    return _CUT.format(length) if length else ""
