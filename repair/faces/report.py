"""What a run says about itself: the JSON report and the blackboard as Markdown."""

from collections.abc import Sequence
from typing import Any

from repair.rules.comparison import all_roots, signature
from repair.rules.outcome import EXIT_STATUS
from repair.rules.stagnation import Stop
from repair.tools.context.visible import fence, visible
from repair.values.blackboard import Attempt, Blackboard, Diagnosed, Outcome, Point, RolledBack
from repair.values.checks import ErrorState, Finding, Signature

__all__ = ["EXIT_STATUS", "Json", "blackboard_markdown", "json_report", "line_of"]

Json = dict[str, Any]
_LONGEST_CELL = 160


def json_report(board: Blackboard, stop: Stop, patch: str) -> Json:
    """The report of `--json` (DESIGN, section 5.1)."""
    final = delivered(board, stop).state
    return {
        "outcome": stop.outcome.value,
        "reason": stop.reason,
        "exit_status": EXIT_STATUS[stop.outcome],
        "checks": [
            {
                "name": result.check,
                "stage": result.stage.name.lower(),
                "before": result.status.value,
                "after": after.status.value if (after := final.of(result.check)) else "not_run",
            }
            for result in board.baseline.state.results
        ],
        "signature": {
            "before": _signature(signature(board.baseline.state, 0)),
            "after": _signature(signature(final, board.streak)),
        },
        "iterations": [_iteration(entry) for entry in board.entries],
        "remaining": [_remaining(finding) for finding in all_roots(final)],
        "patch": patch,
        "usage": {
            "calls": board.usage.calls,
            "prompt_tokens": board.usage.prompt_tokens,
            "completion_tokens": board.usage.completion_tokens,
            "usd": round(board.usage.usd, 6),
        },
    }


def delivered(board: Blackboard, stop: Stop) -> Point:
    """Where the person's tree stands after the run: at the best candidate, or where it was."""
    return board.best if stop.outcome in (Outcome.FIXED, Outcome.IMPROVED) else board.baseline


def _signature(shown: Signature) -> Json:
    return {"category": shown.category, "count": shown.count, "streak": shown.streak}


def _remaining(finding: Finding) -> Json:
    return {
        "check": finding.check,
        "category": finding.category.value,
        "file": finding.file,
        "line": finding.line,
        "message": finding.message,
    }


def _iteration(entry: Attempt | Diagnosed | RolledBack) -> Json:
    line = {
        "n": entry.n,
        "role": role_of(entry),
        "action": action_of(entry),
        "before": _signature(entry.before if isinstance(entry, Attempt) else entry.signature),
        "after": _signature(entry.after if isinstance(entry, Attempt) else entry.signature),
        "verdict": entry.verdict.value if isinstance(entry, Attempt) else None,
        "decision": decision_of(entry),
    }
    if isinstance(entry, Attempt):
        line |= {
            "tool": entry.tool,
            "problems": list(entry.problems),
            "violations": [str(violation) for violation in entry.violations],
            "notes": list(entry.notes),
        }
    return line


def role_of(entry: Attempt | Diagnosed | RolledBack) -> str:
    """Which of the three roles made a line of the journal."""
    if isinstance(entry, RolledBack):
        return "orchestrator"
    return "analyzer" if action_of(entry) == "diagnose" else "repairer"


def action_of(entry: Attempt | Diagnosed | RolledBack) -> str:
    """What a line of the journal did."""
    if isinstance(entry, Attempt):
        return entry.action.value
    return "rollback" if isinstance(entry, RolledBack) else "diagnose"


def decision_of(entry: Attempt | Diagnosed | RolledBack) -> str:
    """What was decided, in a few words."""
    if isinstance(entry, RolledBack):
        return f"rolled back after {entry.why}"
    if isinstance(entry, Attempt):
        return entry.decision
    if entry.diagnosis is None:
        return f"no diagnosis: {entry.problem}"
    return visible(entry.diagnosis.hypothesis)


def line_of(entry: Attempt | Diagnosed | RolledBack) -> str:
    """One line for one entry: number, role, signature before and after, verdict, decision."""
    if isinstance(entry, Attempt):
        why = "; ".join((*entry.problems, *(str(violation) for violation in entry.violations), *entry.notes))
        tool = f" `{entry.tool}`" if entry.tool else ""
        head = f"{entry.n:>2} {role_of(entry)} {entry.action}{tool} {entry.before} -> {entry.after} {entry.verdict}"
        return _short(f"{head}: {entry.decision}{f' ({why})' if why else ''}")
    return _short(f"{entry.n:>2} {role_of(entry)} {action_of(entry)} {entry.signature}: {decision_of(entry)}")


def blackboard_markdown(board: Blackboard, stop: Stop, patch: str) -> str:
    """The blackboard for people; every text of the repository or a model is escaped or fenced."""
    parts = [
        f"# RegoMender: {stop.outcome.value.replace('_', ' ')}",
        _cell(stop.reason, 1000) + ".",
        _checks_table(board, json_report(board, stop, "")["checks"]),
        _attempts_table(board),
        _remaining_list(delivered(board, stop).state),
        _diagnoses(board),
        _flaky(board),
        _price(board),
    ]
    if patch:
        marks = fence(patch)
        parts.append(f"## The change\n\n{marks}diff\n{visible(patch).rstrip()}\n{marks}")
    return "\n\n".join(part for part in parts if part) + "\n"


def _checks_table(board: Blackboard, checks: Sequence[Json]) -> str:
    rows = [f"| {_cell(c['name'])} | {c['stage']} | {c['before']} | {c['after']} |" for c in checks]
    return "\n".join(["## Checks", "", "| check | stage | before | after |", "| --- | --- | --- | --- |", *rows])


def _attempts_table(board: Blackboard) -> str:
    if not board.entries:
        return ""
    rows = []
    for entry in board.entries:
        before = entry.before if isinstance(entry, Attempt) else entry.signature
        after = entry.after if isinstance(entry, Attempt) else entry.signature
        verdict = entry.verdict.value if isinstance(entry, Attempt) else ""
        rows.append(
            f"| {entry.n} | {role_of(entry)} | {action_of(entry)} | {before} | {after} | {verdict} "
            f"| {_cell(decision_of(entry))} |"
        )
    head = ["## Attempts", "", "Signature: (category, errors, attempts without progress).", ""]
    head += [
        "| n | role | action | before | after | verdict | decision |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    return "\n".join([*head, *rows])


def _remaining_list(state: ErrorState) -> str:
    found = all_roots(state)
    if not found:
        return ""
    lines = [f"- {_cell(f.check)}: {_cell(f.place)} {_cell(f.message)}" for f in found[:50]]
    if len(found) > len(lines):
        lines.append(f"- and {len(found) - len(lines)} more")
    return "\n".join(["## What is left", "", *lines])


def _diagnoses(board: Blackboard) -> str:
    found = [entry for entry in board.entries if isinstance(entry, Diagnosed) and entry.diagnosis]
    lines = [f"- {entry.n}: {_cell(entry.diagnosis.hypothesis, 600)}" for entry in found if entry.diagnosis]
    return "\n".join(["## Diagnoses", "", *lines]) if lines else ""


def _flaky(board: Blackboard) -> str:
    known = [f for point in (board.baseline, *board.path) for r in point.state.results for f in r.findings if f.flaky]
    names = sorted({finding.test or finding.message[:80] for finding in known})
    return "\n".join(["## Flaky", "", *(f"- {_cell(name)}" for name in names)]) if names else ""


def _price(board: Blackboard) -> str:
    usage = board.usage
    about = "about " if usage.estimated else ""
    money = f", {usage.usd:.4f} USD" if usage.usd else ""
    return f"Model: {usage.calls} requests, {about}{usage.tokens} tokens{money}."


def _cell(text: str, limit: int = _LONGEST_CELL) -> str:
    """Text that cannot leave a table cell, mention anyone, or hide anything."""
    flat = " ".join(visible(text).split())
    flat = flat if len(flat) <= limit else flat[: limit - 1] + "…"
    for mark in "\\`*_[]<>|":
        flat = flat.replace(mark, f"\\{mark}")
    return flat.replace("@", "@\u200b").replace("#", "\\#")


def _short(text: str) -> str:
    flat = " ".join(visible(text).split())
    return flat if len(flat) <= 300 else flat[:299] + "…"
