"""What a triager reads, and what it makes of it."""

from repair.values.base import Value
from repair.values.checks import Check, Counters, Finding


class Transcript(Value):
    """One finished run of a check. `output` is plain: no ANSI codes, progress bars or carriage returns.

    `reports` are machine-readable files the run left behind: name and text.
    `root` is the absolute path the tree had during the run.
    """

    check: Check
    exit_code: int
    output: str
    root: str
    reports: tuple[tuple[str, str], ...] = ()


class Triage(Value):
    """What a triager found. `infra` says why the run tells nothing about the code."""

    findings: tuple[Finding, ...] = ()
    counters: Counters = Counters()
    tests: tuple[str, ...] = ()
    first_error_only: bool = False
    infra: str = ""
