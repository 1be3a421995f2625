"""Files and names in the words of tools."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.context.files import Files
from repair.tools.context.mentions import Mention, mentioned, names_in


class Paths:
    def __init__(self, *paths: str) -> None:
        self._paths = paths

    def paths(self) -> tuple[str, ...]:
        return self._paths

    def read(self, path: str) -> bytes | None:
        return b"" if path in self._paths else None


FILES = Files(
    Paths(
        "main.tf",
        "src/parcel/__init__.py",
        "src/parcel/zones.py",
        "src/app.ts",
        "migrations/10_overdue.sql",
        "lib/names.sh",
    )
)


@pytest.mark.parametrize(
    ("text", "path", "line"),
    [
        ('  File "/home/runner/work/x/src/parcel/zones.py", line 7, in zone_of', "src/parcel/zones.py", 7),
        ("src/parcel/zones.py:12:5: F401 unused import", "src/parcel/zones.py", 12),
        ("src/app.ts(6,59): error TS2339: no property", "src/app.ts", 6),
        ("  on main.tf line 14, in resource:", "main.tf", 14),
        ("In lib/names.sh line 5:", "lib/names.sh", 5),
        ("    at file:///tmp/build/src/app.ts:3:1", "src/app.ts", 3),
        ("applying 10_overdue.sql", "migrations/10_overdue.sql", None),
        ("psql:./migrations/10_overdue.sql:10: ERROR", "migrations/10_overdue.sql", 10),
        ("--> src\\app.ts:4", "src/app.ts", 4),
        ('python3 -c "import parcel.zones"', "src/parcel/zones.py", None),
        ("cannot import name 'x' from 'parcel.zones'", "src/parcel/zones.py", None),
        ("AttributeError: parcel.zones.zone_of", "src/parcel/zones.py", None),
        ("diff a/src/app.ts b/src/app.ts", "src/app.ts", None),
    ],
)
def test_a_file_is_recognised(text, path, line):
    assert Mention(path, line) in mentioned(FILES, text)


@pytest.mark.parametrize(
    "text", ["/usr/lib/python3.11/zones.py:3", "node_modules/x/src/app.ts:1", "see example.com/zones", "...", "a b c"]
)
def test_what_is_no_file_of_the_tree_is_not(text):
    assert mentioned(FILES, text) == ()


@pytest.mark.parametrize(
    ("message", "name"),
    [
        ("no such table: loan", "loan"),
        ("error in view overdue: no such column: x.y", "overdue"),
        ("cannot import name 'zone_of' from", "zone_of"),
        ("rule data.quota.limit produced conflicting values", "limit"),
        ("undefined: Frobnicate", "Frobnicate"),
        ("assert backoff.delay(1) == 0.5", "delay"),
        ('relation "gift" does not exist', "gift"),
        ("Cannot find name \u2018total\u2019.", "total"),
    ],
)
def test_a_name_is_recognised(message, name):
    assert name in names_in(message)


@given(st.text())
def test_arbitrary_words_are_survived(text):
    mentioned(FILES, text)
    names_in(text)
