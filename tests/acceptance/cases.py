"""The shared cases: broken repositories, their reference fixes and their cheats."""

import base64
import difflib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from repair.tools.edits.answer import render
from repair.values.change import Block

CASES = Path(__file__).resolve().parents[3] / "shared" / "cases"
_CONTEXT_LINES = 3


@dataclass(frozen=True)
class Case:
    """One case, read only. `spec` is its case.toml."""

    folder: Path
    spec: dict[str, Any]

    @property
    def name(self) -> str:
        return str(self.spec["id"])

    @property
    def repairable(self) -> bool:
        return not self.spec.get("unrepairable", False)

    @property
    def missing_tools(self) -> list[str]:
        return [tool for tool in self.spec.get("tools", []) if not _is_here(tool)]

    @property
    def cheats(self) -> list[Path]:
        return sorted((self.folder / "cheats").glob("*.patch"))

    def check_out(self, where: Path) -> Path:
        """A git work tree of the broken state."""
        shutil.copytree(self.folder / "broken", where)
        for path in [where, *where.rglob("*")]:
            path.chmod(path.stat().st_mode | 0o200)
        git(where, "init", "-q", "-b", "main")
        git(where, "add", "-A")
        git(where, "commit", "-qm", "broken")
        return where

    def configuration(self, where: Path, *, invariants: bool = True, **limits: float) -> Path:
        """A `.regomender.yml` for the case, its hidden checks as invariants."""
        document = {
            "version": 1,
            "checks": [{**check, "timeout": 120} for check in self.spec["checks"]],
            "protect": self.spec["protected"],
            "limits": {"seconds": 900, **limits},
        }
        if invariants:
            document["invariants"] = [self._invariant(check) for check in self.spec.get("holdout", [])]
        with where.open("w") as file:
            YAML(typ="safe").dump(document, file)
        return where

    def _invariant(self, check: dict[str, str]) -> dict[str, str]:
        hidden = self.folder / "holdout"
        # The box may not show the cases' folder, so the command brings the hidden files along.
        lay = f"echo {_packed(hidden)} | base64 -d | tar -xz --no-same-owner && " if hidden.is_dir() else ""
        return {"name": check["name"], "run": lay + f"{{ {check['run']}; }}"}

    def patched(self, patch: Path, where: Path) -> dict[str, tuple[str | None, str | None]]:
        """What a patch does: each changed path with its text before and after."""
        tree = self.check_out(where)
        git(tree, "apply", "--whitespace=nowarn", str(patch))
        git(tree, "add", "-A")
        names = git(tree, "diff", "--cached", "--no-renames", "--name-only").split()
        return {name: (_text(self.folder / "broken" / name), _text(tree / name)) for name in names}

    def holdouts_fail(self, tree: Path, where: Path) -> list[str]:
        """The names of the hidden checks that a finished tree does not pass."""
        shutil.copytree(tree, where, ignore=shutil.ignore_patterns(".git"))
        if (self.folder / "holdout").is_dir():
            shutil.copytree(self.folder / "holdout", where, dirs_exist_ok=True)
        for check in self.spec["checks"]:  # a build that the hidden checks look at
            _fails(check["run"], where)
        return [check["name"] for check in self.spec.get("holdout", []) if _fails(check["run"], where)]

    @cached_property
    def fix(self) -> Path:
        return self.folder / "fix.patch"


def all_cases() -> list[Case]:
    """Every case; none where the folder is absent."""
    return [Case(path.parent, tomllib.loads(path.read_text())) for path in sorted(CASES.glob("*/case.toml"))]


def parameters(cases: Iterator[Case] | list[Case]) -> list[Any]:
    """The cases as pytest parameters; one that says why there are none."""
    found = [pytest.param(case, id=case.name) for case in cases]
    return found or [pytest.param(None, id="no-cases", marks=pytest.mark.skip(reason="the shared cases are absent"))]


def need(case: Case) -> None:
    """Skip where a tool of the case is missing, and name it."""
    if case.missing_tools:
        pytest.skip(f"{', '.join(case.missing_tools)} is missing")


def blocks(changes: dict[str, tuple[str | None, str | None]]) -> list[str]:
    """The change as edit blocks, one text for each hunk, in the order of files and lines."""
    return [render([block]) for path in sorted(changes) for block in _blocks_of(path, *changes[path])]


def _blocks_of(path: str, before: str | None, after: str | None) -> Iterator[Block]:
    if before is None or after is None:
        # A deletion has no block of its own: the nearest a model can do is to empty the file.
        yield Block(path=path, search=before or "", replace=after or "")
        return
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for group in matcher.get_grouped_opcodes(_CONTEXT_LINES):
        first, last = group[0], group[-1]
        yield Block(path=path, search="".join(old[first[1] : last[2]]), replace="".join(new[first[3] : last[4]]))


def git(tree: Path, *arguments: str) -> str:
    """The output of git."""
    identity = ["-c", "user.name=test", "-c", "user.email=test@localhost"]
    finished = subprocess.run(["git", *identity, *arguments], cwd=tree, check=True, capture_output=True, text=True)
    return finished.stdout


def environment() -> dict[str, str]:
    """The variables under which the cases' commands find their tools."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    kept = {name: value for name, value in os.environ.items() if name not in ("TF_CLI_CONFIG_FILE", "VIRTUAL_ENV")}
    return kept | {"PATH": path}


def _packed(folder: Path) -> str:
    """The files of a folder as a base64 text of a tar archive."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        archive.add(folder, arcname=".", filter=_plain_modes)
    return base64.b64encode(packed.getvalue()).decode()


def _plain_modes(entry: tarfile.TarInfo) -> tarfile.TarInfo:
    entry.mode = 0o755 if entry.isdir() else 0o644
    return entry


def _text(path: Path) -> str | None:
    return path.read_text() if path.exists() else None


def _fails(command: str, tree: Path) -> bool:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "stdin": subprocess.DEVNULL}
    return subprocess.run(["bash", "-c", command], cwd=tree, env=environment(), timeout=300, **quiet).returncode != 0


def _is_here(tool: str) -> bool:
    if tool.startswith("py:"):
        return importlib.util.find_spec(tool[3:]) is not None
    if tool == "postgres":
        return all(shutil.which(name, path=environment()["PATH"]) for name in ("initdb", "pg_ctl", "psql"))
    return shutil.which(tool, path=environment()["PATH"]) is not None
