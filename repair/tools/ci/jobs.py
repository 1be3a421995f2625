"""One job of a workflow: its steps become checks and setup commands."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import isfinite
from pathlib import PurePosixPath
from shlex import quote
from typing import Final

from repair.tools.ci.expressions import Context, UnresolvedError, holds, resolve
from repair.tools.ci.matrix import flattened, legs
from repair.tools.ci.stages import stage_of
from repair.tools.ci.steps import runner_files, take_apart
from repair.tools.documents import Plain, list_of, mapping_of, shown, text_of
from repair.tools.settings import is_inside
from repair.values.checks import Check

MAX_NAME: Final = 80
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SHELLS: Final = {"bash", "sh"}
_OTHER_SYSTEMS: Final = ("windows", "macos")
# Actions that only prepare a runner; what they would set up is expected to be there.
_PREPARING: Final = re.compile(r"actions/(?:checkout|cache|setup-|upload-|download-)|[^/]+/setup-", re.IGNORECASE)
_SUBSTITUTE: Final = {"runner.os": "Linux", "runner.arch": "X64", "runner.temp": "/tmp"}  # noqa: S108  # GitHub's own value is a temporary folder too

Fields = Mapping[str, Plain]
Env = dict[str, str]


@dataclass
class JobReading:
    """A job while it is read: `workflow` are the fields around it."""

    workflow: Fields
    job: Fields
    event: str
    checks: list[Check] = field(default_factory=list)
    setup: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def read(self) -> None:
        """Fill `checks`, `setup` and `notes` from the job's fields."""
        context = self._context()
        if reason := _why_not(self.job, context):
            self.notes.append(f"the job is left out: {reason}")
            return
        for key in ("container", "services"):
            if self.job.get(key):
                self.notes.append(f"the job asks for `{key}`, which is not started here")
        env = self._env(self.workflow, {}, context, "the workflow")
        env = self._env(self.job, env, context, "the job")
        for number, step in enumerate(list_of(self.job.get("steps")), start=1):
            self._step(mapping_of(step), number, env, context)

    def _context(self) -> Context:
        """What is known before a run, for the first leg of the matrix that runs on Linux."""
        known = {**_SUBSTITUTE, "github.event_name": self.event, "github.workspace": "."}
        if self.event == "pull_request":
            known["github.ref"] = "refs/pull/0/merge"
        first: Context | None = None
        for leg in legs(mapping_of(self.job.get("strategy")).get("matrix")):
            context = known | dict(flattened("matrix", leg))
            if not _other_system(self.job, context):
                return context
            first = first or context
        return first or known

    def _env(self, fields: Fields, outer: Env, context: Context, where: str) -> Env:
        env = dict(outer)
        known = {**context, **{f"env.{name}": value for name, value in outer.items()}}
        for name, value in mapping_of(fields.get("env")).items():
            try:
                if _VARIABLE.fullmatch(name):
                    env[name] = resolve(text_of(value), known)
            except UnresolvedError as error:
                env.pop(name, None)
                self.notes.append(f"{where}: the variable {shown(name)} is left out: it needs {shown(error)}")
        return env

    def _step(self, step: Fields, number: int, job_env: Env, job_context: Context) -> None:
        name = _step_name(step, number)
        where = f"step `{name}`"
        if "run" not in step:
            self._action(step, where)
            return
        env = self._env(step, job_env, job_context, where)
        context = {**job_context, **{f"env.{key}": value for key, value in env.items()}}
        try:
            script, cwd = self._script(step, context)
        except UnresolvedError as error:
            self.notes.append(f"{where} is left out: it needs {shown(error)}")
            return
        if reason := self._why_not_run(step, cwd, context):
            self.notes.append(f"{where} is left out: {reason}")
            return
        if holds(text_of(step.get("if")) or "true", context) is None:
            self.notes.append(f"{where} is taken although its condition is not known here")
        self._take(step, _resolved_name({**step, "run": script}, number, context), script, cwd, env)

    def _script(self, step: Fields, context: Context) -> tuple[str, str]:
        """The command and the folder it runs in, relative to the root of the repository."""
        cwd = resolve(text_of(step.get("working-directory")) or self._default("working-directory") or ".", context)
        cwd = str(PurePosixPath(cwd or "."))
        back = "/".join([".."] * len(PurePosixPath(cwd).parts)) or "."
        return resolve(text_of(step.get("run")), {**context, "github.workspace": back}), cwd

    def _default(self, key: str) -> str:
        """The value of `defaults.run`, the job's before the workflow's."""
        runs = [mapping_of(mapping_of(fields.get("defaults")).get("run")) for fields in (self.job, self.workflow)]
        return next((text for run in runs if (text := text_of(run.get(key)))), "")

    def _why_not_run(self, step: Fields, cwd: str, context: Context) -> str:
        condition = text_of(step.get("if"))
        if condition and holds(condition, context) is False:
            return f"its condition does not hold on {self.event}"
        shell = text_of(step.get("shell")) or self._default("shell")
        if shell and PurePosixPath(shell.split()[0]).name not in _SHELLS:
            return f"its shell is {shown(shell)}"
        return "" if is_inside(cwd) else "it works outside the repository"

    def _action(self, step: Fields, where: str) -> None:
        action = text_of(step.get("uses"))
        if not _PREPARING.match(action):
            self.notes.append(f"{where} is left out: the action {shown(action)} does not run here")

    def _take(self, step: Fields, name: str, script: str, cwd: str, env: Env) -> None:
        parts = take_apart(script)
        self.notes.extend(f"step `{name}` is left out where {reason}" for reason in parts.left_out)
        variables = (*env.items(), *runner_files(script))
        if parts.setup:
            self.setup.append(_standing_alone(parts.setup, cwd, variables))
        if not parts.check:
            return
        optional = {text_of(fields.get("continue-on-error")) for fields in (step, self.job)}
        check = Check(
            name=_unique(name, {check.name for check in self.checks}),
            stage=stage_of(parts.check, name=name),
            run=parts.check,
            cwd=cwd,
            required="true" not in optional,
            env=variables,
        )
        seconds = self._seconds(step)
        self.checks.append(check if seconds is None else check.model_copy(update={"timeout": seconds}))

    def _seconds(self, step: Fields) -> float | None:
        for fields in (step, self.job):
            try:
                seconds = float(text_of(fields.get("timeout-minutes"))) * 60
            except ValueError:
                continue
            if isfinite(seconds) and seconds > 0:
                return seconds
        return None


def _why_not(job: Fields, context: Context) -> str:
    if job.get("uses"):
        return f"it calls the workflow {shown(job['uses'])}"
    if holds(text_of(job.get("if")) or "true", context) is False:
        return f"its condition does not hold on {context['github.event_name']}"
    if _other_system(job, context):
        return "it runs on another system than Linux"
    return ""


def _other_system(job: Fields, context: Context) -> bool:
    labels = job.get("runs-on")
    texts = [text_of(label) for label in list_of(labels)] or [text_of(labels)]
    return any(system in text for text in _resolved(texts, context) for system in _OTHER_SYSTEMS)


def _resolved(texts: list[str], context: Context) -> Iterator[str]:
    for text in texts:
        try:
            yield resolve(text, context).lower()
        except UnresolvedError:
            yield ""


def _step_name(step: Fields, number: int) -> str:
    """The name of a step on one line: its own, or the beginning of its command."""
    lines = (text_of(step.get("name")) or text_of(step.get("run")) or text_of(step.get("uses"))).split("\n")
    name = next((line for line in lines if line.strip()), "")
    return "".join(char for char in " ".join(name.split()) if char.isprintable())[:MAX_NAME] or f"step {number}"


def _resolved_name(step: Fields, number: int, context: Context) -> str:
    name = _step_name(step, number)
    try:
        return resolve(name, context)
    except UnresolvedError:
        return name


def _unique(name: str, taken: set[str]) -> str:
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name} ({number})"
    return candidate


def _standing_alone(script: str, cwd: str, env: tuple[tuple[str, str], ...]) -> str:
    """A setup command that brings its folder and its variables along."""
    lines = [f"export {name}={quote(value)}" for name, value in env]
    if cwd != ".":
        lines.append(f"cd {quote(cwd)} || exit 1")
    return "\n".join([*lines, script])
