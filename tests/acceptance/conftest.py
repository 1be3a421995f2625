"""The command line, run in this process against a scripted model."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from repair.faces.cli import app
from tests.acceptance.cases import Case, environment
from tests.model_double.fixtures import model_server as model_server  # a fixture

RUN_SECONDS = 600


@dataclass(frozen=True)
class Ran:
    """A finished run."""

    exit_status: int
    report: dict[str, Any]
    output: Path
    errors: str

    @property
    def verdicts(self) -> list[str]:
        return [entry["verdict"] for entry in self.report["iterations"] if entry["verdict"]]


def excuse_bad_luck(case: Case, ran: Ran) -> None:
    """Skip where a case's own flaky test was seen to fail each time, as one run in 27 must expect."""
    if not case.spec.get("flaky") or ran.report["outcome"] == "fixed":
        return
    if any("jitter" in line for line in (ran.output / "journal.jsonl").read_text().splitlines()):
        pytest.skip("the flaky neighbour failed in every observation, so it was taken for real")


@pytest.fixture
def regomender(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Ran]:
    """`regomender repair TREE OPTIONS` with `--json`; no model unless the options name one."""
    for name, value in environment().items():
        monkeypatch.setenv(name, value)
    for name in ("REGOMENDER_MODEL", "OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)

    def run(tree: Path, *options: str, output: Path | None = None) -> Ran:
        output = output or tmp_path / "output"
        arguments = ["repair", str(tree), "--json", "--output", str(output), *options]
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        report = json.loads(result.stdout) if result.stdout.strip() else {}
        return Ran(result.exit_code, report, output, result.stderr)

    return run
