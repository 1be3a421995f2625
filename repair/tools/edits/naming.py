"""Which file a model's prose names: a bare path, a heading, a label, a fence's opening line."""

import re
from collections.abc import Iterable, Sequence

LINES_ABOVE = 3  # how many lines with text between a path and its block are read
LONGEST = 400

_SUFFIX = re.compile(
    "py|pyi|[cm]?[jt]sx?|go|mod|sum|rs|java|kts?|scala|rb|php|[ch]|cc|cpp|cxx|hpp|cs|swift|lua|pl|sh|bash|zsh|ps1|sql"
    "|tf|tfvars|hcl|rego|ya?ml|json|toml|cfg|ini|conf|env|lock|md|rst|txt|html?|s?css|xml|vue|svelte|proto|gradle|in"
    "|j2|tpl|csv",
    re.IGNORECASE,
)
_NAME = re.compile(
    "Makefile|(?:Docker|Container|Jenkins|Proc|Gem|Rake|Vagrant)file|[Jj]ustfile|LICENSE|README|CODEOWNERS|BUILD|WORKSPACE"
)
_LEAD = re.compile(r"^(?:(?:#{1,6}|[-*+>]|\d{1,3}[.)]|//)[ \t]+){1,4}")
_LABEL = re.compile(r"[*_]{0,2}(?:file ?name|file ?path|file|path)[*_]{0,2}[ \t]*:[ \t]*[*_]{0,2}[ \t]*", re.IGNORECASE)
_REMARK = re.compile(r"[ \t]*\((?:new|new file|created|modified|updated|changed)\)[ \t]*:?$", re.IGNORECASE)
_FENCE = re.compile(r"[ \t]*(?:`{3,}|~{3,})(?P<info>[^`]*)$")
_QUOTED = re.compile(r"`([^`]+)`")
_WRAPPERS = ("**", "__", "`", '"', "'")


def path_above(lines: Sequence[str]) -> str:
    """The path that the nearest of the last few lines names, or an empty string."""
    read = 0
    for line in reversed(lines[-50:]):
        if not line.strip():
            continue
        if path := path_in(line):
            return path
        read += 1
        if read == LINES_ABOVE:
            break
    return ""


def path_in(line: str) -> str:
    """The one path that the line names, or an empty string."""
    if len(line) > LONGEST:
        return ""
    if fence := _FENCE.match(line):
        return _only_path(re.split(r"[\s:=\"'{}()]+", fence["info"]))
    text = _REMARK.sub("", _LEAD.sub("", line.strip()))
    label = _LABEL.match(text)
    bare = _unwrapped(text[label.end() :] if label else text)
    if label and bare and "`" not in bare:
        return bare.removeprefix("./")
    if is_plain_path(bare) or (text.startswith("`") and _has_path_shape(bare)):
        return bare.removeprefix("./")
    return _only_path(_QUOTED.findall(line)) or _only_path(word.strip("`*_\"'(),:;.!?") for word in text.split())


def is_plain_path(text: str) -> bool:
    """Whether the text, alone on its line, is a path beyond doubt."""
    return bool(text) and text == text.strip("`*_\"',:; \t") and not re.search(r"\s", text) and _has_path_shape(text)


def _has_path_shape(text: str) -> bool:
    if re.search(r"[<>|*?`\"\n\r\t]|://|^[ #]|[ :]$", text):
        return False
    name = text.rpartition("/")[2]
    return bool(name) and bool("/" in text or _NAME.fullmatch(name) or re.fullmatch(r".*\.[A-Za-z]\w{0,11}", name))


def _unwrapped(text: str) -> str:
    while True:
        text = text.strip().removesuffix(":")
        wrapper = next((mark for mark in _WRAPPERS if len(text) > 2 * len(mark) and text.startswith(mark)), None)
        if wrapper is None or not text.endswith(wrapper):
            return text
        text = text[len(wrapper) : -len(wrapper)]


def _only_path(words: Iterable[str]) -> str:
    paths = {word.removeprefix("./") for word in words if _is_path_in_prose(word)}
    return paths.pop() if len(paths) == 1 else ""


def _is_path_in_prose(word: str) -> bool:
    """In prose `os.path` and `and/or` are no files: a known name or suffix is asked for."""
    name = word.rpartition("/")[2]
    suffix = name.rpartition(".")[2] if "." in name else ""
    known = _SUFFIX.fullmatch(suffix) or ("/" in word and _NAME.fullmatch(name))
    return bool(known) and _has_path_shape(word)
