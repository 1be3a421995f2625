"""The evidence of a run in one JSON document (semantics, section 17)."""

import hashlib
import json
from typing import Any

from repair.faces.report import delivered, json_report
from repair.rules.contracts import contract_hash
from repair.rules.stagnation import Stop
from repair.values.blackboard import Blackboard
from repair.values.checks import CheckResult, ErrorState

Json = dict[str, Any]
VERSION = 1


def proofpack(run: str, board: Blackboard, stop: Stop, patch: str) -> Json:
    """What was promised, what was seen before and after, every verdict, the patch and the decision."""
    report = json_report(board, stop, patch)
    document: Json = {
        "version": VERSION,
        "run": run,
        "contract": envelope(board.contract.model_dump(mode="json")),
        "contract_sha256": contract_hash(board.contract),
        "base_tree": board.baseline.tree,
        "candidate_tree": delivered(board, stop).tree,
        "evidence": {"before": _evidence(board.baseline.state), "after": _evidence(delivered(board, stop).state)},
        "iterations": report["iterations"],
        "patch": envelope(patch),
        "usage": report["usage"],
        "decision": {"outcome": stop.outcome.value, "reason": stop.reason},
    }
    return document | {"sha256": _digest(document)}


def envelope(content: Any) -> Json:
    """An artefact with its hash and size in bytes; `null` content is said to be absent."""
    if content is None or content == "":
        return {"content": None, "sha256": None, "size": 0, "status": "absent"}
    text = content if isinstance(content, str) else json.dumps(content, sort_keys=True)
    raw = text.encode("utf-8", "surrogatepass")
    return {"content": content, "sha256": hashlib.sha256(raw).hexdigest(), "size": len(raw), "status": "present"}


def _evidence(state: ErrorState) -> list[Json]:
    return [_check(result) for result in state.results]


def _check(result: CheckResult) -> Json:
    return {
        "check": result.check,
        "status": result.status.value,
        "exit_code": result.exit_code,
        "counters": result.counters.model_dump(),
        "seconds": round(result.seconds, 3),
        "output_sha256": hashlib.sha256(result.output.encode("utf-8", "surrogatepass")).hexdigest(),
    }


def _digest(document: Json) -> str:
    return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()
