"""The Repairer: tool-made fixes first, then a point Patch, then a Rewrite of the whole unit."""

import hashlib
import shutil
from collections.abc import Sequence

from repair.roles.briefing import brief, diagnosis_text, latest_diagnosis
from repair.roles.workbench import Workbench
from repair.rules.comparison import front
from repair.rules.routing import Target
from repair.tools.context.units import enclosing_unit
from repair.tools.edits.answer import parse_answer
from repair.tools.edits.apply import Applied, apply
from repair.tools.edits.encoding import decode, encode
from repair.tools.edits.restore import restore_lost_text
from repair.tools.edits.safety import UnsafePath
from repair.tools.fixers.choice import fixers_for
from repair.tools.fixers.scripts import scripts_of
from repair.tools.fixers.seam import FixCommand
from repair.tools.git import GitError
from repair.tools.guard import allowed_path
from repair.tools.prompting import render
from repair.tools.secret_patterns import MARK
from repair.tools.tree import Tree, read_text
from repair.tools.workspace import ChangedMeanwhile, WorkspaceError
from repair.values.base import Value
from repair.values.blackboard import Action, Strategy, Verdict
from repair.values.change import Answer, Severity, Unit, Violation
from repair.values.checks import Status
from repair.values.context import ContextPack
from repair.values.contract import Contract
from repair.values.execution import Command
from repair.values.model import ModelReply, ModelRequest, ModelRole

_SHORT_UNIT = 80
_MOST_TOKENS = 3_000
_MOST_SECONDS = 900.0
_MOST_SAID = 500
_FIXER_SECONDS = 300.0

_EMPHASIS = {
    Strategy.MINIMAL: "Make the smallest change that is right.",
    Strategy.ROOT_CAUSE: "Earlier small changes did not help: look for the root cause, also in other files.",
    Strategy.REWRITE: "Earlier changes did not help: think about what this code must do, and write it so.",
}


class Edit(Value):
    """What the Repairer did to the tree. `tree` is `None` when nothing was written."""

    action: Action
    targets: tuple[str, ...]
    tree: str | None = None
    problems: tuple[str, ...] = ()
    violations: tuple[Violation, ...] = ()
    notes: tuple[str, ...] = ()
    digest: str = ""
    tool: str = ""


class Repairer:
    """Changes the tree, and never judges it."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def fixers(self) -> tuple[FixCommand, ...]:
        """The fixers of the failing checks of the front stage that have not run on this tree."""
        board, tree = self._bench.board, self._files()
        used = {attempt.tool for attempt in board.attempts if attempt.parent == board.now.tree}
        found: list[FixCommand] = []
        for result in board.now.state.results:
            if result.required and result.status is Status.FAIL and result.stage == front(board.now.state):
                check = self._bench.check(result.check)
                manifest = read_text(tree, "package.json" if check.cwd == "." else f"{check.cwd}/package.json")
                found += fixers_for(check, result.findings, _is_here, scripts_of(manifest) if manifest else None)
        return tuple(fixer for fixer in dict.fromkeys(found) if label(fixer) not in used)

    async def fix(self, fixer: FixCommand, targets: Sequence[str]) -> Edit:
        """Run a fixer twice; its second run must change nothing, or it would never come to rest."""
        bench, tool = self._bench, label(fixer)
        before = bench.board.now.tree
        trees: list[str] = []
        edit = Edit(action=Action.FIXER, targets=tuple(targets), tool=tool)
        for turn in ("first", "second"):
            bench.watcher.working(f"fixer `{tool}`, {turn} run")
            command = Command(
                argv=Command.bash(fixer.run),
                cwd=fixer.cwd,
                timeout=min(_FIXER_SECONDS, max(1.0, bench.seconds_left)),
            )
            try:
                await bench.sandbox.run(command)
            except BaseException:
                # What an interrupted fixer did so far must be known to be ours, or it could not be undone.
                bench.workspace.snapshot(f"fixer-{len(bench.board.entries)}-interrupted")
                raise
            try:
                trees.append(bench.workspace.snapshot(f"fixer-{len(bench.board.entries)}-{turn}"))
            except ChangedMeanwhile:
                raise
            except (WorkspaceError, GitError) as error:
                problem = f"`{tool}` left a tree that git cannot store: {error}"
                return edit.model_copy(update={"problems": (problem[:_MOST_SAID],)})
            if trees[-1] == before:
                break
        if trees[-1] != trees[0]:
            return edit.model_copy(update={"problems": (f"`{tool}` changes the tree again on a second run",)})
        return edit.model_copy(update={"tree": trees[0], "digest": trees[0]})

    async def repair(self, target: Target, action: Action, pack: ContextPack) -> Edit:
        """Ask for a Patch or a Rewrite and put the answer into the tree. Raises `ModelFailure`."""
        bench = self._bench
        unit = self._unit(target, pack, action)
        reply = await bench.ask(self._request(target, action, pack, unit))
        answer = parse_answer(reply.text)
        digest = hashlib.sha256(answer.model_dump_json().encode()).hexdigest()[:16]
        edit = Edit(action=action, targets=target.fingerprints, digest=digest)
        problems = self._refusals(answer, digest, reply)
        if problems:
            return edit.model_copy(update={"problems": problems})
        applied = apply(self._files(), answer, unit)
        if applied.problems:
            return edit.model_copy(update={"problems": applied.problems, "notes": applied.notes})
        return self._write(edit, applied)

    def _write(self, edit: Edit, applied: Applied) -> Edit:
        bench = self._bench
        refused = tuple(_refusal(path, bench.board.contract) for path in applied.changes)
        violations = tuple(violation for violation in refused if violation)
        if violations:
            return edit.model_copy(update={"violations": violations})
        ignored = [path for path in applied.changes if bench.workspace.ignores(path)]
        if ignored:
            return edit.model_copy(
                update={"problems": (f"{ignored[0]} is ignored by git: an edit of it fixes nothing",)}
            )
        if any(_writes_redaction(self._files(), path, content) for path, content in applied.changes.items()):
            return edit.model_copy(update={"problems": (f"an edit may not write `{MARK}` into a file",)})
        changes = {path: _restored(self._files(), path, content) for path, content in applied.changes.items()}
        try:
            bench.workspace.write(changes)
        except ChangedMeanwhile:
            raise
        except (UnsafePath, OSError, WorkspaceError) as error:
            return edit.model_copy(update={"problems": (str(error),)})
        tree = bench.workspace.snapshot(f"attempt-{len(bench.board.entries) + 1}", changes)
        return edit.model_copy(update={"tree": tree, "notes": applied.notes})

    def _refusals(self, answer: Answer, digest: str, reply: ModelReply) -> tuple[str, ...]:
        if not answer.blocks and not answer.fences:
            cut = " (it was cut off at the token limit: answer with less text)" if reply.truncated else ""
            return (f"the answer held no edit block and no code{cut}",)
        # On another tree the same words are another edit; where they lead to a known tree, the rules see it.
        board = self._bench.board
        told = [a.edit for a in board.attempts if a.parent == board.now.tree and a.verdict is not Verdict.INFRA]
        if digest in told:
            return ("this is the same answer as before, to the letter",)
        return ()

    def _request(self, target: Target, action: Action, pack: ContextPack, unit: Unit | None) -> ModelRequest:
        bench = self._bench
        board = bench.board
        briefing = brief(bench, target, pack)
        asked = sum(1 for a in board.attempts if a.action in (Action.PATCH, Action.REWRITE))
        # A weak model that gave a short file back unchanged does better with blocks, and the other way round.
        offered = action is Action.REWRITE or (unit and unit.lines <= _SHORT_UNIT and asked % 2 == 0)
        values = briefing.values | {
            "diagnosis": diagnosis_text(latest_diagnosis(board)),
            "emphasis": _EMPHASIS[board.strategy],
            "unit": unit if offered else None,
            "path": unit.path if unit and not offered else target.file or "",
        }
        template = "rewrite" if action is Action.REWRITE and unit else "patch"
        return ModelRequest(
            role=ModelRole.REWRITE if action is Action.REWRITE else ModelRole.PATCH,
            run=bench.run,
            system=render("repairer_system", {}),
            prompt=bench.redactor.redact(render(template, values)),
            max_tokens=_MOST_TOKENS,
            # The same words get the same answer; after a failure a fresh sample is worth more.
            temperature=bench.temperature if bench.temperature is not None else min(0.3 * board.streak, 0.9),
            seed=asked,
            timeout=_MOST_SECONDS,
        )

    def _unit(self, target: Target, pack: ContextPack, action: Action) -> Unit | None:
        """The unit to ask for: where the scan sees the cause, else around the first error."""
        seen = next(iter(pack.of("a")), None)
        path, line = (
            (seen.path, _line_in(target, seen.path, seen.start))
            if seen
            else (target.file, _line_in(target, target.file, 1))
        )
        if path is None or allowed_path(path, self._bench.board.contract):
            return None
        text = read_text(self._files(), path)
        if text is None:
            return None
        lines = text.count("\n") + 1
        if lines <= _SHORT_UNIT or (action is Action.REWRITE and _spreads(target, path)):
            return Unit(path=path, start=1, end=max(1, len(text.splitlines())), kind="file")
        return enclosing_unit(path, text, line)

    def _files(self) -> Tree:
        return self._bench.workspace.files(self._bench.board.now.tree)


def label(fixer: FixCommand) -> str:
    """How the journal names a fixer."""
    return fixer.run if fixer.cwd == "." else f"{fixer.run} (in {fixer.cwd})"


def _refusal(path: str, contract: Contract) -> Violation | None:
    reason = allowed_path(path, contract)
    return Violation(rule="path", severity=Severity.CRITICAL, message=reason, file=path) if reason else None


def _is_here(program: str) -> bool:
    return shutil.which(program) is not None


def _line_in(target: Target, path: str | None, default: int) -> int:
    return next((f.line for f in target.findings if f.file == path and f.line is not None), default)


def _spreads(target: Target, path: str) -> bool:
    scopes = {finding.scope for finding in target.findings if finding.file == path}
    return len(scopes) > 1


def _writes_redaction(tree: Tree, path: str, content: bytes) -> bool:
    """Whether an edit copies what stands in the prompt for a secret."""
    return content.count(MARK.encode()) > (tree.read(path) or b"").count(MARK.encode())


def _restored(tree: Tree, path: str, content: bytes) -> bytes:
    before = tree.read(path)
    old, new = (decode(before) if before is not None else None), decode(content)
    if old is None or new is None:
        return content
    text = restore_lost_text(old.text, new.text, path)
    return encode(new.model_copy(update={"text": text})) if text != new.text else content
