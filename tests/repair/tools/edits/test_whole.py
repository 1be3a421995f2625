"""Fenced code for the unit that was asked for."""

from collections.abc import Sequence

import pytest

from repair.tools.edits.apply import Applied, apply
from repair.values.change import Answer, Unit

MODULE = b'''import os


class Cart:
    """A cart."""

    @property
    @cached
    def total(self):
        """What it costs."""
        text = """
raw
"""
        result = 0
        for item in self.items:
            result += item.price
        return result

    def size(self):
        return len(self.items)
'''
TOTAL = Unit(path="cart.py", start=7, end=17, name="Cart.total", kind="function")


class One:
    def __init__(self, content: bytes) -> None:
        self.content = content

    def paths(self) -> Sequence[str]:
        return ["cart.py"]

    def read(self, path: str) -> bytes | None:
        return self.content if path == "cart.py" else None


def answered(*fences: str, unit: Unit | None = TOTAL, content: bytes = MODULE) -> Applied:
    return apply(One(content), Answer(fences=fences), unit)


def unit_text(content: bytes = MODULE) -> str:
    return "".join(content.decode().splitlines(keepends=True)[6:17])


def dedented(text: str) -> str:
    return "".join(line.removeprefix("    ") for line in text.splitlines(keepends=True))


CHANGED = MODULE.replace(b"result = 0", b"result = Decimal(0)")


def test_the_code_takes_the_place_of_the_unit_and_nothing_else() -> None:
    assert answered(unit_text(CHANGED)).changes == {"cart.py": CHANGED}


def test_code_at_the_margin_is_moved_to_the_units_depth_but_not_the_text_in_its_strings() -> None:
    assert answered(dedented(unit_text(CHANGED))).changes == {"cart.py": CHANGED}


def test_decorators_that_the_answer_left_away_stay() -> None:
    without = dedented(unit_text(CHANGED)).split("@cached\n")[1]
    assert answered(without).changes == {"cart.py": CHANGED}


def test_blank_code_is_written_with_tabs_where_the_file_has_tabs() -> None:
    content = b"func a() {\n\tif x {\n\t\ty()\n\t}\n}\n\nfunc b() {\n\tz()\n}\n"
    unit = Unit(path="cart.py", start=1, end=5, kind="function")
    answer = "func a() {\n    if x {\n        y(1)\n    }\n}\n"
    assert answered(answer, unit=unit, content=content).changes == {"cart.py": content.replace(b"y()", b"y(1)")}


def test_windows_line_ends_and_a_missing_end_stay() -> None:
    content = MODULE.replace(b"\n", b"\r\n").removesuffix(b"\r\n")
    unit = Unit(path="cart.py", start=19, end=20, kind="function")
    answer = "def size(self):\n    return len(self.all_items)\n"
    expected = content.replace(b"len(self.items)", b"len(self.all_items)")
    assert answered(answer, unit=unit, content=content).changes == {"cart.py": expected}


def test_the_largest_plausible_fence_is_taken() -> None:
    assert answered("pip install decimal\n", unit_text(CHANGED), "result\n").changes == {"cart.py": CHANGED}


def test_a_whole_file_may_be_answered_for_a_unit_of_it() -> None:
    assert answered(CHANGED.decode()).changes == {"cart.py": CHANGED}


def test_a_whole_file_that_was_asked_for_is_replaced() -> None:
    unit = Unit(path="cart.py", start=1, end=20)
    assert answered(CHANGED.decode(), unit=unit).changes == {"cart.py": CHANGED}
    assert answered("x = 1\n", unit=Unit(path="cart.py", start=1, end=1), content=b"\n").changes == {
        "cart.py": b"x = 1\n"
    }


@pytest.mark.parametrize(
    ("fence", "words"),
    [
        ("Decimal(0)\n", "Answer with all of the unit"),
        ("result = Decimal(0)\nfor item in self.items:\n", "Answer with all of the unit"),
        ("".join(f"print({number})\n" for number in range(12)), "shares little"),
        ("import decimal\n\n\n" + dedented(unit_text(CHANGED)), "more than the unit"),
        ("@property\ndef total(self):\n    # ... existing code ...\n    return 1\n", "left out"),
        (unit_text(), "changes nothing"),
    ],
)
def test_an_implausible_answer_is_a_problem(fence: str, words: str) -> None:
    applied = answered(fence)
    assert applied.changes == {}
    assert words in applied.problems[0]


def test_a_short_version_of_the_unit_is_plausible() -> None:
    applied = answered("@property\n@cached\ndef total(self):\n    return sum(i.price for i in self.items)\n")
    assert (
        b"    def total(self):\n        return sum(i.price for i in self.items)\n\n    def size"
        in applied.changes["cart.py"]
    )


def test_a_part_of_a_file_is_not_taken_for_the_file() -> None:
    assert "Answer with all" in answered("import os\nx = 1\n", unit=Unit(path="cart.py", start=1, end=20)).problems[0]


@pytest.mark.parametrize("unit", [None, Unit(path="gone.py", start=1, end=2), Unit(path="cart.py", start=90, end=99)])
def test_without_a_unit_that_exists_the_code_goes_nowhere(unit: Unit | None) -> None:
    applied = answered("x = 1\n", unit=unit)
    assert applied.changes == {}
    assert len(applied.problems) == 1


def test_an_empty_answer_is_a_problem() -> None:
    assert "no SEARCH/REPLACE block" in answered().problems[0]
