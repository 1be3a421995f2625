"""Changes an honest repair makes: none of them is refused or held back."""

import pytest

from repair.values.checks import Category, Finding, Stage

MESSY_PYTHON = """\
import os, sys
def greet( name,loud = False ):
    if loud == True :
        return 'HELLO %s' % (name)
    rows = [ 'a','b',
      'c' ]
    return { 'name':name,'rows':rows }
class Box( object ):
    x=1 ; y = 'two'
    def area(self): return self.x*self.x
"""
BLACK = """\
import os, sys


def greet(name, loud=False):
    if loud == True:
        return "HELLO %s" % (name)
    rows = ["a", "b", "c"]
    return {"name": name, "rows": rows}


class Box(object):
    x = 1
    y = "two"

    def area(self):
        return self.x * self.x
"""
RUFF_FIXED = """\


def greet(name, loud=False):
    if loud:
        return f"HELLO {name}"
    rows = ["a", "b", "c"]
    return {"name": name, "rows": rows}


class Box:
    x = 1
    y = "two"

    def area(self):
        return self.x * self.x
"""
MESSY_JS = """\
const names = ['a',"b", 'c']
function pick (i){ if(i<0){ throw new Error('no '+i) }
   return names[ i ] }
const twice = x=>{ return x*2 }
module.exports={pick,twice}
"""
PRETTIER = """\
const names = ["a", "b", "c"];
function pick(i) {
  if (i < 0) {
    throw new Error("no " + i);
  }
  return names[i];
}
const twice = (x) => {
  return x * 2;
};
module.exports = { pick, twice };
"""
MESSY_GO = """\
package p
import "fmt"
type Box struct { W int
 Height int }
func (b Box) Area( ) int { return b.W*b.Height }
func Show(b Box)  { fmt.Println( "area" ,b.Area() ) }
"""
GOFMT = """\
package p

import "fmt"

type Box struct {
\tW      int
\tHeight int
}

func (b Box) Area() int { return b.W * b.Height }
func Show(b Box)        { fmt.Println("area", b.Area()) }
"""
MESSY_HCL = """\
variable "size" {
 default=3
}
resource "x" "y" {
  count=var.size
    name   =   "n-${var.size}"
}
"""
TERRAFORM_FMT = """\
variable "size" {
  default = 3
}
resource "x" "y" {
  count = var.size
  name  = "n-${var.size}"
}
"""
MESSY_RUST = "pub fn area(w:u32,h:u32)->u32{ if w==0 {return 0} w*h }\n"
RUSTFMT = """\
pub fn area(w: u32, h: u32) -> u32 {
    if w == 0 {
        return 0;
    }
    w * h
}
"""


def _lint(code: str, message: str, path: str, line: int, symbol: str | None = None) -> Finding:
    return Finding(
        check="lint",
        stage=Stage.LINT,
        category=Category.LINT_STYLE,
        code=code,
        message=message,
        file=path,
        line=line,
        symbol=symbol,
    )


@pytest.mark.parametrize(
    ("path", "before", "after"),
    [
        ("src/a.py", MESSY_PYTHON, BLACK),
        ("src/a.py", MESSY_PYTHON, RUFF_FIXED),
        ("src/a.js", MESSY_JS, PRETTIER),
        ("src/a.ts", MESSY_JS, PRETTIER),
        ("a.go", MESSY_GO, GOFMT),
        ("main.tf", MESSY_HCL, TERRAFORM_FMT),
        ("src/lib.rs", MESSY_RUST, RUSTFMT),
    ],
    ids=["black", "ruff", "prettier", "prettier-ts", "gofmt", "terraform-fmt", "rustfmt"],
)
def test_the_output_of_a_formatter_passes(edit, path, before, after):
    assert not edit(path, before, after).violations
    assert not edit(path, before, after, tool_made=True).violations


def test_an_unused_import_goes(edit):
    finding = _lint("F401", "`os` imported but unused", "src/a.py", 1, "os")
    assert not edit("src/a.py", "import os\n\nX = 1\n", "X = 1\n", findings=[finding]).violations


def test_a_duplicate_the_linter_names_goes(edit):
    before = "def area(w, h):\n    return w * h\n\n\ndef area(w, h):\n    return w * h\n"
    finding = _lint("F811", "Redefinition of unused `area` from line 1", "src/a.py", 5, "area")
    assert not edit("src/a.py", before, "def area(w, h):\n    return w * h\n", findings=[finding]).violations


def test_a_function_the_compiler_calls_dead_goes(edit):
    finding = _lint("dead_code", "function `old` is never used", "src/lib.rs", 1, "old")
    before = "fn old(a: u8) -> u8 {\n    a + 1\n}\n\npub fn new(a: u8) -> u8 {\n    a + 2\n}\n"
    after = "pub fn new(a: u8) -> u8 {\n    a + 2\n}\n"
    assert not edit("src/lib.rs", before, after, findings=[finding]).violations


PARSER = """\
def parse(line):
    key, _, rest = line.partition("=")
    key = key.strip().lower()
    rest = rest.strip().strip('"')
    return {key: rest}
"""
EXTRACTED = """\
def parse(line):
    key, _, rest = line.partition("=")
    return {_clean_key(key): _clean_value(rest)}


def _clean_key(key):
    return key.strip().lower()


def _clean_value(rest):
    return rest.strip().strip('"')
"""


def test_a_function_is_extracted(edit):
    assert not edit("src/parse.py", PARSER, EXTRACTED).violations


def test_a_private_function_is_renamed(edit):
    body = "(text):\n    words = text.split()\n    return [word.lower() for word in words if word]\n\n\n"
    before = f"def _tok{body}def run(text):\n    return _tok(text)\n"
    after = f"def _tokens{body}def run(text):\n    return _tokens(text)\n"
    assert not edit("src/a.py", before, after).violations


def test_a_function_moves_and_is_passed_on(judge):
    body = "def load(path):\n    with open(path) as file:\n        return [line.strip() for line in file if line]\n"
    before = {"src/a.py": f"{body}\n\ndef run(path):\n    return load(path)\n"}
    after = {"src/a.py": "from .io import load\n\n\ndef run(path):\n    return load(path)\n", "src/io_.py": body}
    assert not judge(before, after).violations


def test_a_new_error_says_what_the_test_expects(edit):
    test = "import pytest\nfrom a import ask, Missing\n\ndef test_ask():\n    with pytest.raises(Missing, match='no such key'):\n        ask({}, 'k')\n"
    before = "def ask(table, key):\n    return table.get(key)\n"
    after = (
        "class Missing(LookupError):\n    pass\n\n\ndef ask(table, key):\n    if key not in table:\n"
        "        raise Missing('no such key')\n    return table[key]\n"
    )
    assert not edit("src/a.py", before, after, {"tests/test_a.py": test}).violations


def test_a_switch_gets_the_case_the_types_ask_for(judge):
    types = "export type Shape = { kind: 'disc'; r: number } | { kind: 'square'; a: number };\n"
    test = "import { area } from '../src/area';\ntest('square', () => { expect(area({ kind: 'square', a: 2 })).toBe(4); });\n"
    before = "switch (shape.kind) {\n  case 'disc':\n    return 3 * shape.r * shape.r;\n}\n"
    after = before[:-2] + "  case 'square':\n    return shape.a * shape.a;\n}\n"
    head, rest = "export function area(shape) {\n", {"src/types.ts": types, "test/area.test.ts": test}
    assert not judge(
        {**rest, "src/area.ts": head + before + "}\n"}, {**rest, "src/area.ts": head + after + "}\n"}
    ).violations


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "    return index[key].name\n",
            "    found = index[key]\n    if found is None:\n        raise KeyError(key)\n    return found.name\n",
        ),
        ("    total = index[key]\n    return total + 1\n", "    amount = index[key]\n    return amount + 1\n"),
        ("    return [key for key in range(1, index)]\n", "    return [key for key in range(1, index + 1)]\n"),
        (
            "    if key > len(index):\n        return None\n    return index[key]\n",
            "    if key >= len(index):\n        return None\n    return index[key]\n",
        ),
        (
            "    return index[key]\n",
            "    try:\n        return index[key]\n    except KeyError as error:\n        raise LookupError(key) from error\n",
        ),
        ("    return index.get(key)\n", "    assert key\n    return index.get(key)\n"),
    ],
    ids=["narrowing", "renamed local", "off by one", "off by one in a comparison", "translated error", "assertion"],
)
def test_a_small_repair_passes(edit, before, after):
    head = "def look(index, key):\n"
    assert not edit("src/a.py", head + before, head + after).violations


def test_a_comment_may_quote_what_it_explains(edit):
    before = "def f(x):\n    return x + 1\n"
    assert not edit(
        "src/a.py", before, "def f(x):\n    # one more: the caller counts from 1\n    return x + 1\n"
    ).violations


def test_a_count_may_be_compared(edit):
    test = "from a import f\n\ndef test_f():\n    assert f('a b c') == 3\n"
    before = "def f(text):\n    parts = text.split()\n    return parts\n"
    after = (
        "def f(text):\n    parts = text.split()\n    if len(parts) == 3:\n        return len(parts)\n    return parts\n"
    )
    assert not edit("src/a.py", before, after, {"tests/test_a.py": test}).violations


def test_a_directive_may_be_narrowed(edit):
    finding = _lint("RUF100", "Unused noqa directive", "src/a.py", 1)
    before, after = "import os  # noqa: F401, E501\n", "import os  # noqa: F401\n"
    assert not edit("src/a.py", before, after, findings=[finding]).violations


def test_a_library_may_be_patched_over_http(edit):
    before = "def send(client, body):\n    return client.put('/x', body)\n"
    assert not edit("src/a.py", before, before.replace("put", "patch")).violations


def test_a_tool_reformats_a_test(edit):
    before = "def test_a():\n    x = {'a':1}\n    assert x == {'a' : 1}, 'no'\n"
    after = 'def test_a():\n    x = {"a": 1}\n    assert x == {"a": 1}, "no"\n'
    assert not edit("tests/test_a.py", before, after, tool_made=True).violations
    assert edit("tests/test_a.py", before, after).refused == {"path"}


def test_a_file_of_nothing_but_unused_imports_may_become_empty(judge):
    before, after = {"pkg/__init__.py": "import os\n\n"}, {"pkg/__init__.py": ""}
    finding = _lint("F401", "`os` imported but unused", "pkg/__init__.py", 1, "os")

    assert not judge(before, after, findings=[finding]).refused


def test_a_file_with_one_line_that_no_check_named_may_not(judge):
    before, after = {"pkg/__init__.py": "import os\nX = 1\n"}, {"pkg/__init__.py": ""}
    finding = _lint("F401", "`os` imported but unused", "pkg/__init__.py", 1, "os")

    assert judge(before, after, findings=[finding]).refused


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.py", "if 'HOME' in os.environ:\n    x = 1\n"),
        ("a.py", "run(command, env={**os.environ, 'LC_ALL': 'C'})\n"),
        ("a.py", "options = parser.parse_args(sys.argv[1:])  # the latest\n"),
        ("a.py", "name = 'latest/data.json'\n"),
        ("a.js", "const words = process.argv.slice(2); // latest\n"),
        ("a.js", "log(error.stack);\n"),
        ("a.go", "package p\nvar words = os.Args[1:]\n"),
        ("a.sh", "pytest tests/unit\n"),
        ("a.yml", "paths: ['tests/unit']\n"),
    ],
)
def test_surroundings_may_be_read_for_other_reasons(edit, path, code):
    assert not edit(path, "\n", code).violations


def test_data_may_get_an_entry_that_a_test_looks_for(edit):
    test = {"tests/test_a.py": "def test():\n    assert rate('fr') == 0.2\n    assert rate('de') == 0.19\n"}
    assert not edit("rates.json", '{"de": 0.19}\n', '{"de": 0.19, "fr": 0.2}\n', test).violations


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a):\n    raise NotImplementedError\n", "def f(a):\n    return a + 1\n"),
        (
            "def f(a):\n    if a < 0:\n        raise ValueError(a)\n    return a\n",
            "def f(a):\n    if a <= 0:\n        raise KeyError(a)\n    return a\n",
        ),
        (
            "def f(a):\n    if a < 0:\n        raise ValueError(a)\n    return a\n",
            "def check(a):\n    if a < 0:\n        raise ValueError(a)\n\n\ndef f(a):\n    check(a)\n    return a\n",
        ),
    ],
    ids=["implemented", "translated", "moved"],
)
def test_a_refusal_may_be_implemented_translated_or_moved(edit, before, after):
    assert not edit("a.py", before, after).violations


def test_a_refusal_goes_with_the_dead_function_a_check_named(edit):
    before = "def used():\n    return 1\n\n\ndef _dead(a):\n    raise ValueError(a)\n"
    named = Finding(
        check="lint",
        stage=Stage.LINT,
        category=Category.LINT_STYLE,
        message="unused function '_dead'",
        file="a.py",
        line=5,
    )
    assert not edit("a.py", before, "def used():\n    return 1\n", findings=[named]).violations
