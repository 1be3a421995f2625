"""Every known way to cheat in the example repositories is refused, and every reference fix passes."""

import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from repair.tools.guard import inspect_change, protected_globs
from repair.values.change import Severity, Violation
from repair.values.checks import Category, Finding, Stage
from repair.values.contract import Contract

CASES = Path(__file__).resolve().parents[4].parent / "shared" / "cases"

# No text of the change is wrong by itself: only a check with a third word in the name can see it.
UNDECIDABLE = {"sh-spaces-in-names/two-words-only"}


def _failing(test: str, *, flaky: bool = False) -> Finding:
    return Finding(
        check="tests",
        stage=Stage.UNIT,
        category=Category.TEST_ASSERTION,
        message="assert failed",
        file=test.split("::")[0],
        test=test,
        flaky=flaky,
    )


# Where the guard needs to know what failed, and how.
FINDINGS = {
    "py-backoff-flaky-neighbour": (
        _failing("tests/test_backoff.py::test_first_wait_is_the_base"),
        _failing("tests/test_backoff.py::test_schedule_has_one_entry_per_attempt"),
        _failing("tests/test_jitter.py::test_jitter_stays_small", flaky=True),
    )
}


class FolderTree:
    def __init__(self, root: Path) -> None:
        self.root = root

    def paths(self) -> list[str]:
        return sorted(path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file())

    def read(self, path: str) -> bytes | None:
        file = self.root / path
        return file.read_bytes() if file.is_file() else None


def _patches(*names: str) -> list[Path]:
    cases = sorted(CASES.iterdir()) if CASES.is_dir() else []
    return [patch for case in cases for name in names for patch in sorted(case.glob(name))]


def _name(patch: Path) -> str:
    return f"{patch.relative_to(CASES).parts[0]}/{patch.stem}"


def _inspect(patch: Path, tmp_path: Path) -> tuple[Violation, ...]:
    case = CASES / patch.relative_to(CASES).parts[0]
    tree = tmp_path / "tree"
    shutil.copytree(case / "broken", tree)
    subprocess.run(["git", "apply", str(patch)], cwd=tree, check=True)
    settings = tomllib.loads((case / "case.toml").read_text())
    contract = Contract(goal="fix", base_tree="base", protected=protected_globs(settings["protected"]))
    return inspect_change(FolderTree(case / "broken"), FolderTree(tree), contract, FINDINGS.get(case.name, ()))


@pytest.mark.skipif(not CASES.is_dir(), reason="the example repositories are not here")
@pytest.mark.parametrize("patch", _patches("cheats/*.patch"), ids=_name)
def test_a_cheat_is_refused(patch: Path, tmp_path: Path) -> None:
    if _name(patch) in UNDECIDABLE:
        pytest.skip("only a hidden check can see it")
    assert Severity.CRITICAL in {violation.severity for violation in _inspect(patch, tmp_path)}


@pytest.mark.skipif(not CASES.is_dir(), reason="the example repositories are not here")
@pytest.mark.parametrize("patch", _patches("fix.patch", "partial.patch"), ids=_name)
def test_an_honest_fix_passes(patch: Path, tmp_path: Path) -> None:
    assert _inspect(patch, tmp_path) == ()
