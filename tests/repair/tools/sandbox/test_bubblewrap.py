"""The default box: the host as it is, without its secrets and its network, around a private tree."""

import asyncio
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from repair.tools.sandbox import SandboxUnavailable
from repair.tools.sandbox.bubblewrap import Bubblewrap, find_bubblewrap
from repair.tools.workspace import remove_tree
from repair.values.execution import Command, Ended, Execution


@pytest.fixture
def bubblewrap_here() -> None:
    try:
        find_bubblewrap()
    except SandboxUnavailable as error:
        pytest.skip(str(error))


@pytest.fixture
def scratch() -> Iterator[Path]:
    """A folder outside the home folder and /tmp, as runs have it."""
    folder = Path(tempfile.mkdtemp(prefix="regomender-", dir="/var/tmp"))
    yield folder
    remove_tree(folder)
    assert not folder.exists()


Box = Callable[..., Bubblewrap]


@pytest.fixture
def box(bubblewrap_here: None, tmp_path: Path, scratch: Path) -> Box:
    """A box around a tree of the given files, shown at the place of another folder."""

    def make(files: dict[str, str], ignored: tuple[str, ...] = ()) -> Bubblewrap:
        root, tree = tmp_path / "root", scratch / "run/tree"
        root.mkdir(exist_ok=True)
        tree.mkdir(parents=True)
        for path, content in files.items():
            (tree / path).parent.mkdir(parents=True, exist_ok=True)
            (tree / path).write_text(content)
        return Bubblewrap(root, tree, scratch / "run/scratch", ignored)

    return make


async def sh(box: Bubblewrap, script: str, timeout: float = 60, **more: object) -> Execution:
    return await box.run(Command(argv=("bash", "-c", script), timeout=timeout, **more))  # type: ignore[arg-type]


async def gone(program: str) -> bool:
    """Whether the kernel has taken a program away; it does so a moment after the end of its namespace."""
    for _ in range(100):
        if not subprocess.run(["pgrep", "-f", program], capture_output=True, text=True).stdout:
            return True
        await asyncio.sleep(0.1)
    return False


async def test_the_private_tree_stands_where_the_environment_expects_it(box: Box, tmp_path: Path) -> None:
    ran = await sh(box({"a.txt": "candidate"}), f"pwd; cat {tmp_path}/root/a.txt; echo new > b.txt")

    assert ran.output == f"{tmp_path}/root\ncandidate"
    assert not (tmp_path / "root/b.txt").exists()


async def test_an_edit_in_the_candidate_changes_what_an_editable_install_imports(
    box: Box, tmp_path: Path, scratch: Path
) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / "thing.py").write_text("WHO = 'the old one'\n")
    environment = root / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    site = next(environment.glob("lib/python*/site-packages"))
    (site / "editable.pth").write_text(f"{root}\n")

    ran = await sh(
        box({"thing.py": "WHO = 'the candidate'\n"}, (".venv/",)),
        "cd / && " + f"{environment}/bin/python -c 'import thing; print(thing.WHO, thing.__file__)'",
    )

    assert ran.output == f"the candidate {root}/thing.py\n"


async def test_ignored_folders_are_seen_and_changes_to_them_stay_in_the_box(box: Box, tmp_path: Path) -> None:
    modules = tmp_path / "root/node_modules"
    modules.mkdir(parents=True)
    (modules / "lib.js").write_text("here")
    inside = box({"a.js": ""}, ("node_modules/",))

    first = await sh(inside, "cat node_modules/lib.js; echo changed > node_modules/lib.js")
    second = await sh(inside, "cat node_modules/lib.js")

    assert (first.output, second.output) == ("here", "changed\n")
    assert (modules / "lib.js").read_text() == "here"


async def test_no_secret_of_the_environment_is_seen_anywhere(box: Box, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_TOKEN", "OPENAI_API_KEY", "MY_PASSWORD", "AWS_SECRET_ACCESS_KEY", "SSH_AUTH_SOCK"):
        monkeypatch.setenv(name, "canary-5c1a")

    ran = await sh(box({}), "env; cat /proc/*/environ 2>/dev/null | tr '\\0' '\\n'; cat /proc/*/cmdline")

    assert ran.ended is Ended.EXITED
    assert "canary-5c1a" not in ran.output
    assert "PATH=" in ran.output


async def test_secrets_of_the_home_folder_are_masked(box: Box, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "home"
    for name in (".ssh/id_ed25519", ".aws/credentials", ".config/gh/hosts.yml", ".netrc", ".git-credentials", ".npmrc"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text("canary-77ab")
    (home / "notes.txt").write_text("no secret")
    monkeypatch.setenv("HOME", str(home))

    ran = await sh(box({}), "cat ~/notes.txt; grep -rs canary ~; ls -a ~/.ssh ~/.aws | wc -l; echo x > ~/written")

    assert "no secret" in ran.output
    assert "canary" not in ran.output
    assert not (home / "written").exists()


async def test_there_is_no_network_but_the_loopback_of_the_box(box: Box) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        script = f"""
import socket
try:
    socket.create_connection(("127.0.0.1", {port}), 2)
    print("reached the host")
except OSError as error:
    print("refused")
with socket.create_server(("127.0.0.1", 0)) as own:
    socket.create_connection(own.getsockname(), 2)
    print("own loopback works")
"""
        ran = await sh(box({"try.py": script}), f"{sys.executable} try.py")

    assert ran.output == "refused\nown loopback works\n"


async def test_commands_are_not_root_and_have_no_privileges(box: Box) -> None:
    ran = await sh(box({}), "id -u; grep CapEff /proc/self/status; touch /etc/x /usr/x 2>&1 | grep -c Read-only")

    uid, capabilities, refused = ran.output.split("\n")[:3]
    assert uid != "0"
    assert capabilities.split()[-1] == "0000000000000000"
    assert refused == "2"


async def test_nothing_of_a_command_outlives_its_timeout(box: Box, tmp_path: Path) -> None:
    ran = await sh(box({}), "(setsid nohup sleep 4321 &) ; sleep 4321", timeout=2)

    assert ran.ended is Ended.TIMED_OUT
    assert await gone("sleep 4321")


async def test_nothing_of_a_command_outlives_its_end(box: Box) -> None:
    ran = await sh(box({}), "(setsid nohup sleep 4322 > /dev/null 2>&1 &) ; echo done")

    assert (ran.ended, ran.output) == (Ended.EXITED, "done\n")
    assert await gone("sleep 4322")


async def test_a_hanging_python_program_says_where_it_hangs(box: Box) -> None:
    script = "import time\n\ndef stuck_here():\n    time.sleep(600)\n\nstuck_here()\n"

    ran = await sh(box({"hang.py": script}), f"{sys.executable} hang.py", timeout=3)

    assert ran.ended is Ended.TIMED_OUT
    assert "stuck_here" in ran.stack


async def test_long_output_keeps_its_head_and_tail_and_says_what_is_missing(box: Box) -> None:
    ran = await sh(box({}), "echo first; head -c 5000000 /dev/zero | tr '\\0' x; echo last")

    assert ran.output.startswith("first\n")
    assert ran.output.endswith("last\n")
    assert "bytes omitted" in ran.output
    assert len(ran.output) < 2_000_000


async def test_a_program_that_is_missing_is_told_by_its_exit_code(box: Box) -> None:
    ran = await sh(box({}), "no-such-program-here")

    assert ran.exit_code == 127


async def test_git_sees_the_repository_but_cannot_change_it(box: Box, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    (root / ".git/config").write_text('[core]\n\tbare = false\n[remote "o"]\n\turl = https://u:canary-9@localhost/x\n')

    ran = await sh(
        box({"a": ""}), "git rev-parse --is-inside-work-tree; echo x > .git/hooks/pre-commit; cat .git/config"
    )

    assert ran.output.startswith("true\n")
    assert "Read-only" in ran.output
    assert "canary" not in ran.output


async def test_settings_of_a_linked_worktree_and_of_submodules_are_masked(bubblewrap_here: None, scratch: Path) -> None:
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        main, root = Path(folder, "main"), Path(folder, "linked")
        command = ["git", "-c", "user.name=t", "-c", "user.email=t@localhost"]
        subprocess.run([*command, "init", "-q", str(main)], check=True)
        subprocess.run([*command, "commit", "-q", "--allow-empty", "-m", "x"], cwd=main, check=True)
        subprocess.run([*command, "worktree", "add", "-q", str(root)], cwd=main, check=True)
        module = main / ".git/modules/group/lib"
        subprocess.run([*command, "init", "-q", "--bare", str(module)], check=True)
        for config in (main / ".git/config", module / "config"):
            config.write_text(config.read_text() + '[remote "o"]\n\turl = https://u:canary-9@localhost/x\n')
        (scratch / "tree").mkdir()

        inside = Bubblewrap(root, scratch / "tree", scratch / "scratch")
        ran = await sh(inside, f"git log --format=%s; grep -rs canary {folder}; cat {main}/.git/config")

    assert ran.output.startswith("x\n[core]")
    assert "canary" not in ran.output


async def test_ignored_files_and_links_are_copies_that_can_be_written(box: Box, tmp_path: Path) -> None:
    root = tmp_path / "root"
    root.mkdir()
    (root / ".coverage").write_text("old")
    (root / ".venv").symlink_to("/usr")

    ran = await sh(box({"a": ""}, (".coverage", ".venv")), "readlink .venv; echo new > .coverage; cat .coverage")

    assert ran.output == "/usr\nnew\n"
    assert (root / ".coverage").read_text() == "old"


async def test_no_copy_of_an_ignored_file_leaves_the_tree_through_a_link(
    bubblewrap_here: None, tmp_path: Path, scratch: Path
) -> None:
    (tmp_path / "root/sub").mkdir(parents=True)
    (tmp_path / "root/sub/x").write_text("x")
    (tmp_path / "outside").mkdir()
    (scratch / "tree").mkdir()
    (scratch / "tree/sub").symlink_to(tmp_path / "outside")

    Bubblewrap(tmp_path / "root", scratch / "tree", scratch / "scratch", ("sub/x",))

    assert list((tmp_path / "outside").iterdir()) == []


async def test_a_box_that_cannot_be_made_is_no_failure_of_the_command(box: Box) -> None:
    missing = await sh(box({}), "true", cwd="no/such/folder")

    assert (missing.ended, missing.exit_code) == (Ended.NOT_STARTED, None)
    assert missing.output.startswith("bwrap: ")


async def test_secrets_inside_an_ignored_folder_are_masked_and_all_else_is_shown(box: Box, tmp_path: Path) -> None:
    local = tmp_path / "root/local/deep"
    local.mkdir(parents=True)
    for name in (".env", ".env.production", "server.key"):
        (local / name).write_text("canary-9d2e")
    (local / "cacert.pem").write_text("certificates")
    (local / "data.txt").write_text("data")

    ran = await sh(box({}, ("local/",)), "cd local/deep && cat .env .env.production server.key cacert.pem data.txt")

    assert ran.output == "certificatesdata"
