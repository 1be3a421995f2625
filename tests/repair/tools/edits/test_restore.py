"""What an edit loses without need comes back."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.edits.restore import restore_lost_text
from repair.tools.edits.syntax import parses, rows

PYTHON = '''"""Prices."""

# The standard library comes first.
import os


def price(items, rate):
    """What the items cost.

    Rates are in per cent.
    """
    # Empty carts cost nothing.
    if not items:
        return 0

    total = sum(items)  # net
    # Add the tax.
    return total + rate


# The end.
def tail():
    return 1
'''


def without(text: str, *lost: str) -> str:
    for piece in lost:
        assert piece in text
        text = text.replace(piece, "")
    return text


FIXED = PYTHON.replace("total + rate", "total * (1 + rate / 100)")
DOCSTRING = '    """What the items cost.\n\n    Rates are in per cent.\n    """\n'


def test_docstrings_comments_and_blank_lines_beside_code_that_stands_come_back() -> None:
    after = without(
        FIXED,
        '"""Prices."""\n\n',
        "# The standard library comes first.\n",
        DOCSTRING,
        "    # Empty carts cost nothing.\n",
        "# The end.\n",
    )
    after = after.replace("return 0\n\n", "return 0\n")
    assert restore_lost_text(PYTHON, after, "a.py") == FIXED


def test_a_docstring_comes_back_though_the_line_after_it_changed() -> None:
    after = without(PYTHON, DOCSTRING, "    # Empty carts cost nothing.\n").replace("if not items", "if items is None")
    restored = restore_lost_text(PYTHON, after, "a.py")
    assert DOCSTRING in restored
    assert "# Empty carts" not in restored


def test_a_docstring_comes_back_though_the_signature_changed() -> None:
    after = without(PYTHON, DOCSTRING, "    # Empty carts cost nothing.\n").replace(
        "price(items, rate)", "price(items, rate=19)"
    )
    assert DOCSTRING in restore_lost_text(PYTHON, after, "a.py")


def test_the_comment_of_a_changed_line_stays_away() -> None:
    after = without(FIXED, "    # Add the tax.\n")
    assert "# Add the tax" not in restore_lost_text(PYTHON, after, "a.py")


def test_rewritten_words_stay_rewritten() -> None:
    after = FIXED.replace("# Empty carts cost nothing.", "# No items, no price.").replace(
        "Rates are in", "The rate is in"
    )
    assert restore_lost_text(PYTHON, after, "a.py") == after


def test_words_of_deleted_code_stay_deleted() -> None:
    after = without(PYTHON, "# The end.\ndef tail():\n    return 1\n").replace("return 0", "return 1")
    assert restore_lost_text(PYTHON, after, "a.py") == after


def test_a_comment_that_moved_is_not_doubled() -> None:
    comment = "    # Empty carts cost nothing.\n"
    after = without(FIXED, comment).replace("    total = sum", comment + "    total = sum")
    assert restore_lost_text(PYTHON, after, "a.py").count("# Empty carts") == 1


def test_an_edit_of_words_alone_is_respected() -> None:
    after = without(PYTHON, DOCSTRING, "# The end.\n").replace("\n\n\n", "\n\n")
    assert restore_lost_text(PYTHON, after, "a.py") == after


def test_blank_lines_too_many_and_at_the_end_stay_away() -> None:
    before = "a = 1\n\n\n\n\nb = 2\nc = 3\n\n\n"
    after = "a = 1\n\n\nb = 2\nc = 4\n"
    assert restore_lost_text(before, after, "a.py") == after


def test_comments_that_speak_to_a_tool_stay_away() -> None:
    before = "a = 1\n# pylint: disable=all\n# Words.\nb = 2\nc = 3\n"
    assert restore_lost_text(before, "a = 1\nb = 2\nc = 4\n", "a.py") == "a = 1\n# Words.\nb = 2\nc = 4\n"


def test_a_docstring_comes_back_into_a_file_that_did_not_parse() -> None:
    broken = PYTHON.replace("if not items:", "if not items")
    after = without(PYTHON, DOCSTRING)
    assert DOCSTRING in restore_lost_text(broken, after, "a.py")


def test_text_in_strings_is_code() -> None:
    before = 'x = """\n# no comment\n\n"""\ny = 1\n'
    after = 'x = """\n"""\ny = 2\n'
    assert restore_lost_text(before, after, "a.py") == after


def test_other_languages_have_their_own_comments() -> None:
    cases = {
        "a.go": ("package a\n\n// F does it.\nfunc F() int {\n\treturn 1\n}\n", "// F does it.\n", "return 1", "return 2"),
        "a.ts": ("/**\n * Doc.\n */\nlet a = 1;\nlet b = 2;\n", "/**\n * Doc.\n */\n", "b = 2", "b = 3"),
        "a.yaml": ("# Doc.\na: 1\nb: 2\n", "# Doc.\n", "b: 2", "b: 3"),
        "a.rego": ("package a\n\n# Doc.\nallow := true\nb := 1\n", "# Doc.\n", "b := 1", "b := 2"),
        "a.sql": ("-- Doc.\nSELECT a\nFROM b;\n", "-- Doc.\n", "FROM b", "FROM c"),
        "a.tf": ('# Doc.\nlocals {\n  a = 1\n}\n', "# Doc.\n", "a = 1", "a = 2"),
    }  # fmt: skip
    for path, (before, comment, old, new) in cases.items():
        wanted = before.replace(old, new)
        assert restore_lost_text(before, without(wanted, comment), path) == wanted, path


def test_an_unknown_language_is_left_alone() -> None:
    assert restore_lost_text("# Title\na\nb\n", "a\nc\n", "a.md") == "a\nc\n"


def test_windows_line_ends_and_a_missing_end_are_kept() -> None:
    before = "a = 1\r\n# Words.\r\nb = 2\r\nc = 3"
    assert restore_lost_text(before, "a = 1\r\nb = 2\r\nc = 4", "a.py") == "a = 1\r\n# Words.\r\nb = 2\r\nc = 4"
    assert restore_lost_text("a = 1\nb = 2\n# End.\n", "a = 2\nb = 2", "a.py") == "a = 2\nb = 2"


LINES = st.lists(
    st.sampled_from(
        ["x = 1", "y = 2", "def f():", "    return 1", "class A:", "    # c", "# d", '    """Doc."""', '"""', "", "  ", "    f(", ")", "😀"]
    ),
    max_size=14,
)  # fmt: skip
TEXTS = st.tuples(LINES, st.sampled_from(["\n", "\r\n"]), st.booleans()).map(
    lambda parts: parts[1].join(parts[0]) + (parts[1] if parts[2] else "")
)


@given(TEXTS, TEXTS, st.sampled_from(["a.py", "a.yaml", "a.js", "a.sh", "a.txt"]))
def test_code_is_never_touched(before: str, after: str, path: str) -> None:
    restored = restore_lost_text(before, after, path)
    found, wanted = rows(restored, path), rows(after, path)
    if found is None or wanted is None:
        assert restored == after
        return
    code, expected = restored.split("\n"), after.split("\n")
    assert [code[row].rstrip("\r") for row in found.code] == [expected[row].rstrip("\r") for row in wanted.code]
    assert parses(restored) or not parses(after) or path != "a.py"
    assert restored.count("\n") >= after.count("\n")


@given(
    st.lists(st.sampled_from(["x = 1", "y = 2", "def f():", "    return 1", "    # c", "# d", '    """Doc."""', ""])),
    st.data(),
)
def test_nothing_is_added_that_did_not_stand_there(lines: list[str], data: st.DataObject) -> None:
    kept = [line for line in lines if data.draw(st.booleans())]
    before, after = ("".join(f"{line}\n" for line in part) for part in (lines, kept))
    restored = restore_lost_text(before, after, "a.py").split("\n")
    for line in set(restored) - {""}:
        assert restored.count(line) <= max(lines.count(line), kept.count(line))


CASES = Path(__file__).resolve().parents[4].parent / "shared" / "cases"


@pytest.mark.skipif(not CASES.is_dir(), reason="the example repositories are not here")
def test_good_fixes_come_back_as_they_are(tmp_path: Path) -> None:
    for patch in sorted(CASES.glob("*/fix.patch")):
        broken, fixed = patch.parent / "broken", tmp_path / patch.parent.name
        shutil.copytree(broken, fixed)
        subprocess.run(["git", "apply", str(patch)], cwd=fixed, check=True)
        for file in (path for path in fixed.rglob("*") if path.is_file()):
            name = file.relative_to(fixed).as_posix()
            if (broken / name).is_file():
                before, after = (broken / name).read_text("utf-8"), file.read_text("utf-8")
                assert restore_lost_text(before, after, name) == after, f"{patch.parent.name}: {name}"
