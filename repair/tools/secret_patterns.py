"""What secrets look like when their value is not known.

Every pattern is linear: a run of characters is taken as a whole (possessive quantifiers), and whether it is a
secret is judged afterwards. Ordinary code, hashes, UUIDs, annotations and calls are left alone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

MARK = "[redacted]"

Judge = Callable[[re.Match[str]], bool]


@dataclass(frozen=True)
class Rule:
    """Replaces the group `secret` of each match that `judge` takes for one."""

    pattern: re.Pattern[str]
    judge: Judge = bool

    def apply(self, text: str) -> str:
        """The text with the secrets of this shape replaced."""
        return self.pattern.sub(self._replace, text)

    def _replace(self, match: re.Match[str]) -> str:
        if not self.judge(match):
            return match[0]
        start, end = (offset - match.start() for offset in match.span("secret"))
        return match[0][:start] + MARK + match[0][end:]


def _token(shape: str, judge: Judge = bool) -> Rule:
    return Rule(re.compile(f"(?P<secret>{shape})"), judge)


def _word(prefix: str, rest: str, judge: Judge = bool) -> Rule:
    """A token whose prefix must begin a word: also behind a written-out line break, a `%20` or a terminal colour.

    The prefix, of fixed width, is looked for before what precedes it: literal beginnings are found fast.
    """
    preceded_by = ("<![A-Za-z0-9_]", r"<=\\[abfnrtv]", "<=%[0-9A-Fa-f]{2}", r"<=\[[0-9]m", r"<=\[[0-9]{2}m")
    begins = "|".join(f"(?{before}{prefix})" for before in preceded_by)
    return _token(f"{prefix}(?:{begins}){rest}", judge)


def _has_digit(match: re.Match[str]) -> bool:
    return _DIGIT.search(match["secret"]) is not None


def _is_credential(match: re.Match[str]) -> bool:
    """An Authorization value: with a scheme nearly anything is, without one only what looks random."""
    value = match["secret"]
    if match["scheme"]:
        return not (value.isalpha() and value.islower())
    return len(value) >= 16 and _looks_random(value) and not _DOTTED_NAME.fullmatch(value)


def _is_bare_credential(match: re.Match[str]) -> bool:
    """`Bearer x` in running text, where `Basic authentication` stands too."""
    value = match["secret"]
    return len(value) >= 16 and (_DIGIT.search(value) is not None or _is_humped(value))


def _is_password(match: re.Match[str]) -> bool:
    value = match["secret"]
    return value != MARK and not _PLACEHOLDER.match(value)


def _is_named_secret(match: re.Match[str]) -> bool:
    """A value behind a name such as TOKEN or password: a literal, not code that computes one."""
    value, separator = match["secret"], match["separator"]
    if value == MARK or _PLACEHOLDER.match(value) or _DOTTED_NAME.fullmatch(value):
        return False
    if match["name"].isupper() and separator == "=":
        return len(value) >= 6 and (bool(match["quote"]) or _END_OF_VALUE.match(match["tail"]) is not None)
    if match["quote"]:
        return _looks_random(value) and not _is_sample(match["name"], value)
    if ":" in separator:
        return _ends_line(match) and _looks_random(value) and not _TYPE_NAME.fullmatch(value)
    if separator != "=":
        return _ends_line(match) and _looks_random(value) and not value.isidentifier() and not value.startswith("0x")
    called = match["tail"] in ("(", "[")
    argument = match["tail"] in (",", ")") and _SIMPLE_NAME.fullmatch(value) is not None
    return _looks_random(value) and not called and not argument


def _ends_line(match: re.Match[str]) -> bool:
    return match["tail"] in ("", "\n", "\r")


def _looks_random(value: str) -> bool:
    """Letters mixed with digits or punctuation, which names and words of a program are not."""
    if len(value) < 6 or not _LETTER.search(value):
        return False
    if _DIGIT.search(value) or (len(value) >= 16 and _is_humped(value)):
        return True
    return len(value) >= 8 and _PUNCTUATION.search(value) is not None


def _is_humped(value: str) -> bool:
    """More changes of case than a name in camel case has."""
    return len(_HUMP.findall(value)) >= 4


def _is_sample(name: str, value: str) -> bool:
    """What tests write for a secret: `password2`, `access_token_1`."""
    return name.lower() in value.lower() and _SAMPLE.fullmatch(value) is not None


_LETTER = re.compile(r"[A-Za-z]")
_DIGIT = re.compile(r"[0-9]")
_HUMP = re.compile(r"[a-z][A-Z]")
_PUNCTUATION = re.compile(r"[!@#$%^&*+=?~]")
_PLACEHOLDER = re.compile(r"\$|%[(s]|[{<*\[]|\.\.\.|your[-_]", re.IGNORECASE)
_DOTTED_NAME = re.compile(r"[A-Za-z_]\w*+(?:\.[A-Za-z_]\w*+)++")
_SIMPLE_NAME = re.compile(r"[A-Za-z_]++[0-9]?")
_SAMPLE = re.compile(r"[A-Za-z_./-]++[0-9]{0,2}")
_TYPE_NAME = re.compile(r"(?:[A-Z][a-z]\w*|u?int\d+|[uif]\d+|float\d+)(?:\.\w+)*")
_END_OF_VALUE = re.compile(r"$|[\s\"'`;&|\\]")

_PEM_GAP = r"(?:\\+[nrt]|[\s\"'+|>,#*\\]){0,40}+"
_PEM = (
    r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
    rf"(?:{_PEM_GAP}(?:Proc-Type|DEK-Info|Version|Comment): [^\n\\]{{0,100}}+)*+"
    rf"(?:{_PEM_GAP}[A-Za-z0-9+/=]{{16,}}+)++"
    rf"(?:{_PEM_GAP}(?:[A-Za-z0-9+/=]{{1,15}}+{_PEM_GAP})?-----END [A-Z0-9 ]{{0,60}}-----)?"
)

_NAME = (
    r"(?P<name>(?i:token|secret|passwd|password|passphrase|api[_-]?key|access[_-]?key|private[_-]?key|secret[_-]?key"
    r"|credentials?|(?<=[_-])pwd|(?<=_)auth)|(?<=_)KEY)"
)
_SEPARATOR = r"\\?[\"']?\]?(?P<separator>[ \t]{0,4}(?:=>|[:=])[ \t]{0,4})"

_NAMED = re.compile(
    rf"{_NAME}{_SEPARATOR}(?P<quote>\\?[\"'`])?"
    r"(?P<secret>(?(quote)[^\s\"'`\\]{4,}+|[^\s\"'`,;&()\[\]{}<>|\\]{4,}+))(?=(?P<tail>[\s\S]?))"
)

RULES: tuple[Rule, ...] = (
    _token(_PEM),
    # GitHub: classic tokens have 36 characters and more; installation tokens may hold a JWT.
    _token(r"gh[pousr]_(?:[A-Za-z0-9]{36,}+|[0-9]{1,12}_eyJ)[A-Za-z0-9._-]*+"),
    _word(r"gh[pousr]_", r"[A-Za-z0-9._-]{16,}+", _has_digit),
    _token(r"github_pat_[A-Za-z0-9_]{20,}+"),
    _token(r"glpat-[A-Za-z0-9_.-]{20,}+"),
    _word(r"sk-", r"(?:(?:proj|ant|svcacct|admin|or|live|test)-[A-Za-z0-9_-]{16,}+|[A-Za-z0-9]{20,}+)"),
    _token(r"[sr]k_(?:live|test)_[A-Za-z0-9]{16,}+"),
    _token(r"A(?:KIA|SIA)(?:(?<![A-Z0-9]A[KS]IA)|(?<=%[0-9A-F]{2}A[KS]IA))[A-Z0-9]{16}(?![A-Z0-9])"),
    _token(r"AIza[A-Za-z0-9_-]{35,}+"),
    _word(r"xox[abeoprs]-", r"[A-Za-z0-9-]{10,}+", _has_digit),
    _token(r"npm_[A-Za-z0-9]{30,}+"),
    _token(r"pypi-[A-Za-z0-9_]{16}[A-Za-z0-9_-]{16,}+"),
    _word(r"hv[sbr]\.", r"[A-Za-z0-9_-]{20,}+"),
    _token(r"hf_[A-Za-z0-9]{30,}+"),
    _word(r"eyJ", r"(?<!-eyJ)[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]++)*+"),
    Rule(re.compile(r"://[^\s/@:\"'<>{}$]{0,256}+:(?P<secret>[^\s/@\"'<>{}$]{1,1024}+)@"), _is_password),
    Rule(re.compile(r"://(?P<secret>[^\s/@:\"'<>{}$]{16,1024}+)@"), _has_digit),
    Rule(
        re.compile(
            r"(?i:authorization)\\?[\"']?[ \t]{0,3}[:=][ \t]{0,3}\\?[\"']?"
            r"(?P<scheme>(?i:bearer|basic|token|digest)[ \t]{1,3})?(?P<secret>[A-Za-z0-9._~+/=-]{6,}+)"
        ),
        _is_credential,
    ),
    Rule(re.compile(r"(?i:\b(?:bearer|basic))[ \t]{1,3}(?P<secret>[A-Za-z0-9._~+/=-]{8,}+)"), _is_bare_credential),
    Rule(_NAMED, _is_named_secret),
)
