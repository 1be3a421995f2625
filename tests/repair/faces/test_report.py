"""The report of a run, for programs and for people."""

import json
import re

from repair.faces.proofpack import proofpack
from repair.faces.report import blackboard_markdown, json_report, line_of
from repair.rules.progress import begin, fold
from repair.rules.score import score
from repair.rules.stagnation import Stop
from repair.values.blackboard import (
    Action,
    Attempt,
    Attempted,
    Baseline,
    Blackboard,
    Diagnosed,
    Diagnosis,
    Outcome,
    RolledBack,
    Started,
    Verdict,
)
from repair.values.checks import Category, CheckResult, ErrorState, Finding, Signature, Stage, Status
from repair.values.contract import Contract
from repair.values.settings import Settings

HOSTILE = "@everyone <!-- x --> | `code` ](http://evil) \u202e # **bold**"
RED = ErrorState(
    results=(
        CheckResult(
            check="unit",
            stage=Stage.UNIT,
            status=Status.FAIL,
            findings=(
                Finding(
                    check="unit",
                    stage=Stage.UNIT,
                    category=Category.TEST_ASSERTION,
                    message=HOSTILE,
                    file="a.py",
                    line=3,
                    fingerprint="f1",
                ),
            ),
        ),
    )
)
GREEN = ErrorState(results=(CheckResult(check="unit", stage=Stage.UNIT, status=Status.PASS),))
SIGNATURE = Signature(category="test_assertion", count=1)


def board() -> Blackboard:
    started = Started(
        run="r",
        root="/t",
        workspace="/w",
        sandbox="none",
        contract=Contract(goal="g", base_tree="t0"),
        contract_sha256="",
        settings=Settings(),
        checks=(),
        at="now",
    )
    state = begin(started, Baseline(tree="t0", state=RED, score=score(RED, RED)))
    diagnosis = Diagnosis(hypothesis=HOSTILE)
    state = fold(state, Diagnosed(n=1, tree="t0", signature=SIGNATURE, diagnosis=diagnosis))
    state = fold(state, RolledBack(n=2, tree="t0", signature=SIGNATURE, why="3 attempts without progress"))
    attempt = Attempt(
        n=3,
        action=Action.PATCH,
        parent="t0",
        tree="t1",
        before=SIGNATURE,
        after=Signature(),
        verdict=Verdict.PASS,
        kept=True,
        progress=True,
        decision="accepted",
        score=score(RED, GREEN, order=3),
        notes=("minimised from 5 to 2 changed lines",),
    )
    return fold(state, Attempted(attempt=attempt, state=GREEN))


STOP = Stop(outcome=Outcome.FIXED, reason="all required checks pass")


def test_the_json_report_has_the_fields_that_scripts_rely_on() -> None:
    report = json_report(board(), STOP, "diff")

    assert set(report) == {
        "outcome",
        "reason",
        "exit_status",
        "checks",
        "signature",
        "iterations",
        "remaining",
        "patch",
        "usage",
    }
    assert report["checks"] == [{"name": "unit", "stage": "unit", "before": "fail", "after": "pass"}]
    assert [(e["n"], e["role"], e["action"], e["verdict"]) for e in report["iterations"]] == [
        (1, "analyzer", "diagnose", None),
        (2, "orchestrator", "rollback", None),
        (3, "repairer", "patch", "PASS"),
    ]
    assert report["remaining"] == []
    assert json.loads(json.dumps(report)) == report


def test_text_of_the_repository_cannot_leave_its_place_in_the_blackboard() -> None:
    text = blackboard_markdown(board(), Stop(outcome=Outcome.NOT_FIXED, reason=HOSTILE), "+```\n+new\n")

    assert "\u202e" not in text
    assert "@everyone" not in text
    assert not re.search(r"(?<!\\)(<|\]|\*|`code)", text.split("## The change")[0].replace("| --- ", ""))
    assert "````diff\n+```\n+new\n````" in text


def test_a_line_tells_number_role_signatures_verdict_and_decision() -> None:
    assert line_of(board().attempts[0]).split() == [
        "3",
        "repairer",
        "patch",
        "(test_assertion,",
        "1,",
        "0)",
        "->",
        "(none,",
        "0,",
        "0)",
        "PASS:",
        "accepted",
        "(minimised",
        "from",
        "5",
        "to",
        "2",
        "changed",
        "lines)",
    ]


def test_the_proofpack_shows_when_it_was_changed() -> None:
    pack = proofpack("r", board(), STOP, "diff")
    other = proofpack("r", board(), STOP, "other diff")

    assert pack["sha256"] != other["sha256"]
    assert pack["evidence"]["after"][0]["status"] == "pass"
    assert pack["patch"]["size"] == 4
    assert proofpack("r", board(), STOP, "")["patch"]["status"] == "absent"
