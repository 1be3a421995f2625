"""Problem matchers in GitHub's format."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.matchers import broken_matchers, load_matchers

SINGLE = {
    "owner": "compiler",
    "pattern": [
        {
            "regexp": "^(.+):(\\d+):(\\d+): (warning|error) (\\w+): (.*)$",
            "file": 1,
            "line": 2,
            "column": 3,
            "severity": 4,
            "code": 5,
            "message": 6,
        }
    ],
}
STYLISH = {
    "owner": "stylish",
    "pattern": [
        {"regexp": "^([^\\s].*)$", "file": 1},
        {
            "regexp": "^\\s+(\\d+):(\\d+)\\s+(error|warning|info)\\s+(.*)\\s\\s+(.*)$",
            "line": 1,
            "column": 2,
            "severity": 3,
            "message": 4,
            "code": 5,
            "loop": True,
        },
    ],
}


def document(*matchers: object) -> str:
    return json.dumps({"problemMatcher": list(matchers)})


def test_a_line_that_matches_is_a_finding(read) -> None:
    output = "lib/a.zig:3:7: error E12: no such thing\nlib/b.zig:1:1: warning W1: meh\n"
    (found,) = read(output, matchers=load_matchers(document(SINGLE))).findings
    assert (found.place, found.column, found.code, found.message) == ("lib/a.zig:3", 7, "E12", "no such thing")


def test_a_looping_pattern_reads_all_problems_of_a_file(read) -> None:
    output = (
        "src/a.js\n  3:1  error  Unexpected var  no-var\n  9:5  error  Missing semicolon  semi\n\n"
        "src/b.js\n  1:1  warning  Odd  odd\n  2:2  error  Bad  bad\n"
    )
    findings = read(output, matchers=load_matchers(document(STYLISH))).findings
    assert [(each.place, each.code) for each in findings] == [
        ("src/a.js:3", "no-var"),
        ("src/a.js:9", "semi"),
        ("src/b.js:2", "bad"),
    ]


def test_a_matcher_whose_severity_is_warning_finds_nothing(read) -> None:
    quiet = {"owner": "q", "severity": "warning", "pattern": [{"regexp": "^(oops.*)$", "message": 1}]}
    loud = {"owner": "q", "pattern": [{"regexp": "^(oops.*)$", "message": 1}]}
    assert [each.code for each in read("oops now\n", matchers=load_matchers(document(quiet))).findings] == [
        "unstructured"
    ]
    assert [each.message for each in read("oops now\n", matchers=load_matchers(document(loud))).findings] == [
        "oops now"
    ]


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        ({"owner": "x", "pattern": [{"regexp": "(", "message": 1}]}, "does not compile"),
        ({"owner": "x", "pattern": [{"regexp": "^(.*)$", "message": 4}]}, "no group for message"),
        ({"owner": "x", "pattern": []}, "at least 1 item"),
        ({"owner": "x", "pattern": [{"regexp": "^(.*)$", "file": 1}]}, "no pattern has a message"),
        ("a string", "valid dictionary"),
    ],
)
def test_a_broken_matcher_is_left_out_with_a_reason(broken: object, reason: str) -> None:
    text = document(broken, SINGLE)
    assert [matcher.owner for matcher in load_matchers(text)] == ["compiler"]
    (told,) = broken_matchers(text)
    assert reason in told


def test_a_document_that_is_no_json_is_broken_as_a_whole() -> None:
    assert load_matchers("{") == ()
    assert "not JSON" in broken_matchers("{")[0]


def test_an_expression_that_never_ends_is_given_up(read) -> None:
    endless = {"owner": "x", "pattern": [{"regexp": "^(?:(a+)+)+$", "message": 1}]}
    triage = read(("a" * 60 + "!\n") * 50, matchers=load_matchers(document(endless)))
    assert [each.code for each in triage.findings] == ["unstructured"]


@given(
    st.text()
    | st.recursive(st.none() | st.text() | st.integers(), st.lists).map(lambda x: json.dumps({"problemMatcher": x}))
)
def test_no_document_is_an_error(text: str) -> None:
    assert isinstance(load_matchers(text), tuple)
    assert isinstance(broken_matchers(text), tuple)
