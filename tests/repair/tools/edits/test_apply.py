"""What an answer makes of a tree."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from repair.tools.edits.answer import parse_answer
from repair.tools.edits.apply import MOST_BLOCKS, Applied, apply
from repair.values.change import Answer, Block, Unit


class Files:
    def __init__(self, files: dict[str, bytes]) -> None:
        self.files = files

    def paths(self) -> Sequence[str]:
        return sorted(self.files)

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)


def edit(content: bytes, *pairs: tuple[str, str], path: str = "a.py") -> Applied:
    blocks = tuple(Block(path=path, search=search, replace=replace) for search, replace in pairs)
    return apply(Files({path: content}), Answer(blocks=blocks))


def result(content: bytes, search: str, replace: str) -> bytes:
    applied = edit(content, (search, replace))
    assert applied.problems == ()
    return applied.changes["a.py"]


def problem(content: bytes, search: str, replace: str) -> str:
    applied = edit(content, (search, replace))
    assert applied.changes == {}
    (text,) = applied.problems
    return text


# Exact


def test_exact_lines_are_replaced_without_a_note() -> None:
    applied = edit(b"a = 1\nb = 2\nc = 3\n", ("b = 2\n", "b = 3\nd = 4\n"))
    assert applied == Applied(changes={"a.py": b"a = 1\nb = 3\nd = 4\nc = 3\n"})


def test_only_whole_lines_match() -> None:
    assert "nowhere" in problem(b"total = 1\n", "tot\n", "x\n")


def test_lines_are_removed_by_an_empty_replacement() -> None:
    assert result(b"a\nb\nc", "b\nc\n", "") == b"a\n"


def test_later_blocks_see_what_earlier_ones_did() -> None:
    assert edit(b"a\n", ("a\n", "b\n"), ("b\n", "c\n")).changes == {"a.py": b"c\n"}


def test_a_change_that_is_taken_back_is_no_change() -> None:
    applied = edit(b"a\n", ("a\n", "b\n"), ("b\n", "a\n"))
    assert applied.changes == {}
    assert "changes nothing" in applied.problems[0]


def test_one_block_that_fails_keeps_all_the_others_out() -> None:
    applied = edit(b"alpha\nbeta\n", ("alpha\n", "b\n"), ("zzzzzz\n", "c\n"))
    assert applied.changes == {}
    assert len(applied.problems) == 1


def test_text_that_stands_twice_is_refused_with_its_lines() -> None:
    message = problem(b"x\ny\nx\n", "x\n", "z\n")
    assert "matches 2 times (lines 1, 3)" in message
    assert message.startswith("a.py: ")


def test_text_that_stands_nowhere_is_answered_with_the_closest_lines() -> None:
    message = problem(b"import os\n\ndef load(path):\n    return open(path)\n", "def load(file_name):\n", "x\n")
    assert "3| def load(path):" in message
    assert "nothing in it is similar" in problem(b"a\n", "entirely other words\n", "x\n")


def test_the_closest_lines_are_bounded() -> None:
    content = "".join(f"line {number} {'x' * 500}\n" for number in range(100))
    quote = content.replace("line", "row 77").replace("xxx", "xxy")
    assert len(problem(content.encode(), quote, "z\n")) < 3000


# Tolerance


@pytest.mark.parametrize(
    ("content", "search", "replace", "expected"),
    [
        (b"a = 1   \nb\n", "a = 1\nb\n", "a = 1\nc\n", b"a = 1   \nc\n"),
        (b"a = 1\nb = 2\n", "\na = 1\n\n", "\na = 2\n\n", b"a = 2\nb = 2\n"),
        (b"if x:\n    if y:\n        go()\n", "if y:\n    go()\n", "if y:\n    if z:\n        run()\n",
         b"if x:\n    if y:\n        if z:\n            run()\n"),
        (b"class A:\n    x = 1\n", "        x = 1\n", "        x = 2\n        if x:\n            y = 1\n",
         b"class A:\n    x = 2\n    if x:\n        y = 1\n"),
        (b"func f() {\n\tif x {\n\t\ty()\n\t}\n}\n", "    if x {\n        y()\n    }\n",
         "    if x {\n        for {\n            y()\n        }\n    }\n",
         b"func f() {\n\tif x {\n\t\tfor {\n\t\t\ty()\n\t\t}\n\t}\n}\n"),
        (b"a:\n  b:\n    c: 1\n", "\tb:\n\t\tc: 1\n", "\tb:\n\t\tc: 1\n\t\td:\n\t\t\te: 2\n",
         b"a:\n  b:\n    c: 1\n    d:\n      e: 2\n"),
    ],
)  # fmt: skip
def test_blanks_may_differ_and_new_lines_take_the_files_indentation(
    content: bytes, search: str, replace: str, expected: bytes
) -> None:
    applied = edit(content, (search, replace))
    assert applied.changes == {"a.py": expected}
    assert "matched but for" in applied.notes[0]


def test_a_quote_indented_otherwise_within_itself_is_another_text() -> None:
    assert "nowhere" in problem(b"if x:\n    a()\nb()\n", "if x:\n    a()\n    b()\n", "pass\n")


def test_a_misquoted_line_is_matched_when_it_is_the_most_similar_and_kept_as_the_file_has_it() -> None:
    content = b"def price(items):\n    # Sums up what the items cost, discounts included.\n    return sum(items)\n"
    quote = content.decode().replace("Sums up", "Sum up")
    applied = edit(content, (quote, quote.replace("sum(items)", "sum(items, start=0)")))
    assert applied.changes == {"a.py": content.replace(b"sum(items)", b"sum(items, start=0)")}
    assert "similarity" in applied.notes[0]


def test_two_stretches_that_are_similar_alike_are_refused() -> None:
    content = b"    value_of_the_first_thing = compute(1)\n" + b"    value_of_the_first_thing = compute(2)\n"
    assert "matches 2 times" in problem(content, "    value_of_the_first_thing = compute(3)\n", "x\n")


def test_a_search_too_costly_for_similarity_ends_soon_with_a_problem() -> None:
    content = b"".join(b"line %d of the very long file\n" % number for number in range(30_000))
    quote = "".join(f"line {number} of the very long fi1e\n" for number in range(10_000))
    assert "nowhere" in problem(content, quote, "x\n")


# The file's own ways


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"a\r\nb\r\n", b"a\r\nB\r\nC\r\n"),
        (b"a\r\nb", b"a\r\nB\r\nC"),
        (b"\xef\xbb\xbfa\nb", b"\xef\xbb\xbfa\nB\nC"),
        (b"b", b"B\nC"),
        (b"b\x0c\xe9\n b\n".replace(b"b\x0c\xe9", b"\xe9\x0c"), b"\xe9\x0c\n B\n C\n"),
        (b"a\nx\r\nb\r\ny\n", b"a\nx\r\nB\r\nC\r\ny\n"),
        ("\ufeffb\r\nü".encode("utf-16-le"), "\ufeffB\r\nC\r\nü".encode("utf-16-le")),
    ],
)
def test_encoding_line_ends_and_the_end_of_the_file_stay(content: bytes, expected: bytes) -> None:
    assert result(content, "b\n", "B\nC\n") == expected


def test_lines_kept_in_the_replacement_keep_their_own_ends() -> None:
    assert result(b"a\r\nb\nc\r\n", "a\nb\nc\n", "a\nB\nc\n") == b"a\r\nB\nc\r\n"


def test_a_line_added_after_a_last_line_without_end_ends_it() -> None:
    assert result(b"a\nb", "b\n", "b\nc\n") == b"a\nb\nc"


def test_binary_files_and_characters_outside_of_the_encoding_are_refused() -> None:
    assert "binary" in problem(b"a\0\n", "a\n", "b\n")
    assert "latin-1" in problem(b"a\n\xe9\n", "a\n", "→\n")


# Creation


def test_an_empty_search_creates_a_file() -> None:
    applied = apply(Files({}), Answer(blocks=(Block(path="src/new.py", search="", replace="x = 1\n"),)))
    assert applied.changes == {"src/new.py": b"x = 1\n"}


def test_an_empty_search_fills_an_empty_file_but_no_other() -> None:
    assert result(b"\n", "", "x\n") == b"x\n"
    assert "exists" in problem(b"x\n", "", "y\n")
    assert "changes nothing" in problem(b"x\n", "", "x\n")


@pytest.mark.parametrize("path", ["src", "src/a.py/b.py"])
def test_no_file_is_created_in_a_file_or_in_the_place_of_a_folder(path: str) -> None:
    applied = apply(Files({"src/a.py": b""}), Answer(blocks=(Block(path=path, search="", replace="x\n"),)))
    assert applied.changes == {}
    assert len(applied.problems) == 1


# What is no change


def test_a_replacement_that_stands_there_already_is_a_note() -> None:
    applied = edit(b"new = 2\nx\n", ("old = 1\n", "new = 2\n"), ("x\n", "y\n"))
    assert applied.changes == {"a.py": b"new = 2\ny\n"}
    assert "stands there already" in applied.notes[0]


def test_the_same_block_twice_is_applied_once() -> None:
    applied = edit(b"a\n", ("a\n", "a\nb\n"), ("a\n", "a\nb\n"))
    assert applied.changes == {"a.py": b"a\nb\n"}
    assert "twice" in applied.notes[0]


def test_an_added_line_equal_to_the_next_one_is_added_all_the_same() -> None:
    assert result(b"  go()\n}\n", "  go()\n", "  go()\n}\n") == b"  go()\n}\n}\n"


def test_an_answer_that_changes_nothing_says_so() -> None:
    assert "changes nothing" in problem(b"a\n", "a\n", "a\n")


def test_code_that_is_left_out_is_refused() -> None:
    for line in ("# ... existing code ...", "    # rest of the function", "// other methods...", "# …"):
        assert "left out" in problem(b"a\nb\n", "a\n", f"c\n{line}\n")
    assert result(b"# ... todo\na\n", "# ... todo\na\n", "# ... todo\nb\n") == b"# ... todo\nb\n"


# Paths


def test_a_missing_file_is_named_with_a_similar_one() -> None:
    applied = apply(
        Files({"src/app.py": b"a\n"}), Answer(blocks=(Block(path="src/apps.py", search="a\n", replace="b\n"),))
    )
    assert "src/apps.py: There is no such file. Is src/app.py meant?" in applied.problems


@pytest.mark.parametrize("path", ["app.py", "project/src/app.py"])
def test_a_path_too_short_or_too_long_is_taken_for_the_only_file_it_can_mean(path: str) -> None:
    answer = Answer(blocks=(Block(path=path, search="a\n", replace="b\n"),))
    assert apply(Files({"src/app.py": b"a\n", "x.py": b""}), answer).changes == {"src/app.py": b"b\n"}
    assert apply(Files({"src/app.py": b"a\n", "app.pyi": b"", "lib/app.py": b"a\n"}), answer).changes in (
        {} if path == "app.py" else {"src/app.py": b"b\n"},
    )


@pytest.mark.parametrize("path", ["../a.py", "/etc/passwd", ".git/config", "a/../../b", "x\0y", "sub/.GIT/hooks/x"])
def test_paths_out_of_the_tree_and_into_git_are_refused(path: str) -> None:
    for search in ("", "a\n"):
        applied = apply(Files({path: b"a\n"}), Answer(blocks=(Block(path=path, search=search, replace="b\n"),)))
        assert applied.changes == {}
        assert "Refused" in applied.problems[0]
        assert "\0" not in applied.problems[0]


def test_a_block_without_a_path_belongs_to_the_unit() -> None:
    answer = Answer(blocks=(Block(path="", search="a\n", replace="b\n"),))
    assert apply(Files({"a.py": b"a\n"}), answer, Unit(path="a.py", start=1, end=1)).changes == {"a.py": b"b\n"}
    assert "names no file" in apply(Files({"a.py": b"a\n"}), answer).problems[0]


def test_problems_and_blocks_are_bounded() -> None:
    many = tuple((f"missing line {number}\n", "x\n") for number in range(100))
    assert len(edit(b"a\n", *many).problems) < 10
    assert "more than" in edit(b"a\n", *many * (MOST_BLOCKS // 100 + 1)).problems[0]


def test_a_heading_mistaken_for_the_divider_is_put_right_by_the_file() -> None:
    text = "<<<<<<< SEARCH\nTitle\n=======\nold\n=======\nnew\n>>>>>>> REPLACE\n"
    applied = apply(Files({"a.md": b"Title\n=======\nold\n"}), parse_answer(f"a.md\n{text}"))
    assert applied.changes == {"a.md": b"new\n"}


# Properties

ENDS = st.sampled_from(["\n", "\r\n"])
BODIES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r\0"), max_size=8)
TEXT_FILES = st.tuples(
    st.lists(st.tuples(BODIES, ENDS), min_size=1, max_size=12),
    st.booleans(),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
)
NEW_LINES = st.lists(BODIES, max_size=4)


@given(TEXT_FILES, st.data())
def test_a_block_made_from_the_file_gives_the_meant_text_and_touches_nothing_else(
    file: tuple[list[tuple[str, str]], bool, str], data: st.DataObject
) -> None:
    pairs, ended, encoding = file
    lines = [body + end for body, end in pairs]
    if not ended:
        lines[-1] = pairs[-1][0]
        assume(lines[-1] and not lines[-1].startswith("\ufeff"))
    start = data.draw(st.integers(0, len(lines) - 1))
    end = data.draw(st.integers(start + 1, len(lines)))
    search, replace = [body for body, _ in pairs[start:end]], data.draw(NEW_LINES)
    assume(any(map(str.strip, search)) and not lines[0].startswith("\ufeff"))
    content = "".join(lines).encode(encoding)
    applied = edit(content, ("".join(f"{line}\n" for line in search), "".join(f"{line}\n" for line in replace)))
    if applied.problems:
        assert search == replace or "matches" in applied.problems[0]
        return
    text = applied.changes["a.py"].decode(encoding)
    before, after = "".join(lines[:start]), "".join(lines[end:])
    assert text.startswith(before)
    assert text.endswith(after)
    middle = text[len(before) : len(text) - len(after)]
    assert [line.removesuffix("\r") for line in middle.split("\n")] == replace + [""] * (
        bool(after) or ended or not replace
    )


@given(st.binary(max_size=60), st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), max_size=4))
def test_no_block_raises(content: bytes, pairs: list[tuple[str, str]]) -> None:
    pairs = [(a.encode("utf-8", "replace").decode(), b.encode("utf-8", "replace").decode()) for a, b in pairs]
    applied = edit(content, *pairs)
    assert bool(applied.changes) != bool(applied.problems)
