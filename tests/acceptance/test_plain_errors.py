"""What a person can mend is told in plain words and a fixed exit status, never in a traceback."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from repair.tools.workspace import Workspace
from tests.acceptance.cases import git
from tests.acceptance.conftest import Ran
from tests.model_double import HANG, ModelDouble

Regomender = Callable[..., Ran]


def work_tree(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "start")
    return folder


def configured(*checks: str) -> dict[str, str]:
    lines = "".join(f"  - {check}\n" for check in checks)
    return {".regomender.yml": f"version: 1\nchecks:\n{lines}"}


def test_a_folder_that_is_no_git_tree(tmp_path: Path, regomender: Regomender) -> None:
    ran = regomender(tmp_path)

    assert ran.exit_status == 2
    assert "not a git work tree" in ran.errors


def test_no_checks_found_says_how_to_name_them(tmp_path: Path, regomender: Regomender) -> None:
    ran = regomender(work_tree(tmp_path / "t", {"a": ""}))

    assert ran.exit_status == 2
    assert "no checks found" in ran.errors
    assert ".regomender.yml" in ran.errors


def test_an_unknown_configuration_key_is_named_with_its_line(tmp_path: Path, regomender: Regomender) -> None:
    ran = regomender(work_tree(tmp_path / "t", {".regomender.yml": "version: 1\nlimts: {}\n"}))

    assert ran.exit_status == 2
    assert ".regomender.yml:2" in ran.errors
    assert "limts" in ran.errors


def test_a_missing_tool_is_infrastructure_and_named(tmp_path: Path, regomender: Regomender) -> None:
    tree = work_tree(tmp_path / "t", configured("{name: lint, kind: syntax, run: no-such-linter-here .}"))

    ran = regomender(tree)

    assert (ran.exit_status, ran.report["outcome"]) == (3, "infra")
    assert "no-such-linter-here" in ran.report["reason"]


def test_an_unreachable_model_is_infrastructure_and_its_address_is_named(
    tmp_path: Path, regomender: Regomender
) -> None:
    tree = work_tree(tmp_path / "t", configured("{name: unit, kind: semantic, run: 'false'}"))

    ran = regomender(tree, "--model", "m", "--base-url", "http://127.0.0.1:9/v1")

    assert (ran.exit_status, ran.report["outcome"]) == (3, "infra")
    assert "127.0.0.1:9" in ran.report["reason"]


def test_without_a_model_only_fixers_are_tried_and_that_is_said(tmp_path: Path, regomender: Regomender) -> None:
    tree = work_tree(tmp_path / "t", configured("{name: unit, kind: semantic, run: 'false'}"))

    ran = regomender(tree)

    assert (ran.exit_status, ran.report["outcome"]) == (1, "not_fixed")
    assert "no model is configured" in ran.report["reason"]


def test_checks_that_all_pass_are_not_reproduced_and_cost_nothing(tmp_path: Path, regomender: Regomender) -> None:
    tree = work_tree(tmp_path / "t", configured("{name: unit, kind: semantic, run: 'true'}"))

    ran = regomender(tree, "--model", "m", "--base-url", "http://127.0.0.1:9/v1")

    assert (ran.exit_status, ran.report["outcome"]) == (4, "refused")
    assert "not reproduced" in ran.report["reason"]
    assert ran.report["usage"]["calls"] == 0


def test_no_collected_test_is_not_a_pass(tmp_path: Path, regomender: Regomender) -> None:
    checks = configured("{name: unit, kind: semantic, run: 'python -m pytest -q || test $? = 5'}")
    ran = regomender(work_tree(tmp_path / "t", {**checks, "a.py": ""}))

    assert ran.report["outcome"] == "not_fixed"
    assert "no tests were collected" in ran.report["remaining"][0]["message"]


def test_a_check_that_hangs_tells_where(tmp_path: Path, regomender: Regomender) -> None:
    files = configured("{name: unit, kind: semantic, run: python hang.py, timeout: 3}")
    files["hang.py"] = "def waits_for_ever():\n    while True:\n        pass\n\n\nwaits_for_ever()\n"

    ran = regomender(work_tree(tmp_path / "t", files))

    assert ran.report["remaining"][0]["category"] == "resource_timeout"
    result = json.loads((ran.output / "journal.jsonl").read_text().splitlines()[1])["state"]["results"][0]
    assert "in waits_for_ever" in result["findings"][0]["detail"]


def test_a_dry_run_leaves_the_tree_and_writes_the_patch(tmp_path: Path, regomender: Regomender) -> None:
    files = configured("{name: lint, kind: syntax, run: python -m ruff check .}") | {"a.py": "import os\n\nx = 1\n"}
    tree = work_tree(tmp_path / "t", files)

    ran = regomender(tree, "--dry-run")

    assert (ran.exit_status, ran.report["outcome"]) == (0, "fixed")
    assert git(tree, "status", "--porcelain") == ""
    git(tree, "apply", str(ran.output / "fix.patch"))
    assert (tree / "a.py").read_text() == "\nx = 1\n"
    assert {path.name for path in ran.output.iterdir()} == {
        "blackboard.md",
        "fix.patch",
        "journal.jsonl",
        "journal.jsonl.lock",
        "proofpack.json",
    }


def test_what_tools_can_fix_costs_no_token(tmp_path: Path, regomender: Regomender) -> None:
    files = configured(
        "{name: lint, kind: syntax, run: python -m ruff check .}",
        "{name: format, kind: syntax, run: python -m black --check .}",
    )
    tree = work_tree(tmp_path / "t", files | {"a.py": "import os\nx   =  1\n"})

    ran = regomender(tree, "--model", "m", "--base-url", "http://127.0.0.1:9/v1")

    assert (ran.exit_status, ran.report["usage"]["calls"]) == (0, 0)
    assert (tree / "a.py").read_text() == "x = 1\n"


def test_a_fixer_that_never_comes_to_rest_is_refused(tmp_path: Path, regomender: Regomender) -> None:
    check = "{name: lint, kind: syntax, run: 'grep -q done a.txt', fix: 'date +%s%N >> a.txt'}"
    tree = work_tree(tmp_path / "t", configured(check) | {"a.txt": "x\n"})

    ran = regomender(tree)

    assert ran.report["iterations"][0]["verdict"] == "NOOP"
    assert "second run" in ran.report["iterations"][0]["problems"][0]
    assert git(tree, "status", "--porcelain") == ""


@pytest.mark.parametrize("changed", ["a.py", "new.py"])
def test_a_tree_that_changed_meanwhile_is_left_alone(tmp_path: Path, regomender: Regomender, changed: str) -> None:
    tree = work_tree(tmp_path / "t", {"a.py": "import os\n\nx = 1\n"})
    (tmp_path / "c.yml").write_text(
        "version: 1\nchecks:\n  - {name: lint, kind: syntax, run: python -m ruff check .}\n"
    )
    accept = Workspace.accept

    def changed_first(self: Workspace, base: str, best: str) -> bool:
        (tree / changed).write_text("the person went on\n")
        return accept(self, base, best)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Workspace, "accept", changed_first)
        ran = regomender(tree, "--config", str(tmp_path / "c.yml"))

    assert (ran.exit_status, ran.report["outcome"]) == (1, "improved")
    assert "changed meanwhile" in ran.report["reason"]
    assert (ran.output / "fix.patch").read_text()
    assert (tree / changed).read_text() == "the person went on\n"


def test_the_tree_itself_is_no_place_for_the_output(tmp_path: Path, regomender: Regomender) -> None:
    tree = work_tree(tmp_path / "t", configured("{name: unit, kind: semantic, run: 'false'}"))

    ran = regomender(tree, output=tree)

    assert ran.exit_status == 2
    assert "--output" in ran.errors
    assert git(tree, "status", "--porcelain") == ""


def test_a_run_that_nothing_can_resume_leaves_no_private_files(
    tmp_path: Path, regomender: Regomender, monkeypatch: pytest.MonkeyPatch
) -> None:
    private = tmp_path / "regomender-private"
    private.mkdir()
    monkeypatch.setattr("repair.faces.run.private_base", lambda: private)
    tree = work_tree(tmp_path / "t", configured("{name: unit, kind: semantic, run: sleep 60}"))

    ran = regomender(tree, "--max-seconds", "1")

    assert ran.exit_status == 2
    assert "--max-seconds" in ran.errors
    assert list(private.glob("run-*")) == []


@pytest.mark.parametrize(
    ("first", "second", "refused"),
    [
        ("none", "none", True),
        ("none", "bubblewrap", True),
        ("bubblewrap", "none", True),
        ("bubblewrap", "bubblewrap", False),
    ],
)
def test_a_tree_that_is_edited_in_place_is_left_to_one_run(
    tmp_path: Path, regomender: Regomender, model_server: ModelDouble, first: str, second: str, refused: bool
) -> None:
    tree = work_tree(tmp_path / "t", configured("{name: unit, kind: semantic, run: 'false'}"))
    model_server.play(HANG)
    command = [sys.executable, "-m", "repair.faces.cli", "repair", str(tree), "--sandbox", first, *model_server.options]
    other = subprocess.Popen([*command, "--output", str(tmp_path / "other")], stderr=subprocess.DEVNULL)
    try:
        while not (tmp_path / "other/journal.jsonl").exists():
            assert other.poll() is None
            time.sleep(0.05)

        ran = regomender(tree, "--no-model", "--sandbox", second)
    finally:
        other.terminate()
        other.communicate()

    assert ran.exit_status == (2 if refused else 1)
    assert ("another run works on" in ran.errors) is refused


def test_a_journal_cannot_name_a_folder_that_is_no_run_of_ours(tmp_path: Path, regomender: Regomender) -> None:
    tree = work_tree(tmp_path / "t", configured("{name: unit, kind: semantic, run: 'false'}"))
    ran = regomender(tree, "--no-model")
    victim = tmp_path / "victim"
    git(tmp_path, "clone", "-q", "--mirror", str(tree), str(victim / "git"))
    journal = ran.output / "journal.jsonl"
    started, *more, _ = journal.read_text().splitlines()
    forged = json.dumps(json.loads(started) | {"workspace": str(victim)})
    journal.write_text("\n".join([forged, *more, ""]))

    again = regomender(tree, "--no-model", "--resume", str(ran.output))

    assert again.exit_status == 2
    assert "no folder of a run" in again.errors
    assert (victim / "git/HEAD").exists()


@pytest.mark.parametrize(
    "damage",
    ["rm a.txt && mkfifo a.txt", "mkdir inner && git -C inner init -q", "rm a.txt && mkdir a.txt && touch a.txt/b"],
)
def test_a_fixer_that_leaves_an_odd_tree_is_one_failed_attempt(
    tmp_path: Path, regomender: Regomender, damage: str
) -> None:
    check = f"{{name: lint, kind: syntax, run: 'grep -q done a.txt', fix: '{damage}'}}"
    tree = work_tree(tmp_path / "t", configured(check) | {"a.txt": "x\n"})

    ran = regomender(tree)

    assert (ran.exit_status, ran.report["outcome"]) == (1, "not_fixed"), ran.errors
    assert ran.report["iterations"][0]["action"] == "fixer"
    assert git(tree, "status", "--porcelain") == ""
