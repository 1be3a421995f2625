"""A log made plain, and the excerpt of it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.text import anchor, excerpt, plain, tail


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        ("\x1b[1;31merror\x1b[0m: no\n", "error: no\n"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("10%\r50%\r100%\nnext", "100%\nnext"),
        ("windows\r\nlines\r\n", "windows\nlines\n"),
        ("a\x00b\x08c\td", "abc\td"),
        ("\ufeff2026-11-30T23:28:00.1234567Z hello\n2026-11-30T23:28:01.1234567Z world", "hello\nworld"),
        ("build\tRun tests\t2026-11-30T23:28:00.1234567Z a.py:1: error: x", "a.py:1: error: x"),
        ("##[group]Run ruff\nruff .\n##[endgroup]\n##[error]a.py:1:1: F401", "Run ruff\nruff .\n\na.py:1:1: F401"),
        ("oops\n##[error]Process completed with exit code 1.", "oops\n"),
        ("::group::Tests\nok\n::endgroup::", "Tests\nok\n"),
    ],
)
def test_what_only_decorates_a_log_is_gone(raw: str, expected: str) -> None:
    assert plain(raw) == expected


def test_a_timestamp_the_program_itself_wrote_stays() -> None:
    assert plain("2026-11-30T23:28:00Z started") == "2026-11-30T23:28:00Z started"


@given(st.text())
def test_plain_text_holds_no_control_characters(raw: str) -> None:
    assert not set(plain(raw)) & {chr(code) for code in range(32) if chr(code) not in "\t\n"}


@pytest.mark.parametrize(
    "line",
    [
        "src/a.py:3: error: Incompatible types  [assignment]",
        "Traceback (most recent call last):",
        "E   AssertionError: two halves",
        "error[E0382]: borrow of moved value: `x`",
        "--- FAIL: TestAdd (0.00s)",
        "not ok 3 - adds",
        "npm error code ERESOLVE",
        "bash: line 1: tool: command not found",
        "thread 'main' panicked at src/main.rs:4:5:",
        "ValueError: bad",
        "the build failed for a reason unknown",
    ],
)
def test_the_first_error_is_found_among_harmless_lines(line: str) -> None:
    noise = "collecting\n0 errors, 0 failed\ntests/test_errors.py::test_error_text PASSED\nerror_log=none\n"
    found = anchor(noise + line + "\nExit: done\n")
    assert found is not None
    assert found.text == line


def test_a_log_without_an_error_has_no_anchor() -> None:
    assert anchor("all is well\n0 errors\n") is None


def test_an_excerpt_keeps_the_first_error_and_the_verdict() -> None:
    log = "noise\n" * 5000 + "a.py:1: error: the cause\n" + "more\n" * 5000 + "Found 1 error in 1 file\n"
    shown = excerpt(log, 1000)
    assert "a.py:1: error: the cause" in shown
    assert shown.endswith("Found 1 error in 1 file")
    assert shown.count("characters cut ...]") == 2


def test_a_short_log_is_its_own_excerpt() -> None:
    assert excerpt("\na\nb\n", 100) == "a\nb"


@given(st.text(), st.integers(0, 500))
def test_an_excerpt_never_exceeds_its_limit(log: str, limit: int) -> None:
    assert len(excerpt(log, limit)) <= limit


@given(st.lists(st.text(alphabet="ab", max_size=5), min_size=1), st.integers(0, 40))
def test_a_tail_ends_as_the_lines_do(lines: list[str], limit: int) -> None:
    kept = tail(lines, limit)
    assert kept == lines[len(lines) - len(kept) :]
    assert len(kept) == 1 or sum(len(line) + 1 for line in kept) <= limit
