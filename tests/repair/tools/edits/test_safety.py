"""Which paths are refused by their text alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.edits.safety import UnsafePath, checked_parts


@pytest.mark.parametrize(
    "path",
    [
        "", "/", "/etc/passwd", "..", "../x", "a/../../x", "a/..", ".", "./a", "a/./b", "a//b", "a/",
        ".git", ".git/config", ".GIT/hooks/x", "sub/.Git/config", "sub/.git", "git~1", "GIT~2/config", ".git ", ".git.",
        ".git::$INDEX_ALLOCATION/x", ".g\u200cit/config", "a\\.git\\config", "a\\..\\b", "a\0b", "a\nb", "a\x7fb", "a\ud800",
        "x" * 256, "/".join("a" * 101), "é" * 128, "a/" * 3000 + "b",
    ],
)  # fmt: skip
def test_unsafe_paths_are_refused_in_words(path: str) -> None:
    with pytest.raises(UnsafePath) as error:
        checked_parts(path)
    assert str(error.value).isprintable()
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize(
    "path", ["a", "a b/c.py", ".github/x.yml", ".gitignore", "...", "..a", "a~1", "dev-x\\x2dy", "ü/ö"]
)
def test_plain_paths_are_taken_apart(path: str) -> None:
    assert checked_parts(path) == tuple(path.split("/"))


@given(st.text(st.sampled_from("./\\.gitGIT~1 a\0\n:\u200c"), max_size=12))
def test_what_is_accepted_names_nothing_outside(path: str) -> None:
    try:
        parts = checked_parts(path)
    except UnsafePath:
        return
    assert not {"", ".", ".."} & set(parts)
    assert ".git" not in path.casefold().replace("\\", "/").split("/")
