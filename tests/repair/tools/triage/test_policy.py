"""Triage of opa, regal and conftest, on what these tools print."""

import json

from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.policy import TRIAGERS
from repair.values.checks import Category, Check, Finding, Origin, Stage
from repair.values.triage import Transcript, Triage


def transcript(output: str, run: str = "ci", exit_code: int = 1) -> Transcript:
    return Transcript(
        check=Check(name="policy", stage=Stage.LINT, run=run), exit_code=exit_code, output=output, root="/repo"
    )


def read(output: str, run: str = "ci", exit_code: int = 1) -> Triage:
    given_run = transcript(output, run, exit_code)
    triages = [one.triage(given_run) for one in TRIAGERS if one.recognises(given_run)]
    return next((triage for triage in triages if triage.findings), triages[0] if triages else Triage())


def only(triage: Triage) -> Finding:
    assert len(triage.findings) == 1, triage.findings
    return triage.findings[0]


V0 = """\
6 errors occurred during loading:
policy/images.rego:5: rego_parse_error: `if` keyword is required before function body
policy/images.rego:10: rego_parse_error: `if` keyword is required before rule body
policy/images.rego:10: rego_parse_error: `contains` keyword is required for partial set rules
policy/labels.rego:5: rego_parse_error: `if` keyword is required before rule body
policy/labels.rego:5: rego_parse_error: `contains` keyword is required for partial set rules
policy/labels.rego:13: rego_parse_error: `if` keyword is required before rule body
"""
UNSAFE = "1 error occurred: egress/egress.rego:9: rego_unsafe_var_error: var zone is unsafe\n"
UNKNOWN = "1 error occurred: e.rego:2: rego_type_error: undefined function nofun\n"
TWICE = "1 error occurred: unsafe.rego:13: rego_type_error: conflicting rules data.a.c found\n"
EXCERPT = "1 error occurred during loading: syn.rego:4: rego_parse_error: unexpected } token\n\t}\n\t^\n"


def test_every_line_of_a_list_of_errors_is_a_finding() -> None:
    triage = read(V0)
    assert [(one.place, one.symbol) for one in triage.findings] == [
        ("policy/images.rego:5", "if"),
        ("policy/images.rego:10", "if"),
        ("policy/images.rego:10", "contains"),
        ("policy/labels.rego:5", "if"),
        ("policy/labels.rego:5", "contains"),
        ("policy/labels.rego:13", "if"),
    ]
    assert {(one.category, one.code) for one in triage.findings} == {(Category.SYNTAX, "rego_parse_error")}
    assert triage.first_error_only, "the compiler has not spoken yet"


def test_a_single_error_on_the_line_of_the_count_is_read_too() -> None:
    told = [only(read(output)) for output in (UNSAFE, UNKNOWN, TWICE, EXCERPT)]
    assert [(one.place, one.category, one.symbol, one.code) for one in told] == [
        ("egress/egress.rego:9", Category.NAME_UNRESOLVED, "zone", "rego_unsafe_var_error"),
        ("e.rego:2", Category.NAME_UNRESOLVED, "nofun", "rego_type_error"),
        ("unsafe.rego:13", Category.TYPE, "data.a.c", "rego_type_error"),
        ("syn.rego:4", Category.SYNTAX, None, "rego_parse_error"),
    ]
    assert "\t}" in told[3].detail
    assert not read(UNSAFE).first_error_only


def test_the_json_of_check_adds_the_column() -> None:
    location = {"file": "syn.rego", "row": 4, "col": 1}
    document = {"errors": [{"message": "unexpected } token", "code": "rego_parse_error", "location": location}]}
    found = only(read(json.dumps(document, indent=2)))
    assert (found.place, found.column, found.message, found.origin) == (
        "syn.rego:4",
        1,
        "unexpected } token",
        Origin.STRUCTURED,
    )


def test_a_data_file_that_cannot_be_read_is_a_finding() -> None:
    assert only(read("1 error occurred during loading: bad.json: unexpected EOF\n")).file == "bad.json"
    absent = only(read("1 error occurred during loading: stat nothere: no such file or directory\n"))
    assert (absent.category, absent.symbol) == (Category.SCHEMA_CONFIG, "nothere")


VERBOSE = """\
t/p_test.rego:7:
data.p_test.todo_test_later: SKIPPED
t/p_test.rego:3:
data.p_test.test_ok: PASS (321.382\u00b5s)
t/p_test.rego:4:
data.p_test.test_bad: FAIL (134.644\u00b5s)
t/p_test.rego:5:
data.p_test.test_print: FAIL (216.991\u00b5s)

  hello 1

t/p_test.rego:6:
data.p_test.test_conf: ERROR (189.403\u00b5s)
  t/p.rego:4: eval_conflict_error: rule data.p.limit produced conflicting values:
  1 at t/p.rego:3
  2 at t/p.rego:4
  Traceback:
    t/p.rego:4: input.y
    t/p_test.rego:6: p.limit == 1 with input as {"x": true, "y": true}
    1:1: data.p_test.test_conf
--------------------------------------------------------------------------------
FAILURES
--------------------------------------------------------------------------------
data.p_test.test_bad: FAIL (134.644\u00b5s)

  query:1               Enter data.p_test.test_bad = _
  t/p_test.rego:4       | Enter data.p_test.test_bad
  t/p.rego:2            | | | Fail input.user = "a"
  t/p_test.rego:5       | | Fail data.p.allow with input as {"user": "b"}
  query:1               | Fail data.p_test.test_bad = _

data.p_test.test_print: FAIL (216.991\u00b5s)

  query:1               Enter data.p_test.test_print = _
  t/p_test.rego:5       | | Fail data.p.limit = 3 with input as {"x": true}

--------------------------------------------------------------------------------
PASS: 1/5
FAIL: 2/5
SKIPPED: 1/5
ERROR: 1/5
"""


def test_a_failed_test_is_told_at_the_expression_that_was_undefined() -> None:
    found = read(VERBOSE, "opa test -v .", 2).findings
    assert [(one.test, one.place, one.category, one.code) for one in found] == [
        ("data.p_test.test_bad", "t/p_test.rego:5", Category.TEST_ASSERTION, None),
        ("data.p_test.test_print", "t/p_test.rego:5", Category.TEST_ASSERTION, None),
        ("data.p_test.test_conf", "t/p.rego:4", Category.TEST_ERROR, "eval_conflict_error"),
    ]
    assert found[0].message == 'undefined or false: data.p.allow with input as {"user": "b"}'
    assert "hello 1" in found[1].detail
    assert "2 at t/p.rego:4" in found[2].detail
    assert found[2].symbol == "data.p.limit"


def test_a_verbose_run_names_all_tests() -> None:
    triage = read(VERBOSE, "opa test -v .", 2)
    assert (triage.counters.collected, triage.counters.skipped, len(triage.tests)) == (5, 1, 5)


def test_a_terse_run_counts_all_tests_but_names_none() -> None:
    terse = "t/p_test.rego:4:\ndata.p_test.test_bad: FAIL (181.278\u00b5s)\n" + "-" * 80 + "\nPASS: 1/2\nFAIL: 1/2\n"
    triage = read(terse, "opa test .", 2)
    assert (triage.counters.collected, triage.tests) == (2, ())
    assert only(triage).place == "t/p_test.rego:4"


def test_a_passing_run_without_a_word_collected_no_test() -> None:
    assert read("", "opa test policy", 0).counters.collected == 0
    assert read("", "opa check policy", 0).counters.collected is None


def test_the_json_of_test_is_read_case_by_case() -> None:
    error = {
        "code": "eval_conflict_error",
        "message": "rule data.p.limit produced conflicting values:\n  1 at t/p.rego:3",
        "location": {"file": "t/p.rego", "row": 4, "col": 1},
    }
    document = [
        {
            "location": {"file": "t/p_test.rego", "row": 4, "col": 1},
            "package": "data.p_test",
            "name": "test_bad",
            "fail": True,
        },
        {"location": {"file": "t/p_test.rego", "row": 3, "col": 1}, "package": "data.p_test", "name": "test_ok"},
        {
            "location": {"file": "t/p_test.rego", "row": 7, "col": 1},
            "package": "data.p_test",
            "name": "todo_test",
            "skip": True,
        },
        {
            "location": {"file": "t/p_test.rego", "row": 6, "col": 1},
            "package": "data.p_test",
            "name": "test_conf",
            "error": error,
        },
    ]
    triage = read(json.dumps(document), "opa test --format json .", 2)
    assert [(one.test, one.place) for one in triage.findings] == [
        ("data.p_test.test_bad", "t/p_test.rego:4"),
        ("data.p_test.test_conf", "t/p.rego:4"),
    ]
    assert (triage.counters.collected, triage.counters.skipped, len(triage.tests)) == (4, 1, 4)


def test_tests_that_do_not_compile_are_told_by_the_compiler() -> None:
    assert only(read(UNSAFE, "opa test -v .")).code == "rego_unsafe_var_error"


def test_too_little_coverage_is_a_finding_of_its_own() -> None:
    found = only(
        read("Code coverage threshold not met: got 66.67 instead of 100.00\n", "opa test . --threshold 100", 2)
    )
    assert found.code == "coverage"


def test_fmt_names_each_file() -> None:
    found = only(read("t/p.rego\nunexpected diff\n", "opa fmt --list --fail .", 2))
    assert (found.file, found.category) == ("t/p.rego", Category.FORMAT)


REGAL = """\
Rule:         \topa-fmt
Description:  \tFile should be formatted with `opa fmt`
Category:     \tstyle
Location:     \tpolicy/authz.rego:1:1
Text:         \tpackage authz
Documentation:\thttps://docs.example/rules/style/opa-fmt

Rule:         \tprefer-snake-case
Description:  \tPrefer snake_case for names
Category:     \tstyle
Location:     \tpolicy/authz.rego:5:1

2 files linted. 2 violations found in 1 file.
"""


def test_regal_is_read_rule_by_rule() -> None:
    triage = read(REGAL)
    assert [(one.place, one.code, one.category) for one in triage.findings] == [
        ("policy/authz.rego:1", "opa-fmt", Category.FORMAT),
        ("policy/authz.rego:5", "prefer-snake-case", Category.LINT_STYLE),
    ]
    assert triage.counters.files == 2


def test_warnings_of_regal_do_not_count_beside_errors() -> None:
    place = {"file": "a.rego", "row": 1, "col": 1}
    rows = [
        {"title": title, "description": title, "level": level, "location": place}
        for title, level in (("x", "error"), ("y", "warning"))
    ]
    assert only(read(json.dumps({"violations": rows}), "regal lint -f json .")).code == "x"


def test_conftest_failures_are_findings_and_its_warnings_are_not() -> None:
    output = "WARN - deploy.yaml - main - image has no digest\nFAIL - deploy.yaml - main - containers must not run as root\n\n3 tests, 1 passed, 1 warning, 1 failure, 0 exceptions\n"
    triage = read(output)
    found = only(triage)
    assert (found.file, found.message, triage.counters.collected) == (
        "deploy.yaml",
        "containers must not run as root",
        3,
    )


@given(
    st.lists(
        st.one_of(st.text(), st.sampled_from("\n".join((V0, UNSAFE, EXCERPT, VERBOSE, REGAL)).split("\n"))), max_size=60
    )
)
def test_no_shuffled_or_random_output_raises(lines: list[str]) -> None:
    hostile = transcript("\n".join(lines).encode("utf-8", "replace").decode(), "opa test . && regal lint")
    for one in TRIAGERS:
        one.recognises(hostile)
        assert all(len(found.detail) <= 2000 for found in one.triage(hostile).findings)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["errors", "package", "location", "violations", "error", "row", "file", "message"]),
                inner,
            )
        ),
    )
)
def test_no_document_of_another_shape_raises(document: object) -> None:
    for one in TRIAGERS:
        one.triage(transcript(json.dumps(document)))
