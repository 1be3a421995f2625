"""A small git work tree to try things with."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest


def run_git(tree: Path, *arguments: str) -> str:
    """The output of git in a tree."""
    command = ["git", "-c", "user.name=test", "-c", "user.email=test@localhost", *arguments]
    return subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def make_tree(tmp_path: Path) -> Callable[..., Path]:
    """A committed work tree with the given files."""

    def make(files: dict[str, bytes | str], name: str = "project") -> Path:
        tree = tmp_path / name
        for path, content in files.items():
            target = tree / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content.encode() if isinstance(content, str) else content)
        run_git(tree, "init", "-q", "-b", "main")
        run_git(tree, "add", "-A")
        run_git(tree, "commit", "-qm", "start")
        return tree

    return make
