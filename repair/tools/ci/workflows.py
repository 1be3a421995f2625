"""The checks that the workflows of a repository make on a pull request."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import PurePosixPath
from typing import Final

from repair.tools.ci.jobs import JobReading
from repair.tools.documents import DocumentError, Plain, list_of, mapping_of, read_document, shown, text_of
from repair.values.base import Value
from repair.values.checks import Check

_EVENTS: Final = ("pull_request", "pull_request_target", "push", "merge_group")


class Discovered(Value):
    """What one job of a workflow does. `workflow` is the name of the file, `title` the name it gives itself.

    `setup` are commands to run before the checks. `notes` say what was left out and why; a file
    that cannot be read is a `Discovered` with an empty `job` and a note.
    """

    workflow: str
    job: str
    title: str = ""
    job_title: str = ""
    events: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    setup: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


class UnknownJobError(Exception):
    """No job of that name; the text is for people and lists those there are."""


def checks_from_workflows(files: Mapping[str, str]) -> tuple[Discovered, ...]:
    """The jobs of all workflows: files by path, jobs in the order they stand in their file."""
    found: list[Discovered] = []
    for path in sorted(files):
        if PurePosixPath(path).suffix in {".yml", ".yaml"}:
            found.extend(_jobs(PurePosixPath(path).name, files[path]))
    return tuple(found)


def select_job(discovered: Iterable[Discovered], name: str) -> Discovered:
    """The job called `WORKFLOW:JOB`; WORKFLOW is its file, with or without extension, or its name.

    Raises `UnknownJobError`.
    """
    jobs = [found for found in discovered if found.job]
    chosen = next((found for found in jobs if name in _names(found)), None)
    if chosen is not None:
        return chosen
    known = [f"{found.workflow}:{found.job}" for found in jobs]
    near = get_close_matches(name[:200], known, n=1)
    hint = f"did you mean `{near[0]}`?" if near else f"known are: {', '.join(known[:20]) or 'none'}"
    raise UnknownJobError(f"no job `{shown(name)}` in the workflows; {hint}")


def merge_jobs(discovered: Iterable[Discovered]) -> Discovered:
    """All jobs that run on a pull request or a push, as one; the same command twice counts once."""
    merged: dict[tuple[str, str], Check] = {}
    setup: dict[str, None] = {}
    notes: list[str] = []
    taken: set[str] = set()
    for found in discovered:
        notes.extend(f"{found.workflow}: {note}" for note in found.notes)
        if not set(found.events) & set(_EVENTS) or not found.checks:
            continue
        setup.update(dict.fromkeys(found.setup))
        for check in found.checks:
            if (check.run, check.cwd) not in merged:
                merged[check.run, check.cwd] = _renamed(check, found, taken)
    return Discovered(workflow="", job="", checks=tuple(merged.values()), setup=tuple(setup), notes=tuple(notes))


def _jobs(file: str, text: str) -> list[Discovered]:
    try:
        workflow = mapping_of(read_document(text).value)
    except DocumentError as error:
        return [Discovered(workflow=file, job="", notes=(f"line {error.line or 1}: {error}",))]
    jobs = mapping_of(workflow.get("jobs"))
    if not jobs:
        return [Discovered(workflow=file, job="", notes=("the workflow has no jobs",))]
    return [_job(file, workflow, name, mapping_of(job)) for name, job in jobs.items()]


def _job(file: str, workflow: Mapping[str, Plain], name: str, job: Mapping[str, Plain]) -> Discovered:
    events = _events(workflow.get("on"))
    event = "push" if "push" in events and "pull_request" not in events else "pull_request"
    reading = JobReading(workflow, job, event)
    reading.read()
    return Discovered(
        workflow=file,
        job=name,
        title=text_of(workflow.get("name")),
        job_title=text_of(job.get("name")),
        events=events,
        checks=tuple(reading.checks),
        setup=tuple(reading.setup),
        notes=tuple(reading.notes),
    )


def _events(value: Plain) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    return tuple(mapping_of(value)) or tuple(text_of(item) for item in list_of(value))


def _names(found: Discovered) -> set[str]:
    workflows = {found.workflow, PurePosixPath(found.workflow).stem, found.title} - {""}
    jobs = {found.job, found.job_title} - {""}
    return {f"{workflow}:{job}" for workflow in workflows for job in jobs}


def _renamed(check: Check, found: Discovered, taken: set[str]) -> Check:
    """The check under a name that no other has: its own, with its job, with its workflow, with a number."""
    names = [check.name, f"{found.job} / {check.name}", f"{found.workflow} / {found.job} / {check.name}"]
    name = next((name for name in names if name not in taken), f"{names[-1]} ({len(taken) + 1})")
    taken.add(name)
    return check if name == check.name else check.model_copy(update={"name": name})
