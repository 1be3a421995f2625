"""What the scan shows for a finding, what it never shows, and what it cuts first."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from repair.tools.context.budget import cost
from repair.tools.context.render import render
from repair.tools.context.scan import scan
from repair.tools.context.suggest import suggest_files
from repair.values.checks import Category, Finding, Stage

ENDINGS = ["py", "js", "ts", "tsx", "go", "rs", "java", "sh", "tf", "sql", "rego", "toml", "md"]


class Files(dict[str, str]):
    def paths(self) -> list[str]:
        return sorted(self)

    def read(self, path: str) -> bytes | None:
        text = self.get(path)
        return None if text is None else text.encode("utf-8", errors="surrogateescape")


def finding(file=None, line=None, message="it is wrong", category=Category.TYPE, **more):
    return Finding(check="c", stage=Stage.LINT, category=category, message=message, file=file, line=line, **more)


def failure(test=None, message="assert 1 == 2", **more):
    return finding(message=message, category=Category.TEST_ASSERTION, test=test, **more)


def long(text: str) -> str:
    return text + "".join(f"\n\ndef filler_{n}():\n    return {n}\n" for n in range(40))


CART = long("from shop.money import cents\n\n\ndef total(items):\n    return sum(cents(item) for item in items)\n")
SHOP = Files({
    "src/shop/__init__.py": "",
    "src/shop/cart.py": CART,
    "src/shop/money.py": long("def cents(item):\n    return rounded(item.price * 100)\n\n\ndef rounded(x):\n    return int(x)\n"),
    "src/shop/web.py": long("from shop.cart import total\n\n\ndef view(cart):\n    return str(total(cart.items))\n"),
    "tests/conftest.py": "import pytest\n\n\n@pytest.fixture\ndef basket():\n    return [1, 2]\n\n\n@pytest.fixture\ndef other():\n    return 3\n",
    "tests/test_cart.py": "from shop.cart import total\n\n\ndef test_total(basket):\n    assert total(basket) == 300\n",
    "pyproject.toml": '[project]\nname = "shop"\n\n[tool.ruff]\nline-length = 100\n\n[tool.ruff.lint]\nselect = ["E"]\n\n[tool.mypy]\nstrict = true\n',
    "docs/adr/0001-money.md": "# Money is in cents\n\nsrc/shop/cart.py adds cents only.\n",
    "docs/adr/0002-paint.md": "# The shed is green\n",
})  # fmt: skip
WRONG_TOTAL = finding("src/shop/cart.py", 5)


def shown(pack, kind):
    return [(entry.path, entry.start, entry.end) for entry in pack.of(kind)]


def test_the_unit_of_the_error_comes_first():
    pack = scan(SHOP, [WRONG_TOTAL])
    assert (pack.excerpts[0].kind, pack.excerpts[0].path, pack.excerpts[0].start, pack.excerpts[0].end) == (
        "a",
        "src/shop/cart.py",
        4,
        5,
    )


def test_a_small_unit_is_shown_as_it_stands_and_its_error_line_named():
    unit = scan(SHOP, [WRONG_TOTAL]).of("a")[0]
    assert unit.text == "def total(items):\n    return sum(cents(item) for item in items)"
    assert "error on line 5 `return sum(cents(item) for item in items)`" in unit.reason


def test_a_large_unit_is_numbered_and_its_error_line_marked():
    text = "def f():\n" + "".join(f"    x{n} = {n}\n" for n in range(2, 80))
    lines = scan(Files({"a.py": text}), [finding("a.py", 40)]).of("a")[0].text.split("\n")
    assert "> 40 |     x40 = 40" in lines
    assert "  41 |     x41 = 41" in lines


def test_a_huge_unit_is_narrowed_to_its_head_and_its_error():
    text = "def f():\n" + "".join(f"    x{n} = {n}\n" for n in range(2, 900))
    unit = scan(Files({"a.py": text}), [finding("a.py", 500)]).of("a")[0].text
    assert "def f():" in unit
    assert "> 500 |" in unit
    assert "x300" not in unit
    assert "lines left out" in unit


def test_the_imports_of_the_file_are_shown_when_the_unit_leaves_them_out():
    assert shown(scan(SHOP, [WRONG_TOTAL]), "b") == [("src/shop/cart.py", 1, 1)]


def test_definitions_are_followed_as_many_hops_as_asked():
    assert shown(scan(SHOP, [WRONG_TOTAL]), "c") == [("src/shop/money.py", 1, 2)]
    assert shown(scan(SHOP, [WRONG_TOTAL], depth=2), "c") == [("src/shop/money.py", 1, 2), ("src/shop/money.py", 5, 6)]


def test_callers_are_shown_product_before_tests():
    pack = scan(SHOP, [WRONG_TOTAL])
    assert [entry.path for entry in pack.of("d")] == ["src/shop/web.py", "tests/test_cart.py"]
    assert "test, read-only" in pack.of("d")[1].reason


def test_a_failing_test_is_shown_with_its_fixture_and_the_code_it_calls():
    pack = scan(SHOP, [failure("tests/test_cart.py::test_total", file="tests/test_cart.py", line=5)])
    assert shown(pack, "a") == [("src/shop/cart.py", 4, 5)]
    assert [entry.path for entry in pack.of("e")] == ["tests/test_cart.py", "tests/conftest.py"]
    assert all("test, read-only" in entry.reason for entry in pack.of("e"))
    assert "def other" not in render(pack)


def test_a_test_is_found_by_its_identity_alone():
    assert shown(scan(SHOP, [failure("tests/test_cart.py::test_total[x::y/z]")]), "e")[0] == (
        "tests/test_cart.py",
        4,
        5,
    )


def test_a_product_line_named_in_the_output_of_a_test_is_shown():
    detail = 'File "/home/ci/shop/src/shop/money.py", line 2, in cents'
    pack = scan(SHOP, [failure("tests/test_cart.py::test_total", detail=detail)])
    assert ("src/shop/money.py", 1, 2) in shown(pack, "a")


def test_an_error_in_the_code_of_a_test_is_shown_as_the_unit_and_marked_read_only():
    pack = scan(SHOP, [finding("tests/test_cart.py", 1, category=Category.LINT_STYLE)])
    assert [entry.path for entry in pack.of("a")] == ["tests/test_cart.py"]
    assert "test, read-only" in pack.of("a")[0].reason


def test_a_finding_without_a_place_is_placed_by_the_names_it_speaks_of():
    pack = scan(SHOP, [finding(message="unexpected result of `rounded`", category=Category.UNKNOWN)])
    assert shown(pack, "a") == [("src/shop/money.py", 5, 6)]


def test_a_finding_without_any_word_is_placed_by_the_pull_request():
    diff = "--- a/src/shop/web.py\n+++ b/src/shop/web.py\n@@ -1,1 +1,1 @@\n-x\n+from shop.cart import total\n"
    pack = scan(SHOP, [finding(message="exit status 1", category=Category.UNKNOWN)], diff=diff)
    assert [entry.path for entry in pack.of("a")] == ["src/shop/web.py"]


def test_only_the_sections_of_the_tool_that_ran_are_shown():
    pack = scan(SHOP, [WRONG_TOTAL], command="ruff check .")
    assert [entry.text for entry in pack.of("f")] == [
        '[tool.ruff]\nline-length = 100\n\n[tool.ruff.lint]\nselect = ["E"]'
    ]


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("mypy src", "pyproject.toml"),
        ("npx tsc -p .", "tsconfig.json"),
        ("eslint .", "eslint.config.js"),
        ("npm test", "package.json"),
        ("cargo test", "Cargo.toml"),
        ("bash scripts/check.sh", "scripts/check.sh"),
    ],
)
def test_the_configuration_of_the_command_is_shown(command, path):
    files = Files(SHOP | {"tsconfig.json": "{}", "eslint.config.js": "export default [];", "package.json": "{}"})
    files |= {"Cargo.toml": '[package]\nname = "x"', "scripts/check.sh": "echo\n"}
    assert path in [entry.path for entry in scan(Files(files), [WRONG_TOTAL], command=command).of("f")]


DIFF = """\
--- a/src/shop/cart.py
+++ b/src/shop/cart.py
@@ -4,2 +4,2 @@
 def total(items):
-    return sum(items)
+    return sum(cents(item) for item in items)
--- a/README.md
+++ b/README.md
@@ -1 +1 @@
-a
+b
"""


def test_hunks_of_shown_files_are_shown_and_no_others():
    pack = scan(SHOP, [WRONG_TOTAL], diff=DIFF)
    assert shown(pack, "g") == [("src/shop/cart.py", 4, 5)]
    assert "-    return sum(items)" in pack.of("g")[0].text


def test_the_last_green_version_is_shown_where_it_differs():
    green = {"src/shop/cart.py": CART.replace("cents(item)", "item"), "src/shop/web.py": SHOP["src/shop/web.py"]}
    pack = scan(SHOP, [WRONG_TOTAL, finding("src/shop/web.py", 5)], last_green=green)
    assert [entry.path for entry in pack.of("h")] == ["src/shop/cart.py"]
    assert "sum(item for" in pack.of("h")[0].text


def test_similar_code_in_the_folder_is_shown():
    body = "    row = load(key)\n    check(row)\n    row.touch(now)\n    store(row)\n"
    files = Files(
        {"a.py": long(f"def save(key, now):\n{body}"), "b.py": long(f"def keep(key, now):\n{body}    log(row)\n")}
    )
    assert shown(scan(files, [finding("a.py", 2)]), "i") == [("b.py", 1, 6)]


def test_decisions_that_speak_of_the_file_are_shown():
    assert [entry.path for entry in scan(SHOP, [WRONG_TOTAL]).of("j")] == ["docs/adr/0001-money.md"]


def test_hidden_files_are_in_no_entry():
    diff = DIFF + "--- a/tests/test_cart.py\n+++ b/tests/test_cart.py\n@@ -1 +1 @@\n-a\n+secret\n"
    findings = [WRONG_TOTAL, failure("tests/test_cart.py::test_total", file="tests/test_cart.py", line=5)]
    pack = scan(SHOP, findings, diff=diff, hidden=["tests/test_cart.py"], command="pytest tests/test_cart.py")
    assert "tests/test_cart.py" not in {entry.path for entry in pack.excerpts}
    assert "secret" not in render(pack)


def test_secrets_are_in_no_entry_even_when_an_error_is_in_them():
    files = Files(SHOP | {".env": "API_TOKEN=hunter2\n"})
    diff = "--- a/.env\n+++ b/.env\n@@ -0,0 +1 @@\n+API_TOKEN=hunter2\n"
    assert "hunter2" not in render(scan(files, [finding(".env", 1)], diff=diff, command="cat .env"))


def test_the_same_input_gives_the_same_pack():
    assert scan(SHOP, [WRONG_TOTAL], diff=DIFF) == scan(Files(reversed(SHOP.items())), [WRONG_TOTAL], diff=DIFF)


def test_kinds_are_cut_in_the_order_similar_decisions_dependents_last_green_definitions():
    body = "    row = load(key)\n    check(row)\n    row.touch(now)\n    store(row)\n"
    files = Files(SHOP | {"src/shop/b.py": long(f"def keep(key, now):\n{body}")})
    files["src/shop/cart.py"] += f"\n\ndef save(key, now):\n{body}"
    line = files["src/shop/cart.py"].count("\n")
    green = {"src/shop/cart.py": CART}
    packs = [
        scan(files, [WRONG_TOTAL, finding("src/shop/cart.py", line)], last_green=green, budget=budget)
        for budget in range(4000, 300, -20)
    ]
    assert packs[0].cut == ()
    first_cut = list(dict.fromkeys(itertools.chain.from_iterable(pack.cut for pack in packs)))
    assert [kind for kind in first_cut if kind in "ijdhc"] == sorted(
        (kind for kind in first_cut if kind in "ijdhc"), key="ijdhc".index
    )
    assert first_cut[:2] == ["i", "j"]
    assert all(pack.of("a") for pack in packs if "c" not in pack.cut)


def test_suggested_files_begin_with_the_place_of_the_error():
    assert suggest_files(SHOP, [WRONG_TOTAL])[0] == "src/shop/cart.py"


def test_a_failing_test_is_not_suggested_but_what_it_calls():
    suggested = suggest_files(SHOP, [failure("tests/test_cart.py::test_total", file="tests/test_cart.py")])
    assert suggested[0] == "src/shop/cart.py"
    assert "tests/test_cart.py" not in suggested


paths = st.builds(
    lambda stem, ending: f"{stem}.{ending}", st.sampled_from(["a", "src/b", "tests/test_c"]), st.sampled_from(ENDINGS)
)
code = st.one_of(
    st.text(max_size=300),
    st.lists(st.sampled_from(["def f(", "class A:", "{", "}", "import a", "from . import b", "x", "\n", "    ", '"', "select", "(", "resource"]), max_size=60).map(" ".join),
)  # fmt: skip
findings = st.builds(
    finding,
    st.none() | paths | st.text(max_size=10),
    st.none() | st.integers(-3, 10**7),
    st.text(max_size=100),
    st.sampled_from(Category),
    test=st.none() | st.text(max_size=60),
    detail=st.text(max_size=200),
)


@settings(max_examples=150, deadline=None)
@given(
    st.dictionaries(paths, code, max_size=5),
    st.lists(findings, max_size=4),
    st.text(max_size=200),
    st.text(max_size=80),
    st.integers(0, 3000),
)
def test_the_scan_of_arbitrary_text_keeps_to_its_budget(files, found, diff, command, budget):
    pack = scan(Files(files), found, diff=diff, command=command, budget=budget, last_green=files)
    assert sum(map(cost, pack.excerpts)) <= budget
    assert len(render(pack)) <= budget * 1.1 + 80
    suggest_files(Files(files), found, command, diff=diff)


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize(
    "text",
    ["(" * 100_000, "(\n" * 50_000, "/ * " * 20_000, "/*#--\n" * 20_000, "x" * 400_000, "a.\n" * 20_000, "\x00\n" * 99],
)
def test_wild_text_is_survived(ending, text):
    pack = scan(Files({f"a.{ending}": text}), [finding(f"a.{ending}", 3)], diff=text[:1000])
    assert len(render(pack)) <= 13_200
