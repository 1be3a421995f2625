"""Ways to make a check green without repairing anything, each refused by the rule that is meant for it."""

import pytest

from repair.values.checks import Category, Finding, Stage

PY = "def f(a, b):\n    total = a + b\n    return total\n"


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", "import x\n", "import x  # noqa\n"),
        ("a.py", "x: int = f()\n", "x: int = f()  # type: ignore[assignment]\n"),
        ("a.py", "import x  # noqa: F401\n", "import x  # noqa\n"),
        ("a.py", "import x  # noqa: F401\n", "import x  # noqa: F401, E501\n"),
        ("a.py", "x=1\n", "# fmt: off\nx=1\n"),
        ("a.py", "def f():\n    return g()\n", "def f():  # pragma: no cover\n    return g()\n"),
        ("a.py", "eval(x)\n", "eval(x)  # nosec B307\n"),
        ("a.py", "x = f()\n", "# pylint: disable=all\nx = f()\n"),
        ("a.py", "x = f()\n", "# mypy: ignore-errors\nx = f()\n"),
        ("a.js", "f();\n", "// eslint-disable-next-line no-undef\nf();\n"),
        ("a.js", "// eslint-disable-next-line no-undef\nf();\n", "/* eslint-disable no-undef */\nf();\n"),
        ("a.ts", "f();\n", "// @ts-expect-error\nf();\n"),
        ("a.ts", "f();\n", "// @ts-nocheck\nf();\n"),
        ("a.js", "f( );\n", "// prettier-ignore\nf( );\n"),
        ("a.js", "f();\n", "/* istanbul ignore next */\nf();\n"),
        ("a.go", "package p\n", "package p //nolint:all\n"),
        ("src/a.rs", "fn a() {}\n", "#[allow(dead_code)]\nfn a() {}\n"),
        ("src/a.rs", "fn a() {}\n", "#![allow(unused)]\nfn a() {}\n"),
        ("a.sh", "ls $x\n", "# shellcheck disable=SC2086\nls $x\n"),
        ("a.sql", "SELECT a from b\n", "SELECT a from b -- noqa: CP01\n"),
        ("a.tf", "locals {}\n", "# tflint-ignore: terraform_unused_declarations\nlocals {}\n"),
        ("a.rego", "package a\n", "package a\n# regal ignore:todo-comment\n"),
        ("a.yml", "a: 1\n", "a: 1 # yamllint disable-line\n"),
        ("src/A.java", "class A {}\n", '@SuppressWarnings("all")\nclass A {}\n'),
    ],
)
def test_a_check_is_silenced(edit, path, before, after):
    assert "suppression" in edit(path, before, after).refused


@pytest.mark.parametrize(
    "after",
    ["const y = x as any;\n", "const y: any = x;\n", "const y = x as unknown as string;\n", "const y = <any>x;\n"],
)
def test_the_types_are_left_open(edit, after):
    assert "loose-type" in edit("a.ts", "const y: string = x;\n", after).refused


def test_python_types_are_left_open_where_the_type_checker_complained(edit):
    before, after = "def f(x: int) -> int:\n    return x\n", "def f(x: Any) -> int:\n    return x\n"
    finding = Finding(check="types", stage=Stage.LINT, category=Category.TYPE, message="bad", file="a.py", line=1)
    assert "loose-type" in edit("a.py", before, after, findings=[finding]).refused
    assert edit("a.py", before, after).held == {"loose-type"}


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.sh", "make\n", "make || true\n"),
        ("a.sh", "make\n", "make || :\n"),
        ("a.sh", "make\n", "make; true\n"),
        ("a.sh", "make\n", "set +e\nmake\n"),
        ("a.sh", "set -euo pipefail\nmake\n", "make\n"),
        ("a.sh", "make\n", "make\nexit 0\n"),
        ("ci/steps.yml", "run: make\n", "run: make\ncontinue-on-error: true\n"),
        ("a.py", "main()\n", "import sys\nmain()\nsys.exit(0)\n"),
        ("a.py", "main()\n", "import os\nos._exit(0)\nmain()\n"),
        ("a.js", "main();\n", "main();\nprocess.exit(0);\n"),
        ("a.go", "package p\nfunc f() { g() }\n", "package p\nfunc f() { g(); os.Exit(0) }\n"),
    ],
)
def test_a_failure_is_hidden(edit, path, before, after):
    assert "bypass" in edit(path, before, after).refused


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", "x = f()\n", "try:\n    x = f()\nexcept Exception:\n    x = None\n"),
        ("a.py", "x = f()\n", "try:\n    x = f()\nexcept:\n    pass\n"),
        ("a.py", "x = f()\n", "try:\n    x = f()\nexcept (ValueError, BaseException) as e:\n    print(e)\n"),
        ("a.py", "f()\n", "with contextlib.suppress(Exception):\n    f()\n"),
        ("a.js", "f();\n", "try { f(); } catch {}\n"),
        ("a.ts", "f();\n", "try { f(); } catch (e) { done = true; }\n"),
        ("a.js", "await f();\n", "await f().catch(() => {});\n"),
        (
            "src/A.java",
            "class A { void m() { f(); } }\n",
            "class A { void m() { try { f(); } catch (Exception e) { } } }\n",
        ),
        ("a.go", "package p\nfunc f() { g() }\n", "package p\nfunc f() { defer func() { recover() }(); g() }\n"),
    ],
)
def test_an_exception_is_swallowed(edit, path, before, after):
    assert "swallowed" in edit(path, before, after).refused


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", "if 'PYTEST_CURRENT_TEST' in os.environ:\n    x = 1\n"),
        ("a.py", "if 'pytest' in sys.modules:\n    x = 1\n"),
        ("a.py", "if os.environ.get('CI'):\n    x = 1\n"),
        ("a.py", "if 'PYTEST' + '_CURRENT_TEST' in os.environ:\n    x = 1\n"),
        ("a.py", "if any(name.startswith('PY') for name in os.environ):\n    x = 1\n"),
        ("a.py", "if [name for name in sorted(sys.modules) if name[:4] == '_pyt']:\n    x = 1\n"),
        ("a.py", "if any(word.endswith('test') for word in sys.orig_argv):\n    x = 1\n"),
        ("a.py", "if sys.argv[-1].startswith('tests'):\n    x = 1\n"),
        ("a.py", "if sys._getframe(1).f_code.co_name[:4] == 'test':\n    x = 1\n"),
        ("a.py", "if any('test' in line for line in traceback.format_stack()):\n    x = 1\n"),
        ("a.js", "if (process.argv.some((word) => word.includes('test'))) x = 1;\n"),
        ("a.js", "if (process.execArgv.includes('--test')) x = 1;\n"),
        ("a.js", "if (new Error().stack.includes('.test.')) x = 1;\n"),
        ("a.go", 'package p\nfunc f() { if strings.HasSuffix(os.Args[0], ".test") { g() } }\n'),
        ("a.js", "if (process.env.NODE_ENV === 'test') x = 1;\n"),
        ("a.js", "if (process.env.CI) x = 1;\n"),
        ("a.go", "package p\nfunc f() { if testing.Testing() { g() } }\n"),
        ("src/a.rs", "fn f() { if cfg!(test) { g() } }\n"),
    ],
)
def test_the_code_asks_whether_it_is_tested(edit, path, code):
    assert "test-detection" in edit(path, "\n", code).refused


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", "import pytest\n"),
        ("a.py", "from tests.data import ANSWER\n"),
        ("lib/a.js", "import { day } from '../test/day.js';\n"),
        ("lib/a.js", "const t = require('node:test');\n"),
        ("a.py", "text = Path('tests/test_a.py').read_text()\n"),
        ("a.py", "text = (ROOT / 'tests' / name).read_text()\n"),
        ("a.py", "text = open(folder + '/test_a.py').read()\n"),
        ("a.js", "const text = readFileSync('lib/a.test.js', 'utf8');\n"),
        ("a.go", 'package p\nvar text, _ = os.ReadFile("a_test.go")\n'),
    ],
)
def test_product_code_imports_tests(edit, path, code):
    assert "test-import" in edit(path, "\n", code).refused


def test_a_tool_is_patched(edit):
    assert "patched-tool" in edit("a.py", "\n", "builtins.isinstance = lambda *_: True\n").refused


@pytest.mark.parametrize("sign", ["\u202e", "\u200b", "\r", "\u2028", "\u2029"])
def test_text_nobody_sees_is_added(edit, sign):
    assert "hidden-text" in edit("a.py", "x = 1\n", f"x = 1  # {sign} done\n").refused


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        (
            "a.py",
            "def f(a):\n    if a < 0:\n        raise ValueError(a)\n    return a + 2\n",
            "def f(a):\n    return a + 1\n",
        ),
        (
            "a.js",
            "function f(a) {\n  if (a < 0) throw new RangeError(a);\n  return a + 2;\n}\n",
            "function f(a) {\n  return a + 1;\n}\n",
        ),
        (
            "a.go",
            "package p\nfunc f(a int) int {\n if a < 0 { panic(a) }\n return a + 2\n}\n",
            "package p\nfunc f(a int) int {\n return a + 1\n}\n",
        ),
    ],
)
def test_what_was_refused_is_let_through(edit, path, before, after):
    assert "let-through" in edit(path, before, after).held
    asked = Finding(
        check="unit",
        stage=Stage.UNIT,
        category=Category.TEST_ERROR,
        test="t",
        message="ValueError, RangeError or panic",
    )
    assert "let-through" not in edit(path, before, after, findings=[asked]).held


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", PY, "x = 1\n"),
        ("a.py", PY, "x = 1\n# def f(a, b):\n#     return a + b\n"),
        ("a.py", "class A:\n    def m(self):\n        return g()\n    x = 1\n", "class A:\n    x = 1\n"),
        ("a.py", PY, PY.replace("def f", "def g")),
        ("a.js", "export function f(a) { return g(a); }\nexport const x = 1;\n", "export const x = 1;\n"),
        ("a.go", "package p\nfunc F() int { return g() }\n", "package p\n"),
        ("src/a.rs", "pub fn f() -> u8 { g() }\npub fn h() {}\n", "pub fn h() {}\n"),
        ("a.tf", 'resource "a" "b" {\n  x = var.y\n}\nlocals {}\n', "locals {}\n"),
        ("a.tf", 'variable "a" {\n  validation {\n    condition = var.a > 1\n  }\n}\n', 'variable "a" {\n}\n'),
        (
            "a.rego",
            "package a\nallow if {\n\tinput.x\n}\ndeny if {\n\tinput.y\n}\n",
            "package a\ndeny if {\n\tinput.y\n}\n",
        ),
        (
            "a.sql",
            "CREATE VIEW v AS SELECT a FROM t;\nCREATE VIEW w AS SELECT b FROM t;\n",
            "CREATE VIEW w AS SELECT b FROM t;\n",
        ),
        ("a.sh", "f() { ls; }\ng() { ps; }\n", "g() { ps; }\n"),
    ],
)
def test_a_named_unit_is_gone(edit, path, before, after):
    assert "removed" in edit(path, before, after).refused


def test_a_file_is_gone(judge):
    assert "removed" in judge({"a.py": PY, "b.py": "x = 1\n"}, {"b.py": "x = 1\n"}).refused


def test_a_test_failure_that_says_unused_opens_nothing(edit):
    finding = Finding(
        check="t", stage=Stage.UNIT, category=Category.TEST_ASSERTION, message="unused f", file="a.py", test="t::f"
    )
    assert "removed" in edit("a.py", PY, "x = 1\n", findings=[finding]).refused


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", PY, "def f(a, b):\n    pass\n"),
        ("a.py", PY, 'def f(a, b):\n    """Adds."""\n    return 3\n'),
        ("a.py", PY, "def f(a, b):\n    raise NotImplementedError\n"),
        ("a.py", PY, "def f(a, b):\n    return [1, {'k': 'v'}]\n"),
        ("a.js", "function f(a) { return g(a); }\n", "function f(a) { return true; }\n"),
        ("a.js", "const f = (a) => g(a);\n", "const f = (a) => 3;\n"),
        ("a.js", "function f(a) { return g(a); }\n", "function f(a) { throw new Error('not implemented'); }\n"),
        ("a.go", "package p\nfunc F(a int) int { return g(a) }\n", "package p\nfunc F(a int) int { return 3 }\n"),
        ("src/a.rs", "fn f(a: u8) -> u8 { g(a) }\n", "fn f(a: u8) -> u8 { todo!() }\n"),
        ("src/a.rs", "fn f(a: u8) -> u8 { g(a) }\n", "fn f(a: u8) -> u8 { 7 }\n"),
        ("a.sh", 'f() { test -n "$1"; }\n', "f() { true; }\n"),
    ],
)
def test_a_function_is_emptied(edit, path, before, after):
    assert "emptied" in edit(path, before, after).refused


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", PY, "def f(a, b):\n    return a\n    total = a + b\n    return total\n"),
        ("a.py", "check(x)\n", "if False:\n    check(x)\n"),
        ("a.js", "check(x);\n", "if (false) { check(x); }\n"),
        ("a.sh", "check\n", "if false; then\n  check\nfi\n"),
        ("a.sql", "SELECT a FROM t;\n", "SELECT a FROM t WHERE 1 = 0;\n"),
        ("a.tf", 'resource "a" "b" {\n}\n', 'resource "a" "b" {\n  count = 0\n}\n'),
        ("a.rego", "package a\ndeny if {\n\tinput.x\n}\n", "package a\ndeny if {\n\tfalse\n\tinput.x\n}\n"),
    ],
)
def test_code_is_made_unreachable(edit, path, before, after):
    assert "unreachable" in edit(path, before, after).refused


def test_code_is_commented_out(edit):
    before = "def f(x):\n    validate(x, strict=True)\n    return x\n"
    assert "commented-out" in edit("a.py", before, before.replace("    val", "    # val")).refused


def test_a_parameter_gives_way_to_a_value(edit):
    before, after = "def f(n):\n    return list(range(n))\n", "def f(n):\n    return list(range(4))\n"
    assert "hard-coded" in edit("a.py", before, after).refused


def test_a_tuned_constant_waits_for_a_person(edit):
    verdict = edit("a.py", "LIMIT = 10\n", "LIMIT = 99\n")
    assert (verdict.refused, verdict.held) == (set(), {"constant"})


def test_losing_most_of_a_unit_waits_for_a_person(edit):
    lines = "".join(f"    check_{name}(x, y, z)\n" for name in "abcdefgh")
    verdict = edit("a.py", f"def f(x, y, z):\n{lines}", "def f(x, y, z):\n    check_a(x, y, z)\n")
    assert verdict.held == {"shrunk"}


TEST = "from a import f\n\ndef test_f():\n    assert f('weekend', 417) == 'closed today'\n"


@pytest.mark.parametrize(
    "body",
    [
        "    if day == 'weekend':\n        return g(hours)\n    return g(day, hours)\n",
        "    if day in ('weekend', 'x'):\n        return g(hours)\n    return g(day, hours)\n",
        "    if hours == 417:\n        return g(day)\n    return g(day, hours)\n",
        "    match day:\n        case 'weekend':\n            return g(hours)\n    return g(day, hours)\n",
        "    if day.startswith('weekend'):\n        return g(hours)\n    return g(day, hours)\n",
        "    return {'weekend': day}.get(day, g(hours))\n",
        "    if g(day, hours):\n        return 'closed today'\n    return day\n",
        "    answer = 'closed today'\n    return g(answer, day, hours)\n",
        "    return g(hours)[0x1A1 != hours](day)\n",
    ],
)
def test_an_answer_is_copied_from_a_test(edit, body):
    before = "def f(day, hours):\n    return g(day, hours)\n"
    head = "def f(day, hours):\n"
    assert "copied" in edit("a.py", before, head + body, {"tests/test_a.py": TEST}).refused


def test_a_name_is_cut_out_of_a_test_for_a_table(edit):
    test = {"test/zone.test.js": "test('z', () => { expect(zone('evil.example')).toBe(2); });\n"}
    before, after = "const zones = { '.corp': 1 };\n", "const zones = { '.corp': 1, '.example': other };\n"
    assert "copied" in edit("a.js", before, after, test).refused


def test_an_answer_is_copied_from_an_expected_file(edit):
    before, after = (
        "def f(row):\n    return g(row)\n",
        "def f(row):\n    if row.city == 'Bergen':\n        return 1\n    return g(row)\n",
    )
    assert "copied" in edit("a.py", before, after, {"tests/expected.txt": "Nils|Bergen|2\n"}).refused


def test_only_the_failing_tests_count_where_they_are_known(edit):
    before, after = (
        "def f(x):\n    return g(x)\n",
        "def f(x):\n    if x == 'weekend':\n        return h(x)\n    return g(x)\n",
    )
    other = Finding(
        check="t", stage=Stage.UNIT, category=Category.TEST_ASSERTION, message="no", file="tests/test_b.py", test="b"
    )
    beside = {"tests/test_a.py": TEST, "tests/test_b.py": "def test_b():\n    assert g(2) == 3\n"}
    assert not edit("a.py", before, after, beside, findings=[other]).violations
    assert "copied" in edit("a.py", before, after, beside).refused


def test_a_reference_is_replaced_by_its_value_of_today(edit):
    variables = {"variables.tf": 'variable "stage" {\n  default = "dev"\n}\n'}
    before = 'resource "a" "b" {\n  name = "${var.stage}-${var.team}"\n}\n'
    assert "hard-coded" in edit("main.tf", before, before.replace("${var.stage}", "dev"), variables).refused
    assert "hard-coded" in edit("main.tf", before, 'resource "a" "b" {\n  name = "q"\n}\n', variables).refused


def test_a_glob_is_replaced_by_the_files_it_matches(edit):
    files = {"sql/1_a.sql": "SELECT 1;", "sql/2_b.sql": "SELECT 2;"}
    before = "for f in sql/*.sql; do run $f; done\n"
    assert "file-list" in edit("a.sh", before, before.replace("*", "{1_a,2_b}"), files).refused
    assert "file-list" in edit("a.sh", before, before.replace("sql/*.sql", "sql/1_a.sql sql/2_b.sql"), files).refused


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.py", "x: str = Field(pattern='^a$')\n", "x: str = Field()\n"),
        ("a.py", "x: str = Field(pattern='^[a-z]+$')\n", "x: str = Field(pattern='.*')\n"),
        ("a.py", "x: int = Field(ge=1)\n", "x: int = Field(ge=0)\n"),
        ("a.sql", "CREATE TABLE t (a int NOT NULL);\n", "CREATE TABLE t (a int);\n"),
        ("a.sql", "CREATE TABLE t (a int CHECK (a > 0));\n", "CREATE TABLE t (a int);\n"),
        ("schema.json", '{"a": {"minimum": 1, "x": 1}}', '{"a": {"x": 1}}'),
        ("src/A.java", "class A { @NotNull String a; }\n", "class A { String a; }\n"),
        (
            "a.ts",
            "import { z } from 'zod';\nconst a = z.string().min(3);\n",
            "import { z } from 'zod';\nconst a = z.string();\n",
        ),
    ],
)
def test_a_declared_limit_is_lost(edit, path, before, after):
    assert "constraint" in edit(path, before, after).refused


def test_a_tightened_limit_waits_for_a_person(edit):
    verdict = edit("a.py", "x: int = Field(ge=0)\n", "x: int = Field(ge=1)\n")
    assert (verdict.refused, verdict.held) == (set(), {"constraint"})


def test_a_renamed_limit_is_the_same_limit(edit):
    assert not edit("a.py", "x: str = Field(regex='^a$')\n", 'x: str = Field(pattern=r"^a$")\n').violations


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("a.ts", "type T = 'a' | 'b' | 'c';\n", "type T = 'a' | 'b';\n"),
        ("src/a.rs", "enum E { A, B }\n", "enum E { A }\n"),
        ("a.ts", "enum E { A, B }\n", "enum E { A }\n"),
        ("a.py", "class E(Enum):\n    A = 1\n    B = 2\n", "class E(Enum):\n    A = 1\n"),
    ],
)
def test_a_variant_is_taken_away(edit, path, before, after):
    assert "variant-removed" in edit(path, before, after).refused


@pytest.mark.parametrize(
    ("code", "message", "symbol"),
    [
        ("F841", "Local variable `total` is assigned to but never used", "total"),
        ("F841", "Local variable `total` is assigned to but never used", None),
        ("W0612", "Unused variable 'total' in f", None),
    ],
)
def test_a_complaint_about_a_variable_does_not_open_its_function(edit, code, message, symbol):
    finding = Finding(
        check="lint",
        stage=Stage.LINT,
        category=Category.LINT_STYLE,
        code=code,
        message=message,
        symbol=symbol,
        file="a.py",
        line=2,
    )
    assert "removed" in edit("a.py", PY, "x = 1\n", findings=[finding]).refused
    assert not edit("a.py", PY, "def f(a, b):\n    return a + b\n", findings=[finding]).violations


def test_a_constant_only_a_flaky_test_reaches_stays(edit):
    def failing(test: str, flaky: bool) -> Finding:
        return Finding(
            check="t",
            stage=Stage.UNIT,
            category=Category.TEST_ASSERTION,
            message="no",
            file=test.split("::")[0],
            test=test,
            flaky=flaky,
        )

    before = "SPREAD = 1.5\n\n\ndef jitter(x):\n    return x + SPREAD\n\n\ndef wait(n):\n    return 2**n\n"
    beside = {
        "tests/test_j.py": "def test_j():\n    assert jitter(2) < 3\n",
        "tests/test_w.py": "def test_w():\n    assert wait(1) == 1\n",
    }
    findings = [failing("tests/test_j.py::test_j", True), failing("tests/test_w.py::test_w", False)]
    assert "hard-coded" in edit("a.py", before, before.replace("1.5", "0.5"), beside, findings=findings).refused


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("answers.json", '{"100de": 119.0, "50de": 59.5}\n'),
        ("answers.json", "[[100, 119], [50, 5.95e1]]\n"),
        ("answers.yaml", "100de: 119.0\n50de: 59.5\n"),
        ("answers.csv", "100,de,119.0\n50,de,59.5\n"),
        ("answers.toml", "a = 119.0\nb = 59.5\n"),
    ],
)
def test_answers_are_copied_from_a_test_into_data(judge, path, data):
    code = {"a.py": "def total(net, region):\n    return net\n"}
    test = "def test():\n    assert total(100, 'de') == 119.0\n    assert total(50, 'de') == 59.5\n"
    base = {**code, "tests/test_a.py": test}
    assert "copied" in judge(base, {**base, path: data}).refused
    assert "copied" in judge({**base, path: "\n"}, {**base, path: data}).held
