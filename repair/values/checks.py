"""Checks of a repository, what running them gave, and the findings they report."""

from enum import IntEnum, StrEnum
from typing import Literal

from pydantic import Field

from repair.values.base import Value


class Stage(IntEnum):
    """When a check runs: a later stage means nothing while an earlier one fails."""

    SETUP = 0
    PARSE = 1
    COMPILE = 2
    LINT = 3
    UNIT = 4
    OTHER = 5


class Category(StrEnum):
    """The closed set of error categories; a triager may not invent one."""

    SYNTAX = "syntax"
    NAME_UNRESOLVED = "name_unresolved"
    IMPORT_DEPENDENCY = "import_dependency"
    TYPE = "type"
    LINT_STYLE = "lint_style"
    FORMAT = "format"
    TEST_ASSERTION = "test_assertion"
    TEST_ERROR = "test_error"
    SCHEMA_CONFIG = "schema_config"
    BUILD_TOOL = "build_tool"
    RESOURCE_TIMEOUT = "resource_timeout"
    INFRA = "infra"
    UNKNOWN = "unknown"


class Origin(StrEnum):
    """How a finding was read off the tool, best first."""

    STRUCTURED = "structured"
    STABLE_TEXT = "stable_text"
    HEURISTIC = "heuristic"
    NONE = "none"


class Check(Value):
    """A command of the repository's CI. `run` is shell text, as CI would run it in `cwd`.

    `timeout` is in seconds. `paths` are globs: a check whose globs match no changed file keeps
    its last passing result. `fix` is the check's own fixer command.
    """

    name: str
    stage: Stage
    run: str
    fix: str | None = None
    cwd: str = "."
    timeout: float = Field(default=300, gt=0)
    paths: tuple[str, ...] = ()
    required: bool = True
    env: tuple[tuple[str, str], ...] = ()

    @property
    def gate(self) -> Literal["syntax", "semantic"]:
        """Stages 1 to 3 are the syntax gate, 4 and 5 the semantic one."""
        return "syntax" if self.stage <= Stage.LINT else "semantic"


class Finding(Value):
    """One error a check reports. `file` is relative to the root, POSIX; lines count from 1.

    `symbol` is the name the error is about, `scope` the path of the enclosing definition,
    `test` the identity of a failing test. `detail` is a bounded excerpt of the tool's own words.
    `masked` findings belong to a check, or a file of tests, that did not run this time.
    """

    check: str
    stage: Stage
    category: Category
    message: str
    file: str | None = None
    line: int | None = None
    column: int | None = None
    symbol: str | None = None
    scope: str | None = None
    test: str | None = None
    code: str | None = None
    origin: Origin = Origin.NONE
    detail: str = ""
    fingerprint: str = ""
    flaky: bool = False
    on_base: bool = False
    derived: bool = False
    masked: bool = False

    @property
    def place(self) -> str:
        """`file:line` as a person writes it, or an empty string."""
        if self.file is None:
            return ""
        return self.file if self.line is None else f"{self.file}:{self.line}"


class Counters(Value):
    """What a check counted; `None` where the tool does not say."""

    collected: int | None = None
    skipped: int | None = None
    files: int | None = None


class Status(StrEnum):
    """The state of one check. `infra` is the machine's fault, never the code's."""

    PASS = "pass"
    FAIL = "fail"
    NOT_RUN = "not_run"
    INFRA = "infra"


class CheckResult(Value):
    """What one run of one check gave.

    `tests` are the identities of all collected tests where the tool names them. `first_error_only`
    is true for tools that stop at their first error, so that a count says nothing.
    `output` is bounded: its head and tail, the cut marked. `why` explains `infra` and a vacuous pass.
    """

    check: str
    stage: Stage
    status: Status
    required: bool = True
    exit_code: int | None = None
    seconds: float = 0.0
    counters: Counters = Counters()
    tests: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    output: str = ""
    first_error_only: bool = False
    why: str = ""


class ErrorState(Value):
    """The results of all checks of one tree, in stage order."""

    results: tuple[CheckResult, ...] = ()

    def of(self, check: str) -> CheckResult | None:
        """The result of the check of that name."""
        return next((result for result in self.results if result.check == check), None)


class Signature(Value):
    """How a state is shown: dominant category and count of root findings in the front stage."""

    category: str = "none"
    count: int = 0
    streak: int = 0

    def __str__(self) -> str:
        return f"({self.category}, {self.count}, {self.streak})"
