"""yamllint in its three formats."""

import pytest

from repair.values.checks import Category

STANDARD = """\
y.yaml
  1:1       warning  missing document start "---"  (document-start)
  3:1       error    syntax error: expected ',' or ']', but got '<stream end>' (syntax)

z.yaml
  2:5       error    trailing spaces  (trailing-spaces)
  3:1       error    duplication of key "a" in mapping  (key-duplicates)

"""
PARSABLE = """\
./y.yaml:1:1: [warning] missing document start "---" (document-start)
./y.yaml:3:1: [error] syntax error: expected ',' or ']', but got '<stream end>' (syntax)
./z.yaml:2:5: [error] trailing spaces (trailing-spaces)
./z.yaml:3:1: [error] duplication of key "a" in mapping (key-duplicates)
"""
GITHUB = """\
::group::./y.yaml
::warning file=./y.yaml,line=1,col=1::1:1 [document-start] missing document start "---"
::error file=./y.yaml,line=3,col=1::3:1 syntax error: expected ',' or ']', but got '<stream end>' (syntax)
::endgroup::

::group::./z.yaml
::error file=./z.yaml,line=2,col=5::2:5 [trailing-spaces] trailing spaces
::error file=./z.yaml,line=3,col=1::3:1 [key-duplicates] duplication of key "a" in mapping
::endgroup::
"""


@pytest.mark.parametrize("output", [STANDARD, PARSABLE, GITHUB], ids=["standard", "parsable", "github"])
def test_every_format_tells_the_same(read, output: str) -> None:
    findings = read(output, "yamllint .").findings
    assert [(each.place, each.code, each.category) for each in findings] == [
        ("y.yaml:3", "syntax", Category.SYNTAX),
        ("z.yaml:2", "trailing-spaces", Category.LINT_STYLE),
        ("z.yaml:3", "key-duplicates", Category.SCHEMA_CONFIG),
    ]


def test_warnings_count_where_they_are_all_there_is(read) -> None:
    (found,) = read(PARSABLE.splitlines()[0], "yamllint --strict .", 2).findings
    assert found.code == "document-start"
