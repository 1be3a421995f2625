"""The checks that the settings name, and the stage each belongs to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.ci.checks import checks_from_settings
from repair.tools.ci.stages import stage_of
from repair.tools.settings import SettingsError, load_settings
from repair.values.checks import Stage
from repair.values.settings import CheckEntry, Settings

PARSE = [
    "python -m compileall src",
    "python3 -m py_compile a.py",
    "node --check a.js",
    "bash -n run.sh",
    "php -l a.php",
]
COMPILE = [
    *("tsc -p .", "npx tsc --noEmit", "mypy --strict src", "uv run mypy .", "pyright", "opa check .", "go vet ./..."),
    *("terraform init > /dev/null && terraform validate", "${TF:-terraform} validate", "cargo check -q", "cargo build"),
    *("go build ./...", 'PYTHONPATH=src python3 -c "import pkg.cli"', "gcc -Wall a.c", "make", "make -j4 all"),
    *("bash with-db.sh psql -q -f schema.sql", "npm run build", "yarn typecheck", "mvn -B compile"),
]
LINT = [
    *("ruff check .", "python -m ruff format --check", "flake8", "black --check .", "isort -c .", "eslint ."),
    *(
        "npx prettier --check .",
        "shellcheck a.sh",
        "yamllint -s .",
        "sqlfluff lint q",
        "regal lint p",
        "opa fmt --fail .",
    ),
    *("terraform fmt -check", "tofu fmt -check", "cargo clippy -- -D warnings", "cargo fmt --check", "make lint"),
    *('test -z "$(gofmt -l .)"', "npm run lint", "tox -e lint", "pre-commit run --all-files"),
]
UNIT = [
    *(
        "pytest -q",
        "python3 -m pytest",
        "coverage run -m pytest",
        "python -m unittest",
        "node --test test/",
        "npx jest",
    ),
    *("vitest run", "cargo test -q", "go test ./...", "opa test -v .", "terraform test", "mvn -B clean verify"),
    *("./gradlew :app:test", "npm test", "make test-unit", "bash tests/run.sh", "python manage.py test", "tox -e unit"),
    *("ruff check . && pytest", "npm ci && npm test", "timeout 300 pytest | tee log", "if true; then pytest; fi"),
]


@pytest.mark.parametrize(
    ("stage", "command"),
    [
        *((Stage.PARSE, command) for command in PARSE),
        *((Stage.COMPILE, command) for command in COMPILE),
        *((Stage.LINT, command) for command in LINT),
        *((Stage.UNIT, command) for command in UNIT),
        *((Stage.SETUP, command) for command in ["pip install -e .", "npm ci", "uv sync", "yarn", "go mod download"]),
        *((Stage.OTHER, command) for command in ["./verify", "echo done", "", "$TOOL check"]),
    ],
)
def test_the_tool_tells_the_stage(stage: Stage, command: str) -> None:
    assert stage_of(command) is stage


@pytest.mark.parametrize(("kind", "stage"), [("syntax", Stage.COMPILE), ("semantic", Stage.UNIT)])
def test_the_kind_tells_the_stage_of_an_unknown_command(kind: str, stage: Stage) -> None:
    entry = CheckEntry.model_validate({"name": "verify", "kind": kind, "run": "./verify"})

    assert checks_from_settings(Settings(checks=(entry,)))[0].stage is stage


@pytest.mark.parametrize(
    ("name", "stage"),
    [("Type check", Stage.COMPILE), ("Lint", Stage.LINT), ("unit tests", Stage.UNIT), ("all of it", Stage.OTHER)],
)
def test_the_name_tells_the_stage_where_nothing_else_does(name: str, stage: Stage) -> None:
    assert stage_of("./verify", name=name) is stage


def test_a_known_tool_decides_whatever_the_kind_says() -> None:
    assert stage_of("mypy src", "semantic") is Stage.COMPILE
    assert stage_of("pytest", "syntax") is Stage.UNIT


@pytest.mark.parametrize("command", ["bash a " * 5_000, "time " * 5_000, "a && " * 5_000 + "b", "(" * 5_000, "\0"])
def test_a_monstrous_command_has_a_stage(command: str) -> None:
    assert stage_of(command) in set(Stage)


@given(st.text(max_size=100))
def test_any_text_has_a_stage(command: str) -> None:
    assert stage_of(command) in set(Stage)


def test_a_check_keeps_all_that_its_entry_says() -> None:
    settings = load_settings(
        "checks:\n"
        "  - {name: lint, kind: syntax, run: ruff check, fix: ruff check --fix, cwd: src, timeout: 9, paths: [a], required: no}\n"
    )

    (check,) = checks_from_settings(settings)

    assert check.model_dump() == {
        "name": "lint",
        "stage": Stage.LINT,
        "run": "ruff check",
        "fix": "ruff check --fix",
        "cwd": "src",
        "timeout": 9,
        "paths": ("a",),
        "required": False,
        "env": (),
    }


def test_two_checks_of_one_name_are_refused() -> None:
    entry = CheckEntry(name="unit", kind="semantic", run="pytest")

    with pytest.raises(SettingsError, match="`unit` is taken twice"):
        checks_from_settings(Settings(checks=(entry, entry)))
