"""ruff in all the formats it prints."""

import json

import pytest

from repair.values.checks import Category, Origin

FULL = """\
invalid-syntax: Expected a parameter or the end of the parameter list
 --> pkg/broken.py:1:7
  |
1 | def f(:
  |       ^
2 |     pass
  |

F401 [*] `os` imported but unused
 --> pkg/calc.py:1:8
  |
1 | import os
  |        ^^
  |
help: Remove unused import: `os`

F821 Undefined name `heigth`
 --> pkg/calc.py:6:16
  |
5 | def area(w, h):
6 |     return w * heigth
  |                ^^^^^^

Found 3 errors.
[*] 1 fixable with `--fix`.
"""
CONCISE = """\
pkg/broken.py:1:7: invalid-syntax: Expected a parameter or the end of the parameter list
pkg/calc.py:1:8: F401 [*] `os` imported but unused
pkg/calc.py:6:16: F821 Undefined name `heigth`
Found 3 errors.
[*] 1 fixable with `--fix`.
"""
GROUPED = """\
pkg/broken.py:
  1:7 invalid-syntax: Expected a parameter or the end of the parameter list

pkg/calc.py:
  1:8  F401 [*] `os` imported but unused
  6:16 F821 Undefined name `heigth`

Found 3 errors.
[*] 1 fixable with `--fix`.
"""
GITHUB = """\
::error title=ruff (invalid-syntax),file=/repo/pkg/broken.py,line=1,col=7,endLine=1,endColumn=8::pkg/broken.py:1:7: invalid-syntax: Expected a parameter or the end of the parameter list
::error title=ruff (F401),file=/repo/pkg/calc.py,line=1,col=8,endLine=1,endColumn=10::pkg/calc.py:1:8: F401 `os` imported but unused%0A  help: Remove unused import: `os`
::error title=ruff (F821),file=/repo/pkg/calc.py,line=6,col=16,endLine=6,endColumn=22::pkg/calc.py:6:16: F821 Undefined name `heigth`
"""
PYLINT = """\
pkg/broken.py:1: [invalid-syntax] Expected a parameter or the end of the parameter list
pkg/calc.py:1: [F401] `os` imported but unused
pkg/calc.py:6: [F821] Undefined name `heigth`
"""
_ENTRIES = [
    ("invalid-syntax", "broken.py", 1, 7, "Expected a parameter or the end of the parameter list"),
    ("F401", "calc.py", 1, 8, "`os` imported but unused"),
    ("F821", "calc.py", 6, 16, "Undefined name `heigth`"),
]
JSON = json.dumps(
    [
        {"code": code, "filename": f"/repo/pkg/{file}", "location": {"row": row, "column": column}, "message": message}
        for code, file, row, column, message in _ENTRIES
    ],
    indent=2,
)


@pytest.mark.parametrize(
    "output",
    [FULL, CONCISE, GROUPED, GITHUB, PYLINT, JSON],
    ids=["full", "concise", "grouped", "github", "pylint", "json"],
)
def test_every_format_tells_the_same(read, output: str) -> None:
    findings = read(output, "ruff check").findings
    assert [(each.place, each.code, each.category, each.symbol, each.message) for each in findings] == [
        ("pkg/broken.py:1", "invalid-syntax", Category.SYNTAX, None, _ENTRIES[0][4]),
        ("pkg/calc.py:1", "F401", Category.LINT_STYLE, "os", _ENTRIES[1][4]),
        ("pkg/calc.py:6", "F821", Category.NAME_UNRESOLVED, "heigth", _ENTRIES[2][4]),
    ]


def test_machine_output_is_structured(read) -> None:
    assert {each.origin for each in read(JSON, "ruff check").findings} == {Origin.STRUCTURED}
    assert {each.origin for each in read(FULL, "ruff check").findings} == {Origin.STABLE_TEXT}


def test_it_is_known_by_its_output_where_the_command_hides_it(read) -> None:
    assert len(read(FULL, "make lint").findings) == 3


def test_the_source_shown_is_kept_as_detail(read) -> None:
    assert "6 |     return w * heigth" in read(FULL, "ruff check").findings[2].detail


@pytest.mark.parametrize(
    "output",
    [
        "Would reformat: pkg/ugly.py\n1 file would be reformatted, 2 files already formatted\n",
        "unformatted: File would be reformatted\n --> pkg/ugly.py:1:6\n  |\n  - x = {  'a':1 }\n\n"
        "1 file would be reformatted, 2 files already formatted\n",
        "pkg/ugly.py:1:6: unformatted: File would be reformatted\n1 file would be reformatted, 2 files already formatted",
    ],
)
def test_an_unformatted_file_is_one_finding_without_a_line(read, output: str) -> None:
    triage = read(output, "ruff format --check .")
    assert [(each.place, each.category) for each in triage.findings] == [("pkg/ugly.py", Category.FORMAT)]
    assert triage.counters.files == 3


def test_a_file_it_cannot_parse_is_a_syntax_error(read) -> None:
    output = "error: Failed to parse pkg/broken.py:1:7: Expected a parameter or the end of the parameter list\n"
    (found,) = read(output, "ruff format --check .").findings
    assert (found.place, found.category) == ("pkg/broken.py:1", Category.SYNTAX)


def test_a_broken_configuration_is_not_an_error_of_the_code(read) -> None:
    output = "ruff failed\n  Cause: Unknown rule selector `ZZZ` in `select` from the CLI\n"
    (found,) = read(output, "ruff check .", 2).findings
    assert found.category is Category.SCHEMA_CONFIG
    assert "ZZZ" in found.message


def test_several_findings_on_one_column_stay_several(read) -> None:
    output = "a.py:1:1: F401 'yaml' imported but unused\na.py:1:1: F401 'requests' imported but unused\n"
    assert [each.symbol for each in read(output, "flake8").findings] == ["yaml", "requests"]
