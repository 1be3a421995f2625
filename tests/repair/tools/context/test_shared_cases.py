"""Over broken repositories with known fixes: the scan shows what has to be changed."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import pytest

from repair.tools.context.scan import scan
from repair.tools.context.suggest import suggest_files
from repair.values.checks import Category, Finding, Stage

CASES = Path(__file__).resolve().parents[4].parent / "shared" / "cases"

pytestmark = pytest.mark.skipif(not CASES.is_dir(), reason="the broken example repositories are not beside this one")


class Folder:
    def __init__(self, root: Path) -> None:
        self.root = root

    def paths(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file())

    def read(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.is_file() else None


def error(check, category, message, file=None, line=None, *, stage=Stage.COMPILE, test=None, detail=""):
    return Finding(
        check=check, stage=stage, category=category, message=message, file=file, line=line, test=test, detail=detail
    )


def failed(check, message, test=None, file=None, line=None, detail=""):
    category = Category.TEST_ASSERTION if test else Category.UNKNOWN
    return error(check, category, message, file, line, stage=Stage.UNIT, test=test, detail=detail)


CIRCULAR = """Traceback (most recent call last):
  File "/home/ci/work/src/parcel/cli.py", line 4, in <module>
    from .zones import describe
  File "/home/ci/work/src/parcel/zones.py", line 1, in <module>
    from .pricing import Price
  File "/home/ci/work/src/parcel/pricing.py", line 4, in <module>
    from .zones import zone_of
ImportError: cannot import name 'zone_of' from partially initialized module 'parcel.zones' (most likely due to a circular import)"""

# What the first failing check of each repository says, as a triager reads it off the tool's output.
FIRST = {
    "js-esm-migration": [
        error("load", Category.TEST_ERROR, "ReferenceError: require is not defined in ES module scope", "lib/index.js", 1),
    ],
    "py-backoff-flaky-neighbour": [
        failed("tests", "assert 1.0 == 0.5", "tests/test_backoff.py::test_first_wait_is_the_base", "tests/test_backoff.py", 7),
        failed("tests", "assert 8.0 == 4.0", "tests/test_backoff.py::test_doubles_then_caps", "tests/test_backoff.py", 11),
        failed("tests", "assert 3.1 < 3.0", "tests/test_jitter.py::test_jitter_stays_small", "tests/test_jitter.py", 5),
    ],
    "py-circular-import": [
        error(
            "import",
            Category.IMPORT_DEPENDENCY,
            "ImportError: cannot import name 'zone_of' from partially initialized module 'parcel.zones'",
            "src/parcel/pricing.py",
            4,
            detail=CIRCULAR,
        ),
    ],
    "py-mypy-optional": [
        error("types", Category.TYPE, 'Incompatible return value type (got "Decimal", expected "int")', "src/gridbill/bill.py", 13),
        error("types", Category.TYPE, 'Item "None" of "Tariff | None" has no attribute "standing"', "src/gridbill/bill.py", 18),
    ],
    "py-pydantic-v2-upgrade": [
        error("import", Category.IMPORT_DEPENDENCY, "`regex` is removed. use `pattern` instead", "src/lodging/models.py", 9),
    ],
    "rego-conflicting-rules": [
        failed(
            "test",
            "eval_conflict_error: rule data.quota.limit produced conflicting values",
            "data.quota_test.test_partner_on_trial",
            "quota/quota_test.rego",
            5,
        ),
    ],
    "rego-unsafe-negation": [
        error("check", Category.NAME_UNRESOLVED, "rego_unsafe_var_error: var zone is unsafe", "egress/egress.rego", 9),
    ],
    "rego-v0-syntax": [
        error("check", Category.SYNTAX, "rego_parse_error: `if` keyword is required before rule body", "policy/images.rego", 10),
        error("check", Category.SYNTAX, "rego_parse_error: `if` keyword is required before rule body", "policy/labels.rego", 5),
    ],
    "rs-borrow-then-stale": [
        error("build", Category.TYPE, "cannot borrow `self.entries` as mutable because it is also borrowed as immutable", "src/lib.rs", 25),
    ],
    "sh-spaces-in-names": [
        failed("tests", "ls: cannot access 'logs/*.log': No such file or directory"),
    ],
    "sql-group-by-strict": [
        failed("tests", 'ERROR:  column "d.city" must appear in the GROUP BY clause'),
    ],
    "sql-migration-order": [
        failed(
            "migrate",
            "Runtime error near line 2: error in view overdue: no such column: loan.returned_on",
            detail="applying 10_overdue.sql\napplying 1_members.sql\napplying 2_loans.sql\napplying 3_due_date.sql",
        ),
    ],
    "tf-for-each-list": [
        error("validate", Category.SCHEMA_CONFIG, 'Reference to "count" in non-counted context', "main.tf", 14),
    ],
    "tf-module-output-missing": [
        error("validate", Category.SCHEMA_CONFIG, 'Unsupported attribute: no attribute named "full_name"', "main.tf", 9),
    ],
    "ts-union-new-variant": [
        error("build", Category.TYPE, "Property 'cents' does not exist on type 'Adjustment | Refund'.", "src/balance.ts", 6),
        error("build", Category.TYPE, "Argument of type 'Adjustment' is not assignable to parameter of type 'never'.", "src/describe.ts", 10),
    ],
}  # fmt: skip


# What the tests say later in the chain, some without any place.
TESTS = {
    "js-esm-migration": failed("tests", "no value for seats", "missing value", "test/mailform.test.js"),
    "py-mypy-optional": failed("tests", "DID NOT RAISE", "tests/test_bill.py::test_unknown_is_an_error_not_zero"),
    "py-pydantic-v2-upgrade": failed(
        "tests", "TypeError", "tests/test_store.py::test_round_trip_keeps_accents_readable"
    ),
    "rego-unsafe-negation": failed("test", "FAIL", "data.egress_test.test_unknown_host_is_denied"),
    "rego-v0-syntax": failed("test", "FAIL", "data.labels_test.test_no_labels_at_all"),
    "rs-borrow-then-stale": failed("tests", "assertion failed: left == right", "fetches_again_when_ttl_has_passed"),
    "sql-group-by-strict": failed("tests", "3c3\n< Tove|Bodo||0|0\n---\n> Tove|Bodo|||0"),
    "sql-migration-order": failed("tests", "Parse error near line 8: no such table: overdue"),
    "tf-for-each-list": failed("test", "bucket names", "default_teams", "tests/buckets.tftest.hcl", 5),
    "tf-module-output-missing": failed("test", "worker listens to orders", "dev", "tests/queue.tftest.hcl", 5),
    "ts-union-new-variant": failed("tests", "970 !== 1030", "balance counts every kind", "test/till.test.js", 13),
}


@dataclass
class Case:
    name: str

    @property
    def tree(self) -> Folder:
        return Folder(CASES / self.name / "broken")

    def command(self, name: str) -> str:
        checks = tomllib.loads((CASES / self.name / "case.toml").read_text())["checks"]
        return next(check["run"] for check in checks if check["name"] == name)

    @property
    def fixed(self) -> set[str]:
        patch = (CASES / self.name / "fix.patch").read_text()
        return set(re.findall(r"^\+\+\+ b/(.+)$", patch, re.MULTILINE))


def test_the_files_of_the_fix_are_shown_and_suggested_first():
    missed = {}
    for name, findings in FIRST.items():
        case = Case(name)
        pack = scan(case.tree, findings, command=case.command(findings[0].check))
        first = suggest_files(case.tree, findings, case.command(findings[0].check))[: len(case.fixed) + 2]
        unseen = case.fixed - {excerpt.path for excerpt in pack.excerpts}
        if unseen or case.fixed - set(first):
            missed[name] = (unseen, first)
    assert len(FIRST) == 15
    assert len(missed) <= 1, missed


@pytest.mark.parametrize("name", FIRST)
def test_something_of_the_fix_is_shown_as_a_unit_at_fault_or_what_it_uses(name):
    case = Case(name)
    pack = scan(case.tree, FIRST[name], command=case.command(FIRST[name][0].check))
    assert case.fixed & {excerpt.path for excerpt in (*pack.of("a"), *pack.of("c"))}


@pytest.mark.parametrize("name", TESTS)
def test_a_failing_test_leads_to_the_code_it_calls(name):
    case, finding = Case(name), TESTS[name]
    pack = scan(case.tree, [finding], command=case.command(finding.check))
    assert case.fixed & {excerpt.path for excerpt in (*pack.of("a"), *pack.of("c"))}
    assert pack.of("e")
