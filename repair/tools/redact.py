"""Taking secrets out of text before it leaves: comments, prompts, logs, commits, pages."""

import base64
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import quote, quote_plus

from repair.tools.secret_names import is_secret_name
from repair.tools.secret_patterns import MARK, RULES

# A secret taken away can uncover the beginning of the one that was glued to it.
_MOST_PASSES = 5
_SHORTEST = 5
_SHORTEST_LINE = 16
_SHORTEST_IN_ENVIRONMENT = 8
_SHORTEST_ENCODED = 8
_NO_SECRET_NAME = re.compile(r"_(?:FILE|PATH|DIR|URL|SOCK)$", re.IGNORECASE)
_PASSWORD_IN_URL = re.compile(r"://[^\s/@:]{0,256}:([^\s/@]{1,1024})@")


class Redactor:
    """Replaces secrets by `[redacted]`: ours by their exact value in any usual encoding, others by their shape.

    Values of fewer than 5 characters are not looked for: they would hit everywhere. Redacting twice changes nothing.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        forms = {form for secret in secrets for form in _forms(secret)}
        self._forms = sorted((form for form in forms if form not in MARK), key=lambda form: (-len(form), form))

    def redact(self, text: str) -> str:
        """The text without secrets; everything else is as it was."""
        for _ in range(_MOST_PASSES):
            redacted = self._once(text)
            if redacted == text:
                break
            text = redacted
        return text

    def _once(self, text: str) -> str:
        for form in self._forms:
            text = text.replace(form, MARK)
        for rule in RULES:
            text = rule.apply(text)
        return text


def secrets_of(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables named like secrets, and passwords in URLs, of 8 characters and more."""
    named = [value for name, value in environ.items() if is_secret_name(name) and not _NO_SECRET_NAME.search(name)]
    in_urls = [password for value in environ.values() for password in _PASSWORD_IN_URL.findall(value)]
    found = {value.strip() for value in (*named, *in_urls)}
    return tuple(sorted(value for value in found if len(value) >= _SHORTEST_IN_ENVIRONMENT))


def _forms(secret: str) -> Iterator[str]:
    """The value as it may stand in a text. A key of several lines is looked for line by line too."""
    secret = secret.strip()
    lines = [line.strip() for line in secret.splitlines()]
    whole_lines = (line for line in lines if len(line) >= _SHORTEST_LINE and not line.startswith("-----"))
    for value in {secret, *(whole_lines if len(lines) > 1 else ())}:
        if len(value) >= _SHORTEST:
            yield from (value, json.dumps(value)[1:-1], json.dumps(value, ensure_ascii=False)[1:-1])
            yield from _in_urls(value)
            yield from _in_base64(value)


def _in_urls(value: str) -> Iterator[str]:
    content = value.encode("utf-8", errors="replace")
    yield from (quote(content, safe=""), quote(content), quote_plus(content))


def _in_base64(value: str) -> Iterator[str]:
    """The characters that only the value decides, wherever it begins in the encoded text (`user:token`)."""
    content = value.encode("utf-8", errors="replace")
    for offset in range(3):
        encoded = base64.b64encode(b"\0" * offset + content).decode("ascii").rstrip("=")
        certain = encoded[(0, 2, 3)[offset] : len(encoded) - ((len(content) + offset) % 3 > 0)]
        if len(certain) >= _SHORTEST_ENCODED:
            yield from (certain, certain.translate(_URL_SAFE))


_URL_SAFE = str.maketrans("+/", "-_")
