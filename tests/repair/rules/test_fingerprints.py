"""What makes two errors the same across edits and runs."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.rules.fingerprints import anchor_of, fingerprint, normalise_message
from repair.values.checks import Category, Finding, Origin, Stage
from tests.repair.rules.builders import error

SOURCE = "    total = colour + 1\n"


def undefined(name: str = "colour", **fields: Any) -> Finding:
    given: dict[str, Any] = {
        "message": f"Undefined name `{name}`",
        "code": "F821",
        "category": Category.NAME_UNRESOLVED,
        **fields,
    }
    return error("", **given)


def saying(message: str) -> str:
    return fingerprint(error("", message=message), None)


def test_a_fingerprint_is_sixteen_hex_digits() -> None:
    assert re.fullmatch(r"[0-9a-f]{16}", fingerprint(undefined(), SOURCE))


def test_it_stays_when_lines_shift_and_the_line_is_indented() -> None:
    shifted = undefined(line=90, column=12)
    assert fingerprint(undefined(), SOURCE) == fingerprint(shifted, f"        {SOURCE.strip()}")


def test_it_does_not_depend_on_how_the_finding_was_read_or_marked() -> None:
    marked = undefined(origin=Origin.HEURISTIC, detail="more", flaky=True, derived=True, masked=True, stage=Stage.UNIT)
    assert fingerprint(undefined(), SOURCE) == fingerprint(marked, SOURCE)


@pytest.mark.parametrize(
    "other",
    [
        undefined("color"),
        undefined(file="src/b.py"),
        undefined().model_copy(update={"check": "types"}),
        undefined(code="F822"),
        undefined(category=Category.TYPE),
        undefined(scope="Palette.mix"),
        undefined(test="test_mix"),
    ],
    ids=["name", "file", "check", "code", "category", "scope", "test"],
)
def test_it_differs_for_another(other: Finding) -> None:
    assert fingerprint(other, SOURCE) != fingerprint(undefined(), SOURCE)


def test_it_differs_for_another_line_of_code_unless_something_better_holds_it() -> None:
    assert fingerprint(undefined(), SOURCE) != fingerprint(undefined(), "return colour\n")
    scoped, tested = undefined(scope="mix"), undefined(scope="mix", test="test_mix")
    assert fingerprint(scoped, SOURCE) == fingerprint(scoped, "return colour\n")
    assert anchor_of(tested, SOURCE) == anchor_of(undefined(test="test_mix"), None)


def test_text_that_is_not_unicode_has_a_fingerprint_too() -> None:
    broken = error("", message="\udcff", file="\udcff.py", scope=None)
    assert fingerprint(broken, "\udcff") != fingerprint(broken, "")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("assert failed after 0.03s", "assert failed after 12 s"),
        ("took 3 seconds", "took 2.5 seconds"),
        ("<Palette object at 0x7f3a9c1d2e80>", "<Palette object at 0x104a3bfd0>"),
        ("cannot read /tmp/pytest-of-me/pytest-3/test_a0/x.txt", "cannot read /tmp/pytest-of-you/pytest-12/x.txt"),
        ("cannot read /tmp/abc123de4f/x", "cannot read /tmp/zzzz/y"),
        ("cannot read file:///tmp/a/x.js", "cannot read file:///tmp/b/y.js"),
        (r"cannot read C:\Users\me\a.txt", r"cannot read C:\Temp\b.txt"),
        ("Found 3 errors in 1 file (checked 12 source files)", "Found 1 errors in 2 file (checked 9 source files)"),
        ("line too long (131 > 120)", "line too long (122 > 120)"),
        ("request 550e8400-e29b-41d4-a716-446655440000 failed", "request 123e4567-e89b-12d3-a456-426614174000 failed"),
        ("commit 9fceb02d failed", "commit 1a2b3c4d5e failed"),
        ("at 2024-05-01T10:11:12Z it broke", "at 2025-12-31 23:59:58.123 it broke"),
        ("KeyError: 'no such user 17'", "KeyError: 'no such user 4711'"),
        ('expected "a b", got 1', 'expected "c d e", got 2'),
        ("can't open 'my file'", "can't open 'your file'"),
        ("Unexpected   token\n  here", "unexpected token here"),
    ],
)
def test_what_changes_from_run_to_run_is_no_part_of_a_message(one: str, other: str) -> None:
    assert saying(one) == saying(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("name 'colour' is not defined", "name 'color' is not defined"),
        ("name 'x1' is not defined", "name 'x2' is not defined"),
        ("name 'deadbee1' is not defined", "name 'deadbee2' is not defined"),
        ('Name "math.sqrt" is not defined', 'Name "math.pow" is not defined'),
        ("cannot find value 'std::io' here", "cannot find value 'std::fs' here"),
        ("Cannot find module './shapes'", "Cannot find module './colours'"),
        ("Cannot find module '@app/shapes'", "Cannot find module '@app/colours'"),
        ("can't assign to 'colour', it isn't mutable", "can't assign to 'shape', it isn't mutable"),
        ("undefined: colour2", "undefined: colour3"),
        ("no such file: src/a.py", "no such file: src/b.py"),
    ],
)
def test_the_name_an_error_is_about_is_its_identity(one: str, other: str) -> None:
    assert saying(one) != saying(other)


TRICKY = st.text(alphabet="'\"/\\.-+:_@~ \nabcdefgsxzTZ0123456789µé<>", max_size=60)


@given(st.text() | TRICKY)
def test_a_normalised_message_is_normal(message: str) -> None:
    once = normalise_message(message)
    assert normalise_message(once) == once


@given(st.text(alphabet=st.characters()) | TRICKY)
def test_a_message_keeps_no_spaces_to_spare_and_no_bare_number(message: str) -> None:
    normal = normalise_message(message)
    assert normal == " ".join(normal.split())
    assert not re.search(r"(?<!\w)\d(?!\d*[a-z_$@./-])", re.sub(r"'[^']*'|\"[^\"]*\"", "", normal))


@pytest.mark.timeout(60)  # a pattern that backtracks would need hours
@pytest.mark.parametrize(
    "piece", ["'", '"', "/", "/a", "/-", "/-/", "//.", "-", "1", "1a", "1.", "c:\\", "0x", "12345678-1234-", " s"]
)
@pytest.mark.parametrize("end", ["", "'", "g", "\\", "/"])
def test_long_hostile_text_is_normalised_in_one_go(piece: str, end: str) -> None:
    text = piece * (300_000 // len(piece)) + end
    normal = normalise_message(text)
    assert normal == normalise_message(normal)


def test_only_the_beginning_of_an_endless_message_is_its_identity() -> None:
    assert saying("x" * 5000) == saying("x" * 5000 + "y")
    assert saying("x" * 3000) != saying("x" * 3000 + "y")
