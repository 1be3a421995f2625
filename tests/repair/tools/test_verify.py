"""Running the checks: stages, masking of what did not run, flaky failures, time-outs."""

from dataclasses import dataclass, field
from pathlib import Path

from repair.rules.fingerprints import fingerprint
from repair.tools.folder import FolderTree
from repair.tools.redact import Redactor
from repair.tools.sandbox.bare import NoSandbox
from repair.tools.verify import Verification, Verifier
from repair.values.checks import Category, Check, Stage, Status
from repair.values.execution import Command, Ended, Execution


@dataclass
class Played:
    """A sandbox that plays the output of each run of a command, the last one again and again."""

    root: Path
    reports: Path
    outputs: dict[str, list[Execution]]
    name: str = "played"
    ran: list[str] = field(default_factory=list)

    async def run(self, command: Command) -> Execution:
        script = command.argv[-1]
        self.ran.append(script)
        left = self.outputs[script]
        return left.pop(0) if len(left) > 1 else left[0]

    def on(self, tree: Path) -> "Played":
        return self


def exited(code: int, output: str = "") -> Execution:
    return Execution(ended=Ended.EXITED, exit_code=code, output=output, seconds=1.0)


def failing(*tests: str) -> Execution:
    lines = "".join(f"FAILED tests/test_a.py::{test} - AssertionError: no\n" for test in tests)
    head = "=================== short test summary info ===================\n"
    return exited(1, f"{head}{lines}============ {len(tests)} failed, 1 passed in 0.01s ============\n")


PASSING = exited(0, "============ 3 passed in 0.01s ============\n")
HUNG = Execution(
    ended=Ended.TIMED_OUT, exit_code=137, output="working\n", seconds=9.0, stack="File a.py, line 3 in loop"
)
LINT = Check(name="lint", stage=Stage.LINT, run="lint")
UNIT = Check(name="unit", stage=Stage.UNIT, run="pytest")


async def verified(
    tmp_path: Path, checks: list[Check], outputs: dict[str, list[Execution]], **more: object
) -> tuple[Verification, list[str]]:
    sandbox = Played(tmp_path, tmp_path / "reports", outputs)
    sandbox.reports.mkdir(exist_ok=True)
    verifier = Verifier(checks, fingerprint, Redactor(()))
    verification = await verifier.verify(sandbox, FolderTree(tmp_path), **more)  # type: ignore[arg-type]
    return verification, sandbox.ran


async def test_checks_run_in_the_order_of_their_stages(tmp_path: Path) -> None:
    _, ran = await verified(tmp_path, [UNIT, LINT], {"lint": [exited(0)], "pytest": [PASSING]})

    assert ran == ["lint", "pytest"]


async def test_behind_a_stage_that_fails_nothing_runs(tmp_path: Path) -> None:
    verification, ran = await verified(tmp_path, [LINT, UNIT], {"lint": [exited(1, "bad")]})

    assert ran == ["lint"]
    assert [result.status for result in verification.state.results] == [Status.FAIL, Status.NOT_RUN]


async def test_all_checks_of_a_stage_run_though_one_of_them_fails(tmp_path: Path) -> None:
    types = Check(name="format", stage=Stage.LINT, run="format")

    _, ran = await verified(tmp_path, [LINT, types], {"lint": [exited(1, "bad")], "format": [exited(1, "bad")]})

    assert ran == ["lint", "format"]


async def test_a_check_that_is_not_required_hides_nothing(tmp_path: Path) -> None:
    optional = LINT.model_copy(update={"required": False})

    verification, ran = await verified(tmp_path, [optional, UNIT], {"lint": [exited(1, "x")], "pytest": [PASSING]})

    assert ran == ["lint", "pytest"]
    assert verification.state.results[1].status is Status.PASS


async def test_a_failed_exit_always_leaves_a_finding(tmp_path: Path) -> None:
    verification, _ = await verified(tmp_path, [LINT], {"lint": [exited(3, "")]})

    assert len(verification.state.results[0].findings) == 1


async def test_a_failure_seen_three_times_is_real(tmp_path: Path) -> None:
    verification, ran = await verified(tmp_path, [UNIT], {"pytest": [failing("test_x")]})

    assert len(ran) == 3
    assert verification.flaky == ()
    assert verification.state.results[0].status is Status.FAIL


async def test_a_failure_that_comes_and_goes_is_flaky_and_does_not_count(tmp_path: Path) -> None:
    outputs = {"pytest": [failing("test_x", "test_shaky"), failing("test_x"), failing("test_x", "test_shaky")]}

    verification, _ = await verified(tmp_path, [UNIT], outputs)

    result = verification.state.results[0]
    assert [(finding.test, finding.flaky) for finding in result.findings] == [
        ("tests/test_a.py::test_x", False),
        ("tests/test_a.py::test_shaky", True),
    ]
    assert len(verification.flaky) == 1


async def test_a_check_with_only_flaky_failures_passes_and_says_so(tmp_path: Path) -> None:
    verification, _ = await verified(tmp_path, [UNIT], {"pytest": [failing("test_shaky"), PASSING]})

    result = verification.state.results[0]
    assert (result.status, result.why) == (Status.PASS, "only flaky failures")


async def test_a_test_that_fails_with_other_words_each_time_is_not_flaky(tmp_path: Path) -> None:
    outputs = [
        exited(
            1,
            f"=== short test summary info ===\nFAILED tests/test_a.py::test_x - AssertionError: got {word}\n=== 1 failed in 0.01s ===\n",
        )
        for word in ("alpha", "beta", "gamma")
    ]

    verification, _ = await verified(tmp_path, [UNIT], {"pytest": outputs})

    assert verification.flaky == ()
    assert verification.state.results[0].status is Status.FAIL


async def test_a_failure_known_to_be_real_is_not_excused_by_one_pass(tmp_path: Path) -> None:
    outputs = {"pytest": [failing("test_x"), PASSING]}

    verification, ran = await verified(tmp_path, [UNIT], outputs, real={("unit", "tests/test_a.py::test_x")})

    assert (len(ran), verification.state.results[0].status) == (1, Status.FAIL)


async def test_a_known_flaky_failure_is_not_observed_again(tmp_path: Path) -> None:
    first, _ = await verified(tmp_path, [UNIT], {"pytest": [failing("test_shaky"), PASSING]})

    again, ran = await verified(tmp_path, [UNIT], {"pytest": [failing("test_shaky")]}, flaky=first.flaky)

    assert ran == ["pytest"]
    assert again.state.results[0].status is Status.PASS


async def test_only_new_failures_are_observed_again(tmp_path: Path) -> None:
    before, _ = await verified(tmp_path, [UNIT], {"pytest": [failing("test_x")]})

    _, ran = await verified(tmp_path, [UNIT], {"pytest": [failing("test_x")]}, before=before.state)

    assert ran == ["pytest"]


async def test_a_time_out_is_tried_once_more(tmp_path: Path) -> None:
    verification, ran = await verified(tmp_path, [LINT], {"lint": [HUNG, exited(0)]})

    assert len(ran) == 2
    assert verification.state.results[0].status is Status.PASS


async def test_a_second_time_out_is_a_finding_that_tells_where_it_stood(tmp_path: Path) -> None:
    verification, _ = await verified(tmp_path, [LINT], {"lint": [HUNG]})

    finding = verification.state.results[0].findings[0]
    assert finding.category is Category.RESOURCE_TIMEOUT
    assert "line 3 in loop" in finding.detail


async def test_a_command_that_cannot_start_is_not_the_codes_fault(tmp_path: Path) -> None:
    lost = Execution(ended=Ended.NOT_STARTED, exit_code=None, output="no bash", seconds=0.0)

    verification, _ = await verified(tmp_path, [LINT, UNIT], {"lint": [lost]})

    assert [result.status for result in verification.state.results] == [Status.INFRA, Status.NOT_RUN]
    assert "no bash" in verification.state.results[0].why


async def test_zero_collected_tests_are_not_a_pass(tmp_path: Path) -> None:
    verification, _ = await verified(tmp_path, [UNIT], {"pytest": [exited(0, "no tests ran in 0.01s\n")]})

    assert verification.state.results[0].status is Status.FAIL


async def test_a_check_keeps_its_pass_when_nothing_it_looks_at_changed(tmp_path: Path) -> None:
    check = LINT.model_copy(update={"paths": ("src/**",)})
    before, _ = await verified(tmp_path, [check], {"lint": [exited(0)]})

    _, untouched = await verified(
        tmp_path, [check], {"lint": [exited(1, "x")]}, before=before.state, changed=["docs/a.md"]
    )
    _, touched = await verified(
        tmp_path, [check], {"lint": [exited(0)]}, before=before.state, changed=["src/deep/a.py"]
    )

    assert (untouched, touched) == ([], ["lint"])


async def test_secrets_in_output_do_not_reach_a_finding(tmp_path: Path) -> None:
    sandbox = Played(tmp_path, tmp_path / "reports", {"lint": [exited(1, "the token is hunter2-hunter2\n")]})
    sandbox.reports.mkdir()
    verifier = Verifier([LINT], fingerprint, Redactor(["hunter2-hunter2"]))

    verification = await verifier.verify(sandbox, FolderTree(tmp_path))

    assert "hunter2" not in verification.model_dump_json()


async def test_a_real_pytest_run_names_its_tests_and_failures(tmp_path: Path) -> None:
    (tmp_path / "test_real.py").write_text("def test_good():\n    pass\n\n\ndef test_bad():\n    assert 1 == 2\n")
    reports = tmp_path / "reports"
    reports.mkdir()
    check = Check(name="unit", stage=Stage.UNIT, run="python -m pytest -q -p no:cacheprovider")
    verifier = Verifier([check], fingerprint, Redactor(()))

    result = await verifier.observe(NoSandbox(tmp_path, reports), FolderTree(tmp_path), check)

    assert result.counters.collected == 2
    assert [(f.test, f.file, f.line, f.category) for f in result.findings] == [
        ("test_real.py::test_bad", "test_real.py", 6, Category.TEST_ASSERTION)
    ]
