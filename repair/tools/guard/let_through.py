"""The rule about inputs that were refused with an error and are let through now."""

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from repair.tools.guard.change import Change, major, removable
from repair.tools.guard.source import Source
from repair.values.change import Violation

_RAISES = frozenset({"raise", "throw", "panic"})
_NOT_YET = frozenset({"NotImplementedError", "NotImplementedException"})


def let_through(change: Change) -> Iterator[Violation]:
    """No error that is raised less often than before, unless a finding speaks of it.

    The whole change is counted, so that an error may move or be translated into another one.
    """
    before, after = Counter[str](), Counter[str]()
    files = [file for file in change.product if not removable(change.findings, file.path)]
    for file in files:
        before += _raised(file.before)
        after += _raised(file.after)
    fewer = before - after
    if before.total() <= after.total() or _asked(fewer, change):
        return
    for file in files:
        if lost := fewer & (_raised(file.before) - _raised(file.after)):
            yield major("let-through", f"`{min(lost)}` is raised less often than before", file.path)


def _raised(source: Source | None) -> Counter[str]:
    """The names of the errors that the code raises, in a `panic` the word itself."""
    if source is None:
        return Counter()
    words = [token.text for token in source.tokens if token.kind == "name" or token.text in _RAISES]
    pairs = pairwise([word for word in words if word != "new"] + [""])
    named = Counter(word if word == "panic" else after for word, after in pairs if word in _RAISES)
    return Counter({name: count for name, count in named.items() if name not in _NOT_YET})


def _asked(errors: Counter[str], change: Change) -> bool:
    texts = [f"{finding.message}\n{finding.detail}" for finding in change.findings]
    return any(name and name in text for name in errors for text in texts)
