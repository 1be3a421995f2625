"""Commands that end in an uncaught exception."""

import pytest

from repair.values.checks import Category, Stage

CHAINED = """\
Traceback (most recent call last):
  File "/repo/m.py", line 4, in main
    json.loads("{")
  File "/usr/lib/python3.11/json/decoder.py", line 353, in raw_decode
    obj, end = self.scan_once(s, idx)
               ^^^^^^^^^^^^^^^^^^^^^^
json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/repo/m.py", line 7, in <module>
    main()
  File "/repo/m.py", line 6, in main
    raise RuntimeError("cannot read") from e
RuntimeError: cannot read
"""
WRAPPED_IMPORT = """\
Traceback (most recent call last):
  File "/repo/app/deps.py", line 2, in <module>
    import yamll
ModuleNotFoundError: No module named 'yamll'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/repo/app/main.py", line 9, in <module>
    raise RuntimeError("install the extras") from e
RuntimeError: install the extras
"""
NAME = """\
Traceback (most recent call last):
  File "/repo/n.py", line 1, in <module>
    print(aa)
          ^^
NameError: name 'aa' is not defined
"""
SYNTAX = """\
  File "/repo/syn.py", line 1
    x = (1,
        ^
SyntaxError: '(' was never closed
"""
COMPILED = """\
*** Error compiling './syn.py'...
  File "./syn.py", line 1
    x = (1,
        ^
SyntaxError: '(' was never closed

*** Error compiling './tests/test_c.py'...
  File "./tests/test_c.py", line 1
    def f(:
          ^
SyntaxError: invalid syntax

"""
GROUP = """\
  + Exception Group Traceback (most recent call last):
  |   File "/repo/g.py", line 3, in <module>
  |     raise ExceptionGroup("two", [ValueError("a")])
  | ExceptionGroup: two (1 sub-exception)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "/repo/g.py", line 9, in inner
    |     raise ValueError("a")
    | ValueError: a
    +------------------------------------
"""


def test_the_site_is_the_deepest_frame_in_the_repository(read) -> None:
    (found,) = read(CHAINED, "python m.py").findings
    assert (found.place, found.code, found.message) == ("m.py:6", "RuntimeError", "RuntimeError: cannot read")
    assert "JSONDecodeError" in found.detail


def test_a_chain_that_began_in_an_import_is_read_there(read) -> None:
    (found,) = read(WRAPPED_IMPORT, "python -m app.main").findings
    assert (found.place, found.category, found.symbol) == ("app/deps.py:2", Category.IMPORT_DEPENDENCY, "yamll")


def test_an_undefined_name_is_the_symbol(read) -> None:
    (found,) = read(NAME, "python n.py").findings
    assert (found.category, found.symbol) == (Category.NAME_UNRESOLVED, "aa")
    assert "aa" in found.message


def test_a_syntax_error_needs_no_header(read) -> None:
    (found,) = read(SYNTAX, "python syn.py").findings
    assert (found.place, found.category) == ("syn.py:1", Category.SYNTAX)


def test_compileall_names_every_file(read) -> None:
    findings = read(COMPILED, "python -m compileall -q .").findings
    assert [each.place for each in findings] == ["syn.py:1", "tests/test_c.py:1"]


def test_a_group_tells_its_members(read) -> None:
    assert ("g.py:9", "ValueError: a") in [(each.place, each.message) for each in read(GROUP, "python g.py").findings]


@pytest.mark.parametrize(
    ("stage", "category"), [(Stage.COMPILE, Category.BUILD_TOOL), (Stage.UNIT, Category.TEST_ERROR)]
)
def test_a_crash_is_named_by_the_stage_it_happens_in(read, stage: Stage, category: Category) -> None:
    assert read(CHAINED, "python m.py", stage=stage).findings[0].category is category


def test_the_repositorys_own_absent_module_is_an_import_error(read) -> None:
    line = "/usr/bin/python3: Error while finding module specification for 'nope.x' (ModuleNotFoundError: No module named 'nope')\n"
    triage = read(line, "python -m nope.x")
    assert not triage.infra
    assert (triage.findings[0].category, triage.findings[0].symbol) == (Category.IMPORT_DEPENDENCY, "nope")


def test_an_absent_script_is_an_error_of_the_build(read) -> None:
    line = "/usr/bin/python3: can't open file '/repo/gone.py': [Errno 2] No such file or directory\n"
    (found,) = read(line, "python gone.py", 2).findings
    assert found.category is Category.BUILD_TOOL
