"""Over every case: a model and a server that do everything wrong before they do it right."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.cases import Case, all_cases, blocks, git, need, parameters
from tests.acceptance.conftest import Ran, excuse_bad_luck
from tests.acceptance.players import in_turn
from tests.model_double import Break, Fault, ModelDouble, Step, error, garbage, html

REPAIRABLE = [case for case in all_cases() if case.repairable]
OUTSIDE = "../outside.txt\n<<<<<<< SEARCH\n=======\nowned\n>>>>>>> REPLACE\n"
COMMENTS = {".sql": "--", ".js": "//", ".ts": "//", ".rs": "//", ".py": "#", ".rego": "#", ".sh": "#", ".tf": "#"}
LIMITS = ("--max-iterations", "8")


def there_and_back(case: Case, fixed: Path) -> tuple[str, str]:
    """An edit of a file of the fix that helps nobody, and the edit that takes it back."""
    path, (before, _) = next(iter(sorted(case.patched(case.fix, fixed).items())))
    last = (before or "").rstrip("\n").split("\n")[-1]
    longer = f"{last}\n{COMMENTS[Path(path).suffix]} nothing new"
    forth = f"{path}\n<<<<<<< SEARCH\n{last}\n=======\n{longer}\n>>>>>>> REPLACE\n"
    back = f"{path}\n<<<<<<< SEARCH\n{longer}\n=======\n{last}\n>>>>>>> REPLACE\n"
    return forth, back


@pytest.mark.parametrize("case", parameters(REPAIRABLE))
def test_after_faults_garbage_tricks_and_wrong_edits_the_right_answer_still_counts(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Callable[..., Ran]
) -> None:
    need(case)
    forth, back = there_and_back(case, tmp_path / "patched")
    right = "\n".join(blocks(case.patched(case.fix, tmp_path / "fixed")))
    player = in_turn([OUTSIDE, forth, back, right])
    before: list[Step] = [error(429, "slow", {"retry-after-ms": "5"}), error(500), html()]
    model_server.play(lambda request: before.pop(0) if before else player(request))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    excuse_bad_luck(case, ran)
    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed"), ran.report["reason"]
    assert case.holdouts_fail(tree, tmp_path / "held") == []
    assert not (tmp_path / "outside.txt").exists()


@pytest.mark.parametrize("case", parameters(all_cases()))
def test_with_nothing_but_bad_answers_the_tree_is_never_worse(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Callable[..., Ran]
) -> None:
    need(case)
    dice = garbage(len(case.name))
    steps: list[Step] = [Fault(wire=Break.DROP_BEFORE_ANSWER), OUTSIDE]
    model_server.play(lambda request: steps.pop(0) if steps else dice(request))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *LIMITS, *model_server.options)

    accepted = {e["action"] for e in ran.report["iterations"] if e["decision"].startswith("accepted")}
    assert ran.report["outcome"] != "fixed"
    assert accepted <= {"fixer"}
    if not accepted:
        assert (ran.report["patch"], git(tree, "status", "--porcelain", "--ignored")) == ("", "")
