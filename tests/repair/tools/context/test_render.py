"""A pack as text: places, reasons, fences, and nothing hidden."""

from hypothesis import given
from hypothesis import strategies as st

from repair.tools.context.render import render
from repair.values.context import ContextPack, Excerpt


def rendered(text="x = 1", path="a.py", reason="why", cut=()):
    return render(
        ContextPack(excerpts=(Excerpt(kind="a", path=path, start=3, end=4, text=text, reason=reason),), cut=cut)
    )


def test_an_excerpt_has_its_place_and_reason_above_a_fence():
    assert rendered() == "a.py:3-4 (why)\n```\nx = 1\n```"


def test_the_fence_is_longer_than_any_within():
    assert rendered("````\nstop\n````").split("\n")[1] == "`````"


def test_bidirectional_and_invisible_characters_are_written_out():
    assert "\\u202eevil\\u200b" in rendered("\u202eevil\u200b")
    assert "\\U000e0041" in rendered("\U000e0041")
    assert "\\u001b[31m" in rendered("\x1b[31m")


def test_letters_of_all_languages_stay_as_they_are():
    assert "naïve 日本 Ωμέγα" in rendered("naïve 日本 Ωμέγα")


def test_windows_line_ends_are_plain_line_ends():
    assert "a\nb" in rendered("a\r\nb")


def test_a_path_or_reason_cannot_break_out_of_its_line():
    assert rendered(path="a\n```\nb.py", reason="x\ny").split("\n")[0] == "a ``` b.py:3-4 (x y)"


def test_what_was_cut_is_said():
    assert rendered(cut=("i", "d")).endswith("(Left out for lack of room: i, d.)")


@given(st.text())
def test_only_line_feeds_and_tabs_are_left_of_what_cannot_be_seen(text):
    assert all(character in "\n\t" or character.isprintable() for character in rendered(text, path=text, reason=text))
