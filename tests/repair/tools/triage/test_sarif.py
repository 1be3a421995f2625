"""SARIF of any analyser."""

import json

import pytest

from repair.values.checks import Category, Origin


def result(level: str = "error", uri: str = "src/a.py", **more: object) -> dict[str, object]:
    place = {"artifactLocation": {"uri": uri}, "region": {"startLine": 3, "startColumn": 5}}
    return {
        "ruleId": "F821",
        "level": level,
        "message": {"text": "Undefined name `x`"},
        "locations": [{"physicalLocation": place}],
        **more,
    }


def sarif(*results: object, tool: str = "ruff") -> str:
    return json.dumps({"version": "2.1.0", "runs": [{"tool": {"driver": {"name": tool}}, "results": list(results)}]})


def test_an_error_is_a_finding(read) -> None:
    (found,) = read("", reports=[("out.sarif", sarif(result(uri="file:///repo/src/a.py")))]).findings
    assert (found.place, found.column, found.code) == ("src/a.py:3", 5, "F821")
    assert (found.category, found.symbol, found.origin) == (Category.NAME_UNRESOLVED, "x", Origin.STRUCTURED)


def test_the_output_itself_may_be_the_report(read) -> None:
    assert len(read(sarif(result())).findings) == 1


def test_warnings_count_only_where_there_is_no_error(read) -> None:
    both = sarif(result("warning", uri="w.py"), result("error", uri="e.py"), result("note", uri="n.py"))
    assert [each.file for each in read(both).findings] == ["e.py"]
    assert [each.file for each in read(sarif(result("warning", uri="w.py"))).findings] == ["w.py"]


def test_a_suppressed_result_is_no_finding(read) -> None:
    shown = read(sarif(result(suppressions=[{"kind": "inSource"}]), result(uri="b.py"))).findings
    assert [each.file for each in shown] == ["b.py"]


def test_a_base_is_the_root_wherever_the_check_ran(read) -> None:
    place = {"artifactLocation": {"uri": "src/a.py", "uriBaseId": "%SRCROOT%"}, "region": {"startLine": 1}}
    (found,) = read(sarif(result(locations=[{"physicalLocation": place}])), cwd="sub").findings
    assert found.file == "src/a.py"


@pytest.mark.parametrize(
    "document", ['{"runs": 3}', '{"runs": [{"results": [1]}]}', '{"runs": ', '{"runs":' + "[" * 9999]
)
def test_a_malformed_document_is_an_ordinary_failed_log(read, document: str) -> None:
    triage = read(document)
    assert [each.origin for each in triage.findings] == [Origin.NONE]
