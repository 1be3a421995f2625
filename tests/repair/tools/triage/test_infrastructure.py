"""Triage of terraform and tofu, on what they really print."""

import json

from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.infrastructure import TRIAGERS
from repair.values.checks import Category, Check, Finding, Origin, Stage
from repair.values.triage import Transcript, Triage


def transcript(output: str, run: str = "ci", exit_code: int = 1) -> Transcript:
    return Transcript(
        check=Check(name="terraform", stage=Stage.COMPILE, run=run), exit_code=exit_code, output=output, root="/repo"
    )


def read(output: str, run: str = "ci", exit_code: int = 1) -> Triage:
    given_run = transcript(output, run, exit_code)
    triages = [one.triage(given_run) for one in TRIAGERS if one.recognises(given_run)]
    return next((triage for triage in triages if triage.findings), triages[0] if triages else Triage())


def only(triage: Triage) -> Finding:
    assert len(triage.findings) == 1, triage.findings
    return triage.findings[0]


COUNT = """\
\u2577
\u2502 Error: Reference to "count" in non-counted context
\u2502
\u2502   on main.tf line 14, in resource "terraform_data" "bucket":
\u2502   14:     rank = count.index
\u2502
\u2502 The "count" object can only be used in "module", "resource", and "data"
\u2502 blocks, and only when the "count" argument is set.
\u2575
"""
ATTRIBUTE = """\
\u2577
\u2502 Error: Unsupported attribute
\u2502
\u2502   on main.tf line 9, in resource "terraform_data" "worker":
\u2502    9:     listens_to = module.queue.full_name
\u2502     \u251c\u2500\u2500\u2500\u2500
\u2502     \u2502 module.queue is a object
\u2502
\u2502 This object does not have an attribute named "full_name".
\u2575
"""


def test_a_boxed_error_has_place_scope_and_the_whole_sentence() -> None:
    count, attribute = only(read(COUNT)), only(read(ATTRIBUTE))
    assert (count.place, count.scope, count.category) == (
        "main.tf:14",
        "resource.terraform_data.bucket",
        Category.NAME_UNRESOLVED,
    )
    assert attribute.message == 'Unsupported attribute: This object does not have an attribute named "full_name".'
    assert (attribute.symbol, attribute.code) == ("full_name", "Unsupported attribute")
    assert "module.queue is a object" in attribute.detail


INIT = """\

Error: Terraform encountered problems during initialisation, including problems
with the configuration, described below.

The Terraform configuration must be valid before initialization so that
Terraform can determine which modules and providers need to be installed.


Error: Invalid default value for variable

  on main.tf line 8, in variable "n":
   8:   default = "abc"

This default value is not compatible with the variable's type constraint: a
number is required.

Error: Missing expression

  on main.tf line 10, in resource "terraform_data" "x":
  10:

Expected the start of an expression, but found the end of the file.

Error: Invalid default value for variable

  on main.tf line 8, in variable "n":
   8:   default = "abc"

This default value is not compatible with the variable's type constraint: a
number is required.
"""


def test_errors_without_boxes_are_told_once_and_the_notice_of_init_is_none() -> None:
    assert [(one.place, one.category) for one in read(INIT).findings] == [
        ("main.tf:8", Category.TYPE),
        ("main.tf:10", Category.SYNTAX),
    ]


def diagnostic(severity: str = "error") -> dict[str, object]:
    return {
        "severity": severity,
        "summary": "Unsupported attribute",
        "detail": 'This object does not have an attribute named "full_name".',
        "range": {"filename": "main.tf", "start": {"line": 9, "column": 30, "byte": 145}},
        "snippet": {
            "context": 'resource "terraform_data" "worker"',
            "code": "    listens_to = module.queue.full_name",
            "values": [],
        },
    }


def test_the_json_of_validate_tells_the_same_and_the_column() -> None:
    document = {"format_version": "1.0", "valid": False, "diagnostics": [diagnostic(), diagnostic("warning")]}
    found, boxed = only(read(json.dumps(document, indent=2), "terraform validate -json")), only(read(ATTRIBUTE))
    assert (found.column, found.origin) == (30, Origin.STRUCTURED)
    same = ("message", "file", "line", "scope", "symbol", "code", "category")
    assert [getattr(found, name) for name in same] == [getattr(boxed, name) for name in same]


RUNS = """\
tests/x.tftest.hcl... in progress
  run "doubles"... fail
\u2577
\u2502 Error: Test assertion failed
\u2502
\u2502   on tests/x.tftest.hcl line 5, in run "doubles":
\u2502    5:     condition = output.o == 4
\u2502     \u251c\u2500\u2500\u2500\u2500
\u2502     \u2502 output.o is 2
\u2502
\u2502 o should be 4, is 2
\u2575
  run "fine"... pass
  run "pre"... fail
\u2577
\u2502 Error: Resource precondition failed
\u2502
\u2502   on main.tf line 10, in resource "terraform_data" "z":
\u2502   10:       condition = var.n < 2
\u2502
\u2502 n must be below 2
\u2575
  run "rest"... skip
tests/x.tftest.hcl... tearing down
tests/x.tftest.hcl... fail

Failure! 1 passed, 2 failed, 1 skipped.
"""


def test_a_failed_run_block_is_a_failed_test() -> None:
    triage = read(RUNS)
    assert [(one.test, one.place, one.category, one.message) for one in triage.findings] == [
        (
            "tests/x.tftest.hcl > doubles",
            "tests/x.tftest.hcl:5",
            Category.TEST_ASSERTION,
            "Test assertion failed: o should be 4, is 2",
        ),
        (
            "tests/x.tftest.hcl > pre",
            "main.tf:10",
            Category.TEST_ASSERTION,
            "Resource precondition failed: n must be below 2",
        ),
    ]
    assert (triage.counters.collected, triage.counters.skipped, len(triage.tests)) == (4, 1, 4)


def test_errors_printed_apart_from_their_runs_keep_what_they_say_themselves() -> None:
    boxes = "".join(box + "\u2575\n" for box in RUNS.split("\u2575\n")[:-1] if "\u2577" in box)
    runs = "".join(line + "\n" for line in RUNS.split("\n") if not line.startswith(("\u2577", "\u2502", "\u2575")))
    boxes = "".join(line + "\n" for line in boxes.split("\n") if line.startswith(("\u2577", "\u2502", "\u2575")))
    assert [one.test for one in read(runs + boxes).findings] == ["tests/x.tftest.hcl > doubles", None]


def test_the_json_of_test_is_read_run_by_run() -> None:
    def run(name: str, status: str) -> dict[str, object]:
        return {
            "type": "test_run",
            "test_run": {"path": "tests/x.tftest.hcl", "run": name, "progress": "complete", "status": status},
        }

    told = {"type": "diagnostic", "@module": "terraform.ui", "@testrun": "doubles", "diagnostic": diagnostic()}
    lines = [run("doubles", "fail"), told, run("fine", "pass")]
    triage = read("\n".join(json.dumps(line) for line in lines), "terraform test -json")
    assert only(triage).test == "tests/x.tftest.hcl > doubles"
    assert triage.tests == ("tests/x.tftest.hcl > doubles", "tests/x.tftest.hcl > fine")


def test_a_passing_run_keeps_its_counters() -> None:
    triage = read(
        'tests/x.tftest.hcl... in progress\n  run "fine"... pass\ntests/x.tftest.hcl... pass\n\nSuccess! 1 passed, 0 failed.\n',
        "terraform test",
        0,
    )
    assert (triage.findings, triage.counters.collected) == ((), 1)


def test_an_error_of_another_tool_is_not_taken_for_terraforms() -> None:
    assert read("\nError: Cannot find module './gone'\n", "npm test").findings == ()


def test_an_unreachable_registry_is_the_machines_fault() -> None:
    output = "\u2502 Error: Failed to query available provider packages\n\u2502\n\u2502 Could not retrieve the list of available versions for provider hashicorp/foo:\n\u2502 could not connect to registry.example: dial tcp: no such host\n\u2575\n"
    triage = read(output, "terraform init")
    assert triage.infra == "Failed to query available provider packages"
    assert only(triage).category is Category.IMPORT_DEPENDENCY


def test_fmt_lists_files() -> None:
    for run in ("terraform fmt -check -recursive", "${TF:-terraform} fmt -check", "tofu fmt -check"):
        found = read("main.tf\ntests/x.tftest.hcl\n", run, 3).findings
        assert [(one.file, one.category) for one in found] == [
            ("main.tf", Category.FORMAT),
            ("tests/x.tftest.hcl", Category.FORMAT),
        ]


@given(st.lists(st.one_of(st.text(), st.sampled_from((COUNT + ATTRIBUTE + INIT + RUNS).split("\n"))), max_size=80))
def test_no_shuffled_or_random_output_raises(lines: list[str]) -> None:
    hostile = transcript("\n".join(lines).encode("utf-8", "replace").decode(), "terraform fmt")
    for one in TRIAGERS:
        one.recognises(hostile)
        assert all(len(found.detail) <= 2000 for found in one.triage(hostile).findings)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(
                    [
                        "diagnostics",
                        "diagnostic",
                        "severity",
                        "range",
                        "start",
                        "snippet",
                        "values",
                        "test_run",
                        "progress",
                    ]
                ),
                inner,
            )
        ),
    )
)
def test_no_document_of_another_shape_raises(document: object) -> None:
    for one in TRIAGERS:
        one.triage(transcript(json.dumps(document)))
