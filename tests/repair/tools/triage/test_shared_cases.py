"""Triage of what the tools print on the broken repositories of the shared cases."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from repair.tools.triage import infrastructure, native, policy, sql, web
from repair.values.checks import Category, Check, Stage
from repair.values.triage import Transcript, Triage

CASES = Path(__file__).resolve().parents[5] / "shared" / "cases"
TRIAGERS = (*web.TRIAGERS, *policy.TRIAGERS, *infrastructure.TRIAGERS, *sql.TRIAGERS, *native.TRIAGERS)
_ANSI = re.compile(r"\x1b\[[0-9;]*m")

Told = set[tuple[Category, str, str | None]]

TF = "terraform init -backend=false -input=false > init.log && terraform"
ASSERTION, ERROR, UNRESOLVED = Category.TEST_ASSERTION, Category.TEST_ERROR, Category.NAME_UNRESOLVED
SYNTAX, TYPE, IMPORT, STYLE = Category.SYNTAX, Category.TYPE, Category.IMPORT_DEPENDENCY, Category.LINT_STYLE

BROKEN: list[tuple[str, str, str, Told]] = [
    ("js-esm-migration", "node", "node --input-type=module -e \"await import('./lib/index.js')\"", {(IMPORT, "lib/index.js:1", "require")}),
    ("js-esm-migration", "node", "node --test test/", {(IMPORT, "test/mailform.test.js:4", "names")}),
    ("rego-conflicting-rules", "opa", "opa test -v .", {(ERROR, "quota/quota.rego:8", "data.quota.limit"), (ERROR, "quota/quota.rego:12", "data.quota.limit")}),
    ("rego-unsafe-negation", "opa", "opa check .", {(UNRESOLVED, "egress/egress.rego:9", "zone")}),
    ("rego-v0-syntax", "opa", "opa check policy/labels.rego", {(SYNTAX, "policy/labels.rego:5", "if"), (SYNTAX, "policy/labels.rego:5", "contains"), (SYNTAX, "policy/labels.rego:13", "if")}),
    ("rs-borrow-then-stale", "cargo", "cargo check --offline -q", {(TYPE, "src/lib.rs:25", "self.entries")}),
    ("rs-borrow-then-stale", "cargo", "cargo test --offline -q", {(TYPE, "src/lib.rs:25", "self.entries")}),
    ("sh-spaces-in-names", "shellcheck", "shellcheck -x rotate.sh lib/names.sh", {(STYLE, f"rotate.sh:{line}", None) for line in (10, 11, 12)}),
    ("sql-group-by-strict", "initdb", "bash scripts/with_pg.sh psql -q -v ON_ERROR_STOP=1 -f sql/schema.sql -f sql/donor_report.sql", {(TYPE, "sql/donor_report.sql:11", "d.city")}),
    ("sql-migration-order", "sqlite3", "bash scripts/migrate.sh build.db", {(UNRESOLVED, "", "loan.returned_on")}),
    ("tf-for-each-list", "terraform", f"{TF} validate", {(UNRESOLVED, "main.tf:14", "count")}),
    ("tf-module-output-missing", "terraform", f"{TF} test", {(UNRESOLVED, "main.tf:9", "full_name")}),
    ("ts-union-new-variant", "tsc", "tsc -p tsconfig.json", {(TYPE, "src/balance.ts:6", "cents"), (TYPE, "src/describe.ts:10", None)}),
    ("ts-union-new-variant", "tsc", "tsc -p tsconfig.json > tsc.log; node --test test/", {(ASSERTION, "test/till.test.js:13", None), (ASSERTION, "test/till.test.js:17", None), (ERROR, "test/till.test.js:21", None)}),
]  # fmt: skip
HALF_FIXED: list[tuple[str, str, str, Told]] = [
    ("js-esm-migration", "node", "node --input-type=module -e \"await import('./lib/index.js')\"", {(IMPORT, "lib/index.js:6", "__dirname")}),
    ("rego-unsafe-negation", "opa", "opa test -v .", {(ASSERTION, "egress/egress_test.rego:14", None)}),
    ("rego-v0-syntax", "opa", "opa test -v .", {(ASSERTION, "policy/labels_test.rego:10", None)}),
    ("rs-borrow-then-stale", "cargo", "cargo test --offline -q", {(ERROR, "src/entry.rs:12", None), (ASSERTION, "tests/cache.rs:18", None)}),
    ("sh-spaces-in-names", "shellcheck", "bash tests/run.sh", {(ASSERTION, "", None)}),
    ("sql-group-by-strict", "initdb", "bash scripts/with_pg.sh bash tests/run.sh", {(ASSERTION, "", None)}),
    ("sql-migration-order", "sqlite3", "bash tests/run.sh", {(UNRESOLVED, "", "loan.due")}),
    ("tf-for-each-list", "terraform", f"{TF} test", {(TYPE, "main.tf:11", "for_each")}),
    ("tf-module-output-missing", "terraform", f"{TF} test", {(ASSERTION, "tests/queue.tftest.hcl:10", None)}),
    ("ts-union-new-variant", "tsc", "tsc -p tsconfig.json && node --test test/", {(ASSERTION, "test/till.test.js:17", None)}),
]  # fmt: skip


def checkout(case: str, tool: str, place: Path, patch: str = "") -> Path:
    if not CASES.is_dir():
        pytest.skip("the shared cases are not here")
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    tree = place / "tree"
    shutil.copytree(CASES / case / "broken", tree)
    if patch:
        subprocess.run(["git", "apply", str(CASES / case / patch)], cwd=tree, check=True)
    return tree


def triage(tree: Path, command: str) -> Triage:
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "TF_CLI_CONFIG_FILE": os.devnull}
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=300,
    )
    output = _ANSI.sub("", ran.stdout.decode(errors="replace"))
    check = Check(name="ci", stage=Stage.UNIT, run=command)
    transcript = Transcript(check=check, exit_code=ran.returncode, output=output, root=str(tree))
    triages = [one.triage(transcript) for one in TRIAGERS if one.recognises(transcript)]
    assert ran.returncode, output
    return next((told for told in triages if told.findings), Triage())


def told(found: Triage, tree: Path) -> Told:
    return {(one.category, one.place.removeprefix(f"{tree}/").removeprefix("./"), one.symbol) for one in found.findings}


@pytest.mark.parametrize(("case", "tool", "command", "expected"), BROKEN)
def test_the_failure_of_a_broken_tree_is_told(
    case: str, tool: str, command: str, expected: Told, tmp_path: Path
) -> None:
    tree = checkout(case, tool, tmp_path)
    assert told(triage(tree, command), tree) == expected


@pytest.mark.parametrize(("case", "tool", "command", "expected"), HALF_FIXED)
def test_the_next_failure_of_a_half_fixed_tree_is_told(
    case: str, tool: str, command: str, expected: Told, tmp_path: Path
) -> None:
    tree = checkout(case, tool, tmp_path, "partial.patch")
    assert told(triage(tree, command), tree) == expected
