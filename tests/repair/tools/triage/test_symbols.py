"""The name an error is about."""

import pytest

from repair.tools.triage.symbols import symbol_of


@pytest.mark.parametrize(
    ("message", "symbol"),
    [
        ("Undefined name `heigth`", "heigth"),
        ("undefined name 'heigth'", "heigth"),
        ('Name "undefd" is not defined', "undefd"),
        ("NameError: name 'heigth' is not defined. Did you mean: 'height'?", "heigth"),
        ("`os` imported but unused", "os"),
        ("No module named 'pkg.gone'", "pkg.gone"),
        ("cannot import name 'missing' from 'pkg.calc' (pkg/calc.py)", "missing"),
        ('Cannot find implementation or library stub for module named "pkg.gone"', "pkg.gone"),
        ('"A" has no attribute "zork"', "zork"),
        ("AttributeError: 'A' object has no attribute 'zork'", "zork"),
        ("fixture 'nofixture' not found", "nofixture"),
        ("Local variable `x` is assigned to but never used", "x"),
        ("KeyError: 'boom'", "boom"),
        ("a.c:3:5: error: \u2018x\u2019 undeclared", "x"),
        ("assert 1 == 2", None),
    ],
)
def test_the_symbol_is_the_missing_or_unused_name(message: str, symbol: str | None) -> None:
    assert symbol_of(message) == symbol
