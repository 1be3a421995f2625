"""What holds for every text."""

from itertools import permutations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SUFFIXES = [
    ".py",
    ".js",
    ".ts",
    ".tsx",
    ".go",
    ".rs",
    ".java",
    ".sh",
    ".tf",
    ".sql",
    ".rego",
    ".yml",
    ".json",
    ".txt",
    "",
]
FRAGMENTS = st.sampled_from(
    ["def f(a):\n", "    return a\n", "class A:\n", "function f() {", "}", "{", "(", ")", "[", "'", '"', "`", "/*", "*/", "#",
     "resource \"a\" \"b\" {\n", "allow if {\n", "else", "default", " := ", "==", "case ", "CREATE VIEW v AS SELECT ", "\\", "\n",
     "|| true", "${", "#[test]", "fn f() {", "func F() {", "import x\n", "\t", "é", "\x00", "1", "-", ".5", "test('a', () => {"]
)  # fmt: skip
GARBAGE = st.one_of(
    st.binary(max_size=300), st.lists(FRAGMENTS, max_size=25).map(lambda parts: "".join(parts).encode())
)
PYTHON = '''\
"""Shop."""


class Cart:
    def total(self, items, tax):
        amount = sum(item.price for item in items)
        if amount < 0:
            raise ValueError("negative")
        return amount * (1 + tax)


def names(items):
    return [item.name for item in items if item.name != ""]
'''
JS = "export function total(items, tax) {\n  const sum = items.length;\n  if (sum < 0) {\n    throw new Error('no');\n  }\n  return sum * tax;\n}\n"
RUST = "pub fn total(a: u8, b: u8) -> u8 {\n    if a > b {\n        return a;\n    }\n    a + b\n}\n"
REGO = 'package a\n\nlimit := 3 if {\n\tinput.plan == "x"\n}\n\ndeny contains msg if {\n\tsome h in input.h\n\tmsg := h\n}\n'
HCL = 'variable "a" {\n  default = "x"\n}\nresource "b" "c" {\n  name = "n-${var.a}"\n  tags = {\n    k = "v"\n  }\n}\n'
SQL = "CREATE VIEW v AS\nSELECT a, sum(b) AS b\nFROM t\nWHERE a <> 'x'\nGROUP BY a;\n"


@given(suffix=st.sampled_from(SUFFIXES), before=GARBAGE, after=GARBAGE, tool_made=st.booleans())
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_garbage_never_raises(edit, suffix, before, after, tool_made):
    edit(f"src/a{suffix}", before, after, {f"tests/t{suffix}": after}, tool_made=tool_made)
    edit(f"tests/a{suffix}", before, after, tool_made=tool_made, test_policy="allow")


@given(path=st.text(max_size=30))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_path_is_judged(judge, path):
    judge({}, {path: "x = 1\n"})


@given(content=GARBAGE, suffix=st.sampled_from(SUFFIXES))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_change_is_no_violation(judge, content, suffix):
    assert not judge({f"a{suffix}": content}, {f"a{suffix}": content}).violations


@pytest.mark.parametrize(
    ("path", "text", "comment"),
    [
        ("a.py", PYTHON, "#"),
        ("a.js", JS, "//"),
        ("a.ts", JS, "//"),
        ("src/a.rs", RUST, "//"),
        ("a.rego", REGO, "#"),
        ("a.tf", HCL, "#"),
        ("a.sql", SQL, "--"),
    ],
)
@given(data=st.data())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_blank_lines_spaces_and_comments_change_nothing(edit, path, text, comment, data):
    lines = []
    for line in text.splitlines():
        lines += [""] * data.draw(st.integers(0, 2))
        if data.draw(st.booleans()):
            lines.append(f"{comment} the reason for what follows")
        lines.append(line + " " * data.draw(st.integers(0, 3)))
    assert not edit(path, text, "\n".join(lines) + "\n").violations


def test_the_order_of_the_files_does_not_matter(judge):
    before = {"a.py": "def f(x):\n    return g(x)\n", "b.js": "f();\n", "c.sh": "make\n"}
    after = {"a.py": "def f(x):\n    return 1\n", "b.js": "// @ts-ignore\nf();\n", "c.sh": "make || true\n"}
    verdicts = [
        judge({path: before[path] for path in order}, {path: after[path] for path in order}).violations
        for order in permutations(before)
    ]
    assert all(verdict == verdicts[0] for verdict in verdicts)
    assert len({violation.file for violation in verdicts[0]}) == 3


def test_small_steps_do_not_add_up_unseen(judge):
    base = {"a.py": "def f(a, b, c):\n    check(a)\n    return g(a, b, c)\n"}
    middle = {"a.py": "def f(a, b, c):\n    return g(a, b, c)\n"}
    end = {"a.py": "def f(a, b, c):\n    return 3\n"}
    assert not judge(base, middle).refused
    assert judge(base, end).refused
