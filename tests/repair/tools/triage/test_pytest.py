"""pytest: JUnit XML and every style of text."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from repair.tools.triage.registry import triage
from repair.values.checks import Category, Check, Finding, Origin, Stage
from repair.values.triage import Transcript

COLLECTION = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0
rootdir: /repo
collected 9 items / 3 errors

==================================== ERRORS ====================================
______________________ ERROR collecting tests/test_imp.py ______________________
ImportError while importing test module '/repo/tests/test_imp.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
tests/test_imp.py:1: in <module>
    from pkg.nowhere import x
E   ModuleNotFoundError: No module named 'pkg.nowhere'
______________________ ERROR collecting tests/test_imp2.py _____________________
ImportError while importing test module '/repo/tests/test_imp2.py'.
Hint: make sure your test modules/packages have valid Python names.
Traceback:
/usr/lib/python3.11/importlib/__init__.py:126: in import_module
    return _bootstrap._gcd_import(name[level:], package, level)
           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
tests/test_imp2.py:1: in <module>
    from pkg.nowhere import x
E   ModuleNotFoundError: No module named 'pkg.nowhere'
______________________ ERROR collecting tests/test_syn.py ______________________
/repo/.venv/lib/python3.11/site-packages/_pytest/python.py:528: in importtestmodule
    mod = import_path(
<frozen importlib._bootstrap>:1204: in _gcd_import
    ???
tests/test_syn.py:1: in <module>
    import pkg.syn
E     File "/repo/pkg/syn.py", line 1
E       def f(:
E             ^
E   SyntaxError: invalid syntax
=========================== short test summary info ============================
ERROR tests/test_imp.py
ERROR tests/test_imp2.py
ERROR tests/test_syn.py
!!!!!!!!!!!!!!!!!!! Interrupted: 3 errors during collection !!!!!!!!!!!!!!!!!!!!
============================== 3 errors in 0.73s ===============================
"""
TEXT = """\
============================= test session starts ==============================
platform linux -- Python 3.11.7, pytest-9.2.0, pluggy-1.7.0
rootdir: /repo
collected 9 items

tests/test_calc.py FFFFEEsx.                                             [100%]

==================================== ERRORS ====================================
________________________ ERROR at setup of test_fixture ________________________

    @pytest.fixture
    def broken():
>       raise RuntimeError("no database")
E       RuntimeError: no database

tests/test_calc.py:22: RuntimeError
________________________ ERROR at setup of test_missing ________________________
file /repo/tests/test_calc.py, line 29
  def test_missing(nofixture):
E       fixture 'nofixture' not found
>       available fixtures: broken, capfd, tmp_path
>       use 'pytest --fixtures [testpath]' for help on them.

/repo/tests/test_calc.py:29
=================================== FAILURES ===================================
__________________________ TestArea.test_area[a - b] ___________________________

self = <test_calc.TestArea object at 0x7fa08644a850>, v = 'a - b'

    @pytest.mark.parametrize("v", ["a - b", "c"])
    def test_area(self, v):
>       assert area(2, 3) == 6
               ^^^^^^^^^^

tests/test_calc.py:8:{space}
_ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _ _{space}

w = 2, h = 3

    def area(w, h):
>       return w * heigth
                   ^^^^^^
E       NameError: name 'heigth' is not defined

pkg/calc.py:2: NameError
----------------------------- Captured stdout call -----------------------------
pkg/other.py:99: in a line the test printed
===== a rule the test drew =====
___________________________________ test_div ___________________________________

    def test_div():
>       assert div(4, 2) == 3, "two halves"
E       AssertionError: two halves
E       assert 2.0 == 3
E        +  where 2.0 = div(4, 2)

tests/test_calc.py:12: AssertionError
_________________________________ test_raises __________________________________

    def test_raises():
>       with pytest.raises(ValueError):
E       Failed: DID NOT RAISE ValueError

tests/test_calc.py:16: Failed
=========================== short test summary info ============================
FAILED tests/test_calc.py::TestArea::test_area[a - b] - NameError: name 'heig...
FAILED tests/test_calc.py::test_div - AssertionError: two halves
FAILED tests/test_calc.py::test_raises - Failed: DID NOT RAISE ValueError
ERROR tests/test_calc.py::test_fixture - RuntimeError: no database
ERROR tests/test_calc.py::test_missing
========= 3 failed, 2 passed, 1 skipped, 1 xfailed, 2 errors in 0.59s ==========
""".replace("{space}", " ")
INTERNAL = """\
============================= test session starts ==============================
collected 1 item
INTERNALERROR> Traceback (most recent call last):
INTERNALERROR>   File "/repo/.venv/lib/python3.11/site-packages/_pytest/main.py", line 333, in wrap_session
INTERNALERROR>     session.exitstatus = doit(config, session) or 0
INTERNALERROR>   File "/repo/conftest.py", line 2, in pytest_collection_modifyitems
INTERNALERROR>     raise KeyError("boom")
INTERNALERROR> KeyError: 'boom'

============================ no tests ran in 0.01s =============================
"""


def test_a_failed_test_is_known_by_its_node_id_and_placed_at_its_deepest_frame(read) -> None:
    findings = read(TEXT, "pytest").findings
    assert [(each.test, each.place, each.category, each.message) for each in findings] == [
        (
            "tests/test_calc.py::TestArea::test_area[a - b]",
            "pkg/calc.py:2",
            Category.TEST_ERROR,
            "NameError: name 'heigth' is not defined",
        ),
        (
            "tests/test_calc.py::test_div",
            "tests/test_calc.py:12",
            Category.TEST_ASSERTION,
            "AssertionError: two halves",
        ),
        (
            "tests/test_calc.py::test_raises",
            "tests/test_calc.py:16",
            Category.TEST_ASSERTION,
            "Failed: DID NOT RAISE ValueError",
        ),
        ("tests/test_calc.py::test_fixture", "tests/test_calc.py:22", Category.TEST_ERROR, "RuntimeError: no database"),
        (
            "tests/test_calc.py::test_missing",
            "tests/test_calc.py:29",
            Category.TEST_ERROR,
            "fixture 'nofixture' not found",
        ),
    ]
    assert findings[0].symbol == "heigth"
    assert findings[4].symbol == "nofixture"


def test_the_assertion_is_kept_in_full(read) -> None:
    detail = read(TEXT, "pytest").findings[1].detail
    assert "E       assert 2.0 == 3\nE        +  where 2.0 = div(4, 2)" in detail


def test_expected_failures_count_as_skipped(read) -> None:
    counters = read(TEXT, "pytest").counters
    assert (counters.collected, counters.skipped) == (9, 2)


def test_failures_without_a_summary_get_their_node_id_from_their_block(read) -> None:
    without = re.sub(r"=+ short test summary info.*?(?=\n=+ 3 failed)", "", TEXT, flags=re.DOTALL)
    tests = {each.test for each in read(without, "pytest -rN").findings}
    assert {"tests/test_calc.py::test_div", "tests/test_calc.py::TestArea::test_area[a - b]"} <= tests


def test_a_summary_alone_is_enough(read) -> None:
    summary = TEXT[TEXT.index("=========================== short") :]
    findings = read(summary, "pytest --tb=no").findings
    assert [each.test for each in findings][1] == "tests/test_calc.py::test_div"
    assert findings[1].category is Category.TEST_ASSERTION
    assert findings[0].file == "tests/test_calc.py"


def test_a_module_that_cannot_be_collected_is_its_root_cause(read) -> None:
    findings = read(COLLECTION, "pytest", 2).findings
    assert [(each.test, each.place, each.category, each.symbol, each.derived) for each in findings] == [
        ("tests/test_imp.py", "tests/test_imp.py:1", Category.IMPORT_DEPENDENCY, "pkg.nowhere", False),
        ("tests/test_imp2.py", "tests/test_imp2.py:1", Category.IMPORT_DEPENDENCY, "pkg.nowhere", True),
        ("tests/test_syn.py", "pkg/syn.py:1", Category.SYNTAX, None, False),
    ]
    assert findings[2].message == "SyntaxError: invalid syntax"


def test_the_first_failed_import_of_a_chain_is_told(read) -> None:
    output = (
        "ImportError while loading conftest '/repo/tests/conftest.py'.\n"
        "pkg/a.py:2: in <module>\n    import gone\nE   ModuleNotFoundError: No module named 'gone'\n\n"
        "The above exception was the direct cause of the following exception:\n"
        "tests/conftest.py:1: in <module>\n    import pkg.a\npkg/a.py:4: in <module>\n    raise RuntimeError('x')\n"
        "E   RuntimeError: x\n"
    )
    (found,) = read(output, "make test", 4).findings
    assert (found.place, found.category, found.symbol) == ("pkg/a.py:2", Category.IMPORT_DEPENDENCY, "gone")


def test_an_internal_error_is_placed_in_the_repositorys_plugin(read) -> None:
    (found,) = read(INTERNAL, "pytest", 3).findings
    assert (found.place, found.message) == ("conftest.py:2", "KeyError: 'boom'")


@pytest.mark.parametrize(
    ("output", "exit_code", "category", "place"),
    [
        ("ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --zork\n", 4, Category.BUILD_TOOL, ""),
        ("\nno tests ran in 0.52s\nERROR: file or directory not found: nothing.py\n", 4, Category.BUILD_TOOL, ""),
        ("ERROR: /repo/pytest.ini:1: unexpected value continuation\n", 4, Category.SCHEMA_CONFIG, "pytest.ini:1"),
        (
            "ERROR: /repo/pyproject.toml: Invalid statement (at line 3, column 1)\n",
            4,
            Category.SCHEMA_CONFIG,
            "pyproject.toml",
        ),
        ("FAIL Required test coverage of 90% not reached. Total coverage: 50.00%\n", 1, Category.BUILD_TOOL, ""),
        (
            "============================ no tests ran in 0.01s ============================\n",
            5,
            Category.TEST_ERROR,
            "",
        ),
    ],
)
def test_what_stops_a_run_is_a_finding(read, output: str, exit_code: int, category: Category, place: str) -> None:
    (found,) = read(output, "pytest", exit_code).findings
    assert (found.category, found.place) == (category, place)


def test_no_tests_at_all_are_counted_as_none(read) -> None:
    output = (
        "collected 9 items / 9 deselected / 0 selected\n\n============================ 9 deselected in 0.55s =====\n"
    )
    assert read(output, "pytest -k zzz", 5).counters.collected == 0


def test_a_verbose_run_names_its_tests_and_their_ids_may_hold_anything(read) -> None:
    output = (
        "collecting ... collected 3 items\n\n"
        "tests/test_calc.py::TestArea::test_area[a - b] PASSED                    [ 33%]\n"
        "tests/test_calc.py::test_skipped SKIPPED (later)                         [ 66%]\n"
        "tests/test_calc.py::test_ok[x::y] PASSED                                 [100%]\n\n"
        "=================== 2 passed, 1 skipped in 0.10s ===================\n"
    )
    triage_ = read(output, "pytest -v", 0)
    assert triage_.tests == (
        "tests/test_calc.py::TestArea::test_area[a - b]",
        "tests/test_calc.py::test_skipped",
        "tests/test_calc.py::test_ok[x::y]",
    )
    assert (triage_.counters.collected, triage_.counters.skipped) == (3, 1)


@pytest.mark.parametrize("run", ["pytest -x", "pytest -qx tests", "pytest --maxfail=1", "python -m pytest --exitfirst"])
def test_stopping_at_the_first_failure_is_told(read, run: str) -> None:
    assert read(TEXT, run).first_error_only


@pytest.mark.parametrize("run", ["pytest", "pytest -rx", "pytest -p xdist", "pytest --maxfail=10"])
def test_a_full_run_is_not_mistaken_for_one(read, run: str) -> None:
    assert not read(TEXT, run).first_error_only


def test_a_timeout_of_a_test_is_one_of_resources(read) -> None:
    output = (
        "=================================== FAILURES ===================================\n"
        "___________________________________ test_slow __________________________________\n"
        "tests/test_a.py:4: in test_slow\n    time.sleep(9)\nE   Failed: Timeout (>1.0s) from pytest-timeout.\n"
        "=========================== short test summary info ============================\n"
        "FAILED tests/test_a.py::test_slow - Failed: Timeout (>1.0s) from pytest-timeout.\n"
    )
    (found,) = read(output, "pytest").findings
    assert found.category is Category.RESOURCE_TIMEOUT


def test_paths_of_a_run_in_a_folder_are_relative_to_the_root(read) -> None:
    (found, *_) = read(TEXT.replace("rootdir: /repo", "rootdir: /repo/api"), "pytest", cwd="api").findings
    assert found.place == "api/pkg/calc.py:2"


_PROJECT = {
    "pkg/__init__.py": "",
    "pkg/calc.py": "def area(w, h):\n    return w * heigth\n",
    "pkg/syn.py": "def f(:\n",
    "tests/test_calc.py": (
        "import pytest\nfrom pkg.calc import area\n\n\nclass TestArea:\n"
        "    @pytest.mark.parametrize('v', ['a - b', 'c::d'])\n"
        "    def test_area(self, v):\n        assert area(2, 3) == 6\n\n\n"
        "def test_sum():\n    assert [1, 2] == [1, 3]\n\n\n"
        "@pytest.fixture\ndef broken():\n    raise RuntimeError('no database')\n\n\n"
        "def test_fixture(broken):\n    pass\n\n\n@pytest.mark.xfail\ndef test_known():\n    assert 0\n\n\n"
        "def test_ok():\n    pass\n"
    ),
    "tests/test_imp.py": "from pkg.nowhere import x\n",
    "tests/test_syn.py": "import pkg.syn\n",
}


@pytest.mark.parametrize(("style", "family"), [("auto", "xunit1"), ("short", "xunit2"), ("native", "xunit1")])
def test_text_and_xml_of_one_real_run_agree(tmp_path: Path, style: str, family: str) -> None:
    for name, content in _PROJECT.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    options = (
        f"--tb={style} -o junit_family={family} --junitxml=out.xml --continue-on-collection-errors -p no:cacheprovider"
    )
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "pytest", "-c", "/dev/null", "--rootdir=.", *options.split()],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    check = Check(name="unit", stage=Stage.UNIT, run="pytest")
    plain = Transcript(check=check, exit_code=ran.returncode, output=ran.stdout, root=str(tmp_path))
    report = ("out.xml", (tmp_path / "out.xml").read_text())
    text, xml = triage(plain), triage(plain.model_copy(update={"reports": (report,)}))

    def told(findings: tuple[Finding, ...]) -> set[tuple[object, ...]]:
        return {(each.test, each.place, each.category, each.symbol, each.code) for each in findings}

    assert told(text.findings) == told(xml.findings)
    assert len(xml.findings) == 6
    assert {each.origin for each in xml.findings} == {Origin.STRUCTURED}
    assert xml.counters.collected == 6
    assert xml.counters.skipped == text.counters.skipped == 1
    assert "tests/test_calc.py::TestArea::test_area[c::d]" in xml.tests
