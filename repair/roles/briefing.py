"""What a request to the model says about the work: errors, output, context and what was tried."""

from collections.abc import Sequence

from pydantic import ConfigDict

from repair.roles.workbench import Workbench
from repair.rules.routing import Target
from repair.tools.context.render import render as render_context
from repair.tools.context.visible import visible
from repair.tools.prompting import PROMPT_CHARACTERS, Parts, Tried, fit
from repair.tools.triage.text import excerpt
from repair.values.base import Value
from repair.values.blackboard import Attempt, Blackboard, Diagnosed, Diagnosis
from repair.values.checks import Finding
from repair.values.context import ContextPack

_MOST_OUTPUT = 4_000
_MOST_ERRORS = 12
_MOST_TRIED = 4
_MOST_DIFF = 1_500
_LONGEST_ERROR = 300


class Briefing(Value):
    """The values of a prompt template."""

    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True)

    values: dict[str, object]


def brief(bench: Workbench, target: Target, pack: ContextPack) -> Briefing:
    """The common part of every request about a target."""
    board = bench.board
    check = bench.check(target.findings[0].check)
    result = board.now.state.of(check.name)
    output = excerpt(result.output if result else "", _MOST_OUTPUT)
    attempts = tried(board, target)
    parts = fit(Parts(output=output, context=_context(pack, attempts), tried=attempts))
    return Briefing(
        values={
            "hints": "\n".join(bench.settings.hints),
            "command": visible(check.run.strip()),
            "errors": [error_line(finding) for finding in target.findings[:_MOST_ERRORS]],
            "output": parts.output,
            "context": parts.context,
            "tried": parts.tried,
        }
    )


def _context(pack: ContextPack, attempts: Sequence[Tried]) -> str:
    """The excerpts that have room, whole ones only: the scan has put what matters most first."""
    room = PROMPT_CHARACTERS - _MOST_OUTPUT - sum(len(attempt.why) + len(attempt.diff) for attempt in attempts)
    excerpts = pack.excerpts
    while len(excerpts) > 1 and len(render_context(pack.model_copy(update={"excerpts": excerpts}))) > room:
        excerpts = excerpts[:-1]
    return render_context(pack.model_copy(update={"excerpts": excerpts}))


def error_line(finding: Finding) -> str:
    """One error as a line of text."""
    code = f" [{finding.code}]" if finding.code else ""
    test = f" (test {finding.test})" if finding.test else ""
    place = f"{finding.place}: " if finding.place else ""
    return visible(" ".join(f"{place}{finding.message[:_LONGEST_ERROR]}{code}{test}".split()))


def tried(board: Blackboard, target: Target) -> tuple[Tried, ...]:
    """The last attempts at this target that did not help, and why, newest last."""
    failed = [a for a in board.attempts if not a.progress and set(a.targets) & set(target.fingerprints)]
    return tuple(Tried(why=why_failed(attempt), diff=attempt.diff[:_MOST_DIFF]) for attempt in failed[-_MOST_TRIED:])


def why_failed(attempt: Attempt) -> str:
    """Why an attempt did not help, for the next prompt."""
    reasons: Sequence[str] = attempt.problems or tuple(str(violation) for violation in attempt.violations)
    if reasons:
        return visible("; ".join(reasons)[:1200])
    return f"{attempt.verdict}: errors before {attempt.before}, after {attempt.after}"


def latest_diagnosis(board: Blackboard) -> Diagnosis | None:
    """The diagnosis the next attempt builds on, if it is newer than the last accepted progress."""
    for entry in reversed(board.entries):
        if isinstance(entry, Diagnosed) and entry.diagnosis:
            return entry.diagnosis
        if isinstance(entry, Attempt) and entry.progress:
            return None
    return None


def diagnosis_text(diagnosis: Diagnosis | None) -> str:
    """A diagnosis as the Repairer reads it."""
    if diagnosis is None:
        return ""
    lines = [diagnosis.hypothesis, diagnosis.plan]
    for claim in diagnosis.claims:
        place = claim.file if claim.line is None else f"{claim.file}:{claim.line}"
        lines.append(f"- {place}: {claim.why or claim.quote}")
    return visible("\n".join(line for line in lines if line))
