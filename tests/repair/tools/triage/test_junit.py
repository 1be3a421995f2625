"""JUnit XML of any runner."""

import pytest

from repair.tools.triage.junit import read_cases
from repair.values.checks import Category, Origin

REPORT = """\
<?xml version="1.0" encoding="utf-8"?>
<testsuites>
  <testsuite name="math" tests="4" failures="1" errors="1" skipped="1">
    <testcase name="adds" classname="math.Add" time="0.1"/>
    <testcase name="divides" classname="math.Div" file="src/math.js" line="12">
      <failure message="expected 2 to equal 3" type="AssertionError">AssertionError: expected 2 to equal 3
    at Context.test (/repo/test/math.spec.js:9:14)</failure>
    </testcase>
    <testcase name="explodes" classname="math.Div">
      <error message="boom">Error: boom
    at divide (/repo/src/div.js:3:9)
    at node:internal/process:1:2</error>
    </testcase>
    <testcase name="waits" classname="math.Div"><skipped/></testcase>
  </testsuite>
</testsuites>
"""
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "&a;" * 10}">' for n in range(9))
    + "]><testsuite><testcase name='&a8;'/></testsuite>"
)
READS_A_FILE = (
    '<!DOCTYPE x [<!ENTITY x SYSTEM "file:///etc/passwd">]><testsuite><testcase name="a"><failure>&x;</failure></testcase>'
    "</testsuite>"
)


def test_failures_and_errors_are_findings(read) -> None:
    triage = read("", reports=[("out/junit.xml", REPORT)])
    assert [(each.test, each.place, each.category, each.origin) for each in triage.findings] == [
        ("math.Div::divides", "src/math.js:12", Category.TEST_ASSERTION, Origin.STRUCTURED),
        ("math.Div::explodes", "src/div.js:3", Category.TEST_ERROR, Origin.STRUCTURED),
    ]
    assert triage.findings[0].message == "expected 2 to equal 3"
    assert (triage.counters.collected, triage.counters.skipped) == (4, 1)
    assert len(triage.tests) == 4


def test_the_output_itself_may_be_the_report(read) -> None:
    assert len(read(REPORT).findings) == 2


def test_several_reports_are_read_together(read) -> None:
    other = '<testsuite name="b"><testcase name="x" classname="B"><failure message="no"/></testcase></testsuite>'
    assert len(read("", reports=[("a.xml", REPORT), ("b.xml", other)]).findings) == 3


@pytest.mark.parametrize(
    "content",
    [
        *(BOMB, READS_A_FILE, "", "<", "<testsuite", "<html></html>", "<testsuite><testcase></testsuite>"),
        *("<testsuite>" * 20_000, "\ud800<testsuite/>", '<testsuite tests="NaN"><testcase time="x"/></testsuite>\x00<'),
    ],
    ids=["bomb", "file", "empty", "less", "open", "html", "crossed", "deep", "surrogate", "rest"],
)
def test_what_is_no_honest_report_holds_no_cases(content: str) -> None:
    assert read_cases(content) == []


def test_characters_that_xml_forbids_do_not_cost_the_report() -> None:
    (case,) = read_cases(
        '<testsuite><testcase name="a"><failure message="x">\x1b[31mred\x00</failure></testcase></testsuite>'
    )
    assert case.outcome == "failure"
    assert "red" in case.text


def test_a_hostile_report_leaves_the_log_to_be_read(read) -> None:
    triage = read("src/a.c:3:5: error: 'x' undeclared\n", reports=[("junit.xml", BOMB)])
    assert [each.place for each in triage.findings] == ["src/a.c:3"]
