"""What a model writes, and the edits that are read from it."""

from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from repair.tools.edits.answer import parse_answer, render
from repair.values.change import Answer, Block

EDIT = Block(path="src/app.py", search="old = 1\n", replace="new = 2\n")
BODY = "<<<<<<< SEARCH\nold = 1\n=======\nnew = 2\n>>>>>>> REPLACE\n"


@pytest.mark.parametrize(
    "above",
    [
        "src/app.py\n",
        "`src/app.py`\n",
        "**src/app.py**\n",
        "**`src/app.py`**:\n",
        "File: src/app.py\n",
        "**File:** `src/app.py`\n",
        "file path: ./src/app.py\n",
        "### src/app.py\n",
        "#### `src/app.py` (modified)\n",
        "1. src/app.py\n\n",
        "// src/app.py\n",
        "src/app.py\n```python\n",
        "```python\nsrc/app.py\n",
        "```python src/app.py\n",
        "```python:src/app.py\n",
        '```python title="src/app.py"\n',
        "```src/app.py\n",
        "In `src/app.py`, `os.path` is shadowed and/or missing:\n\n```python\n",
        "I will now change src/app.py as follows:\n",
        "Here is the fix.\n\nsrc/app.py\n\n\n```\n",
    ],
)
def test_the_path_is_found_above_the_block(above: str) -> None:
    assert parse_answer(above + BODY + "```\n").blocks == (EDIT,)


def test_the_path_may_stand_beside_the_marker() -> None:
    assert parse_answer(BODY.replace("SEARCH", "SEARCH src/app.py")).blocks == (EDIT,)


def test_a_path_with_blanks_is_taken_from_backticks() -> None:
    (block,) = parse_answer("`my docs/read me.txt`\n" + BODY).blocks
    assert block.path == "my docs/read me.txt"


@pytest.mark.parametrize("path", ["Makefile", "go.mod", ".gitignore", "infra/main.tf", "policy/authz.rego"])
def test_file_names_of_all_kinds_are_paths(path: str) -> None:
    assert parse_answer(f"{path}\n{BODY}").blocks[0].path == path


@pytest.mark.parametrize("above", ["Fix:\n", "**Change the value**\n", "```python\n", "</details>\n", ""])
def test_without_a_path_the_last_named_one_holds(above: str) -> None:
    assert parse_answer(f"src/app.py\n{BODY}{above}{BODY}").blocks == (EDIT, EDIT)


def test_a_block_that_names_no_file_has_an_empty_path() -> None:
    assert parse_answer("Here you go:\n" + BODY).blocks[0].path == ""


def test_several_blocks_over_several_files_come_in_their_order() -> None:
    blocks = (EDIT, EDIT.model_copy(update={"search": "x\n"}), EDIT.model_copy(update={"path": "b.py"}))
    text = f"Thoughts.\n\n{render(blocks[:2])}\nMore.\n```python\n{render(blocks[2:])}```\nDone."
    assert parse_answer(text).blocks == blocks


@pytest.mark.parametrize(("head", "middle", "tail"), list(product((5, 7, 9), (5, 7), (6, 9))))
def test_markers_of_five_to_nine_characters_are_markers(head: int, middle: int, tail: int) -> None:
    text = f"src/app.py\n{'<' * head} SEARCH\nold = 1\n{'=' * middle}\nnew = 2\n{'>' * tail} REPLACE"
    assert parse_answer(text).blocks == (EDIT,)


def test_four_characters_are_no_marker() -> None:
    assert parse_answer("a.py\n<<<< SEARCH\na\n====\nb\n>>>> REPLACE\n") == Answer()


def test_windows_line_ends_and_a_missing_last_newline_do_not_matter() -> None:
    text = f"src/app.py\n{BODY}".replace("\n", "\r\n").removesuffix("\r\n")
    assert parse_answer(text).blocks == (EDIT,)


def test_a_tail_may_lack_its_word_and_carry_a_fence() -> None:
    assert parse_answer("src/app.py\n" + BODY.replace(" REPLACE", "")).blocks == (EDIT,)
    assert parse_answer("src/app.py\n" + BODY.replace("REPLACE", "REPLACE```")).blocks == (EDIT,)


def test_a_block_indented_in_a_list_loses_the_lists_indentation() -> None:
    indented = "".join(f"   {line}" for line in f"src/app.py\n{BODY}".splitlines(keepends=True))
    assert parse_answer("1. Change it:\n" + indented).blocks == (EDIT,)


def test_fences_inside_of_the_two_halves_are_no_text_of_the_file() -> None:
    text = "src/app.py\n<<<<<<< SEARCH\n```python\nold = 1\n```\n=======\n```python\nnew = 2\n```\n>>>>>>> REPLACE\n"
    assert parse_answer(text).blocks == (EDIT,)
    (markdown,) = parse_answer(text.replace("app.py", "app.md")).blocks
    assert markdown.search == "```python\nold = 1\n```\n"


def test_an_empty_search_and_an_empty_replacement_are_read() -> None:
    create, remove = parse_answer(
        "new.py\n<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\na.py\n<<<<<<< SEARCH\ny\n=======\n>>>>>>> REPLACE"
    ).blocks
    assert create == Block(path="new.py", search="", replace="x = 1\n")
    assert remove == Block(path="a.py", search="y\n", replace="")


def test_a_heading_underlined_in_both_halves_does_not_divide_them() -> None:
    text = "a.md\n<<<<<<< SEARCH\nTitle\n=======\nold\n=======\nTitle\n=======\nnew\n>>>>>>> REPLACE\n"
    (block,) = parse_answer(text).blocks
    assert block == Block(path="a.md", search="Title\n=======\nold\n", replace="Title\n=======\nnew\n")


def test_a_merge_conflict_inside_of_a_half_does_not_divide_it() -> None:
    conflict = "<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> feature\n"
    text = f"a.py\n<<<<<<< SEARCH\n{conflict}=======\na = 2\n>>>>>>> REPLACE\n"
    assert parse_answer(text).blocks == (Block(path="a.py", search=conflict, replace="a = 2\n"),)


def test_a_block_about_blocks_is_told_apart_by_the_length_of_its_markers() -> None:
    block = Block(path="docs/format.md", search=f"Example:\n{BODY}", replace="Example: none.\n")
    assert parse_answer(render([block])).blocks == (block,)


def test_a_truncated_last_block_is_dropped() -> None:
    assert parse_answer(f"src/app.py\n{BODY}b.py\n<<<<<<< SEARCH\nx\n=======\ny = (1,").blocks == (EDIT,)
    assert parse_answer("```python\nb.py\n<<<<<<< SEARCH\nx\n=======\ny\n```\n") == Answer()


def test_an_unterminated_block_does_not_swallow_the_next_one() -> None:
    assert parse_answer(f"b.py\n<<<<<<< SEARCH\nx\n=======\ny\n\nsrc/app.py\n{BODY}").blocks == (EDIT,)


def test_blocks_of_the_thoughts_before_the_answer_do_not_count() -> None:
    assert parse_answer(f"<think>\nb.py\n{BODY}no, wait\n</think>\nsrc/app.py\n{BODY}").blocks == (EDIT,)


def test_fenced_code_without_blocks_is_kept_as_fences() -> None:
    text = "First:\n```python\ndef f():\n    return 1\n```\nthen\n~~~\nx\n```\n~~~\n   ```js\n   y\n     z\n   ```\n"
    assert parse_answer(text).fences == ("def f():\n    return 1\n", "x\n```\n", "y\n  z\n")


def test_fences_beside_blocks_a_diff_and_an_open_fence_are_ignored() -> None:
    assert parse_answer(f"```sh\npip install x\n```\nsrc/app.py\n{BODY}") == Answer(blocks=(EDIT,))
    assert parse_answer("```diff\n-a\n+b\n```\n```python\n\n```\n```python\nx = (") == Answer()


@pytest.mark.parametrize(
    "garbage",
    [
        "",
        "\0\ud800",
        "<html><body>502 Bad Gateway</body></html>",
        "<<<<<<< SEARCH",
        "=======\n>>>>>>> REPLACE",
        "`" * 9999,
    ],
)
def test_garbage_holds_no_edit(garbage: str) -> None:
    assert parse_answer(garbage) == Answer()


@pytest.mark.parametrize("unit", ["x" * 100, "<<<<<<< SEARCH\n", "```\n```", BODY, " " * 50 + "<\n", "a/" * 40])
def test_an_answer_of_ten_megabytes_is_read(unit: str) -> None:
    parse_answer(unit * (10_000_000 // len(unit)))


@given(st.text(st.sampled_from("<=>` SEARCHREPLACE\n\rab/.py*#:\t\0\ud800"), max_size=300))
def test_no_text_raises(text: str) -> None:
    parse_answer(text)


LINES = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n\r"), max_size=20),
        st.sampled_from(
            ["=======", "=====", ">>>>>>> REPLACE", "<<<<<<< SEARCH", "<<<<<<< HEAD", "  =======", "", "```"]
        ),
    ),
    max_size=6,
)
PATHS = st.sampled_from(["a.py", "src/b c.py", "Makefile", "x", "docs/ü.md", ".github/z.yml"])
SECTION = LINES.map(lambda lines: "".join(f"{line}\n" for line in lines))


@given(st.lists(st.builds(Block, path=PATHS, search=SECTION, replace=SECTION), max_size=4))
def test_rendered_blocks_are_read_as_they_were(blocks: list[Block]) -> None:
    assume(not any(block.replace.startswith("```") for block in blocks))
    answer = parse_answer(render(blocks))
    assert answer.blocks == tuple(blocks)
