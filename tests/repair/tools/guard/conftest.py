from collections.abc import Callable, Mapping, Sequence

import pytest

from repair.tools.guard import inspect_change, protected_globs
from repair.values.change import Severity, Violation
from repair.values.checks import Finding
from repair.values.contract import Contract

Files = Mapping[str, str | bytes]


class MemoryTree:
    """A tree that exists only in the test."""

    def __init__(self, files: Files) -> None:
        self.files = {path: text.encode() if isinstance(text, str) else text for path, text in files.items()}

    def paths(self) -> Sequence[str]:
        return sorted(self.files)

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)


class Verdict:
    """What the guard said, in the words the tests ask for."""

    def __init__(self, violations: tuple[Violation, ...]) -> None:
        self.violations = violations

    @property
    def refused(self) -> set[str]:
        return {each.rule for each in self.violations if each.severity is Severity.CRITICAL}

    @property
    def held(self) -> set[str]:
        return {each.rule for each in self.violations if each.severity is Severity.MAJOR}

    def __repr__(self) -> str:
        return "\n".join(map(str, self.violations)) or "clean"


def judge(
    before: Files,
    after: Files,
    *,
    findings: Sequence[Finding] = (),
    tool_made: bool = False,
    protect: Sequence[str] = (),
    test_policy: str = "suggest",
) -> Verdict:
    contract = Contract(
        goal="make it green", base_tree="base", protected=protected_globs(protect), test_policy=test_policy
    )
    found = inspect_change(MemoryTree(before), MemoryTree(after), contract, findings, tool_made=tool_made)
    return Verdict(found)


@pytest.fixture(name="judge")
def _judge() -> Callable[..., Verdict]:
    return judge


@pytest.fixture
def edit() -> Callable[..., Verdict]:
    """Judge the change of one file; `beside` are other files that stay."""

    def of(path: str, before: str, after: str, beside: Files | None = None, **how: object) -> Verdict:
        rest = dict(beside or {})
        return judge({**rest, path: before}, {**rest, path: after}, **how)

    return of
