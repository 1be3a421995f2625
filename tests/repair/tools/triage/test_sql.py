"""Triage of sqlfluff, psql, sqlite3 and diff, on what they really print."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.triage.sql import TRIAGERS
from repair.values.checks import Category, Check, Finding, Origin, Stage
from repair.values.triage import Transcript, Triage


def transcript(output: str, run: str = "ci", exit_code: int = 1) -> Transcript:
    return Transcript(
        check=Check(name="sql", stage=Stage.LINT, run=run), exit_code=exit_code, output=output, root="/repo"
    )


def read(output: str, run: str = "ci", exit_code: int = 1) -> Triage:
    given_run = transcript(output, run, exit_code)
    triages = [one.triage(given_run) for one in TRIAGERS if one.recognises(given_run)]
    return next((triage for triage in triages if triage.findings), triages[0] if triages else Triage())


def only(triage: Triage) -> Finding:
    assert len(triage.findings) == 1, triage.findings
    return triage.findings[0]


SQLFLUFF = """\
== [a.sql] FAIL
L:   1 | P:   1 | LT09 | Select targets should be on a new line unless there is
                       | only one select target. [layout.select_targets]
L:   3 | P:   8 | CP02 | Unquoted identifiers must be consistently lower case.
                       | [capitalisation.identifiers]
== [b.sql] FAIL
L:   1 | P:  25 |  PRS | Couldn't find closing bracket for opening bracket.
WARNING: Parsing errors found and dialect is set to 'ansi'. Have you configured your dialect correctly?
All Finished!
"""
ROWS = [
    ("a.sql", 1, 1, "LT09", "Select targets should be on a new line unless there is only one select target."),
    ("a.sql", 3, 8, "CP02", "Unquoted identifiers must be consistently lower case."),
    ("b.sql", 1, 25, "PRS", "Couldn't find closing bracket for opening bracket."),
]


def rows(triage: Triage) -> list[tuple[str | None, int | None, int | None, str | None, str]]:
    return [(one.file, one.line, one.column, one.code, one.message) for one in triage.findings]


def test_the_text_of_sqlfluff_is_put_together_again() -> None:
    triage = read(SQLFLUFF)
    assert rows(triage) == ROWS
    assert [one.category for one in triage.findings] == [Category.FORMAT, Category.LINT_STYLE, Category.SYNTAX]


def test_the_other_forms_of_sqlfluff_tell_the_same() -> None:
    document = [
        {
            "filepath": file,
            "violations": [
                {"start_line_no": line, "start_line_pos": column, "code": code, "description": said, "warning": False}
            ],
        }
        for file, line, column, code, said in ROWS
    ]
    annotations = [
        {
            "file": file,
            "start_line": line,
            "start_column": column,
            "title": "SQLFluff",
            "message": f"{code}: {said}",
            "annotation_level": "warning",
        }
        for file, line, column, code, said in ROWS
    ]
    native = "".join(
        f"::warning title=SQLFluff,file={file},line={line},col={column},endLine=9,endColumn=9::{code}: {said} [layout.rule]\n"
        for file, line, column, code, said in ROWS
    )
    for output in (json.dumps(document), json.dumps(annotations), native):
        assert rows(read(output, "sqlfluff lint .")) == ROWS
    assert read(json.dumps(document), "sqlfluff lint .").findings[0].origin is Origin.STRUCTURED


def test_a_missing_dialect_is_configuration() -> None:
    found = only(
        read("\nUser Error: No dialect was specified. You must configure a dialect.\n", "sqlfluff lint a.sql", 2)
    )
    assert found.category is Category.SCHEMA_CONFIG


GROUP_BY = """\
psql:sql/donor_report.sql:11: ERROR:  column "d.city" must appear in the GROUP BY clause or be used in an aggregate function
LINE 4:     d.city,
            ^
"""


def test_psql_names_file_line_and_column_name() -> None:
    triage = read(GROUP_BY, exit_code=3)
    found = only(triage)
    assert (found.place, found.category, found.symbol) == ("sql/donor_report.sql:11", Category.TYPE, "d.city")
    assert "LINE 4:     d.city," in found.detail
    assert triage.first_error_only
    assert not read(GROUP_BY, exit_code=1).first_error_only


@pytest.mark.parametrize(
    ("said", "category", "symbol"),
    [
        ('column "nope" does not exist', Category.NAME_UNRESOLVED, "nope"),
        ('relation "missing" does not exist', Category.NAME_UNRESOLVED, "missing"),
        ("function f(integer) does not exist", Category.NAME_UNRESOLVED, "f"),
        ('syntax error at or near "selec"', Category.SYNTAX, "selec"),
        ('invalid input syntax for type integer: "abc"', Category.TYPE, "abc"),
        ('relation "t" already exists', Category.SCHEMA_CONFIG, "t"),
        ('duplicate key value violates unique constraint "t_pkey"', Category.TEST_ERROR, "t_pkey"),
    ],
)
def test_the_errors_of_the_server_have_their_categories(said: str, category: Category, symbol: str) -> None:
    for prefix, place in (("psql:x.sql:6: ERROR:  ", "x.sql:6"), ("ERROR:  ", "")):
        found = only(read(f"{prefix}{said}\nHINT:  a hint\n"))
        assert (found.category, found.symbol, found.place) == (category, symbol, place)
        assert found.detail.endswith("HINT:  a hint")


def test_a_server_out_of_reach_is_the_machines_fault() -> None:
    triage = read(
        'psql: error: connection to server on socket "/nowhere/.s.PGSQL.5432" failed: No such file or directory\n',
        "psql -c x",
        2,
    )
    assert (triage.findings, triage.infra[:20]) == ((), "connection to server")


SQLITE = """\
Runtime error near line 3: UNIQUE constraint failed: t.a (19)
Parse error near line 4: no such table: nope
Parse error near line 5: near "selec": syntax error
  selec 1;
  ^--- error here
"""


def test_sqlite_is_read_error_by_error() -> None:
    found = read(SQLITE, "sqlite3 app.db < sql/s.sql").findings
    assert [(one.place, one.category, one.symbol) for one in found] == [
        ("sql/s.sql:3", Category.TEST_ERROR, None),
        ("sql/s.sql:4", Category.NAME_UNRESOLVED, "nope"),
        ("sql/s.sql:5", Category.SYNTAX, "selec"),
    ]
    assert "^--- error here" in found[2].detail


def test_the_line_of_a_script_nobody_named_is_unknown_but_what_ran_before_is_told() -> None:
    output = (
        "applying 3_due_date.sql\nRuntime error near line 2: error in view overdue: no such column: loan.returned_on\n"
    )
    found = only(read(output, "bash scripts/migrate.sh build.db"))
    assert (found.place, found.symbol, found.category) == ("", "loan.returned_on", Category.NAME_UNRESOLVED)
    assert "applying 3_due_date.sql" in found.detail


def test_older_and_inline_forms_of_sqlite_are_read() -> None:
    assert only(read("Error: near line 4: no such table: nope\n")).symbol == "nope"
    assert only(read("Error: in prepare, no such table: t\n", "sqlite3 a.db 'select 1 from t'")).symbol == "t"


def test_a_difference_is_one_failed_assertion_without_a_place() -> None:
    found = only(read("2c2\n< ./archive/0412-night shift.log\n---\n> ./archive/0412-night\n", "bash tests/run.sh"))
    assert (found.category, found.place, found.origin) == (Category.TEST_ASSERTION, "", Origin.HEURISTIC)
    assert found.message == "the compared outputs differ: < ./archive/0412-night shift.log > ./archive/0412-night"


def test_quoted_mail_is_no_difference() -> None:
    assert read("> someone wrote\n> something\n", "bash tests/run.sh").findings == ()


@given(st.lists(st.one_of(st.text(), st.sampled_from((SQLFLUFF + GROUP_BY + SQLITE).split("\n"))), max_size=60))
def test_no_shuffled_or_random_output_raises(lines: list[str]) -> None:
    hostile = transcript(
        "\n".join(lines).encode("utf-8", "replace").decode(), "sqlfluff lint && psql && sqlite3 < a.sql"
    )
    for one in TRIAGERS:
        one.recognises(hostile)
        assert all(len(found.detail) <= 2000 for found in one.triage(hostile).findings)


@given(
    st.recursive(
        st.none() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(
                st.sampled_from(["violations", "filepath", "message", "file", "code", "start_line_no"]), inner
            )
        ),
    )
)
def test_no_document_of_another_shape_raises(document: object) -> None:
    for one in TRIAGERS:
        one.triage(transcript(json.dumps(document)))
