"""The derived command, run by the real tool, turns the check green; run again, it changes nothing."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent

import pytest

from repair.tools.fixers.choice import fixers_for
from repair.values.checks import Category, Check, Finding, Stage

SEARCH_PATH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
CARGO = '[package]\nname = "shop"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n'
UGLY_PYTHON = "import sys\nimport os\nx = {  'a':1 }\nprint(os, sys, x)\n"


@dataclass(frozen=True)
class Case:
    """A red check over some files; `named` are the files its findings name."""

    program: str
    run: str
    files: dict[str, str]
    named: tuple[str, ...]
    message: str = "would be changed"


CASES = {
    "ruff check": Case("ruff", "ruff check --select F .", {"a.py": "import os\n", "b.py": "x = 1\n"}, ("a.py",)),
    "ruff format": Case("ruff", "ruff format --check .", {"a.py": UGLY_PYTHON}, ("a.py",)),
    "black": Case("black", "black --check --diff -l 100 .", {"pkg/a.py": UGLY_PYTHON}, ("pkg/a.py",)),
    "black in a folder": Case("black", "cd pkg && black -q --check .", {"pkg/a.py": UGLY_PYTHON}, ("pkg/a.py",)),
    "isort": Case("isort", "isort --check-only --profile black .", {"a.py": UGLY_PYTHON}, ("a.py",)),
    "prettier": Case("prettier", "prettier --check '**/*.js'", {"src/a.js": "let a   = {b:1}\n"}, ("src/a.js",)),
    "eslint": Case(
        "eslint",
        "eslint --max-warnings 0 -f json src",
        {"eslint.config.mjs": 'export default [{rules: {"prefer-const": 2}}];\n', "src/a.js": "let a = 1;\nf(a);\n"},
        ("src/a.js",),
    ),
    "gofmt": Case("gofmt", 'test -z "$(gofmt -l .)"', {"a.go": "package a\nfunc  F( ) {}\n"}, ("a.go",)),
    "cargo fmt": Case(
        "cargo", "cargo fmt --all -- --check", {"Cargo.toml": CARGO, "src/lib.rs": "pub fn  f( ) { }\n"}, ()
    ),
    "cargo clippy": Case(
        "cargo-clippy",
        "cargo clippy --offline -q -- -D warnings",
        {"Cargo.toml": CARGO, "src/lib.rs": "pub fn f(a: bool) -> bool {\n    return a;\n}\n"},
        ("src/lib.rs",),
    ),
    "rustfmt": Case("rustfmt", "rustfmt --check --edition 2021 a.rs", {"a.rs": "pub fn  f( ) { }\n"}, ("a.rs",)),
    "terraform fmt": Case(
        "terraform",
        "terraform fmt -check -recursive -diff",
        {"m/a.tf": 'variable "a" {\ntype=string\n}\n', "b.tf": ""},
        ("m/a.tf",),
    ),
    "sqlfluff": Case(
        "sqlfluff",
        "sqlfluff lint --dialect ansi --rules CP01,LT01 -f json q",
        {"q/a.sql": "SELECT a  from t\n"},
        ("q/a.sql",),
    ),
    "opa fmt": Case("opa", "opa fmt --fail -l p", {"p/a.rego": "package a\nallow if {\ninput.x\n}\n"}, ("p/a.rego",)),
    "opa check": Case(
        "opa",
        "opa check p",
        {"p/a.rego": "package a\n\ndeny[msg] {\n\tmsg := input.x\n}\n", "p/b.rego": "package b\n\nx := 1\n"},
        ("p/a.rego",),
        "rego_parse_error: `if` keyword is required before rule body",
    ),
    "shellcheck": Case("shellcheck", "shellcheck lib/a.sh", {"lib/a.sh": "#!/bin/bash\nrm $1\n"}, ("lib/a.sh",)),
    "shfmt": Case("shfmt", "shfmt -d .", {"a.sh": "if  true; then\necho\nfi\n"}, ("a.sh",)),
    "regal": Case("regal", "regal lint p", {"p/p.rego": "package p\n\nimport rego.v1\n\nx = 1\n"}, ("p/p.rego",)),
}


def shell(folder: Path, command: str) -> int:
    # What is set in this process must not change what a tool does.
    env = {"PATH": SEARCH_PATH, "HOME": os.environ.get("HOME", str(folder)), "LC_ALL": "C.UTF-8"}
    for name in ("CARGO_HOME", "RUSTUP_HOME", "GOCACHE"):
        if name in os.environ:
            env[name] = os.environ[name]
    bash = ["bash", "-eo", "pipefail", "-c", command]
    return subprocess.run(bash, cwd=folder, env=env, capture_output=True, timeout=300, check=False).returncode


def tree(folder: Path) -> dict[str, bytes]:
    built = {"target", "Cargo.lock", ".ruff_cache"}
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in files if not built & set(path.relative_to(folder).parts)}


@pytest.fixture
def lay_out(tmp_path: Path) -> Callable[[Case], Path]:
    def write(case: Case) -> Path:
        if shutil.which(case.program, path=SEARCH_PATH) is None:
            pytest.skip(f"{case.program} is not installed")
        for name, text in case.files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path

    return write


def fix(case: Case, folder: Path, named: tuple[str, ...]) -> None:
    check = Check(name="c", stage=Stage.LINT, run=case.run)
    findings = [
        Finding(check="c", stage=Stage.LINT, category=Category.FORMAT, message=case.message, file=file)
        for file in named
    ]
    commands = fixers_for(check, findings, lambda program: shutil.which(program, path=SEARCH_PATH) is not None)
    assert commands
    for command in commands:
        shell(folder / command.cwd, command.run)


@pytest.mark.parametrize("name", CASES)
def test_the_derived_command_turns_the_check_green(name: str, lay_out: Callable[[Case], Path]) -> None:
    case = CASES[name]
    folder = lay_out(case)
    assert shell(folder, case.run) != 0

    fix(case, folder, case.named)

    assert shell(folder, case.run) == 0
    fixed = tree(folder)
    fix(case, folder, case.named)
    assert tree(folder) == fixed


@pytest.mark.parametrize("name", ["ruff format", "prettier", "gofmt", "terraform fmt", "sqlfluff", "opa fmt"])
def test_without_named_files_the_paths_of_the_check_serve(name: str, lay_out: Callable[[Case], Path]) -> None:
    case = CASES[name]
    folder = lay_out(case)

    fix(case, folder, ())

    assert shell(folder, case.run) == 0


def test_files_that_no_finding_names_stay_as_they_are(lay_out: Callable[[Case], Path]) -> None:
    case = Case("black", "black --check .", {"a.py": UGLY_PYTHON, "b.py": UGLY_PYTHON}, ("a.py",))
    folder = lay_out(case)

    fix(case, folder, case.named)

    assert (folder / "a.py").read_text("utf-8") != UGLY_PYTHON
    assert (folder / "b.py").read_text("utf-8") == UGLY_PYTHON


def test_only_safe_fixes_are_made_whatever_the_project_allows(lay_out: Callable[[Case], Path]) -> None:
    source = "def f(x):\n    y = x\n"
    configuration = "[lint]\nselect = ['F841']\n"
    files = {"ruff.toml": "unsafe-fixes = true\n" + configuration, "a.py": source}
    case = Case("ruff", "ruff check .", files, ("a.py",))
    folder = lay_out(case)

    fix(case, folder, case.named)

    assert (folder / "a.py").read_text("utf-8") == source


def test_a_script_of_a_package_finds_its_tools(lay_out: Callable[[Case], Path]) -> None:
    case = Case("npm", "npm run -s lint", {"a.js": "let a   = 1\n"}, ("a.js",))
    folder = lay_out(case)
    bin_folder = folder / "node_modules" / ".bin"
    bin_folder.mkdir(parents=True)
    tool = bin_folder / "prettier"
    tool.write_text(dedent("#!/bin/sh\nprintf '%s\\n' \"$@\" > called\n"), "utf-8")
    tool.chmod(0o755)
    check = Check(name="c", stage=Stage.LINT, run="npm run lint")

    (command,) = fixers_for(check, [], lambda program: program == "npm", {"lint": "prettier --check ."})

    assert shell(folder, command.run) == 0
    assert (folder / "called").read_text("utf-8") == "--write\n.\n"
