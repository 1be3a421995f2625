"""Runs that tell nothing about the code, and those that only look like it."""

import pytest

from repair.values.checks import Stage

FULL_DISK = "OSError: [Errno 28] No space left on device"
OFFLINE = (
    "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError: Failed to establish a new connection:"
    " [Errno -3] Temporary failure in name resolution': /simple/zork/\n"
    "ERROR: Could not find a version that satisfies the requirement zork (from versions: none)\n"
)


@pytest.mark.parametrize(
    ("output", "run", "exit_code", "tool"),
    [
        ("bash: line 1: ruff: command not found\n", "ruff check .", 127, "ruff"),
        ("bash: line 3: nosuch: command not found\n", "nosuch x", 127, "nosuch"),
        ("sh: 1: nosuch: not found\n", "nosuch x", 127, "nosuch"),
        ("\n> t\n> vite build\n\nsh: 1: vite: not found\n", "npm run t", 127, "vite"),
        ("env: \u2018nosuch\u2019: No such file or directory\n", "env nosuch", 127, "nosuch"),
        ("/usr/bin/env: \u2018ruby\u2019: No such file or directory\n", "./s", 127, "ruby"),
        (
            "ruff check .\nmake: ruff: No such file or directory\nmake: *** [Makefile:2: lint] Error 127\n",
            "make lint",
            2,
            "ruff",
        ),
        ("x && y\n/bin/sh: 1: x: not found\nmake: *** [Makefile:4: lint2] Error 127\n", "make lint2", 2, "x"),
        ("/usr/bin/python: No module named pytest\n", "python -m pytest", 1, "pytest"),
        ("/repo/.venv/bin/python3.11: No module named mypy\n", "python -m mypy .", 1, "mypy"),
        ("ci/lint.sh: line 4: shellcheck: command not found\n", "ci/lint.sh", 127, "shellcheck"),
        ("sh: 1: ./node_modules/.bin/eslint: not found\n", "npm run lint", 127, "eslint"),
        ("error: no such command: `clippy`\n", "cargo clippy", 101, "clippy"),
    ],
)
def test_a_missing_tool_is_named(read, output: str, run: str, exit_code: int, tool: str) -> None:
    triage = read(output, run, exit_code)
    assert tool in triage.infra
    assert triage.findings == ()


@pytest.mark.parametrize(
    ("output", "run", "exit_code"),
    [
        ("bash: line 1: ./ci/lint.sh: No such file or directory\n", "./ci/lint.sh", 127),
        ("bash: line 1: ./ci/lint.sh: Permission denied\n", "./ci/lint.sh", 126),
        ("tests/run.sh: line 5: assert_equal: command not found\n", "tests/run.sh", 127),
        ("bash: line 1: do_thing: command not found\n1 of 3 failed\n", "tests/run.sh", 1),
        (
            "Traceback (most recent call last):\n  File \"/repo/a.py\", line 1, in <module>\n    import gone\nModuleNotFoundError: No module named 'gone'\n",
            "python a.py",
            1,
        ),
        (
            "/usr/bin/python3: No module named app.__main__; 'app' is a package and cannot be directly executed\n",
            "python -m app",
            1,
        ),
        (
            f"=== FAILURES ===\n_ test_full _\nE   {FULL_DISK}\n=== short test summary info ===\nFAILED t.py::test_full - {FULL_DISK}\n",
            "pytest",
            1,
        ),
        ("a.py:1:1: F401 'os' imported but unused\nbash: line 2: nosuch: command not found\n", "flake8; nosuch", 127),
        (OFFLINE, "python fetch.py", 1),
    ],
)
def test_an_error_of_the_code_is_never_excused(read, output: str, run: str, exit_code: int) -> None:
    triage = read(output, run, exit_code)
    assert triage.infra == ""
    assert triage.findings


@pytest.mark.parametrize(
    "output", ["tar: a: Cannot write: No space left on device\n", "npm error code ENOSPC\n", FULL_DISK]
)
def test_a_full_disk_is_no_fault_of_the_code(read, output: str) -> None:
    assert "space" in read(output, "make package", 2).infra


@pytest.mark.parametrize(
    ("run", "stage"),
    [
        ("pip install -e .", Stage.UNIT),
        ("python -m pip install zork && pytest", Stage.UNIT),
        ("./bootstrap", Stage.SETUP),
    ],
)
def test_a_set_up_without_network_is_no_fault_of_the_code(read, run: str, stage: Stage) -> None:
    assert "network" in read(OFFLINE, run, 1, stage=stage).infra


def test_a_package_that_does_not_exist_is_a_fault_of_the_code(read) -> None:
    triage = read("ERROR: No matching distribution found for zork\n", "pip install -r requirements.txt")
    assert triage.infra == ""
    assert triage.findings[0].symbol == "zork"


def test_a_command_that_cannot_start_is_named_by_its_status(read) -> None:
    assert "126" in read("", "something", 126).infra


def test_a_run_that_passed_is_never_excused(read) -> None:
    assert read("bash: line 1: ruff: command not found\n", "ruff || true", 0).infra == ""
