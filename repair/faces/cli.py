"""The command line. Importing it imports neither a model SDK nor a job engine."""

import asyncio
import contextlib
import json
import os
import secrets
import signal
import tempfile
import traceback
from collections.abc import Coroutine, Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from repair.faces.choice import Chosen, choose_checks
from repair.faces.private import UsageError
from repair.faces.report import EXIT_STATUS, Json
from repair.faces.run import Options, Result
from repair.faces.run import repair as run_repair
from repair.faces.run import resume as run_resume
from repair.faces.terminal import watching
from repair.tools.ci.workflows import UnknownJobError
from repair.tools.git import GitError
from repair.tools.journal import Journal, JournalError
from repair.tools.model import ModelClient
from repair.tools.model.environment import from_environment
from repair.tools.redact import Redactor, secrets_of
from repair.tools.sandbox import SandboxUnavailable
from repair.tools.settings import SettingsError
from repair.tools.workspace import WorkspaceError, find_root
from repair.values.blackboard import Outcome, Started
from repair.values.settings import Settings

USAGE = 2
INFRASTRUCTURE = 3
INTERRUPTED = 130

app = typer.Typer(
    name="regomender",
    help="Turns a red work tree green, and can prove it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


class SandboxName(StrEnum):
    """The sandboxes by name."""

    BUBBLEWRAP = "bubblewrap"
    CONTAINER = "container"
    NONE = "none"


PathArgument = Annotated[Path, typer.Argument(help="A git work tree.")]
ConfigOption = Annotated[Path | None, typer.Option("--config", help="Instead of PATH's own .regomender.yml.")]
JobOption = Annotated[str | None, typer.Option("--job", metavar="WORKFLOW:JOB", help="Take the checks of that job.")]


@app.command()
def repair(
    path: PathArgument = Path(),
    config: ConfigOption = None,
    job: JobOption = None,
    list_: Annotated[bool, typer.Option("--list", help="Show the checks and exit.")] = False,
    model: Annotated[str | None, typer.Option(help="A model's name; default: REGOMENDER_MODEL.")] = None,
    base_url: Annotated[
        str | None, typer.Option(help="An OpenAI-compatible address; default: OPENAI_BASE_URL.")
    ] = None,
    no_model: Annotated[bool, typer.Option("--no-model", help="Use fixers only.")] = False,
    sandbox: Annotated[SandboxName, typer.Option(help="Where the checks run.")] = SandboxName.BUBBLEWRAP,
    max_iterations: Annotated[int | None, typer.Option(min=1, max=100)] = None,
    stagnation: Annotated[
        int | None, typer.Option(min=2, max=5, help="Attempts without progress before rollback.")
    ] = None,
    rewrite_above: Annotated[
        int | None, typer.Option(min=1, help="Errors in one unit before it is written anew.")
    ] = None,
    max_tokens: Annotated[int | None, typer.Option(min=0)] = None,
    max_seconds: Annotated[float | None, typer.Option(min=1)] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Leave PATH as it is.")] = False,
    output: Annotated[
        Path | None, typer.Option(help="For blackboard.md, journal.jsonl, proofpack.json, fix.patch.")
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on from the journal in an earlier --output.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The report on stdout and nothing else there.")] = False,
) -> None:
    """Repair a git work tree until its checks pass; an accepted fix is left in it, uncommitted."""
    limits = {
        "iterations": max_iterations,
        "stagnation": stagnation,
        "rewrite_above": rewrite_above,
        "tokens": max_tokens,
        "seconds": max_seconds,
    }
    with _plain_errors():
        root = find_root(path)
        if resume is not None:
            result = _resume(root, resume.resolve(), model, base_url, no_model, dry_run)
        else:
            chosen = choose_checks(root, config, job)
            if list_:
                _list(chosen)
                return
            options = Options(
                root=root,
                output=(output or _default_output()).resolve(),
                settings=_limited(chosen.settings, limits),
                checks=chosen.required_some(),
                sandbox=sandbox.value,
                model=None if no_model else _model(model, base_url),
                dry_run=dry_run,
                temperature=_temperature(),
            )
            with watching() as watcher:
                result = _run(run_repair(options, watcher), options.output)
        _tell(result, options.output if resume is None else resume, as_json)
    raise typer.Exit(EXIT_STATUS[result.stop.outcome])


@app.command()
def checks(path: PathArgument = Path(), config: ConfigOption = None, job: JobOption = None) -> None:
    """Show the checks that a repair would run, in the order they run."""
    with _plain_errors():
        _list(choose_checks(find_root(path), config, job))


@app.command()
def doctor() -> None:
    """Say what works on this machine, and what to change where something does not."""
    from repair.faces.doctor import examine

    healthy = True
    for finding in examine(os.environ):
        healthy = healthy and (finding.fine or not finding.needed)
        typer.echo(f"{'ok  ' if finding.fine else 'MISS' if finding.needed else 'none'}  {finding.text}")
    raise typer.Exit(0 if healthy else INFRASTRUCTURE)


@app.command()
def demo() -> None:
    """Repair two red branches of a small project that comes with RegoMender."""
    from repair.faces.demo import run_demo

    with _plain_errors():
        raise typer.Exit(run_demo())


@app.command()
def serve() -> None:
    """Run the GitHub App."""
    typer.echo("regomender: the GitHub App is not part of this version yet; `regomender repair` is.", err=True)
    raise typer.Exit(USAGE)


def main() -> None:
    """The entry point `regomender`."""
    app()


def _resume(root: Path, folder: Path, model: str | None, base_url: str | None, no_model: bool, dry_run: bool) -> Result:
    journal = Journal(folder / "journal.jsonl")
    if journal.path.is_file():
        journal.lock()
    events = journal.read()
    started = next((event for event in events if isinstance(event, Started)), None)
    if started is not None and Path(started.root) != root:
        raise UsageError(f"the run in {folder} was for {started.root}, not for {root}")
    options = Options(
        root=root,
        output=folder,
        settings=started.settings if started else Settings(),
        checks=started.checks if started else (),
        sandbox=started.sandbox if started else "bubblewrap",
        model=None if no_model else _model(model, base_url),
        dry_run=dry_run,
        temperature=_temperature(),
    )
    with watching() as watcher:
        return _run(run_resume(options, watcher, journal, events), folder)


def _run(work: Coroutine[None, None, Result], output: Path) -> Result:
    async def until_done() -> Result:
        task = asyncio.ensure_future(work)
        for sign in (signal.SIGTERM, signal.SIGHUP):
            asyncio.get_running_loop().add_signal_handler(sign, task.cancel)
        return await task

    try:
        return asyncio.run(until_done())
    except (KeyboardInterrupt, asyncio.CancelledError):
        begun = (output / "journal.jsonl").exists()
        advice = f"Go on with: --resume {output}" if begun else "It had not begun to repair: just start it again."
        typer.echo(f"regomender: stopped; your tree is as it was. {advice}", err=True)
        raise typer.Exit(INTERRUPTED) from None


@contextlib.contextmanager
def _plain_errors() -> Iterator[None]:
    """What a person can do something about is one line, never a traceback."""
    try:
        yield
    except (UsageError, WorkspaceError, SettingsError, UnknownJobError, JournalError) as error:
        typer.echo(f"regomender: {error}", err=True)
        raise typer.Exit(USAGE) from error
    except (SandboxUnavailable, GitError, OSError) as error:
        typer.echo(f"regomender: {error}", err=True)
        raise typer.Exit(INFRASTRUCTURE) from error
    except typer.Exit:
        raise
    except Exception as error:
        typer.echo(f"regomender: this is a bug of ours, not of your code: {_kept_trace(error)}", err=True)
        raise typer.Exit(INFRASTRUCTURE) from error


def _kept_trace(error: Exception) -> str:
    """Where the traceback of a bug was written, for the report; its secrets are taken out."""
    text = Redactor(secrets_of(os.environ)).redact("".join(traceback.format_exception(error)))
    with tempfile.NamedTemporaryFile("w", prefix="regomender-bug-", suffix=".txt", delete=False) as file:
        file.write(text)
    return f"{type(error).__name__}. Please report it with {file.name}"


def _tell(result: Result, output: Path, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(result.report, ensure_ascii=True))
        return
    typer.echo(f"{result.stop.outcome.value.replace('_', ' ')}: {result.stop.reason}")
    for line in _remaining(result.report):
        typer.echo(line)
    typer.echo(f"blackboard: {output}/blackboard.md")


def _remaining(report: Json) -> Iterator[str]:
    if report["outcome"] == Outcome.FIXED:
        return
    for item in report["remaining"][:20]:
        place = f" {item['file']}:{item['line'] or 1}" if item["file"] else ""
        yield f"  left: {item['check']}{place} {item['message'].splitlines()[0][:200] if item['message'] else ''}"


def _list(chosen: Chosen) -> None:
    for check in chosen.required_some():
        required = "" if check.required else "  (not required)"
        where = "" if check.cwd == "." else f"  (in {check.cwd})"
        typer.echo(f"{check.stage.name.lower():8} {check.name}: {check.run.strip()}{where}{required}")
    for note in chosen.notes:
        typer.echo(f"note: {note}", err=True)


def _limited(settings: Settings, options: dict[str, int | float | None]) -> Settings:
    given = {name: value for name, value in options.items() if value is not None}
    return settings.model_copy(update={"limits": settings.limits.model_copy(update=given)})


def _model(name: str | None, base_url: str | None) -> ModelClient | None:
    try:
        return from_environment(name, base_url, os.environ)
    except ValueError as error:
        raise UsageError(str(error)) from error


def _temperature() -> float | None:
    text = os.environ.get("REGOMENDER_TEMPERATURE", "").strip()
    if not text:
        return None
    with contextlib.suppress(ValueError):
        if 0 <= float(text) <= 2:
            return float(text)
    raise UsageError(f"REGOMENDER_TEMPERATURE is `{text}`; it must be a number from 0 to 2")


def _default_output() -> Path:
    state = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local/state")
    return state / "regomender" / f"run-{secrets.token_hex(4)}"


if __name__ == "__main__":
    main()
