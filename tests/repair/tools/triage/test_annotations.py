"""GitHub's workflow commands."""

import pytest

from repair.tools.triage.annotations import annotations


def test_an_error_command_is_a_finding(read) -> None:
    output = "hello\n::error file=src/a.ts,line=3,col=7,title=TS2304::Cannot find name 'x'.%0Asecond line\n"
    (found,) = read(output, "npm run check").findings
    assert (found.place, found.column, found.code, found.message) == (
        "src/a.ts:3",
        7,
        "TS2304",
        "Cannot find name 'x'.",
    )
    assert "second line" in found.detail


def test_warnings_and_notices_fail_nothing(read) -> None:
    output = "::warning file=a.py,line=1::old\n::notice::hi\n::error file=b.py,line=2::bad\n"
    assert [each.file for each in read(output).findings] == ["b.py"]


def test_a_command_without_a_place_is_a_finding_too(read) -> None:
    (found,) = read("::error::Version mismatch\n").findings
    assert (found.file, found.message) == (None, "Version mismatch")


def test_what_the_tool_told_itself_is_not_told_twice(read) -> None:
    output = "a.py:1:1: F401 'os' imported but unused\n::error file=a.py,line=1::flake8 says F401\n"
    assert [each.code for each in read(output, "flake8").findings] == ["F401"]


@pytest.mark.parametrize(
    ("line", "file", "message"),
    [
        ("::error file=a%2Cb.py,line=1::50%25 %3A", "a,b.py", "50% :"),
        ("  ::error ::x::y", None, "x::y"),
        ("::error file=::x", None, "x"),
    ],
)
def test_escapes_are_undone(line: str, file: str | None, message: str) -> None:
    (found,) = annotations(line)
    assert (found.file, found.message) == (file, message)
