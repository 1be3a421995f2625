"""Only what can be found in the tree survives of a diagnosis."""

from pathlib import Path

from repair.tools.claims import surviving
from repair.tools.folder import FolderTree
from repair.values.blackboard import Claim


def kept(tmp_path: Path, claim: Claim, outputs: tuple[str, ...] = ()) -> Claim | None:
    (tmp_path / "a.py").write_text("x = 1\ny = x +  2\nz = 3\nz = 3\n")
    found = surviving([claim], FolderTree(tmp_path), outputs)
    return found[0] if found else None


def test_a_quote_at_its_line_is_kept(tmp_path: Path) -> None:
    claim = Claim(file="a.py", line=2, quote="y = x + 2")

    assert kept(tmp_path, claim) == claim


def test_a_file_that_is_not_there_is_dropped(tmp_path: Path) -> None:
    assert kept(tmp_path, Claim(file="b.py", line=1, quote="x = 1")) is None
    assert kept(tmp_path, Claim(file="../a.py", line=1, quote="")) is None


def test_an_invented_quote_is_dropped(tmp_path: Path) -> None:
    assert kept(tmp_path, Claim(file="a.py", line=1, quote="x = 2")) is None


def test_a_wrong_line_is_set_right_only_where_the_quote_is_unique(tmp_path: Path) -> None:
    unique, twice = Claim(file="a.py", line=4, quote="x = 1"), Claim(file="a.py", line=1, quote="z = 3")

    assert kept(tmp_path, unique) == unique.model_copy(update={"line": 1})
    assert kept(tmp_path, twice) == twice.model_copy(update={"line": None})


def test_a_line_outside_the_file_without_a_quote_is_dropped(tmp_path: Path) -> None:
    assert kept(tmp_path, Claim(file="a.py", line=99)) is None
    assert kept(tmp_path, Claim(file="a.py", line=4)) is not None


def test_a_quote_from_the_output_counts_but_gives_no_line(tmp_path: Path) -> None:
    claim = Claim(file="a.py", line=1, quote="NameError: name 'w'")

    found = kept(tmp_path, claim, ("... NameError: name 'w' is not defined",))

    assert found == claim.model_copy(update={"line": None})
