"""What a run may not call fixed or improved."""

from collections.abc import Callable
from pathlib import Path

from tests.acceptance.cases import git
from tests.acceptance.conftest import Ran
from tests.acceptance.players import in_turn
from tests.model_double import ModelDouble

Regomender = Callable[..., Ran]
PYTEST = "{name: unit, kind: semantic, run: python -m pytest -q -p no:cacheprovider}"
TEST = "from calc import double, half\n\n\ndef test_double():\n    assert double(4) == 8\n\n\ndef test_half():\n    assert half(4) == 2\n"
BROKEN = "def double(x):\n    return x + 1\n\n\ndef half(x):\n    return x - 1\n"


def project(folder: Path, code: str, *, invariant: str = "", test: str = TEST) -> Path:
    folder.mkdir()
    (folder / "calc.py").write_text(code)
    (folder / "test_calc.py").write_text(test)
    extra = f"invariants:\n  - {{name: rule, run: '{invariant}'}}\n" if invariant else ""
    (folder / ".regomender.yml").write_text(f"version: 1\nchecks:\n  - {PYTEST}\n{extra}")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "start")
    return folder


def edit(old: str, new: str) -> str:
    return f"calc.py\n<<<<<<< SEARCH\n{old}\n=======\n{new}\n>>>>>>> REPLACE\n"


DOUBLE = edit("    return x + 1", "    return x * 2")
HALF = edit("    return x - 1", "    return x // 2")


def test_a_test_that_fails_with_other_words_is_no_improvement(
    tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(in_turn([edit("    return x + 1", "    return [x]")]))
    tree = project(tmp_path / "t", BROKEN)

    ran = regomender(tree, *model_server.options)

    assert (ran.exit_status, ran.report["outcome"], ran.report["patch"]) == (1, "not_fixed", "")
    assert git(tree, "status", "--porcelain") == ""


def test_a_partial_fix_is_kept_and_called_an_improvement(
    tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(in_turn([DOUBLE]))
    tree = project(tmp_path / "t", BROKEN)

    ran = regomender(tree, *model_server.options)

    assert (ran.exit_status, ran.report["outcome"]) == (1, "improved")
    assert "x * 2" in (tree / "calc.py").read_text()
    assert len(ran.report["remaining"]) == 1


def test_an_improvement_that_breaks_what_must_always_hold_is_dropped(
    tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(in_turn([DOUBLE]))
    tree = project(tmp_path / "t", BROKEN, invariant='! grep -q "x . 2" calc.py')

    ran = regomender(tree, *model_server.options)

    assert (ran.report["outcome"], ran.report["patch"]) == ("not_fixed", "")
    assert "clean clone" in ran.report["reason"]
    assert git(tree, "status", "--porcelain") == ""


def test_a_fix_in_two_steps_is_fixed_and_a_hidden_check_is_never_named_to_the_model(
    tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    wrong = edit("    return x - 1", "    return 2")
    model_server.play(in_turn([DOUBLE, wrong, edit("    return x - 1", "    return x >> 1"), HALF]))
    tree = project(tmp_path / "t", BROKEN, invariant='python -c "from calc import half; assert half(9.0) == 4"')

    ran = regomender(tree, *model_server.options)

    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed"), ran.report["reason"]
    assert "GUARD_FAIL" in ran.verdicts
    assert not any("half(9.0)" in prompt or "name: rule" in prompt for prompt in model_server.prompts)
    assert "half(9.0)" not in (ran.output / "blackboard.md").read_text()


def test_a_fix_that_works_every_other_time_is_not_fixed(
    tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    shaky = (
        "    import pathlib\n    seen = pathlib.Path('/tmp/seen')\n    if seen.exists():\n        seen.unlink()\n"
        "        return x + 1\n    seen.touch()\n    return x * 2"
    )
    model_server.play(in_turn([edit("    return x + 1", shaky), "I have no other idea."]))
    tree = project(
        tmp_path / "t",
        BROKEN.split("\n\n\n")[0] + "\n",
        test=TEST.split("\n\n\ndef test_half")[0].replace(", half", "") + "\n",
    )

    ran = regomender(tree, *model_server.options)

    assert ran.report["outcome"] != "fixed"


def test_secrets_in_ignored_folders_reach_no_prompt_and_no_file_of_the_run(
    tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(in_turn(["nothing"]))
    tree = project(tmp_path / "t", BROKEN)
    (tree / "local/deep").mkdir(parents=True)
    for name in ("local/.env", "local/deep/.env.production", ".env"):
        (tree / name).write_text("API_TOKEN=canary-41f7-leaked\n")
    (tree / ".gitignore").write_text("local/\n.env\n")
    # Bare values, so that no pattern of a secret's shape helps.
    show = "cut -d= -f2 .env local/.env local/deep/.env.production 2>&1; false"
    (tree / ".regomender.yml").write_text(f"version: 1\nchecks:\n  - {{name: unit, kind: semantic, run: '{show}'}}\n")

    for sandbox in ("bubblewrap", "none"):
        ran = regomender(tree, "--sandbox", sandbox, *model_server.options, output=tmp_path / f"output-{sandbox}")

        left = "".join(path.read_text() for path in ran.output.iterdir())
        assert model_server.prompts
        assert not any("canary" in request.prompt + request.system for request in model_server.requests), sandbox
        assert "canary" not in left + ran.errors + str(ran.report), sandbox
