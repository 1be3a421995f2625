"""The private copy of a tree, and the careful way back."""

import os
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from repair.tools.edits.safety import UnsafePath
from repair.tools.folder import write_files
from repair.tools.git import Git
from repair.tools.workspace import Workspace, WorkspaceError, find_root
from tests.repair.tools.conftest import run_git

MakeTree = Callable[..., Path]


def opened(tree: Path, tmp_path: Path, *, in_place: bool = False) -> tuple[Workspace, str]:
    home = tmp_path / "home"
    home.mkdir()
    return Workspace.create(tree, home, in_place=in_place)


def listing(folder: Path) -> dict[str, bytes | str]:
    """Every file and link below a folder but git's own."""
    found: dict[str, bytes | str] = {}
    for path in folder.rglob("*"):
        if ".git" in path.relative_to(folder).parts or (path.is_dir() and not path.is_symlink()):
            continue
        found[str(path.relative_to(folder))] = str(path.readlink()) if path.is_symlink() else path.read_bytes()
    return found


def test_the_copy_holds_uncommitted_and_untracked_work(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "b.py": "2\n"})
    (tree / "a.py").write_text("changed\n")
    (tree / "new.py").write_text("new\n")
    (tree / "b.py").unlink()

    workspace, _ = opened(tree, tmp_path)

    assert listing(workspace.tree) == {"a.py": b"changed\n", "new.py": b"new\n"}


def test_ignored_files_stay_out_and_tracked_ones_that_are_ignored_stay_in(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"kept.log": "tracked\n"})
    (tree / ".gitignore").write_text("*.log\n.env\n")
    (tree / "other.log").write_text("noise\n")
    (tree / ".env").write_text("SECRET=1\n")

    workspace, _ = opened(tree, tmp_path)

    assert set(listing(workspace.tree)) == {".gitignore", "kept.log"}
    assert workspace.ignored() == ("other.log",)


@pytest.mark.parametrize(
    "content",
    [
        b"a\r\nb\r\n",
        b"no newline",
        b"\xef\xbb\xbfbom\n",
        "utf-16\n".encode("utf-16"),
        b"\xff\xfe\x00latin",
        b"\ttab \n",
    ],
)
def test_bytes_come_out_as_they_went_in(make_tree: MakeTree, tmp_path: Path, content: bytes) -> None:
    tree = make_tree({"file.txt": content})
    (tree / ".gitattributes").write_text("* text=auto eol=lf\n*.txt ident working-tree-encoding=UTF-16\n")

    workspace, base = opened(tree, tmp_path)
    (workspace.tree / "other.txt").write_text("edit\n")
    edited = workspace.snapshot("edit")
    assert workspace.accept(base, edited)

    assert (tree / "file.txt").read_bytes() == content


def test_modes_and_links_come_out_as_they_went_in(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"run.sh": "echo\n", "plain.txt": "x\n"})
    (tree / "run.sh").chmod(0o755)
    (tree / "link").symlink_to("plain.txt")

    workspace, base = opened(tree, tmp_path)
    (workspace.tree / "run.sh").write_text("echo better\n")
    assert workspace.accept(base, workspace.snapshot("edit"))

    assert os.access(tree / "run.sh", os.X_OK)
    assert (tree / "link").readlink() == Path("plain.txt")
    assert (tree / "run.sh").read_text() == "echo better\n"


def test_rollback_gives_back_the_very_tree_and_removes_what_was_added(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "pkg/b.py": "2\n"})
    workspace, base = opened(tree, tmp_path)
    before = listing(workspace.tree)
    (workspace.tree / "a.py").write_text("x\n")
    (workspace.tree / "pkg/b.py").unlink()
    workspace.snapshot("edit")
    (workspace.tree / "left/behind").mkdir(parents=True)
    (workspace.tree / "left/behind/by_a_check.txt").write_text("x\n")

    workspace.restore(base)

    assert listing(workspace.tree) == before
    assert not (workspace.tree / "left").exists()


def test_nothing_is_delivered_into_a_tree_that_changed_meanwhile(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n"})
    workspace, base = opened(tree, tmp_path)
    (workspace.tree / "a.py").write_text("fixed\n")
    edited = workspace.snapshot("edit")
    (tree / "other.py").write_text("the person went on\n")

    assert not workspace.accept(base, edited)
    assert listing(tree) == {"a.py": b"1\n", "other.py": b"the person went on\n"}


def test_the_users_repository_is_only_read(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n"})
    (tree / "a.py").write_text("staged\n")
    run_git(tree, "add", "-A")
    (tree / "a.py").write_text("and changed\n")
    status, head = run_git(tree, "status", "--porcelain"), run_git(tree, "rev-parse", "HEAD")

    workspace, base = opened(tree, tmp_path)
    (workspace.tree / "new.py").write_text("fix\n")
    assert workspace.accept(base, workspace.snapshot("edit"))

    assert run_git(tree, "rev-parse", "HEAD") == head
    assert run_git(tree, "status", "--porcelain") == status + "?? new.py\n"
    assert run_git(tree, "for-each-ref").count("\n") == 1


def test_programs_named_in_the_repositorys_own_git_settings_do_not_run(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", ".gitattributes": "* filter=evil diff=evil\n"})
    ran = tmp_path / "ran"
    for key in ("filter.evil.clean", "filter.evil.smudge", "core.fsmonitor", "diff.evil.textconv", "diff.external"):
        run_git(tree, "config", key, f"touch {ran}; cat")
    hook = tree / ".git/hooks/post-checkout"
    hook.write_text(f"#!/bin/sh\ntouch {ran}\n")
    hook.chmod(0o755)
    run_git(tree, "config", "core.hooksPath", str(hook.parent))

    workspace, base = opened(tree, tmp_path)
    (workspace.tree / "a.py").write_text("2\n")
    assert workspace.accept(base, workspace.snapshot("edit"))
    workspace.ignored()
    workspace.diff_against_base_branch()

    assert not ran.exists()


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("form", ["folder", "file that points elsewhere", "no repository"])
def test_a_repository_that_a_check_left_inside_the_tree_runs_nothing(
    make_tree: MakeTree, tmp_path: Path, form: str, in_place: bool
) -> None:
    tree, ran = make_tree({"a.py": "1\n"}), tmp_path / "ran"
    inner = make_tree({".gitattributes": "* filter=evil\n", "b.py": "1\n"}, name="inner")
    commit = run_git(inner, "rev-parse", "HEAD").strip()
    run_git(tree, "update-index", "--add", "--cacheinfo", f"160000,{commit},inner")
    (tree / "inner").mkdir()
    workspace, base = opened(tree, tmp_path, in_place=in_place)

    run_git(inner, "config", "filter.evil.clean", f"touch {ran}; cat")
    run_git(inner, "config", "core.fsmonitor", f"touch {ran}")
    left = workspace.tree / "inner"
    shutil.copytree(inner, left, dirs_exist_ok=True)
    if form == "file that points elsewhere":
        (left / ".git").rename(tmp_path / "elsewhere")
        (left / ".git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    if form == "no repository":
        (left / ".git/HEAD").unlink()
    (left / "b.py").write_text("2 is longer\n")
    (workspace.tree / "a.py").write_text("2\n")
    edited = workspace.snapshot("edit", None if not in_place else ["a.py"])
    workspace.restore(base)
    workspace.restore(edited)

    assert not ran.exists()
    assert workspace.changed_paths(base, edited) == ("a.py",)
    assert workspace.accept(base, edited)
    assert not ran.exists()


def test_in_place_work_is_put_back(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", ".gitignore": "cache/\n"})
    (tree / "untracked.py").write_text("mine\n")
    (tree / "cache").mkdir()
    (tree / "cache/kept").write_text("kept\n")
    before = listing(tree)
    workspace, base = opened(tree, tmp_path, in_place=True)
    (tree / "a.py").write_text("2\n")
    (tree / "made.py").write_text("x\n")
    workspace.snapshot("edit")

    workspace.put_back(base)

    assert listing(tree) == before


def test_a_folder_that_is_no_work_tree_is_told_so(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="not a git work tree"):
        find_root(tmp_path)
    with pytest.raises(WorkspaceError, match="not a folder"):
        find_root(tmp_path / "nowhere")


def test_a_repository_without_any_commit_can_be_worked_on(tmp_path: Path) -> None:
    tree = tmp_path / "fresh"
    tree.mkdir()
    run_git(tree, "init", "-q")
    (tree / "a.py").write_text("1\n")

    workspace, _ = opened(tree, tmp_path)

    assert listing(workspace.tree) == {"a.py": b"1\n"}
    assert workspace.diff_against_base_branch() == ""


def test_in_place_what_the_person_does_meanwhile_survives_everything(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "theirs.py": "1\n", "gone.py": "1\n"})
    workspace, base = opened(tree, tmp_path, in_place=True)
    (tree / "theirs.py").write_text("edited meanwhile\n")
    (tree / "notes.txt").write_text("new\n")
    (tree / "gone.py").unlink()
    workspace.write({"a.py": b"2\n", "made/by_us.py": b"x\n"})
    edited = workspace.snapshot("edit", ["a.py", "made/by_us.py"])
    theirs = {"theirs.py": b"edited meanwhile\n", "notes.txt": b"new\n"}

    assert workspace.changed_paths(base, edited) == ("a.py", "made/by_us.py")
    workspace.restore(base)
    assert listing(tree) == {"a.py": b"1\n"} | theirs
    assert workspace.accept(base, edited)
    assert listing(tree) == {"a.py": b"2\n", "made/by_us.py": b"x\n"} | theirs
    again = Workspace.reopen(tree, workspace.home, in_place=True)
    again.restore(base)
    assert listing(tree) == {"a.py": b"1\n"} | theirs


def test_in_place_a_tools_work_is_what_changed_since_the_last_look(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "theirs.py": "1\n"})
    workspace, base = opened(tree, tmp_path, in_place=True)
    (tree / "theirs.py").write_text("edited meanwhile\n")
    (tree / "notes.txt").write_text("new\n")
    workspace.restore(base)
    (tree / "a.py").write_text("formatted\n")
    (tree / "generated.py").write_text("x\n")

    fixed = workspace.snapshot("fixer")

    assert workspace.changed_paths(base, fixed) == ("a.py", "generated.py")
    workspace.put_back(base)
    assert listing(tree) == {"a.py": b"1\n", "theirs.py": b"edited meanwhile\n", "notes.txt": b"new\n"}


def test_in_place_a_file_both_changed_is_left_alone_and_named(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "b.py": "1\n"})
    workspace, base = opened(tree, tmp_path, in_place=True)
    workspace.write({"a.py": b"2\n", "b.py": b"2\n"})
    edited = workspace.snapshot("edit", ["a.py", "b.py"])
    (tree / "a.py").write_text("the person went on\n")

    with pytest.raises(WorkspaceError, match=r"^a\.py: changed meanwhile; left alone"):
        workspace.restore(base)
    with pytest.raises(WorkspaceError, match=r"^a\.py: changed meanwhile"):
        workspace.write({"a.py": b"3\n"})
    assert not workspace.accept(edited, base)
    assert listing(tree) == {"a.py": b"the person went on\n", "b.py": b"2\n"}


def test_in_place_a_move_that_was_killed_half_way_can_be_finished(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "b.py": "1\n"})
    workspace, base = opened(tree, tmp_path, in_place=True)
    workspace.write({"a.py": b"2\n", "b.py": b"2\n", "new.py": b"x\n"})
    edited = workspace.snapshot("edit", ["a.py", "b.py", "new.py"])
    workspace.restore(base)
    (tree / "a.py").write_text("2\n")
    (tree / "new.py").write_text("x\n")
    (workspace.home / "git/index.lock").touch()

    again = Workspace.reopen(tree, workspace.home, in_place=True)
    again.restore(edited)

    assert listing(tree) == {"a.py": b"2\n", "b.py": b"2\n", "new.py": b"x\n"}


class Killed(BaseException):
    """A process that dies handles nothing."""


def test_in_place_a_write_that_was_killed_half_way_can_be_taken_back(
    make_tree: MakeTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = make_tree({"a.py": "1\n", "b.py": "1\n", "gone.py": "1\n", "owned.py": "1\n", "late.py": "1\n"})
    workspace, base = opened(tree, tmp_path, in_place=True)

    def half(root: Path, changes: Mapping[str, bytes | None]) -> None:
        write_files(root, {path: changes[path] for path in ("a.py", "new.py", "gone.py")})
        (root / ".regomender-0123456789abcdef").write_text("2")
        raise Killed

    monkeypatch.setattr("repair.tools.workspace.write_files", half)
    with pytest.raises(Killed):
        workspace.write({"a.py": b"2\n", "new.py": b"2\n", "gone.py": None, "late.py": b"2\n", "b.py": b"2\n"})
    (tree / "b.py").write_text("the person went on\n")
    (tree / "owned.py").write_text("the person went on\n")

    again = Workspace.reopen(tree, workspace.home, in_place=True)
    again.restore(base)

    went_on = {"b.py": b"the person went on\n", "owned.py": b"the person went on\n"}
    assert listing(tree) == {"a.py": b"1\n", "gone.py": b"1\n", "late.py": b"1\n"} | went_on


def test_in_place_a_rollback_that_was_killed_half_way_can_be_taken_back(
    make_tree: MakeTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = make_tree({"a.py": "1\n", "b.py": "1\n"})
    workspace, base = opened(tree, tmp_path, in_place=True)
    workspace.write({"a.py": b"2\n", "b.py": b"2\n"})
    middle = workspace.snapshot("middle", ["a.py", "b.py"])
    workspace.write({"a.py": b"3\n", "b.py": b"3\n"})
    workspace.snapshot("last", ["a.py", "b.py"])
    whole = Git.run

    def half(git: Git, *arguments: str, stdin: bytes = b"", ok: Sequence[int] = (0,)) -> bytes:
        if arguments[0] == "read-tree":
            (tree / "a.py").write_text("2\n")
            raise Killed
        return whole(git, *arguments, stdin=stdin, ok=ok)

    with monkeypatch.context() as patched:
        patched.setattr(Git, "run", half)
        with pytest.raises(Killed):
            workspace.restore(middle)

    Workspace.reopen(tree, workspace.home, in_place=True).restore(base)

    assert listing(tree) == {"a.py": b"1\n", "b.py": b"1\n"}


def test_in_place_a_write_that_was_finished_is_history(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "b.py": "1\n"})
    workspace, base = opened(tree, tmp_path, in_place=True)
    workspace.write({"a.py": b"2\n"})
    workspace.snapshot("edit", ["a.py"])
    workspace.restore(base)
    (tree / "a.py").write_text("2\n")

    Workspace.reopen(tree, workspace.home, in_place=True).restore(base)

    assert (tree / "a.py").read_text() == "2\n"


@pytest.mark.parametrize("in_place", [True, False])
def test_a_write_that_fails_leaves_nothing_behind(make_tree: MakeTree, tmp_path: Path, in_place: bool) -> None:
    tree = make_tree({"a.py": "1\n", "folder/b.py": "1\n"})
    workspace, _ = opened(tree, tmp_path, in_place=in_place)
    before = listing(workspace.tree)

    with pytest.raises(UnsafePath, match="folder"):
        workspace.write({"a.py": b"2\n", "folder": b"x\n"})

    assert listing(workspace.tree) == before


def test_what_lies_beside_a_stored_tree_cannot_be_read(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", ".gitignore": "*.log\n"})
    workspace, base = opened(tree, tmp_path)
    (workspace.tree / "ignored.log").write_text("x\n")
    (workspace.tree / "left_behind.txt").write_text("x\n")
    files = workspace.files(base)

    assert [files.read(path) for path in ("a.py", "ignored.log", "left_behind.txt")] == [b"1\n", None, None]


def test_paths_no_snapshot_could_hold_are_told(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n", "kept.log": "x\n"})
    (tree / ".gitignore").write_text("*.log\nbuild/\n")
    workspace, _ = opened(tree, tmp_path)

    told = {path: workspace.ignores(path) for path in ("a.py", "kept.log", "x.log", "build/x", "*", ":(top)", "../x")}

    assert told == {
        "a.py": False,
        "kept.log": False,
        "x.log": True,
        "build/x": True,
        "*": False,
        ":(top)": False,
        "../x": True,
    }


@pytest.mark.parametrize("place", ["named", "default"])
def test_the_persons_own_ignore_rules_count(
    make_tree: MakeTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    home = tmp_path / "person"
    rules = home / ("rules" if place == "named" else "xdg/git/ignore")
    rules.parent.mkdir(parents=True)
    rules.write_text("*.mine\n")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "xdg"))
    if place == "named":
        (home / ".gitconfig").write_text("[core]\n\texcludesFile = ~/rules\n")
    tree = make_tree({"a.py": "1\n"})
    (tree / "note.mine").write_text("x\n")

    workspace, _ = opened(tree, tmp_path)

    assert set(listing(workspace.tree)) == {"a.py"}
    assert workspace.ignored() == ("note.mine",)


def test_a_delivery_that_was_made_already_is_made(make_tree: MakeTree, tmp_path: Path) -> None:
    workspace, base = opened(make_tree({"a.py": "1\n"}), tmp_path)
    (workspace.tree / "a.py").write_text("fixed\n")
    edited = workspace.snapshot("edit")

    assert [workspace.accept(base, edited), workspace.accept(base, edited)] == [True, True]


def test_a_git_repository_without_commits_inside_the_tree_is_told(make_tree: MakeTree, tmp_path: Path) -> None:
    tree = make_tree({"a.py": "1\n"})
    (tree / "inner").mkdir()
    run_git(tree / "inner", "init", "-q")

    with pytest.raises(WorkspaceError, match=r"(?s)inner.*\.gitignore"):
        opened(tree, tmp_path)


@pytest.mark.parametrize("name", ["plain", "[1]* ?", "a\\b", " spaces ", "!x", "#x", "deep/er"])
def test_a_hidden_folder_is_no_part_of_the_tree_whatever_its_name(
    make_tree: MakeTree, tmp_path: Path, name: str
) -> None:
    tree = make_tree({"a.py": "1\n"})
    hidden = tree / name
    hidden.mkdir(parents=True)
    (hidden / "journal.jsonl").write_text("1\n")
    (tmp_path / "home").mkdir()

    workspace, base = Workspace.create(tree, tmp_path / "home", in_place=False, hidden=(hidden,))
    (hidden / "journal.jsonl").write_text("2\n")

    assert set(listing(workspace.tree)) == {"a.py"}
    assert workspace.hash_of_root() == base


def test_a_repository_of_the_other_object_format_can_be_worked_on(tmp_path: Path) -> None:
    tree = tmp_path / "project"
    tree.mkdir()
    (tree / "a.py").write_text("1\n")
    run_git(tree, "init", "-q", "--object-format=sha256")
    run_git(tree, "add", "-A")

    workspace, base = opened(tree, tmp_path)
    (workspace.tree / "a.py").write_text("2\n")

    assert workspace.accept(base, workspace.snapshot("edit"))
    assert (tree / "a.py").read_text() == "2\n"
