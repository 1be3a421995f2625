"""How runs end with models of every character: within the limits, the tree never worse than at the start."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.cases import Case, all_cases, blocks, git, need, parameters
from tests.acceptance.conftest import Ran, excuse_bad_luck
from tests.acceptance.players import in_turn, repairing
from tests.model_double import Break, Fault, ModelDouble, Reply, always, error, garbage, html, huge

REPAIRABLE = [case for case in all_cases() if case.repairable]
CHAINS = [case for case in REPAIRABLE if case.spec["chain"]]
# One quick case stands for all where the character of the model, not of the code, is in question.
ONE = [case for case in REPAIRABLE if case.name == "py-circular-import"]

Regomender = Callable[..., Ran]


def unchanged(tree: Path) -> bool:
    """Whether nothing of a run is left in the tree."""
    return git(tree, "status", "--porcelain", "--ignored") == ""


@pytest.mark.parametrize("case", parameters(CHAINS))
def test_a_chain_is_repaired_one_hunk_at_a_time(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    need(case)
    hunks = blocks(case.patched(case.fix, tmp_path / "fixed"))
    model_server.play(in_turn(hunks))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    excuse_bad_luck(case, ran)
    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed"), ran.report["reason"]
    assert case.holdouts_fail(tree, tmp_path / "held") == []


@pytest.mark.parametrize("case", parameters(REPAIRABLE))
def test_cheating_first_and_then_right_ends_fixed(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    need(case)
    cheats = [
        "\n".join(blocks(case.patched(cheat, tmp_path / f"cheat-{number}")))
        for number, cheat in enumerate(case.cheats[:2])
    ]
    right = "\n".join(blocks(case.patched(case.fix, tmp_path / "fixed")))
    model_server.play(in_turn([*cheats, right]))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    excuse_bad_luck(case, ran)
    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed"), ran.report["reason"]
    assert case.holdouts_fail(tree, tmp_path / "held") == []


@pytest.mark.parametrize("case", parameters(all_cases()))
def test_a_model_that_only_cheats_delivers_no_cheat(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    need(case)
    cheats = [
        "\n".join(blocks(case.patched(cheat, tmp_path / f"cheat-{number}"))) for number, cheat in enumerate(case.cheats)
    ]
    model_server.play(in_turn(cheats))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    accepted = [entry for entry in ran.report["iterations"] if entry["decision"].startswith("accepted")]
    if ran.report["outcome"] == "fixed":  # the cheat was only a part of the answer, and minimising took it out
        assert case.holdouts_fail(tree, tmp_path / "held") == []
    elif accepted:  # what tools made may stay, if it is better than the start
        assert {entry["action"] for entry in accepted} == {"fixer"}
        assert (ran.exit_status, ran.report["outcome"]) == (1, "improved")
    else:
        assert ran.exit_status in (1, 4)
        assert ran.report["patch"] == ""
        assert unchanged(tree)


@pytest.mark.parametrize("case", parameters(ONE))
@pytest.mark.parametrize("wrong", [1, 2, 4])
def test_wrong_some_times_and_then_right_ends_fixed(
    case: Case, wrong: int, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    path = "src/parcel/weights.py"
    text = (case.folder / "broken" / path).read_text().splitlines(keepends=True)
    noise = [_prepended(path, text[0], f"WRONG_{number} = {number}\n") for number in range(wrong)]
    model_server.play(in_turn([*noise, "\n".join(blocks(case.patched(case.fix, tmp_path / "fixed")))]))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed"), ran.report["reason"]
    assert "WRONG" not in ran.report["patch"]


@pytest.mark.parametrize("case", parameters(ONE))
def test_going_round_in_a_circle_is_seen(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    path = "src/parcel/weights.py"
    first = (case.folder / "broken" / path).read_text().splitlines(keepends=True)[0]
    there = _prepended(path, first, "ROUND = 1\n")
    back = f"{path}\n<<<<<<< SEARCH\nROUND = 1\n=======\n>>>>>>> REPLACE\n"
    model_server.play(in_turn([there, back, there, back, there]))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    assert ran.report["outcome"] == "not_fixed"
    assert "REVISIT" in ran.verdicts
    assert "rollback" in [entry["action"] for entry in ran.report["iterations"]]
    assert unchanged(tree)


@pytest.mark.parametrize("case", parameters(ONE))
@pytest.mark.parametrize(
    "path",
    ["../outside.py", "/etc/cron.d/x", ".git/hooks/post-checkout", "src/../../x", ".GIT/config", "~/x", "a\x00b"],
)
def test_no_path_trick_writes_anything(
    case: Case, path: str, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(in_turn([f"{path}\n<<<<<<< SEARCH\n=======\nowned\n>>>>>>> REPLACE\n"]))
    tree = case.check_out(tmp_path / "tree")
    before = sorted(str(found) for found in tmp_path.rglob("*"))

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    assert ran.report["outcome"] == "not_fixed"
    assert ran.report["patch"] == ""
    assert unchanged(tree)
    after = [str(found) for found in tmp_path.rglob("*") if "output" not in found.parts and found.name != "c.yml"]
    assert sorted(after) == before


UNUSABLE = {
    "garbage": garbage(7),
    "html": html(),
    "empty": Reply(""),
    "huge": huge(2_000_000),
    "no edit": "I am sure that the problem is elsewhere.",
    "cut": Reply("src/x.py\n<<<<<<< SEARCH\na\n", finish_reason="length"),
}


@pytest.mark.parametrize("case", parameters(ONE))
@pytest.mark.parametrize("name", UNUSABLE)
def test_an_unusable_answer_costs_one_attempt_and_nothing_else(
    case: Case, name: str, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    answer = UNUSABLE[name]
    model_server.play(answer if callable(answer) else always(answer))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    attempts = [entry for entry in ran.report["iterations"] if entry["action"] in ("patch", "rewrite")]
    assert ran.report["outcome"] in ("not_fixed", "budget"), ran.report["reason"]
    assert 0 < len(attempts) <= 15
    assert {entry["verdict"] for entry in attempts} == {"NOOP"}
    assert ran.report["usage"]["calls"] >= len(attempts)
    assert unchanged(tree)


BROKEN = {
    "429": error(429, "slow down", {"retry-after-ms": "10"}),
    "500": error(500, "sorry"),
    "dropped": Fault(wire=Break.DROP_BEFORE_ANSWER),
}


@pytest.mark.parametrize("case", parameters(ONE))
@pytest.mark.parametrize("name", BROKEN)
def test_a_server_that_stays_down_is_infrastructure_and_not_the_codes_fault(
    case: Case, name: str, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(always(BROKEN[name]))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    assert (ran.exit_status, ran.report["outcome"]) == (3, "infra"), ran.report["reason"]
    assert len(model_server.requests) <= 6  # two attempts of at most three tries: no storm
    assert unchanged(tree)


@pytest.mark.parametrize("case", parameters(ONE))
@pytest.mark.parametrize("name", BROKEN)
def test_a_server_that_comes_back_is_waited_for(
    case: Case, name: str, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    right = in_turn(["\n".join(blocks(case.patched(case.fix, tmp_path / "fixed")))])
    faults = [BROKEN[name]] * 2
    model_server.play(lambda request: faults.pop() if faults else right(request))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed"), ran.report["reason"]


@pytest.mark.parametrize("case", parameters(ONE))
def test_a_wrong_key_ends_the_run_at_once(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(always(error(401, "bad key")))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    assert (ran.exit_status, len(model_server.requests)) == (3, 1)


@pytest.mark.parametrize("case", parameters(ONE))
def test_a_model_that_hangs_is_left_when_the_time_is_up(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(always(Fault(wire=Break.HANG)))
    tree = case.check_out(tmp_path / "tree")
    configuration = case.configuration(tmp_path / "c.yml", seconds=20)

    ran = regomender(tree, "--config", str(configuration), *model_server.options)

    assert (ran.exit_status, ran.report["outcome"]) == (1, "budget"), ran.report["reason"]
    assert unchanged(tree)


@pytest.mark.parametrize("case", parameters(ONE))
def test_the_iteration_limit_holds(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Regomender
) -> None:
    model_server.play(repairing(always("nothing")))
    tree = case.check_out(tmp_path / "tree")
    options = ("--config", str(case.configuration(tmp_path / "c.yml")), "--max-iterations", "2")

    ran = regomender(tree, *options, *model_server.options)

    attempts = [entry for entry in ran.report["iterations"] if entry["action"] != "diagnose"]
    assert (ran.report["outcome"], len(attempts)) == ("budget", 2)


def _prepended(path: str, first: str, line: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{first}=======\n{line}{first}>>>>>>> REPLACE\n"
