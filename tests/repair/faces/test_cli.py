"""The command line itself."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from repair.faces.cli import app


def test_importing_the_command_line_imports_no_model_sdk_and_no_job_engine() -> None:
    script = "import sys, repair.faces.cli; print(sorted({'openai', 'httpx2', 'dbos', 'aiohttp'} & set(sys.modules)))"

    out = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout

    assert out.strip() == "[]"


@pytest.mark.parametrize("arguments", [["repair", "--nonsense"], ["nonsense"], ["repair", "--max-iterations", "0"]])
def test_wrong_usage_is_exit_status_2(arguments: list[str]) -> None:
    assert CliRunner().invoke(app, arguments).exit_code == 2


def test_the_github_app_says_that_it_is_not_there_yet() -> None:
    result = CliRunner().invoke(app, ["serve"])

    assert result.exit_code == 2
    assert "not part of this version yet" in result.stderr


def test_a_model_without_key_or_address_is_a_usage_error_that_names_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".regomender.yml").write_text("checks:\n  - {name: a, kind: syntax, run: 'false'}\n")

    result = CliRunner().invoke(app, ["repair", str(tmp_path), "--model", "m"])

    assert result.exit_code == 2
    assert "OPENAI_API_KEY" in result.stderr
    assert "--base-url" in result.stderr


def test_list_shows_the_checks_in_the_order_they_run_and_runs_nothing(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    (tmp_path / ".regomender.yml").write_text(
        "checks:\n  - {name: unit, kind: semantic, run: pytest -q}\n  - {name: style, kind: syntax, run: ruff check .}\n"
    )

    result = CliRunner().invoke(app, ["repair", str(tmp_path), "--list"])

    assert (result.exit_code, [line.split()[1] for line in result.stdout.splitlines()]) == (0, ["style:", "unit:"])
    assert CliRunner().invoke(app, ["checks", str(tmp_path)]).stdout == result.stdout


def test_the_checks_of_one_job_can_be_asked_for(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    (folder / "ci.yml").write_text(
        "on: push\njobs:\n  lint:\n    steps:\n      - run: ruff check .\n  test:\n    steps:\n      - run: pytest\n"
    )

    chosen = CliRunner().invoke(app, ["checks", str(tmp_path), "--job", "ci.yml:test"])
    unknown = CliRunner().invoke(app, ["checks", str(tmp_path), "--job", "ci:tset"])

    assert "pytest" in chosen.stdout
    assert "ruff" not in chosen.stdout
    assert unknown.exit_code == 2
    assert "ci.yml:test" in unknown.stderr


def test_doctor_says_what_works_here() -> None:
    result = CliRunner().invoke(app, ["doctor"])

    assert "git" in result.stdout
    assert "bubblewrap" in result.stdout


def test_a_bug_of_ours_is_called_so_and_its_traceback_is_kept_for_the_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MY_TOKEN", "canary-secret-77")
    monkeypatch.setattr("repair.faces.cli.find_root", lambda path: 1 / 0 if path else "canary-secret-77")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    result = CliRunner().invoke(app, ["checks", "somewhere"])

    assert result.exit_code == 3
    assert "a bug of ours" in result.stderr
    assert "Traceback" not in result.stderr
    kept = next(tmp_path.glob("regomender-bug-*")).read_text()
    assert "ZeroDivisionError" in kept
    assert "canary" not in kept
