"""Reads the linters of policies, regal and conftest, and gathers them with opa."""

import re
from collections.abc import Sequence

from repair.tools.triage import opa
from repair.tools.triage.reading import (
    Tool,
    at,
    blocks,
    command,
    draft,
    each,
    json_values,
    lines_of,
    number,
    quoted,
    text,
)
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_REGAL_RULE = re.compile(r"Rule:\s+(?P<rule>\S+)$")
_REGAL_FIELD = re.compile(r"(?P<key>[A-Z]\w+):\s+(?P<value>.*)$")
_REGAL_TOTAL = re.compile(r"^(?P<files>\d{1,9}) files? linted", re.MULTILINE)


def _regal(transcript: Transcript) -> Triage:
    rows = [row for document in json_values(transcript.output) for row in each(document, "violations")]
    counted = [row for row in rows if at(row, "level") != "warning"] or rows
    found = [
        _violation(
            transcript, text(at(row, "title")), text(at(row, "description")), at(row, "location"), Origin.STRUCTURED, ()
        )
        for row in counted
    ]
    for block in blocks(lines_of(transcript.output), _REGAL_RULE):
        fields = {match["key"]: match["value"] for line in block.body if (match := _REGAL_FIELD.match(line))}
        parts = fields.get("Location", "").rsplit(":", 2)
        location = {"file": parts[0], "row": number(parts[1]), "col": number(parts[2])} if len(parts) == 3 else None
        found.append(
            _violation(
                transcript,
                block.match["rule"],
                fields.get("Description", ""),
                location,
                Origin.STABLE_TEXT,
                block.lines,
            )
        )
    total = _REGAL_TOTAL.search(transcript.output)
    return Triage(
        findings=tuple(found) or opa.errors(transcript), counters=Counters(files=int(total["files"]) if total else None)
    )


def _violation(
    transcript: Transcript, rule: str, said: str, location: object, origin: Origin, detail: Sequence[str]
) -> Finding:
    return draft(
        transcript,
        Category.FORMAT if rule == "opa-fmt" else Category.LINT_STYLE,
        said or rule,
        file=text(at(location, "file")),
        line=at(location, "row"),
        column=at(location, "col"),
        symbol=quoted(said),
        code=rule,
        origin=origin,
        detail=detail or [said],
    )


_CONFTEST = re.compile(r"(?P<level>FAIL|WARN) - (?:(?P<file>\S+) - )?(?:(?P<space>[\w.]+) - )?(?P<said>.+)$")
_CONFTEST_TOTAL = re.compile(
    r"^(?P<total>\d{1,9}) tests?, \d+ passed, (?P<warnings>\d{1,9}) warnings?, (?P<failures>\d{1,9}) failures?",
    re.MULTILINE,
)


def _conftest(transcript: Transcript) -> Triage:
    rows = [match for line in lines_of(transcript.output) if (match := _CONFTEST.match(line))]
    failed = [match for match in rows if match["level"] == "FAIL"] or rows
    found = [
        draft(
            transcript,
            Category.SCHEMA_CONFIG,
            row["said"],
            file=row["file"],
            code=row["space"],
            symbol=quoted(row["said"]),
            detail=[row.string],
        )
        for row in failed
    ]
    total = _CONFTEST_TOTAL.search(transcript.output)
    return Triage(
        findings=tuple(found) or opa.errors(transcript),
        counters=Counters(collected=int(total["total"]) if total else None),
    )


TRIAGERS: tuple[Triager, ...] = (
    *opa.TRIAGERS,
    Tool("regal", command("regal"), ("linted. ", " linted, "), _regal),
    Tool("conftest", command("conftest"), (" exceptions\n", " exception\n"), _conftest),
)
