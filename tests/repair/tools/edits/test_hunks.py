"""A patch taken apart and put together."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.edits.hunks import Hunk, compose, minimise_order, split_hunks

BEFORE = {"a.py": b"import os\n\n\ndef f(x):\n    # why\n    return x\n\n\ndef g():\n    return 1\n"}


def formatting(path: str, old: str, new: str) -> list[bool]:
    return [hunk.formatting for hunk in split_hunks({path: old.encode()}, {path: new.encode()})]


def test_every_stretch_of_changed_lines_is_a_hunk() -> None:
    after = {"a.py": BEFORE["a.py"].replace(b"os", b"sys").replace(b"return 1", b"return 2")}
    first, second = split_hunks(BEFORE, after)
    assert (first.line, first.old, first.new) == (1, b"import os\n", b"import sys\n")
    assert second.line == 10
    assert compose(BEFORE, [second]) == {"a.py": BEFORE["a.py"].replace(b"return 1", b"return 2")}


def test_a_created_and_a_deleted_file_are_one_hunk_each() -> None:
    hunks = split_hunks({"old": b"1\n2\n"}, {"new": b"1\n2\n"})
    assert [(hunk.path, hunk.old, hunk.new, hunk.whole) for hunk in hunks] == [
        ("new", None, b"1\n2\n", True),
        ("old", b"1\n2\n", None, True),
    ]
    assert compose({"old": b"1\n2\n"}, hunks[:1]) == {"old": b"1\n2\n", "new": b"1\n2\n"}


def test_binary_and_utf16_files_are_not_cut() -> None:
    before = {"a": b"a\0\nb\nc\n", "b": "\ufeffa\nb\nc\n".encode("utf-16-le")}
    after = {"a": b"x\0\nb\ny\n", "b": "\ufeffx\nb\ny\n".encode("utf-16-le")}
    assert len(split_hunks(before, after)) == 2


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", "x = f(1,2)\n", "x = f(1, 2)  # call\n"),
        ("a.py", "x = [1,\n  2]\n", "x = [1, 2]\n"),
        ("a.py", "def f():\n  return 1\n", "def f():\n    return 1\n"),
        ("a.go", "package a\nfunc f(){\nx()\n}\n", "package a\n\nfunc f() {\n\tx()\n}\n"),
        ("a.ts", "const a={b:1};\n", "// one\nconst a = { b: 1 };\n"),
        ("a.tf", 'a = "x"\n', 'a   = "x" # y\n'),
        ("a.yaml", "a: 1\n", "a: 1  \n\n"),
    ],
)
def test_blanks_and_comments_are_formatting(path: str, old: str, new: str) -> None:
    assert all(formatting(path, old, new))


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", "if a:\n    b()\n    c()\n", "if a:\n    b()\nc()\n"),
        ("a.py", 'x = "a b"\n', 'x = "a  b"\n'),
        ("a.py", 'x = "\\n \\n"\n', 'x = "\\n  \\n"\n'),
        ("a.py", 'x = f"{a} b"\n', 'x = f"{a}  b"\n'),
        ("a.py", 'x = """\n\n"""\n', 'x = """\n\n\n"""\n'),
        ("a.py", "x = 1\n", "x = 2\n"),
        ("a.js", "function f() { return x }\n", "function f() { return\nx }\n"),
        ("a.js", "x = `a b`\n", "x = `a  b`\n"),
        ("a.sh", "rm -r a\n", "rm -r\na\n"),
        ("a.yaml", "a:\n  b: 1\n", "a:\nb: 1\n"),
        ("a.unknown", "a b\n", "a  b\n"),
        ("a.py", "x = (\n", "x = ((\n"),
    ],
)
def test_blanks_that_mean_something_are_no_formatting(path: str, old: str, new: str) -> None:
    assert not any(formatting(path, old, new))


def test_formatting_is_left_out_first_then_small_edits_then_whole_files() -> None:
    hunks = [
        Hunk(path="new.py", old=None, new=b"x"),
        Hunk(path="b.py", old=b"a" * 50, new=b"b"),
        Hunk(path="a.py", line=9, old=b"a", new=b"b"),
        Hunk(path="a.py", line=1, old=b" " * 90, new=b"", formatting=True),
    ]
    assert minimise_order(hunks) == tuple(reversed(hunks))


CONTENTS = st.one_of(
    st.binary(max_size=20), st.lists(st.sampled_from([b"a\n", b"b\n", b"  c\r\n", b"\n", b"d", b"\xe9"])).map(b"".join)
)
TREES = st.dictionaries(st.sampled_from(["a.py", "b.yaml", "c.js", "d"]), CONTENTS, max_size=3)


@given(TREES, TREES)
def test_all_hunks_make_the_new_tree_and_none_the_old_one(
    before: Mapping[str, bytes], after: Mapping[str, bytes]
) -> None:
    hunks = split_hunks(before, after)
    assert compose(before, hunks) == after
    assert compose(before, minimise_order(hunks)) == after
    assert compose(before, ()) == before


@given(TREES, TREES, st.data())
def test_any_hunks_may_be_left_out(before: dict[str, bytes], after: dict[str, bytes], data: st.DataObject) -> None:
    hunks = split_hunks(before, after)
    kept = [hunk for hunk in hunks if data.draw(st.booleans())]
    tree = compose(before, kept)
    for path in before.keys() | after.keys():
        if not any(hunk.path == path for hunk in kept):
            assert tree.get(path) == before.get(path)
