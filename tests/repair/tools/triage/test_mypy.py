"""mypy in text and JSON."""

import pytest

from repair.values.checks import Category, Origin

TEXT = """\
pkg/r.py:3: error: Name "undefd" is not defined  [name-defined]
pkg/r.py:5: note: Revealed type is "def (a: pkg.r.A) -> int"
pkg/r.py:12: error: No overload variant of "g" matches argument type "float"  [call-overload]
pkg/r.py:12: note: Possible overload variants:
pkg/r.py:12: note:     def g(x: int) -> int
pkg/r.py:13: error: Library stubs not installed for "yaml"  [import-untyped]
pkg/r.py:13: note: Hint: "python3 -m pip install types-PyYAML"
Found 3 errors in 1 file (checked 7 source files)
"""
PRETTY = """\
pkg/r.py:3:5:3:10: error: Name "undefd" is not defined  [name-defined]
        undefd(a.zork)
        ^~~~~~
pkg/r.py:12: error: No overload variant of "g" matches argument type "float"
[call-overload]
    g(1.0)
    ^~~~~~
pkg/r.py:13: error: Library stubs not installed for "yaml"  [import-untyped]
Found 3 errors in 1 file (checked 7 source files)
"""
JSON = """\
{"file": "pkg/r.py", "line": 3, "column": 4, "end_line": 3, "end_column": 10, "message": "Name \\"undefd\\" is not defined", "hint": null, "code": "name-defined", "severity": "error"}
{"file": "pkg/r.py", "line": 5, "column": 12, "end_line": 5, "end_column": 13, "message": "Revealed type is \\"def (a: pkg.r.A) -> int\\"", "hint": null, "code": "misc", "severity": "note"}
{"file": "pkg/r.py", "line": 12, "column": 0, "end_line": 12, "end_column": 6, "message": "No overload variant of \\"g\\" matches argument type \\"float\\"", "hint": "Possible overload variants:\\n    def g(x: int) -> int", "code": "call-overload", "severity": "error"}
{"file": "pkg/r.py", "line": 13, "column": 0, "end_line": 13, "end_column": 1, "message": "Library stubs not installed for \\"yaml\\"", "hint": null, "code": "import-untyped", "severity": "error"}
"""


@pytest.mark.parametrize("output", [TEXT, PRETTY, JSON], ids=["text", "pretty", "json"])
def test_every_format_tells_the_same(read, output: str) -> None:
    findings = read(output, "mypy pkg").findings
    assert [(each.place, each.code, each.category, each.symbol) for each in findings] == [
        ("pkg/r.py:3", "name-defined", Category.NAME_UNRESOLVED, "undefd"),
        ("pkg/r.py:12", "call-overload", Category.TYPE, None),
        ("pkg/r.py:13", "import-untyped", Category.IMPORT_DEPENDENCY, "yaml"),
    ]
    assert findings[1].message == 'No overload variant of "g" matches argument type "float"'


def test_notes_are_attached_to_their_error(read) -> None:
    assert "def g(x: int) -> int" in read(TEXT, "mypy pkg").findings[1].detail
    assert "def g(x: int) -> int" in read(JSON, "mypy pkg").findings[1].detail


def test_columns_count_from_one_in_json_too(read) -> None:
    found = read(JSON, "mypy pkg").findings[0]
    assert (found.column, found.origin) == (5, Origin.STRUCTURED)
    assert read(PRETTY, "mypy pkg").findings[0].column == 5


def test_the_files_checked_are_counted_also_when_all_is_well(read) -> None:
    assert read(TEXT, "mypy pkg").counters.files == 7
    assert read("Success: no issues found in 4 source files\n", "make types", 0).counters.files == 4


def test_a_syntax_error_hides_everything_else(read) -> None:
    output = (
        "pkg/broken.py:1: error: Expected `)`, found newline  [syntax]\n"
        "Found 1 error in 1 file (errors prevented further checking)\n"
    )
    triage = read(output, "mypy pkg", 2)
    assert triage.first_error_only
    assert triage.findings[0].category is Category.SYNTAX


def test_a_file_it_cannot_read_has_no_line(read) -> None:
    (found,) = read("nope.py: error: Cannot read file: No such file or directory\n", "mypy nope.py", 2).findings
    assert (found.place, found.category) == ("nope.py", Category.BUILD_TOOL)
