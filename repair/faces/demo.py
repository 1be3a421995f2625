"""The demonstration: two red branches of a small project, repaired for real."""

import asyncio
import os
import shutil
import sys
import tempfile
from pathlib import Path

import typer

from repair.faces.choice import choose_checks
from repair.faces.private import UsageError
from repair.faces.run import Options, Result
from repair.faces.run import repair as run_repair
from repair.faces.terminal import watching
from repair.tools.git import Git
from repair.tools.model import ModelClient
from repair.tools.model.environment import from_environment
from repair.values.blackboard import Outcome

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
_ADVICE = """\
No model is configured, so the tools did what they can and the rest is left. With one it goes on; any
OpenAI-compatible address will do, a local one too:

  REGOMENDER_MODEL=NAME OPENAI_BASE_URL=http://127.0.0.1:PORT/v1 make demo
  REGOMENDER_MODEL=NAME OPENAI_API_KEY=KEY make demo
"""


def run_demo() -> int:
    """Repair both branches and say what happened; the exit status is 0 when each ended as it can here."""
    if not (EXAMPLES / "tally").is_dir():
        raise UsageError("the demonstration needs a checkout of RegoMender, with its folder examples/")
    # The project's commands are `python -m ruff` and so on: the tools stand beside our own interpreter.
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    model = from_environment(None, None, os.environ)
    with tempfile.TemporaryDirectory(prefix="regomender-demo-") as folder:
        tidy = _branch(Path(folder), "tidy", "1. A branch that tools alone can mend", model)
        shares = _branch(Path(folder), "shares", "2. A logic error behind a type error", model)
    typer.echo("")
    if model is None:
        typer.echo(_ADVICE)
    used = tidy.report["usage"]["calls"]
    typer.echo(f"tidy: {tidy.stop.outcome.value} with {used} model requests; shares: {shares.stop.outcome.value}")
    fine = tidy.stop.outcome is Outcome.FIXED and used == 0
    return 0 if fine and (model is None or shares.stop.outcome is Outcome.FIXED) else 1


def _branch(folder: Path, name: str, title: str, model: ModelClient | None) -> Result:
    typer.echo(f"\n{title} (examples/branches/{name}.patch)\n")
    tree = _check_out(folder / name, name)
    chosen = choose_checks(tree, None, None)
    options = Options(
        root=tree,
        output=folder / f"{name}-output",
        settings=chosen.settings,
        checks=chosen.required_some(),
        sandbox="bubblewrap",
        model=model,
        dry_run=False,
    )
    with watching(sys.stdout) as watcher:
        result = asyncio.run(run_repair(options, watcher))
    typer.echo(f"\n{result.stop.outcome.value.replace('_', ' ')}: {result.stop.reason}")
    for item in result.report["remaining"]:
        typer.echo(f"  left: {item['check']} {item['file']}:{item['line']} {item['message']}")
    if result.report["patch"]:
        typer.echo(f"\n{result.report['patch'].rstrip()}")
    return result


def _check_out(tree: Path, branch: str) -> Path:
    """The example as a git work tree: `main` is green, the branch is not."""
    shutil.copytree(EXAMPLES / "tally", tree, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
    git = Git(tree)
    git.run("init", "-q", "-b", "main")
    git.run("add", "-A")
    git.run("commit", "-q", "-m", "The green start")
    git.run("checkout", "-q", "-b", branch)
    git.run("apply", str(EXAMPLES / "branches" / f"{branch}.patch"))
    git.run("add", "-A")
    git.run("commit", "-q", "-m", f"The change on {branch}")
    return tree
