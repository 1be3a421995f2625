"""What makes two findings the same across edits (semantics, section 3)."""

import hashlib
import re

from repair.values.checks import Finding

_LONGEST_MESSAGE = 4000

# One pass from left to right. The placeholders are words, so that what stood beside a replaced
# text is bounded as before and a second pass finds nothing new.
_VOLATILE = re.compile(
    r"""
      (?P<single>(?<!\w)'[^']*') | (?P<double>(?<!\w)"[^"]*")
    | (?P<uuid>\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)
    | (?P<address>\b0x[0-9a-f]+\b)
    | (?P<path>(?:(?<![\w.+@~/-])(?:/+[\w.+@~-]+){2,} | \b[a-z]:\\[\w.\\+@~-]+)(?<=\w))
    | (?P<time>\b\d{4}-\d\d-\d\d[t\ ]\d\d:\d\d:\d\d(?:[.,]\d+)?z?\b)
    | (?P<duration>\b\d+(?:\.\d+)?\s?(?:ns|us|µs|ms|s|secs?|seconds?|minutes?)\b)
    | (?P<hex>\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,}\b)
    | (?P<number>(?<!\w)[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)
    """,
    re.VERBOSE,
)
_WORD = r"[a-z_$][\w$]*"
_IDENTIFIER = re.compile(rf"(?:\.{{1,2}}/)*@?{_WORD}(?:(?:[./-]|::?){_WORD})*(?:\[\w*\])?")


def normalise_message(message: str) -> str:
    """The message without what changes from run to run.

    Numbers, addresses, times, absolute paths and quoted values become placeholders; quoted
    identifiers and module names stay, since the undefined name is the identity of the error.
    """
    return _VOLATILE.sub(_placeholder, " ".join(message.lower().split()))


def _placeholder(match: re.Match[str]) -> str:
    kind = match.lastgroup
    if kind not in ("single", "double"):
        return f"_{kind}_"
    quote, quoted = match[0][0], match[0][1:-1]
    return match[0] if _IDENTIFIER.fullmatch(quoted) else f"{quote}_value_{quote}"


def anchor_of(finding: Finding, source_line: str | None) -> str:
    """What holds a finding in place: its test, else its enclosing symbol, else its line's text."""
    if finding.test:
        return f"test:{finding.test}"
    if finding.scope:
        return f"scope:{finding.scope}"
    if source_line is not None:
        return f"line:{hashlib.sha256(source_line.strip().encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
    return ""


def fingerprint(finding: Finding, source_line: str | None) -> str:
    """16 hex digits that stay the same while the error does; no line, column or severity is in it."""
    parts = (
        "v1",
        finding.check,
        finding.category.value,
        finding.file or "",
        anchor_of(finding, source_line),
        finding.code or "",
        normalise_message(finding.message[:_LONGEST_MESSAGE]),
    )
    return hashlib.sha256("\x1f".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]
