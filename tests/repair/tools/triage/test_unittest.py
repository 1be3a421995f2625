"""unittest's text."""

from repair.values.checks import Category

OUTPUT = """\
FxFE.sFEE
======================================================================
ERROR: test_err (tests.test_a.A.test_err)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/tests/test_a.py", line 7, in test_err
    undefined_thing()
    ^^^^^^^^^^^^^^^
NameError: name 'undefined_thing' is not defined

======================================================================
ERROR: setUpClass (tests.test_a.B)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/tests/test_a.py", line 22, in setUpClass
    def setUpClass(cls): raise OSError("db")
                         ^^^^^^^^^^^^^^^^^^^
OSError: db

======================================================================
ERROR: tests.test_b (unittest.loader._FailedTest.tests.test_b)
----------------------------------------------------------------------
ImportError: Failed to import test module: tests.test_b
Traceback (most recent call last):
  File "/usr/lib/python3.11/unittest/loader.py", line 419, in _find_test_path
    module = self._get_module_from_name(name)
             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "/repo/tests/test_b.py", line 1, in <module>
    import nope.x
ModuleNotFoundError: No module named 'nope'


======================================================================
FAIL: test_doc (tests.test_a.A.test_doc)
Docs here.
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/tests/test_a.py", line 18, in test_doc
    self.fail("no")
AssertionError: no

======================================================================
FAIL: test_sub (tests.test_a.A.test_sub) (i=1)
----------------------------------------------------------------------
Traceback (most recent call last):
  File "/repo/tests/test_a.py", line 11, in test_sub
    self.assertNotEqual(i, 1)
AssertionError: 1 == 1

----------------------------------------------------------------------
Ran 9 tests in 0.001s

FAILED (failures=2, errors=3, skipped=1, expected failures=1)
"""
VERBOSE = """\
test_doc (tests.test_a.A.test_doc)
Docs here. ... ok
test_eq (tests.test_a.A.test_eq) ... ok
test_old (tests.test_a.A) ... skipped 'x'

----------------------------------------------------------------------
Ran 3 tests in 0.000s

OK (skipped=1)
"""


def test_each_failure_has_its_test_its_site_and_its_category(read) -> None:
    findings = read(OUTPUT, "python -m unittest").findings
    assert [(each.test, each.place, each.category) for each in findings] == [
        ("tests.test_a.A.test_err", "tests/test_a.py:7", Category.TEST_ERROR),
        ("tests.test_a.B.setUpClass", "tests/test_a.py:22", Category.TEST_ERROR),
        ("tests.test_b", "tests/test_b.py:1", Category.IMPORT_DEPENDENCY),
        ("tests.test_a.A.test_doc", "tests/test_a.py:18", Category.TEST_ASSERTION),
        ("tests.test_a.A.test_sub", "tests/test_a.py:11", Category.TEST_ASSERTION),
    ]
    assert findings[0].symbol == "undefined_thing"
    assert findings[4].message == "AssertionError: 1 == 1 (i=1)"


def test_skipped_and_expected_failures_are_counted_together(read) -> None:
    counters = read(OUTPUT, "python manage.py test").counters
    assert (counters.collected, counters.skipped) == (9, 2)


def test_a_passing_run_names_its_tests_when_verbose(read) -> None:
    triage = read(VERBOSE, "python -m unittest -v", 0)
    assert triage.findings == ()
    assert triage.tests == ("tests.test_a.A.test_doc", "tests.test_a.A.test_eq", "tests.test_a.A.test_old")
    assert (triage.counters.collected, triage.counters.skipped) == (3, 1)


def test_stopping_at_the_first_failure_is_told(read) -> None:
    assert read(OUTPUT, "python -m unittest -f").first_error_only
    assert not read(OUTPUT, "python -m unittest").first_error_only


def test_a_run_without_tests_is_not_green(read) -> None:
    output = "\n----------------------------------------------------------------------\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n"
    triage = read(output, "python -m unittest", 5)
    assert triage.counters.collected == 0
    assert triage.findings[0].code == "no-tests"
