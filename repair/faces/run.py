"""Setting up one run from a person's options, and leaving its results behind."""

import asyncio
import contextlib
import json
import os
import secrets
import tempfile
from dataclasses import dataclass
from pathlib import Path

from repair.faces.private import UsageError, occupied, private_base
from repair.faces.proofpack import proofpack
from repair.faces.report import Json, blackboard_markdown, json_report
from repair.faces.signals import undisturbed
from repair.roles.baseline import establish
from repair.roles.orchestrator import Orchestrator
from repair.roles.workbench import Watcher, Workbench
from repair.rules.fingerprints import fingerprint
from repair.rules.progress import replay
from repair.rules.stagnation import Stop
from repair.tools.excludes import secret_values
from repair.tools.journal import Journal
from repair.tools.model import ModelClient
from repair.tools.redact import Redactor, secrets_of
from repair.tools.sandbox import Sandbox, SandboxUnavailable
from repair.tools.sandbox.bare import NoSandbox
from repair.tools.sandbox.bubblewrap import Bubblewrap
from repair.tools.verify import Verifier
from repair.tools.workspace import Workspace, WorkspaceError
from repair.values.blackboard import Blackboard, Event, Finished, Outcome, Started
from repair.values.checks import Check
from repair.values.settings import Settings


@dataclass(frozen=True)
class Options:
    """What the command line asked for; `root` and `output` are absolute. `temperature` overrides our own choice."""

    root: Path
    output: Path
    settings: Settings
    checks: tuple[Check, ...]
    sandbox: str
    model: ModelClient | None
    dry_run: bool
    temperature: float | None = None


@dataclass(frozen=True)
class Result:
    """How a run ended, its report, and where its wall time went, in seconds."""

    stop: Stop
    report: Json
    seconds: float
    check_seconds: float
    assurance_seconds: float
    model_seconds: float


async def repair(options: Options, watcher: Watcher) -> Result:
    """A new run. Raises `UsageError`, `WorkspaceError` or `SandboxUnavailable` before anything was changed."""
    if options.output == options.root:
        raise UsageError("--output must be a folder of its own, not the tree itself")
    if (options.output / "journal.jsonl").exists():
        raise UsageError(f"{options.output} already holds a run: go on with --resume, or choose another --output")
    options.output.mkdir(parents=True, exist_ok=True)
    journal = Journal(options.output / "journal.jsonl")
    journal.lock()
    with occupied(options.root, alone=options.sandbox == "none"):
        return await _begin(options, watcher, journal)


async def _begin(options: Options, watcher: Watcher, journal: Journal) -> Result:
    home = Path(tempfile.mkdtemp(prefix="run-", dir=private_base()))
    in_place = options.sandbox == "none"
    try:
        workspace, tree = Workspace.create(options.root, home, in_place=in_place, hidden=(options.output,))
        bench = _workbench(options, watcher, workspace, journal, secrets.token_hex(6))
    except BaseException:
        Workspace(options.root, home, in_place=in_place).remove()
        raise
    try:
        stop = await _within(bench, tree) or await Orchestrator(bench).run()
        await _last_call()
    except BaseException:
        with undisturbed(), contextlib.suppress(WorkspaceError):
            workspace.put_back(tree)
        if not journal.path.exists():
            workspace.remove()  # nothing is there to go on with
        raise
    with undisturbed():
        return _finish(options, bench, stop)


async def _within(bench: Workbench, tree: str) -> Stop | None:
    """The baseline, within the time limit of the run. Raises `UsageError` when that is too short for it."""
    try:
        async with asyncio.timeout(bench.seconds_left):
            return await establish(bench, tree)
    except TimeoutError as error:
        limit = bench.settings.limits.seconds
        raise UsageError(f"the checks did not end once within {limit:g} seconds; raise --max-seconds") from error


async def resume(options: Options, watcher: Watcher, journal: Journal, events: tuple[Event, ...]) -> Result:
    """Go on from an earlier, locked journal and its events. Raises like `repair`."""
    board = replay(events)
    started = next((event for event in events if isinstance(event, Started)), None)
    if started is None or board is None:
        raise UsageError("that run was stopped before its first verification; start a new run")
    if any(isinstance(event, Finished) for event in events):
        raise UsageError("that run has ended; start a new run")
    if Path(started.workspace).parent != private_base():
        raise UsageError(f"{started.workspace} is no folder of a run of yours; start a new run")
    with occupied(options.root, alone=options.sandbox == "none"):
        return await _go_on(options, watcher, journal, events, started, board)


async def _go_on(
    options: Options,
    watcher: Watcher,
    journal: Journal,
    events: tuple[Event, ...],
    started: Started,
    board: Blackboard,
) -> Result:
    workspace = Workspace.reopen(options.root, Path(started.workspace), in_place=started.sandbox == "none")
    workspace.restore(board.now.tree)
    bench = _workbench(options, watcher, workspace, journal, started.run)
    bench.recall(events)
    try:
        stop = await Orchestrator(bench).run()
        await _last_call()
    except BaseException:
        with undisturbed(), contextlib.suppress(WorkspaceError):
            workspace.put_back(board.baseline.tree)
        raise
    with undisturbed():
        return _finish(options, bench, stop)


async def _last_call() -> None:
    """An interruption that waits is heard here, before the tree is delivered, or not at all."""
    await asyncio.sleep(0)


def make_sandbox(name: str, workspace: Workspace) -> Sandbox:
    """The sandbox of that name around a workspace. Raises `SandboxUnavailable`."""
    scratch = workspace.home / "scratch"
    scratch.mkdir(exist_ok=True)
    if name == "none":
        reports = scratch / "reports"
        reports.mkdir(exist_ok=True)
        return NoSandbox(workspace.root, reports)
    if name == "bubblewrap":
        return Bubblewrap(workspace.root, workspace.tree, scratch, workspace.ignored())
    raise SandboxUnavailable(
        f"the sandbox `{name}` is not part of this version; use bubblewrap, or none for a tree you trust"
    )


def _workbench(options: Options, watcher: Watcher, workspace: Workspace, journal: Journal, run: str) -> Workbench:
    redactor = Redactor((*secrets_of(os.environ), *secret_values(workspace.root)))
    return Workbench(
        run=run,
        workspace=workspace,
        sandbox=make_sandbox(options.sandbox, workspace),
        sandbox_name=options.sandbox,
        verifier=Verifier(options.checks, fingerprint, redactor, watch=watcher.working),
        checks=options.checks,
        settings=options.settings,
        journal=journal,
        redactor=redactor,
        watcher=watcher,
        model=options.model,
        diff=redactor.redact(workspace.diff_against_base_branch()),
        temperature=options.temperature,
    )


def _finish(options: Options, bench: Workbench, stop: Stop) -> Result:
    board, workspace = bench.board, bench.workspace
    base, best = board.baseline.tree, board.best.tree
    worth = stop.outcome in (Outcome.FIXED, Outcome.IMPROVED)
    patch = workspace.diff(base, best) if worth else b""
    if not patch or options.dry_run:
        stop = _put_back(workspace, base, stop)
    elif not workspace.accept(base, best):
        reason = (
            f"{stop.reason}; your tree changed meanwhile and was left alone: the fix is in {options.output}/fix.patch"
        )
        stop = Stop(outcome=Outcome.IMPROVED, reason=reason)
    text = patch.decode("utf-8", errors="replace")
    report = json_report(board, stop, text)
    _leave(options.output / "fix.patch", patch)
    _leave(options.output / "blackboard.md", blackboard_markdown(board, stop, text).encode())
    pack = proofpack(bench.run, board, stop, text)
    _leave(options.output / "proofpack.json", (json.dumps(pack, indent=1, ensure_ascii=False) + "\n").encode())
    # Last, so that a run killed before this line can still be resumed and leave all of its files.
    bench.record(Finished(outcome=stop.outcome, reason=stop.reason, tree=best))
    workspace.remove()
    return Result(
        stop=stop,
        report=report,
        seconds=bench.seconds,
        check_seconds=bench.verifier.seconds,
        assurance_seconds=bench.verifier.assurance_seconds,
        model_seconds=board.model_seconds,
    )


def _put_back(workspace: Workspace, base: str, stop: Stop) -> Stop:
    try:
        workspace.put_back(base)
    except WorkspaceError as error:
        return stop.model_copy(update={"reason": f"{stop.reason}; {error}"})
    return stop


def _leave(path: Path, content: bytes) -> None:
    partial = path.with_name(f"{path.name}.partial")
    partial.write_bytes(content)
    partial.replace(path)
