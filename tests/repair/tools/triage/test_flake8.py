"""flake8 and pylint."""

from repair.values.checks import Category

FLAKE8 = """\
pkg/broken.py:1:8: E999 SyntaxError: invalid syntax
pkg/calc.py:1:1: F401 'os' imported but unused
pkg/calc.py:6:16: F821 undefined name 'heigth'
pkg/ugly.py:1:6: E201 whitespace after '{'
"""


def test_each_line_is_a_finding(read) -> None:
    findings = read(FLAKE8, "flake8 pkg").findings
    assert [(each.place, each.column, each.code, each.category) for each in findings] == [
        ("pkg/broken.py:1", 8, "E999", Category.SYNTAX),
        ("pkg/calc.py:1", 1, "F401", Category.LINT_STYLE),
        ("pkg/calc.py:6", 16, "F821", Category.NAME_UNRESOLVED),
        ("pkg/ugly.py:1", 6, "E201", Category.LINT_STYLE),
    ]
    assert findings[2].symbol == "heigth"


def test_it_is_known_by_its_lines(read) -> None:
    assert [each.code for each in read(FLAKE8, "make lint").findings] == ["E999", "F401", "F821", "E201"]


def test_pylint_codes_have_their_own_meaning(read) -> None:
    output = (
        "************* Module pkg.calc\n"
        "pkg/calc.py:6:15: E0602: Undefined variable 'heigth' (undefined-variable)\n"
        "pkg/calc.py:2:0: E0401: Unable to import 'pkg.gone' (import-error)\n"
    )
    findings = read(output, "pylint pkg").findings
    assert [(each.category, each.symbol) for each in findings] == [
        (Category.NAME_UNRESOLVED, "heigth"),
        (Category.IMPORT_DEPENDENCY, None),
    ]
