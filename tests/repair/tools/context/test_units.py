"""The unit and the scope around a line, in files that parse and in files that do not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.context.units import SHORT_FILE, enclosing_scope, enclosing_unit

ENDINGS = ["py", "js", "ts", "tsx", "go", "rs", "java", "sh", "tf", "sql", "rego", "txt"]


def long(text: str) -> str:
    """The text with blank lines below, so that it is no short file."""
    return text + "\n" * SHORT_FILE


def span(path: str, text: str, line: int) -> tuple[str, int, int]:
    unit = enclosing_unit(path, long(text), line)
    return unit.name, unit.start, unit.end


PYTHON = """\
import os

LIMIT = 3


# Counts the parcels.
@cached(
    size=LIMIT,
)
def count(parcels):
    return len(parcels)


class Depot:
    name: str

    @property
    def full(self):
        return count(self.parcels) > LIMIT
"""


def test_a_short_file_is_one_unit():
    unit = enclosing_unit("a.py", PYTHON, 11)
    assert (unit.kind, unit.start, unit.end) == ("file", 1, PYTHON.count("\n"))


def test_a_function_comes_with_its_decorators_and_comments():
    assert span("a.py", PYTHON, 11) == ("count", 6, 11)


def test_a_line_in_the_comment_above_belongs_to_the_function():
    assert span("a.py", PYTHON, 6) == ("count", 6, 11)


def test_a_method_is_smaller_than_its_class():
    assert span("a.py", PYTHON, 19) == ("Depot.full", 17, 19)


def test_a_field_belongs_to_the_class():
    assert span("a.py", PYTHON, 15) == ("Depot", 14, 19)


def test_a_top_level_statement_is_a_unit_of_its_own():
    assert enclosing_unit("a.py", long(PYTHON), 1).kind == "statement"


def test_the_whole_file_where_nothing_can_be_delimited():
    text = long("x = 1\n\n\ny = 2\n")
    assert enclosing_unit("a.py", text, 2).kind == "file"


@pytest.mark.parametrize(
    ("path", "text", "line", "scope"),
    [
        ("a.py", PYTHON, 19, "Depot.full"),
        ("a.py", PYTHON, 3, "LIMIT"),
        ("a.py", PYTHON, 1, None),
        ("a.ts", "export class A {\n  f(): number {\n    return 1;\n  }\n}\n", 3, "A.f"),
        ("a.tsx", "export const Row = () => {\n  return <td />;\n};\n", 2, "Row"),
        ("a.js", "module.exports.run = function () {\n  return 1;\n};\n", 2, "run"),
        ("a.go", "package a\n\nfunc (s *Store[K]) Get() int {\n\treturn 1\n}\n", 4, "Store.Get"),
        ("a.rs", "impl<T> Cache<T> {\n    fn get(&self) -> u8 {\n        1\n    }\n}\n", 3, "Cache.get"),
        ("A.java", "class A {\n  int f() {\n    return 1;\n  }\n}\n", 3, "A.f"),
        ("a.sh", "run() {\n  echo hi\n}\n", 2, "run"),
        ("a.tf", 'resource "aws_s3_bucket" "logs" {\n  acl = "private"\n}\n', 2, "aws_s3_bucket.logs"),
        ("a.tf", "locals {\n  teams = []\n}\n", 2, "local.teams"),
        ("a.sql", "SELECT 1;\n\nCREATE VIEW overdue AS\nSELECT 1;\n", 4, "overdue"),
        ("a.rego", "package a\n\ndeny contains msg if {\n\tmsg := 1\n}\n", 4, "deny"),
        ("a.rb", "class A\n  def f\n    1\n  end\nend\n", 3, "A.f"),
    ],
)
def test_the_scope_is_the_dotted_path_of_names(path, text, line, scope):
    assert enclosing_scope(path, text, line) == scope


@pytest.mark.parametrize(
    ("path", "text", "line", "scope"),
    [
        ("a.py", "class A:\n    def f(self):\n        return (1\n\n    def g(self):\n        return 2\n", 6, "A.g"),
        ("a.py", "def f():\n    x = [1,\n\ndef g():\n    return 1\n", 5, "g"),
        ("a.ts", "function f() {\n  if (x {\n    return 1;\n}\n\nfunction g() {\n  return 2;\n}\n", 7, "g"),
        ("a.go", "package a\n\nfunc F() {\n\tif x {\n}\n\nfunc G() {\n\treturn 2 +\n}\n", 8, "G"),
        ("a.rs", "fn f() {\n    let x = (1;\n}\n\nfn g() {\n    1\n}\n", 6, "g"),
        ("a.sh", 'f() {\n  echo "x\n}\n\ng() {\n  echo 2\n}\n', 6, "g"),
        ("a.tf", 'resource "a" "b" {\n  x = [\n}\n\noutput "o" {\n  value = 1\n}\n', 6, "output.o"),
        ("a.sql", "CREATE TABLE a (\n id int,,\n);\n\nCREATE VIEW v AS SELEC x FORM a;\n", 5, "v"),
        ("a.rego", "package a\n\nallow {\n\tx ==\n}\n\ndeny[msg] {\n\tmsg := 1\n", 8, "deny"),
    ],
)
def test_the_scope_is_found_in_a_file_that_does_not_parse(path, text, line, scope):
    assert enclosing_scope(path, text, line) == scope


def test_a_block_comment_is_taken_whole_or_not_at_all():
    text = "let a = 1;\n/* one\n\n   two */\nfunction f() {\n  return 1;\n}\n"
    assert span("a.js", text, 6) == ("f", 2, 7)


def test_attributes_of_rust_belong_to_the_function():
    assert span("a.rs", "use a::b;\n\n/// Doc.\n#[test]\nfn f() {\n    1\n}\n", 6) == ("f", 3, 7)


@given(st.sampled_from(ENDINGS), st.text(max_size=400), st.integers(-5, 500))
def test_units_of_arbitrary_text_lie_in_the_file(ending, text, line):
    unit = enclosing_unit(f"a.{ending}", long(text), line)
    assert 1 <= unit.start <= unit.end <= long(text).count("\n") + 1
    enclosing_scope(f"a.{ending}", text, line)
