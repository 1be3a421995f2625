"""What may not happen to tests where a policy opens them for edits."""

import pytest

PYTHON = "import pytest\n\ndef test_a():\n    assert f(1) == 2\n    assert f(2) == 3\n\ndef test_b():\n    assert g()\n"
JS = "test('a', () => { expect(f(1)).toBe(2); expect(f(2)).toBe(3); });\ntest('b', () => { expect(g()); });\n"
GO = 'package p\nfunc TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Errorf("no")\n\t}\n}\nfunc TestB(t *testing.T) { t.Fatal("x") }\n'
RUST = "pub fn f() -> u8 { g() }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn a() { assert_eq!(f(), 1); }\n    #[test]\n    fn b() { assert!(f() > 0); }\n}\n"
REGO = (
    "package a_test\n\ntest_a if {\n\tallow with input as 1\n\tnot deny with input as 1\n}\n\ntest_b if {\n\tdeny\n}\n"
)
JAVA = "class ATest {\n  @Test void a() { assertEquals(1, f()); }\n  @Test void b() { assertTrue(g()); }\n}\n"
HCL = 'run "a" {\n  assert {\n    condition = output.x == 1\n  }\n}\nrun "b" {\n  assert {\n    condition = output.y == 1\n  }\n}\n'


@pytest.mark.parametrize(
    ("path", "before", "gone"),
    [
        ("tests/test_a.py", PYTHON, "def test_b():\n    assert g()\n"),
        ("a.test.js", JS, "test('b', () => { expect(g()); });\n"),
        ("a_test.go", GO, 'func TestB(t *testing.T) { t.Fatal("x") }\n'),
        ("src/a.rs", RUST, "    #[test]\n    fn b() { assert!(f() > 0); }\n"),
        ("a_test.rego", REGO, "test_b if {\n\tdeny\n}\n"),
        ("ATest.java", JAVA, "  @Test void b() { assertTrue(g()); }\n"),
        ("a.tftest.hcl", HCL, 'run "b" {\n  assert {\n    condition = output.y == 1\n  }\n}\n'),
    ],
)
def test_no_test_is_removed(edit, path, before, gone):
    assert "test-removed" in edit(path, before, before.replace(gone, ""), test_policy="allow").refused


@pytest.mark.parametrize(
    ("path", "before", "gone"),
    [
        ("tests/test_a.py", PYTHON, "    assert f(2) == 3\n"),
        ("a.test.js", JS, " expect(f(2)).toBe(3);"),
        ("a_test.go", GO, '\t\tt.Errorf("no")\n'),
        ("a_test.rego", REGO, "\tnot deny with input as 1\n"),
        ("src/a.rs", RUST, "assert_eq!(f(), 1);"),
        ("ATest.java", JAVA, "assertEquals(1, f());"),
        ("a.tftest.hcl", HCL, "  assert {\n    condition = output.x == 1\n  }\n"),
    ],
)
def test_no_assertion_is_removed(edit, path, before, gone):
    assert "assertion-removed" in edit(path, before, before.replace(gone, ""), test_policy="allow").refused


@pytest.mark.parametrize(
    ("path", "before", "old", "new"),
    [
        ("tests/test_a.py", PYTHON, "def test_b", "@pytest.mark.skip(reason='later')\ndef test_b"),
        ("tests/test_a.py", PYTHON, "def test_b", "@pytest.mark.xfail\ndef test_b"),
        ("tests/test_a.py", PYTHON, "    assert g()", "    pytest.skip('later')\n    assert g()"),
        (
            "tests/test_a.py",
            PYTHON,
            "import pytest\n",
            "import pytest\npytestmark = pytest.mark.skipif(True, reason='')\n",
        ),
        ("a.test.js", JS, "test('b'", "test.skip('b'"),
        ("a.test.js", JS, "test('b'", "test.only('b'"),
        ("a.test.js", JS, "test('b', ", "test('b', { todo: true }, "),
        ("a_test.go", GO, 't.Fatal("x")', 't.Skip(); t.Fatal("x")'),
        ("src/a.rs", RUST, "    fn b()", "    #[ignore]\n    fn b()"),
        ("ATest.java", JAVA, "@Test void b", "@Disabled @Test void b"),
        ("a_test.rego", REGO, "test_b", "todo_test_b"),
    ],
)
def test_no_test_is_newly_skipped(edit, path, before, old, new):
    assert "test-skipped" in edit(path, before, before.replace(old, new), test_policy="allow").refused


def test_fewer_cases_are_a_removed_test(edit):
    before = "@pytest.mark.parametrize('x', [1, 2, 3])\ndef test_a(x):\n    assert f(x)\n"
    assert "test-removed" in edit("tests/test_a.py", before, before.replace(", 3", ""), test_policy="allow").refused


def test_another_expectation_waits_for_a_person(edit):
    verdict = edit("tests/test_a.py", PYTHON, PYTHON.replace("f(2) == 3", "f(2) == 4"), test_policy="allow")
    assert (verdict.refused, verdict.held) == (set(), {"assertion-changed"})


def test_a_tool_may_not_change_what_a_test_asserts(edit):
    after = PYTHON.replace("f(2) == 3", "f(2) == 4")
    assert {"path", "assertion-changed"} <= edit("tests/test_a.py", PYTHON, after, tool_made=True).refused


def test_a_tool_may_not_touch_fixtures_or_configuration(edit):
    assert edit("tests/data.json", '{"a":1}', '{ "a": 1 }', tool_made=True).refused == {"path"}
    assert "path" in edit("pyproject.toml", "[tool]\na=1", "[tool]\na = 1\n", tool_made=True).refused


def test_a_new_test_may_be_added(edit):
    after = PYTHON + "\ndef test_c():\n    assert h()\n"
    assert not edit("tests/test_a.py", PYTHON, after, test_policy="allow").violations


def test_skipping_an_element_skips_no_test(edit):
    before = "fn f(x: Vec<u8>) -> u8 { x.iter().sum() }\n"
    assert not edit("src/a.rs", before, before.replace("iter()", "iter().skip(n)")).violations
