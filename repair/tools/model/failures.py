"""From what the wire showed to a failure in words."""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from repair.tools.model.seam import FailureKind, ModelFailure

_LONGEST_QUOTE = 300
_LONGEST_COMPLAINT = 4000
_TOO_LONG = re.compile(
    r"context[ _-]?(?:length|size|window)|max_model_len|maximum context|available context"
    r"|(?:prompt|input|messages?|request)\b.{0,60}\btoo (?:long|large)|too many (?:input )?tokens|reduce the length",
    re.IGNORECASE,
)
_NO_CREDIT = re.compile(r"insufficient_quota|insufficient (?:funds|credit|balance)|billing", re.IGNORECASE)

_WORDS: dict[FailureKind, str] = {
    FailureKind.UNAUTHORISED: "{where} refused the key (HTTP {status}). Check OPENAI_API_KEY and what the key may use.",
    FailureKind.NOT_FOUND: "{where} knows no model `{name}`, or no chat completions (HTTP {status}). "
    "Check REGOMENDER_MODEL and OPENAI_BASE_URL; the address usually ends in /v1.{quote}",
    FailureKind.RATE_LIMITED: "{where} is limiting requests (HTTP {status}). Try later, or raise the limit.{quote}",
    FailureKind.SERVER_ERROR: "{where} failed (HTTP {status}). The fault is at the model server: see its log.{quote}",
    FailureKind.TIMEOUT: "{where} gave up waiting (HTTP {status}). Try again, or a faster model.",
    FailureKind.TOO_LONG: "The prompt does not fit into the context of `{name}` (HTTP {status}). "
    "Use a model with a larger context, or a smaller target.{quote}",
    FailureKind.REJECTED: "{where} rejected the request (HTTP {status}). "
    "Check that `{name}` serves chat completions and that the account is in order.{quote}",
}


def failure_of(
    status: int, headers: Mapping[str, str], complaint: str, *, where: str, name: str, now: datetime
) -> ModelFailure:
    """The failure an HTTP answer other than 2xx stands for. `complaint` must be free of secrets."""
    kind = _kind(status, complaint[:_LONGEST_COMPLAINT])
    words = _WORDS[kind].format(where=f"The model server {where}", status=status, name=name, quote=_quoted(complaint))
    return ModelFailure(kind, words, retry_after=retry_after(headers, now))


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The wait the server asks for, in seconds; `None` when it asks for none, or in a way nobody understands."""
    for header, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        if (seconds := _number(headers.get(header))) is not None:
            return seconds * scale
    return _seconds_until(headers.get("retry-after"), now)


def _kind(status: int, complaint: str) -> FailureKind:
    if status in (401, 403):
        return FailureKind.UNAUTHORISED
    if status == 413 or (status in (400, 422, 500) and _TOO_LONG.search(complaint)):
        return FailureKind.TOO_LONG
    if status == 404 or status < 400:
        return FailureKind.NOT_FOUND
    if status == 408:
        return FailureKind.TIMEOUT
    if status == 429:
        return FailureKind.REJECTED if _NO_CREDIT.search(complaint) else FailureKind.RATE_LIMITED
    return FailureKind.SERVER_ERROR if status >= 500 else FailureKind.REJECTED


def _quoted(complaint: str) -> str:
    line = " ".join(re.sub(r"[^\x20-\x7e\xa0-\U0010ffff]", " ", complaint).split())
    return f" It said: {line[:_LONGEST_QUOTE]}" if line else ""


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if math.isfinite(number) and number >= 0 else None


def _seconds_until(date: str | None, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(date or "")
    except (ValueError, OverflowError):
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - now).total_seconds())
