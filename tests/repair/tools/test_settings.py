"""`.regomender.yml`: defaults, and plain errors that name the key and the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.settings import SettingsError, load_settings
from repair.values.settings import Settings

DOCUMENTED = """\
version: 1
mode: commit
auto: false
setup: [pip install -e .]
checks:
  - {name: lint, kind: syntax, run: ruff check ., fix: ruff check --fix ., cwd: src, timeout: 60, paths: ["src/**"], required: false}
  - {name: unit, kind: semantic, run: pytest -q}
protect: ["tests/**"]
tests: never
limits: {iterations: 5, stagnation: 2, rewrite_above: 4, attempts_per_pr: 1, tokens: 100, seconds: 60.5, usd: 0}
network: {setup: [pypi], checks: []}
commit: {sign: none, sign_off: true, prefix: "chore: "}
labels: {run: go, off: stop}
bots: ["renovate[bot]"]
hints: [the parser is generated]
invariants: [{name: licence, run: ./check-licence}]
"""


def problems(text: str) -> list[str]:
    with pytest.raises(SettingsError) as raised:
        load_settings(text)
    return str(raised.value).split("\n")


@pytest.mark.parametrize("text", ["", "\n", "# nothing yet\n", "---\n", "~\n", "\ufeff"])
def test_an_empty_file_means_the_defaults(text: str) -> None:
    assert load_settings(text) == Settings()


def test_every_documented_key_is_read() -> None:
    settings = load_settings(DOCUMENTED)

    lint, unit = settings.checks
    assert (lint.fix, lint.cwd, lint.timeout, lint.paths, lint.required) == (
        "ruff check --fix .",
        "src",
        60,
        ("src/**",),
        False,
    )
    assert (unit.timeout, unit.cwd, unit.required) == (300, ".", True)
    assert (settings.mode, settings.auto, settings.tests) == ("commit", False, "never")
    assert settings.limits.seconds == 60.5
    assert settings.commit.prefix == "chore: "
    assert settings.invariants[0].run == "./check-licence"


def test_a_key_without_a_value_keeps_its_default() -> None:
    assert load_settings("checks:\nlimits:\n  tokens:\n") == Settings()


def test_text_stays_as_it_was_written() -> None:
    settings = load_settings("checks:\n  - {name: 3.10, kind: semantic, run: yes}\nhints: [1e3, on]\n")

    assert (settings.checks[0].name, settings.checks[0].run) == ("3.10", "yes")
    assert settings.hints == ("1e3", "on")


@pytest.mark.parametrize("word", ["on", "yes", "true", "True"])
def test_a_switch_may_be_written_as_people_write_it(word: str) -> None:
    assert load_settings(f"commit: {{sign_off: {word}}}").commit.sign_off is True


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("mode: commit\nchekcs: []\n", ".regomender.yml:2: chekcs: unknown key; did you mean `checks`?"),
        (
            "checks:\n  - name: a\n    kind: syntax\n    comand: b\n    run: c\n",
            ".regomender.yml:4: checks[0].comand: unknown key; known are name, kind, run, fix, cwd, timeout, paths, required",
        ),
        (
            "limits:\n  itterations: 3\n",
            ".regomender.yml:2: limits.itterations: unknown key; did you mean `iterations`?",
        ),
        (
            "limits:\n  iterations: many\n",
            ".regomender.yml:2: limits.iterations: must be a whole number, not `many`",
        ),
        (
            "\n\nmode: push\n",
            ".regomender.yml:3: mode: must be 'suggest', 'commit' or 'comment', not `push`",
        ),
        ("setup: pip install .\n", ".regomender.yml:1: setup: must be a list, not `pip install .`"),
        ("checks:\n  lint: ruff\n", ".regomender.yml:1: checks: must be a list"),
        ("checks:\n  - ruff check .\n", ".regomender.yml:2: checks[0]: must be a mapping of keys, not `ruff check .`"),
        ("checks:\n  - {name: a, kind: syntax}\n", ".regomender.yml:2: checks[0].run: is required"),
        ("auto: perhaps\n", ".regomender.yml:1: auto: must be true or false, not `perhaps`"),
        ("limits: {stagnation: 9}\n", ".regomender.yml:1: limits.stagnation: must be less than or equal to 5, not `9`"),
        ("limits: {seconds: inf}\n", ".regomender.yml:1: limits.seconds: must be a finite number"),
        ("auto: true\nauto: false\n", ".regomender.yml:2: the key `auto` stands here twice"),
        ("- a\n", ".regomender.yml:1: the file must be a mapping of keys such as `checks:`"),
        ("a: [1\n", ".regomender.yml:2: not valid YAML: expected ',' or ']', but got '<stream end>'"),
        ("a: 1\n---\nb: 1\n", ".regomender.yml:2: not valid YAML: but found another document"),
        (
            "checks:\n  - {name: a, kind: syntax, run: b, cwd: ../elsewhere}\n",
            ".regomender.yml:2: checks[0].cwd: must be a folder inside the repository",
        ),
        (
            "checks:\n  - {name: a, kind: syntax, run: b}\n  - {name: a, kind: syntax, run: c}\n",
            ".regomender.yml:3: checks[1].name: the name `a` is taken by an earlier check",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_key_and_line(text: str, problem: str) -> None:
    assert problems(text) == [problem]


def test_several_problems_are_said_at_once_in_the_order_of_the_file() -> None:
    said = problems("mood: x\nlimits:\n  usd: free\nlabel: {}\n")

    assert [line.split(":")[1] for line in said] == ["1", "3", "4"]


@pytest.mark.parametrize("version", ["2", "1.0", "latest", "[1]"])
def test_another_version_is_refused(version: str) -> None:
    (problem,) = problems(f"mode: suggest\nversion: {version}\n")

    assert problem.startswith(".regomender.yml:2: version: this release reads version 1")


def test_the_name_of_the_file_is_the_one_given() -> None:
    with pytest.raises(SettingsError, match=r"^ci/bot\.yml:1: x: unknown key"):
        load_settings("x: 1", "ci/bot.yml")


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        "{" * 5_000,
        "- " * 5_000 + "a",
        "a: &a [*a]",
        "setup: &a [x, *a]",
        '"\\Uffffffff": 1',
        "%YAML 99999999999999999999.1\n---\n",
        "%TAG ! \n--- !<x> y",
        "x: !!python/object/apply:os.system [id]",
        "? {a: b}\n: c",
        'hints: ["\\0"]',
        'hints: ["\\ud800"]',
        "\0\x01\x02\xff",
        "hints: [" + "a, " * 90_000 + "]",
    ],
)
def test_hostile_text_gets_a_plain_error(text: str) -> None:
    assert problems(text)[0].startswith(".regomender.yml:")


def test_aliases_that_multiply_are_refused() -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 12)]

    assert "too many values" in problems("l0: &l0 [x]\n" + "\n".join(levels))[0]


def test_an_anchor_may_be_used_and_used_again(recwarn: pytest.WarningsRecorder) -> None:
    settings = load_settings("hints: [&a x, *a, &a y, *a]")

    assert settings.hints == ("x", "x", "y", "y")
    assert not recwarn.list


def test_a_message_shows_no_control_characters_and_has_an_end() -> None:
    (problem,) = problems('"\\e[31m' + "k" * 500 + '": 1')

    assert problem.isprintable()
    assert len(problem) < 400


KEYS = st.sampled_from([*Settings.model_fields, "name", "run", "kind", "cwd", "timeout", "<<", "?", "&a", "*a"])
LINES = st.lists(st.tuples(st.sampled_from(["", "  ", "  - ", "- "]), KEYS, st.text(max_size=12)), max_size=12)


@given(st.one_of(st.text(max_size=200), LINES.map(lambda lines: "\n".join(f"{a}{b}: {c}" for a, b, c in lines))))
def test_any_text_gives_settings_or_a_settings_error(text: str) -> None:
    try:
        result: object = load_settings(text)
    except SettingsError as error:
        result = str(error)

    assert isinstance(result, Settings) or str(result).startswith(".regomender.yml:")
