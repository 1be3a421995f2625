"""Running the checks of a tree: the only source of truth about it (semantics, sections 1, 2 and 10)."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import pathspec

from repair.tools.context.units import enclosing_scope
from repair.tools.redact import Redactor
from repair.tools.removal import remove_tree
from repair.tools.sandbox import Sandbox
from repair.tools.tree import Tree, read_text
from repair.tools.triage.derive import mark_derived
from repair.tools.triage.matchers import ProblemMatcher
from repair.tools.triage.registry import triage
from repair.tools.triage.text import excerpt, plain
from repair.values.base import Value
from repair.values.checks import Category, Check, CheckResult, ErrorState, Finding, Origin, Stage, Status
from repair.values.execution import Command, Ended, Execution
from repair.values.triage import Transcript

OBSERVATIONS = 3
"""How often a new test failure is observed before it counts as real."""
REGRESSION_OBSERVATIONS = 5
"""The same for a test that passed before: a fix is not thrown away for a neighbour that fails one time in three."""
_KEPT_OUTPUT = 24_000
_LARGEST_REPORT = 32 * 1024 * 1024
_UNFIT = {
    Ended.NOT_STARTED: "the command could not be started",
    Ended.OUT_OF_MEMORY: "out of memory",
    Ended.TOO_MUCH_OUTPUT: "too much output",
}

Fingerprint = Callable[[Finding, str | None], str]


class Verification(Value):
    """The state of a tree, the fingerprints found flaky on the way, and the seconds the checks took."""

    state: ErrorState
    flaky: tuple[str, ...] = ()
    seconds: float = 0.0


class Verifier:
    """Runs the checks of one run, in stage order, in the sandbox.

    `fingerprint` comes from the rules: identity is a decision, not a fact of a tool. `seconds` counts all
    time the checks took, `assurance_seconds` the part spent on seeing the same tree again.
    """

    def __init__(
        self,
        checks: Sequence[Check],
        fingerprint: Fingerprint,
        redactor: Redactor,
        matchers: Sequence[ProblemMatcher] = (),
        watch: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.checks = tuple(sorted(checks, key=lambda check: check.stage))
        self._fingerprint = fingerprint
        self._redactor = redactor
        self._matchers = tuple(matchers)
        self._watch = watch
        self.seconds = 0.0
        self.assurance_seconds = 0.0

    async def verify(
        self,
        sandbox: Sandbox,
        tree: Tree,
        *,
        before: ErrorState | None = None,
        changed: Sequence[str] | None = None,
        flaky: Collection[str] = (),
        only: Collection[str] = (),
        real: Collection[tuple[str, str]] = (),
    ) -> Verification:
        """Run stage after stage; behind a stage that fails nothing runs.

        `before` and `changed` let a check keep its passing result when its `paths` match no changed file.
        `only` names the checks to run; empty means all. `real` are pairs of check and test whose failure
        was seen to be real before: they are never called flaky.
        """
        began, known = self.seconds, set(flaky)
        results: list[CheckResult] = []
        for check in self.checks:
            if only and check.name not in only:
                continue
            if _is_blocked(check, results):
                results.append(
                    CheckResult(check=check.name, stage=check.stage, status=Status.NOT_RUN, required=check.required)
                )
                continue
            kept = _kept_result(check, before, changed)
            results.append(kept or await self._settled(sandbox, tree, check, before, known, real))
        return Verification(
            state=ErrorState(results=tuple(results)),
            flaky=tuple(sorted(known.difference(flaky))),
            seconds=self.seconds - began,
        )

    async def observe(self, sandbox: Sandbox, tree: Tree, check: Check) -> CheckResult:
        """One run of one check. A time-out is tried once more, then it is a finding of its own."""
        result = await self._once(sandbox, tree, check, may_time_out=False)
        return result or await self._once(sandbox, tree, check, may_time_out=True) or _unfit(check, "timed out")

    async def _settled(
        self,
        sandbox: Sandbox,
        tree: Tree,
        check: Check,
        before: ErrorState | None,
        known: set[str],
        real: Collection[tuple[str, str]],
    ) -> CheckResult:
        result = await self.observe(sandbox, tree, check)
        earlier = before.of(check.name) if before else None
        familiar = known | {finding.fingerprint for finding in (earlier.findings if earlier else ())}
        new = [
            finding
            for finding in result.findings
            if finding.fingerprint not in familiar and (check.name, finding.test) not in real
        ]
        if result.status is Status.FAIL and check.stage >= Stage.UNIT and new and not _timed_out(result):
            times = REGRESSION_OBSERVATIONS if _passed_before(earlier, new) else OBSERVATIONS
            known |= await self._flaky_among(sandbox, tree, check, new, times)
        return _without_flaky(result, known)

    async def _flaky_among(
        self, sandbox: Sandbox, tree: Tree, check: Check, new: Sequence[Finding], times: int
    ) -> set[str]:
        """The fingerprints of those failures that were not there in some further observation.

        A test is the same test whatever its message says this time; a failure without a test is
        flaky only when the whole check was seen to pass.
        """
        flaky, began = set[str](), self.seconds
        for _ in range(times - 1):
            again = await self.observe(sandbox, tree, check)
            if again.status is not Status.INFRA:
                failing = {finding.test for finding in again.findings if finding.test}
                passed = again.status is Status.PASS
                flaky |= {
                    f.fingerprint for f in new if passed or (f.test and _ran(f.test, again) and f.test not in failing)
                }
        self.assurance_seconds += self.seconds - began
        return flaky

    async def _once(self, sandbox: Sandbox, tree: Tree, check: Check, *, may_time_out: bool) -> CheckResult | None:
        self._watch(check.name)
        _empty(sandbox.reports)
        execution = await sandbox.run(_command(check, sandbox.reports))
        self.seconds += execution.seconds
        if execution.ended in _UNFIT:
            return _unfit(check, f"{_UNFIT[execution.ended]}: {execution.output[-300:]}".strip(), execution.seconds)
        if execution.ended is Ended.TIMED_OUT:
            return self._hung(tree, check, execution) if may_time_out else None
        return self._read(sandbox, tree, check, execution)

    def _read(self, sandbox: Sandbox, tree: Tree, check: Check, execution: Execution) -> CheckResult:
        code = execution.exit_code if execution.exit_code is not None else 1
        text = plain(execution.output)
        found = triage(
            Transcript(
                check=check, exit_code=code, output=text, root=str(sandbox.root), reports=_reports(sandbox.reports)
            ),
            self._matchers,
        )
        if found.infra and code:
            return _unfit(check, found.infra, execution.seconds, self._bounded(text))
        findings = found.findings if code else _vacuous(check, found.counters.collected)
        status = Status.FAIL if code or findings else Status.PASS
        return CheckResult(
            check=check.name,
            stage=check.stage,
            status=status,
            required=check.required,
            exit_code=code,
            seconds=execution.seconds,
            counters=found.counters,
            tests=found.tests,
            findings=self._identified(tree, findings),
            output=self._bounded(text),
            first_error_only=found.first_error_only,
        )

    def _hung(self, tree: Tree, check: Check, execution: Execution) -> CheckResult:
        stack = plain(execution.stack)
        finding = Finding(
            check=check.name,
            stage=check.stage,
            category=Category.RESOURCE_TIMEOUT,
            message=f"timed out after {check.timeout:g} s",
            origin=Origin.HEURISTIC,
            detail=excerpt(
                f"{plain(execution.output)[-1500:]}\nwhere it stood:\n{stack}" if stack else plain(execution.output),
                4000,
            ),
        )
        return CheckResult(
            check=check.name,
            stage=check.stage,
            status=Status.FAIL,
            required=check.required,
            exit_code=execution.exit_code,
            seconds=execution.seconds,
            findings=self._identified(tree, (finding,)),
            output=self._bounded(plain(execution.output)),
        )

    def _bounded(self, text: str) -> str:
        return self._redactor.redact(excerpt(text, _KEPT_OUTPUT))

    def _identified(self, tree: Tree, findings: Sequence[Finding]) -> tuple[Finding, ...]:
        return mark_derived(tuple(self._identify(tree, finding) for finding in findings))

    def _identify(self, tree: Tree, finding: Finding) -> Finding:
        text = read_text(tree, finding.file) if finding.file else None
        lines = text.splitlines() if text is not None else []
        located = finding.line is not None and 0 < finding.line <= max(len(lines), 1)
        line = finding.line if located else None
        update = {
            "file": finding.file if text is not None else None,
            "line": line if text is not None else None,
            "message": self._redactor.redact(finding.message),
            "detail": self._redactor.redact(finding.detail),
        }
        if text is not None and line is not None and finding.file:
            update["scope"] = finding.scope or enclosing_scope(finding.file, text, line)
        named = finding.model_copy(update=update)
        source = lines[line - 1] if line is not None and line <= len(lines) else None
        return named.model_copy(update={"fingerprint": self._fingerprint(named, source)})


def _command(check: Check, reports: Path) -> Command:
    report = reports / "pytest.xml"
    # pytest reads more options from this variable, also behind wrappers such as tox or make
    # (https://docs.pytest.org/en/stable/reference/customize.html); xunit1 has file and line.
    env = dict(check.env)
    hang = max(check.timeout * 0.8, 1)
    options = (
        f"{env.get('PYTEST_ADDOPTS', '')} -o junit_family=xunit1 --junitxml={report} -o faulthandler_timeout={hang:g}"
    )
    return Command(
        argv=Command.bash(check.run),
        cwd=check.cwd,
        timeout=check.timeout,
        env=tuple((env | {"PYTEST_ADDOPTS": options.strip()}).items()),
    )


def _is_blocked(check: Check, results: Sequence[CheckResult]) -> bool:
    failed = [r.stage for r in results if r.required and r.status in (Status.FAIL, Status.INFRA)]
    return bool(failed) and check.stage > min(failed)


def _not_run(check: Check) -> CheckResult:
    return CheckResult(check=check.name, stage=check.stage, status=Status.NOT_RUN, required=check.required)


def _kept_result(check: Check, before: ErrorState | None, changed: Sequence[str] | None) -> CheckResult | None:
    earlier = before.of(check.name) if before else None
    if not check.paths or changed is None or earlier is None or earlier.status is not Status.PASS:
        return None
    globs = pathspec.GitIgnoreSpec.from_lines(check.paths)
    return None if any(globs.match_file(path) for path in changed) else earlier


def _without_flaky(result: CheckResult, known: Collection[str]) -> CheckResult:
    if not any(finding.fingerprint in known for finding in result.findings):
        return result
    findings = tuple(f.model_copy(update={"flaky": f.fingerprint in known}) for f in result.findings)
    only_flaky = all(finding.flaky for finding in findings)
    return result.model_copy(
        update={
            "findings": findings,
            "status": Status.PASS if only_flaky else result.status,
            "why": "only flaky failures" if only_flaky else result.why,
        }
    )


def _vacuous(check: Check, collected: int | None) -> tuple[Finding, ...]:
    if collected != 0:
        return ()
    return (
        Finding(
            check=check.name,
            stage=check.stage,
            category=Category.TEST_ERROR,
            message="no tests were collected, so nothing was checked",
            origin=Origin.STABLE_TEXT,
        ),
    )


def _unfit(check: Check, why: str, seconds: float = 0.0, output: str = "") -> CheckResult:
    return CheckResult(
        check=check.name,
        stage=check.stage,
        status=Status.INFRA,
        required=check.required,
        seconds=seconds,
        output=output,
        why=f"{check.name}: {why}",
    )


def _passed_before(earlier: CheckResult | None, new: Sequence[Finding]) -> bool:
    """Whether one of the failing tests was seen to pass on the tree before."""
    if earlier is None:
        return False
    red = {finding.test for finding in earlier.findings}
    return any(finding.test in earlier.tests and finding.test not in red for finding in new)


def _ran(test: str, result: CheckResult) -> bool:
    """Whether an observation may have run a test; tools that do not list all their tests are believed."""
    listed_all = bool(result.tests) and len(result.tests) >= (result.counters.collected or 0)
    return not listed_all or test in result.tests


def _timed_out(result: CheckResult) -> bool:
    return any(finding.category is Category.RESOURCE_TIMEOUT for finding in result.findings)


def _empty(reports: Path) -> None:
    for path in reports.iterdir():
        if path.is_dir() and not path.is_symlink():
            remove_tree(path)
        else:
            path.unlink(missing_ok=True)


def _reports(folder: Path) -> tuple[tuple[str, str], ...]:
    found = []
    for path in sorted(folder.glob("*.xml")):
        if path.is_file() and not path.is_symlink() and path.stat().st_size <= _LARGEST_REPORT:
            found.append((path.name, path.read_text(encoding="utf-8", errors="replace")))
    return tuple(found)
