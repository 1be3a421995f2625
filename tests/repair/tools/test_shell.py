"""Shell text taken apart into its simple commands."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.invocations import Invocation, invocation_of
from repair.tools.shell import SimpleCommand, simple_commands, statements


def calls(script: str) -> list[list[str | None]]:
    return [[word.value for word in command.words] for command in simple_commands(script)]


def only(script: str) -> SimpleCommand:
    (command,) = simple_commands(script)
    return command


def called(script: str) -> Invocation | None:
    return invocation_of(simple_commands(script)[0])


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("a && b || c; d\ne", [["a"], ["b"], ["c"], ["d"], ["e"]]),
        ("! a | b &", [["a"], ["b"]]),
        ("(cd x && a); { b; }", [["cd", "x"], ["a"], ["b"]]),
        ("a 'x y' \"z\" w\\ v", [["a", "x y", "z", "w v"]]),
        ("a \\\n  b", [["a", "b"]]),
        ("if ! a; then b; else c; fi", [["a"], ["b"], ["c"]]),
        ("a > out.txt 2>&1", [["a"]]),
        ("a $X $(b)", [["a", None, None], ["b"]]),
        ("${TOOL:-a} b", [["a", "b"]]),
        ('[ -z "$(a -l)" ]', [["a", "-l"]]),
        ("x=$(a)", [["a"]]),
        ("# a\nb # c", [["b"]]),
        ("", []),
    ],
)
def test_every_simple_command_is_found(script: str, expected: list[list[str | None]]) -> None:
    assert calls(script) == expected


def test_words_keep_the_quotes_they_were_written_with() -> None:
    assert [word.text for word in only("""a 'x y' "$HOME/b" c\\ d""").words] == ["a", "'x y'", '"$HOME/b"', "c\\ d"]


def test_variables_of_one_command_belong_to_it() -> None:
    assert only("FOO=1 BAR='2 3' a b").assignments == ("FOO=1", "BAR='2 3'")


def test_a_command_knows_the_statements_that_set_its_state() -> None:
    *_, last = simple_commands("cd web\nexport A=b\nX=1\necho hi\n. env/bin/activate && lint")

    assert last.before == ("cd web", "export A=b", "X=1", ". env/bin/activate")


def test_what_a_subshell_sets_ends_with_it() -> None:
    *_, last = simple_commands("(cd web && a); lint")

    assert last.before == ()


@pytest.mark.parametrize("script", ["cat x | a -", "a < x", "a <<< x", "a <<END\nx\nEND"])
def test_a_command_that_reads_something_says_so(script: str) -> None:
    assert simple_commands(script)[-1].fed


@pytest.mark.parametrize("script", ["for f in *; do a $f; done", "while true; do a; done", "f() { a; }"])
def test_a_command_in_a_loop_or_function_says_so(script: str) -> None:
    assert simple_commands(script)[-1].repeated


def test_statements_are_the_top_level_ones() -> None:
    assert statements("a &&\n b\n# c\nif d; then\n e\nfi; f") == ("a &&\n b", "if d; then\n e\nfi", "f")


@pytest.mark.parametrize("script", ["a &\nb", "a ' b"])
def test_a_script_that_cannot_be_split_stays_whole(script: str) -> None:
    assert statements(script) == (script,)


@pytest.mark.parametrize(
    ("script", "tool", "arguments"),
    [
        ("ruff check .", "ruff", "check ."),
        ("python3 -m ruff check .", "ruff", "check ."),
        ("python -W error -m unittest -v", "unittest", "-v"),
        ("uv run --extra dev -- ruff check .", "ruff", "check ."),
        ("uv run --frozen python -m pytest -q", "pytest", "-q"),
        ("uvx ruff@0.9 check", "ruff", "check"),
        ("poetry run pytest -q", "pytest", "-q"),
        ("npx --no-install eslint src", "eslint", "src"),
        ("pnpm exec prettier -c .", "prettier", "-c ."),
        ("./node_modules/.bin/eslint src", "eslint", "src"),
        ("timeout -k 5 300 pytest", "pytest", ""),
        ("env -u X A=b pytest", "pytest", ""),
        ("sudo -E apt-get update", "apt-get", "update"),
        ("coverage run --source pkg -m pytest -q", "pytest", "-q"),
        ("python -c 'import x'", "python", "-c 'import x'"),
        ("python manage.py test", "python", "manage.py test"),
        ("timeout 300", "timeout", "300"),
    ],
)
def test_the_tool_behind_wrappers_is_found(script: str, tool: str, arguments: str) -> None:
    call = called(script)

    assert call is not None
    assert (call.tool, " ".join(word.text for word in call.args)) == (tool, arguments)


def test_a_wrapper_that_moves_elsewhere_is_noted() -> None:
    call = called("uv run --directory api pytest")

    assert call is not None
    assert call.elsewhere


@pytest.mark.parametrize("script", ["$TOOL check", "$(which ruff) check", "time " * 5_000 + "x"])
def test_a_program_without_a_name_gives_no_call(script: str) -> None:
    assert called(script) is None


@pytest.mark.parametrize(
    "script",
    ["(" * 5_000, "a && " * 5_000 + "b", "cd x\n" * 5_000, "$(" * 3_000, "x" * 60_000, "if a; then " * 2_000, "\ud800"],
)
def test_a_monstrous_script_does_no_harm(script: str) -> None:
    assert isinstance(simple_commands(script), tuple)


SCRIPTS = st.lists(
    st.sampled_from(["a", "'b", "$x", ")", "(", "&&", "|", ">", "<<E", "if", "fi", "\n", "\\", '"', "`"]), max_size=30
).map(" ".join)


@given(st.one_of(st.text(max_size=100), SCRIPTS))
def test_any_text_can_be_taken_apart(script: str) -> None:
    for command in simple_commands(script):
        call = invocation_of(command)
        assert call is None or call.head + call.args == command.words
