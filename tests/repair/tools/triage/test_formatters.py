"""black and isort in check mode."""

from repair.values.checks import Category

BLACK = """\
error: cannot parse: /repo/pkg/broken.py:1:6
    def f(:
         ^
ParseError: bad input
would reformat /repo/pkg/ugly.py

Oh no! 💥 💔 💥
1 file would be reformatted, 2 files would be left unchanged, 1 file would fail to reformat.
"""
OLD_BLACK = "error: cannot format pkg/broken.py: Cannot parse for target version Python 3.11: 1:6: def f(:\n"
ISORT = """\
ERROR: /repo/pkg/calc.py Imports are incorrectly sorted and/or formatted.
ERROR: /repo/pkg/ugly.py Imports are incorrectly sorted and/or formatted.
"""


def test_black_names_each_file_once(read) -> None:
    triage = read(BLACK, "black --check .", 123)
    assert [(each.place, each.category) for each in triage.findings] == [
        ("pkg/broken.py:1", Category.SYNTAX),
        ("pkg/ugly.py", Category.FORMAT),
    ]
    assert triage.counters.files == 4


def test_black_of_other_years_says_it_otherwise(read) -> None:
    (found,) = read(OLD_BLACK, "black --check .", 123).findings
    assert (found.place, found.category) == ("pkg/broken.py:1", Category.SYNTAX)


def test_isort_names_each_file_once(read) -> None:
    findings = read(ISORT, "make imports").findings
    assert [(each.place, each.category) for each in findings] == [
        ("pkg/calc.py", Category.FORMAT),
        ("pkg/ugly.py", Category.FORMAT),
    ]
