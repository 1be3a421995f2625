"""A tree laid over another."""

from pathlib import Path

from repair.tools.folder import FolderTree
from repair.tools.tree import Overlay, read_text


def folder(root: Path, files: dict[str, str]) -> FolderTree:
    root.mkdir()
    for name, text in files.items():
        (root / name).write_text(text)
    return FolderTree(root)


def test_files_laid_over_come_from_above_and_the_others_from_below(tmp_path: Path) -> None:
    below = folder(tmp_path / "below", {"a": "1", "b": "2", "gone": "3"})
    above = folder(tmp_path / "above", {"a": "new", "c": "4", "other": "5"})

    tree = Overlay(below, {"a": above, "c": above, "gone": above})

    assert tree.paths() == ["a", "b", "c"]
    assert [read_text(tree, path) for path in ("a", "b", "c", "gone", "other")] == ["new", "2", "4", None, None]
