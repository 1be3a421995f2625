"""Files named by tools, relative to the root or nowhere."""

import posixpath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.paths import in_root, of_repository, working_folder
from repair.values.checks import Check, Stage


@pytest.mark.parametrize(
    ("file", "folder", "expected"),
    [
        ("src/a.py", ".", "src/a.py"),
        ("./src//a.py", ".", "src/a.py"),
        ("/repo/src/a.py", ".", "src/a.py"),
        ("file:///repo/with%20space.py", ".", "with space.py"),
        ("a.py", "pkg", "pkg/a.py"),
        ("../a.py", "pkg", "a.py"),
        ("../a.py", ".", None),
        ("/etc/passwd", ".", None),
        ("/repository/a.py", ".", None),
        ("src/../../repo2/a.py", ".", None),
        (".", ".", None),
        ("", ".", None),
        ("a\n.py", ".", None),
        ("a" * 2000, ".", None),
    ],
)
def test_a_file_is_relative_to_the_root_or_unknown(file: str, folder: str, expected: str | None) -> None:
    assert in_root(file, "/repo", folder) == expected


@given(st.text(), st.text(alphabet="./ab", max_size=10))
def test_no_file_leaves_the_root(file: str, folder: str) -> None:
    found = in_root(file, "/repo", folder)
    assert found is None or posixpath.normpath(f"/repo/{found}").startswith("/repo/")


@pytest.mark.parametrize(
    ("run", "cwd", "expected"),
    [
        ("ruff check .", ".", "."),
        ("cd web && npm test", ".", "web"),
        ("cd web && npm test", "apps", "apps/web"),
        ("cd 'a/b'\nmake", ".", "a/b"),
        ("echo x && cd web && npm test", ".", "."),
    ],
)
def test_relative_paths_start_where_the_command_does(run: str, cwd: str, expected: str) -> None:
    assert working_folder(Check(name="c", stage=Stage.UNIT, run=run, cwd=cwd)) == expected


def test_installed_packages_are_not_of_the_repository() -> None:
    assert of_repository("/repo/pkg/a.py", "/repo")
    assert not of_repository("/repo/.venv/lib/python3.11/site-packages/x.py", "/repo")
    assert not of_repository("<frozen importlib._bootstrap>", "/repo")
    assert not of_repository("/usr/lib/python3.11/json/decoder.py", "/repo")
