"""From a finished run to its findings: every triager that recognises the run contributes."""

from collections.abc import Hashable, Iterable, Sequence

from repair.tools.triage import (
    annotations,
    flake8,
    formatters,
    infrastructure,
    junit,
    mypy,
    native,
    policy,
    pytest,
    ruff,
    sarif,
    sql,
    traceback,
    unittest,
    web,
    yamllint,
)
from repair.tools.triage.derive import mark_derived
from repair.tools.triage.fallback import heuristic_findings, unstructured
from repair.tools.triage.infra import infra_reason
from repair.tools.triage.matchers import ProblemMatcher, match_problems
from repair.tools.triage.paths import in_root, working_folder
from repair.tools.triage.seam import Triager
from repair.tools.triage.text import excerpt, plain
from repair.values.checks import Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

FINDING_LIMIT = 500
OUTPUT_LIMIT = 2_000_000

_TRUST = tuple(Origin)
_GUESS = _TRUST.index(Origin.HEURISTIC)

SPECIFIC: tuple[Triager, ...] = (
    *pytest.TRIAGERS,
    *unittest.TRIAGERS,
    *ruff.TRIAGERS,
    *flake8.TRIAGERS,
    *mypy.TRIAGERS,
    *formatters.TRIAGERS,
    *yamllint.TRIAGERS,
    *web.TRIAGERS,
    *policy.TRIAGERS,
    *infrastructure.TRIAGERS,
    *native.TRIAGERS,
    *sql.TRIAGERS,
    *traceback.TRIAGERS,
)
GENERIC: tuple[Triager, ...] = (*sarif.TRIAGERS, *junit.TRIAGERS, *annotations.TRIAGERS)


def triage(transcript: Transcript, matchers: Sequence[ProblemMatcher] = ()) -> Triage:
    """What the run says: at least one finding or a reason in `infra` when it failed, no finding when it passed.

    `matchers` are the repository's own problem matchers. Files are relative to the root; one outside it is dropped.
    """
    run = transcript.model_copy(update={"output": excerpt(plain(transcript.output), OUTPUT_LIMIT)})
    specific = [triager.triage(run) for triager in SPECIFIC if triager.recognises(run)]
    generic = [triager.triage(run) for triager in GENERIC if triager.recognises(run)]
    parts = [*specific, *generic]
    whole = Triage(
        counters=_sum(part.counters for part in specific or generic),
        tests=tuple(dict.fromkeys(test for part in parts for test in part.tests)),
        first_error_only=any(part.first_error_only for part in parts if part.findings),
    )
    if run.exit_code == 0:
        return whole
    findings = _merged(
        [_placed(run, part.findings) for part in specific],
        [*(_placed(run, part.findings) for part in generic), _placed(run, match_problems(run, matchers))],
    )
    if reason := infra_reason(run, findings) or _told_infra(specific):
        return whole.model_copy(update={"infra": reason})
    found = findings or _placed(run, heuristic_findings(run)) or [unstructured(run)]
    return whole.model_copy(update={"findings": mark_derived(_capped(found))})


def _told_infra(parts: Sequence[Triage]) -> str:
    """The reason a triager gives, unless another one read an error in the code."""
    if any(part.findings and not part.infra for part in parts):
        return ""
    return next((part.infra for part in parts if part.infra), "")


def _sum(counters: Iterable[Counters]) -> Counters:
    told = [each.model_dump() for each in counters]
    known = {name: [each[name] for each in told if each[name] is not None] for name in Counters.model_fields}
    return Counters(**{name: sum(counts) if counts else None for name, counts in known.items()})


def _placed(run: Transcript, findings: Iterable[Finding]) -> list[Finding]:
    """The findings with their files relative to the root, and without a place where that lies outside."""
    folder = working_folder(run.check)
    return [_at(found, in_root(found.file, run.root, folder) if found.file else None) for found in findings]


def _at(found: Finding, file: str | None) -> Finding:
    if file is None:
        return found.model_copy(update={"file": None, "line": None, "column": None})
    return found.model_copy(update={"file": file})


def _merged(specific: Iterable[list[Finding]], generic: Iterable[list[Finding]]) -> list[Finding]:
    """One list without duplicates: structured before text, a guess or a generic reading only where no tool told."""
    kept: dict[Hashable, Finding] = {}
    for findings in sorted(specific, key=_trust):
        if kept and _trust(findings) == _GUESS:
            break
        told = {_spot(found) for found in kept.values() if found.code}
        kept = _with(kept, (found for found in findings if _spot(found) not in told))
    for findings in generic:
        places = {(found.file, found.line) for found in kept.values() if found.file}
        kept = _with(kept, (found for found in findings if (found.file, found.line) not in places))
    return list(kept.values())


def _with(kept: dict[Hashable, Finding], findings: Iterable[Finding]) -> dict[Hashable, Finding]:
    merged = dict(kept)
    for found in findings:
        unplaced = found.detail if found.file is None and found.test is None else ""
        merged.setdefault((*_spot(found), found.column, found.test, found.message, unplaced), found)
    return merged


def _spot(found: Finding) -> tuple[str | None, int | None, str | None]:
    return found.file, found.line, found.code


def _trust(findings: Sequence[Finding]) -> int:
    """Where a tool's findings come in the order of trust: the best of them decides."""
    return min((_TRUST.index(found.origin) for found in findings), default=_GUESS)


def _capped(findings: Sequence[Finding]) -> Sequence[Finding]:
    if len(findings) <= FINDING_LIMIT:
        return findings
    last = findings[FINDING_LIMIT - 1]
    said = f"{last.detail}\n[... {len(findings) - FINDING_LIMIT} more findings cut ...]".strip()
    return [*findings[: FINDING_LIMIT - 1], last.model_copy(update={"detail": said})]
