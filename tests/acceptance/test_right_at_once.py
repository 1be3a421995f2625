"""A model that answers with the reference fix ends every case it can."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.acceptance.cases import Case, all_cases, blocks, git, need, parameters
from tests.acceptance.conftest import Ran, excuse_bad_luck
from tests.acceptance.players import in_turn
from tests.model_double import ModelDouble


@pytest.mark.parametrize("case", parameters([case for case in all_cases() if case.repairable]))
def test_the_reference_fix_is_verified_and_left_in_the_tree(
    case: Case, tmp_path: Path, model_server: ModelDouble, regomender: Callable[..., Ran]
) -> None:
    need(case)
    model_server.play(in_turn(["\n".join(blocks(case.patched(case.fix, tmp_path / "fixed")))]))
    tree = case.check_out(tmp_path / "tree")

    ran = regomender(tree, "--config", str(case.configuration(tmp_path / "c.yml")), *model_server.options)

    excuse_bad_luck(case, ran)
    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed"), ran.report["reason"]
    assert all(check["after"] == "pass" for check in ran.report["checks"])
    assert git(tree, "status", "--porcelain")
    assert case.holdouts_fail(tree, tmp_path / "held") == []
