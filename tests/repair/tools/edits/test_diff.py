"""Patches that git itself applies."""

import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repair.tools.edits.diff import diff_text, unified_diff

LONG = b"".join(b"line %d\n" % number for number in range(60))
EMPTY: dict[str, bytes] = {}


def git_applied(before: Mapping[str, bytes], patch: bytes) -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        for path, content in before.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_bytes(content)
        for command in (["init", "-q"], ["apply", "--whitespace=nowarn", "-"]):
            done = subprocess.run(["git", *command], cwd=root, input=patch, capture_output=True, check=False)
            assert done.returncode == 0, done.stderr
        files = (path for path in root.rglob("*") if path.is_file() and ".git" not in path.parts)
        return {path.relative_to(root).as_posix(): path.read_bytes() for path in files}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a.py": b"a\nb\n"}, {"a.py": b"a\nc\n"}),
        ({"a.py": b"a"}, {"a.py": b"a\n"}),
        ({"a.py": b"a\nb"}, {"a.py": b"x\nb"}),
        ({"a.py": b"a\r\nb\r\n"}, {"a.py": b"a\r\nc\n"}),
        (EMPTY, {"src/deep/new.py": b"x = 1\n"}),
        (EMPTY, {"empty": b""}),
        ({"empty": b"", "b": b"1"}, {"b": b"2"}),
        ({"gone.py": b"x"}, EMPTY),
        ({"full": b"x\n"}, {"full": b""}),
        ({"a b.py": b"1\n"}, {"a b.py": b"2\n"}),
        ({"tab\there": b"1\n", 'quote"': b"1\n", "back\\slash": b"1\n", "ü.md": b"1\n"}, {"sp ace/ü ö": b"2"}),
        (
            {"latin": b"\xe9\n", "utf16": "\ufeffa\nb".encode("utf-16-le")},
            {"latin": b"\xe8\n", "utf16": b"\xff\xfea\0"},
        ),
        ({"far": LONG}, {"far": b"first\n" + LONG.replace(b"line 30", b"changed") + b"last"}),
        ({"near": LONG}, {"near": LONG.replace(b"line 7\n", b"").replace(b"line 14\n", b"x\ny\n")}),
    ],
)
def test_git_applies_the_patch(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    assert git_applied(before, unified_diff(before, after)) == after


def test_the_patch_is_what_git_writes(tmp_path: Path) -> None:
    before = {"my app.py": b" a\n b\n c\n d\n e\n f\n g\n h\n i", "x\ty": b"1\n", "gone": b"1\n2"}
    after = {"my app.py": b" a\n b\n c\n d\n E\n f\n g\n h\n i", "x\ty": b"2", "\u00fc": b"", "new one": b"1\n"}
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    for tree, add in ((before, ["-A"]), (after, ["-N", *(after.keys() - before.keys())])):
        for path in before.keys() - tree.keys():
            (tmp_path / path).unlink()
        for path, content in tree.items():
            (tmp_path / path).write_bytes(content)
        subprocess.run(["git", "add", *add], cwd=tmp_path, check=True)
    diff = ["git", "diff", "--full-index", "--no-renames"]
    assert unified_diff(before, after) == subprocess.run(diff, cwd=tmp_path, check=True, capture_output=True).stdout


def test_equal_trees_have_no_difference() -> None:
    assert unified_diff({"a": b"1"}, {"a": b"1"}) == b""


def test_the_view_for_people_is_always_text() -> None:
    assert "-\ufffd\n" in diff_text({"a": b"\xe9\n"}, {"a": b"e\n"})


CONTENTS = st.one_of(st.binary(max_size=12), st.lists(st.sampled_from([b"a\n", b"b\r\n", b"\n", b"c"])).map(b"".join))
TREES = st.dictionaries(st.sampled_from(["a", "b c", "d/e", 'q"', "ü"]), CONTENTS, max_size=4)


@settings(max_examples=40, deadline=None)
@given(TREES, TREES)
def test_git_makes_one_tree_of_the_other(before: dict[str, bytes], after: dict[str, bytes]) -> None:
    patch = unified_diff(before, after)
    assert (git_applied(before, patch) if patch else before) == after
