"""All triagers together, on one run."""

import json
import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.registry import FINDING_LIMIT, triage
from repair.values.checks import Category, Check, Origin, Stage
from repair.values.triage import Transcript


def test_every_tool_of_a_check_contributes(read) -> None:
    output = (
        "pkg/a.py:1:1: F401 'os' imported but unused\n"
        'pkg/a.py:3: error: Name "x" is not defined  [name-defined]\nFound 1 error in 1 file (checked 2 source files)\n'
        "would reformat pkg/b.py\n"
    )
    findings = read(output, "make lint", 2).findings
    assert {each.code for each in findings} == {"F401", "name-defined", "black"}


def test_a_passing_run_has_no_findings_whatever_it_says(read) -> None:
    output = (
        "a.py:1:1: F401 'os' imported but unused\nTraceback (most recent call last):\n::error::x\n3 passed in 0.1s\n"
    )
    passed = read(output, "ruff check --exit-zero; pytest", 0)
    assert passed.findings == ()
    assert passed.infra == ""
    assert passed.counters.collected == 3


def test_a_failed_run_without_a_known_word_is_one_finding_with_an_excerpt(read) -> None:
    output = "step\n" * 3000 + "the frobnicator is undefined\n" + "step\n" * 3000 + "bye\n"
    (found,) = read(output).findings
    assert (found.origin, found.code) == (Origin.NONE, "unstructured")
    assert found.message == "the frobnicator is undefined"
    assert "the frobnicator is undefined" in found.detail
    assert found.detail.endswith("bye")
    assert len(found.detail) <= 4096


def test_silence_with_a_bad_exit_status_is_a_finding_too(read) -> None:
    (found,) = read("", exit_code=3).findings
    assert "3" in found.message


def test_compiler_like_lines_are_read_when_no_tool_is_known(read) -> None:
    output = "src/a.xyz:3:5: warning: old\nsrc/a.xyz:4:6: error: 'x' undeclared\nsrc/b.xyz(7,2): error: syntax error\nhttp://x:80: y\n"
    findings = read(output).findings
    assert [(each.place, each.column, each.category, each.origin) for each in findings] == [
        ("src/a.xyz:4", 6, Category.NAME_UNRESOLVED, Origin.HEURISTIC),
        ("src/b.xyz:7", 2, Category.SYNTAX, Origin.HEURISTIC),
    ]


def test_the_structured_report_of_a_tool_beats_its_text(read) -> None:
    text = "a.py:6:16: F821 Undefined name `x`\n"
    report = json.dumps(
        [
            {
                "code": "F821",
                "filename": "/repo/a.py",
                "location": {"row": 6, "column": 16},
                "message": "Undefined name `x`",
            }
        ]
    )
    (found,) = read(text, "ruff check | tee", reports=[("ruff.json", report)]).findings
    assert found.origin is Origin.STRUCTURED


def test_files_outside_the_root_are_unknown(read) -> None:
    output = "/etc/a.py:1:1: F821 Undefined name `x`\n../b.py:2:2: F821 Undefined name `y`\nc.py:3:3: F821 Undefined name `z`\n"
    assert [each.place for each in read(output, "ruff check", cwd="sub").findings] == ["", "b.py:2", "sub/c.py:3"]
    assert [each.place for each in read(output, "ruff check").findings] == ["", "", "c.py:3"]


def test_the_root_is_not_in_what_is_told(read) -> None:
    output = "Traceback (most recent call last):\n  File \"/repo/a.py\", line 1, in <module>\n    open('/repo/x')\nOSError: /repo/x\n"
    (found,) = read(output, "python a.py").findings
    assert "/repo" not in found.message + found.detail


def test_too_many_findings_are_cut_and_the_cut_is_said(read) -> None:
    output = "".join(f"a{n}.py:1:1: E501 line too long\n" for n in range(FINDING_LIMIT + 20))
    findings = read(output, "flake8").findings
    assert len(findings) == FINDING_LIMIT
    assert "20 more findings cut" in findings[-1].detail


def test_derived_findings_are_marked(read) -> None:
    output = "a.py:1:7: invalid-syntax: Expected `)`\na.py:2:1: invalid-syntax: Expected an expression\n"
    assert [each.derived for each in read(output, "ruff check").findings] == [False, True]


def test_colours_and_timestamps_do_not_hide_a_finding(read) -> None:
    output = "2026-11-30T23:28:00.1234567Z \x1b[1ma.py\x1b[0m:6:16: \x1b[31mF821\x1b[0m Undefined name `x`\r\n"
    (found,) = read(output, "ruff check").findings
    assert found.place == "a.py:6"


def test_a_guess_is_left_out_where_a_tool_told(read) -> None:
    output = "a.py:1:1: F401 'os' imported but unused\nmake: *** [Makefile:3: lint] Error 1\n"
    assert [each.code for each in read(output, "make lint", 2).findings] == ["F401"]


_WORDS = st.sampled_from(
    [
        *(
            "error: ",
            "a.py:1:1: ",
            "a.py:3: ",
            "/etc/passwd:1:2: ",
            "../x.py:1: ",
            "F821 ",
            "[*] ",
            "Undefined name `x`",
        ),
        *(
            "Traceback (most recent call last):\n",
            '  File "../../a.py", line 3, in f\n',
            "KeyError: 'x'\n",
            "\n",
            "E   ",
        ),
        *(
            "= FAILURES =\n",
            "=== short test summary info ===\n",
            "FAILED /a.py::t[ - ",
            "_ t _\n",
            "Ran 3 tests in 1s\n",
        ),
        *("ERROR: x (y.z)\n", " --> ../a:1:2\n", "::error file=/x,line=0::m\n", "bash: line 1: x: command not found\n"),
        *(
            '{"runs": [',
            "[{",
            '"',
            "<testsuite",
            "<testcase/>",
            "##[group]",
            "\x1b[31m",
            "\r",
            "\t",
            " " * 50,
            "(" * 50,
        ),
        *(
            "would reformat /x/../../y\n",
            "collected 99999999999 items\n",
            "INTERNALERROR> ",
            "1 failed in 1s\n",
            "\ud7ff",
        ),
        *(
            "Found 1 error in 1 file (checked 1 source file)\n",
            "Error 127\n",
            "No space left on device",
            "::",
            "\u2028",
        ),
    ]
)
_NOISE = st.lists(_WORDS | st.text(max_size=20), max_size=40).map("".join)
_NAMES = st.sampled_from(["r.xml", "r.json", "r.sarif", "r.txt"])
_RUNS = st.sampled_from(
    ["pytest -x", "ruff check", "mypy .", "cd .. && make", "python -m unittest", "pip install x", "./ci"]
)


@given(_NOISE, _RUNS, st.integers(0, 255), st.lists(st.tuples(_NAMES, _NOISE), max_size=2), st.sampled_from(Stage))
def test_no_run_is_an_error_and_every_failed_one_says_why(
    output: str, run: str, exit_code: int, reports: list[tuple[str, str]], stage: Stage
) -> None:
    check = Check(name="c", stage=stage, run=run, cwd="sub")
    told = triage(Transcript(check=check, exit_code=exit_code, output=output, root="/repo", reports=tuple(reports)))
    assert bool(told.findings or told.infra) == (exit_code != 0)
    for found in told.findings:
        assert found.file is None or posixpath.normpath(f"/repo/{found.file}") == f"/repo/{found.file}"
        assert found.file is None or not found.file.startswith("../")
        assert found.line is None or (found.line > 0 and found.file is not None)
        assert (found.check, found.stage, found.fingerprint) == ("c", stage, "")
        assert found.message
        assert len(found.detail) <= 4096


@given(st.binary(max_size=300), st.integers(1, 255))
def test_bytes_are_a_log_like_any_other(raw: bytes, exit_code: int) -> None:
    check = Check(name="c", stage=Stage.UNIT, run="./ci")
    output = raw.decode("utf-8", "replace")
    told = triage(Transcript(check=check, exit_code=exit_code, output=output, root="/repo"))
    assert told.findings or told.infra


@pytest.mark.parametrize(
    "output",
    [
        *(" " * 200_000, "a" * 200_000, ":1" * 100_000, "(" * 200_000, "[1,\n" * 50_000, '{"a":\n' * 50_000),
        *("E   " * 50_000, "=" * 200_000, "_ " * 100_000, '  File "a", line 1\n' * 10_000, "1 passed, " * 20_000),
        *(("a.py:1:1: F401 " + " " * 2000 + "\n") * 50, "a.py:1: error: " + " [" * 100_000, "x: 1: " * 50_000),
    ],
    ids=range(14),
)
def test_a_monotonous_log_is_read_to_its_end(output: str) -> None:
    check = Check(name="c", stage=Stage.UNIT, run="pytest; ruff check; mypy; yamllint; black; flake8")
    told = triage(Transcript(check=check, exit_code=1, output=output, root="/repo"))
    assert told.findings
