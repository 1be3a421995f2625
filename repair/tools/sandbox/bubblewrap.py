"""The default box: the host read-only, the private tree where the environment expects it, no network.

Profile `local` of the design: a person's toolchains work as they are, their caches and ignored folders
are seen copy-on-write, their secrets are not seen at all.
"""

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from repair.tools.excludes import secrets_below
from repair.tools.sandbox.environment import check_environment
from repair.tools.sandbox.masks import PLAIN_GIT_CONFIG, SECRETS_AT_HOME, git_configs
from repair.tools.sandbox.process import run_process
from repair.tools.sandbox.program import find_bubblewrap, has_overlays
from repair.values.execution import Command, Ended, Execution

__all__ = ["Bubblewrap", "find_bubblewrap", "has_overlays"]

_INSIDE_UID = 1000


class Bubblewrap:
    """Commands run in new namespaces around a private copy of the tree.

    `tree` is shown at `root`; `ignored` are paths of the user's folder that are laid over it,
    copy-on-write. `scratch` takes what commands write elsewhere. Raises `SandboxUnavailable` when
    bubblewrap cannot run on this machine.
    """

    name = "bubblewrap"

    def __init__(self, root: Path, tree: Path, scratch: Path, ignored: Sequence[str] = ()) -> None:
        self.root = root
        self.reports = scratch / "reports"
        self._tree = tree.resolve()
        self._scratch = scratch
        self._ignored = tuple(ignored)
        folders = (root / path for path in self._ignored if path.endswith("/"))
        self._secrets = tuple(secret for folder in folders for secret in secrets_below(folder))
        self._bwrap = find_bubblewrap()
        self._layers = has_overlays(self._bwrap, scratch)
        self._prepare()

    async def run(self, command: Command) -> Execution:
        """Run in the box; the process tree dies with it."""
        env = check_environment() | {"TMPDIR": "/tmp"} | dict(command.env)  # noqa: S108  # private inside the box
        argv = [self._bwrap, *self._arguments(command), "--", *command.argv]
        # The box's first process keeps the environment it was started with where all can read it
        # (/proc/1/environ), so no secret may be in it either.
        ran = await run_process(argv, env=env, cwd=self._scratch, timeout=command.timeout)
        if ran.exit_code == 1 and ran.output.startswith("bwrap: "):
            # The box could not be made, or the program is not in it: the command never ran.
            return ran.model_copy(update={"ended": Ended.NOT_STARTED, "exit_code": None})
        return ran

    def on(self, tree: Path) -> "Bubblewrap":
        """A fresh box for another copy of the tree."""
        return Bubblewrap(self.root, tree, self._scratch / f"on-{tree.name}", self._ignored)

    def _prepare(self) -> None:
        for folder in (self.reports, self._scratch / "tmp", self._scratch / "layers"):
            folder.mkdir(parents=True, exist_ok=True)
        self._copy_ignored()
        (self._scratch / "git-config").write_text(PLAIN_GIT_CONFIG)
        (self._scratch / "passwd").write_text(_accounts())
        (self._scratch / "empty").touch()

    def _copy_ignored(self) -> None:
        """Files and links, and where nothing can be layered folders too; git ignores them in the copy as well."""
        for path in self._ignored:
            source, target = self.root / path, self._tree / path
            if target.exists() or target.is_symlink() or not target.parent.resolve().is_relative_to(self._tree):
                continue
            is_folder = source.is_dir() and not source.is_symlink()
            if is_folder and self._layers:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            if is_folder:
                shutil.copytree(source, target, symlinks=True, ignore_dangling_symlinks=True)
            elif source.is_file() or source.is_symlink():
                shutil.copy2(source, target, follow_symlinks=False)

    def _arguments(self, command: Command) -> list[str]:
        arguments = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"]
        if os.geteuid() == 0:
            # Programs such as initdb refuse to run as root, and as root a box would keep privileges.
            arguments += ["--uid", str(_INSIDE_UID), "--gid", str(_INSIDE_UID)]
        if not command.network:
            arguments.append("--unshare-net")
        arguments += ["--cap-drop", "ALL", "--die-with-parent", "--new-session", "--ro-bind", "/", "/"]
        arguments += ["--dev", "/dev", "--proc", "/proc", "--tmpfs", "/run"]
        arguments += [part for mount in self._mounts() for part in mount]
        if command.network:
            arguments += ["--ro-bind-try", "/run/systemd/resolve", "/run/systemd/resolve"]
        return [*arguments, "--chdir", str(self.root / command.cwd)]

    def _mounts(self) -> Iterator[Sequence[str]]:
        yield "--ro-bind", str(self._scratch / "passwd"), "/etc/passwd"
        yield "--bind", str(self._scratch / "tmp"), "/tmp"  # noqa: S108  # the box's own
        yield from self._home()
        for visible in _programs_under_tmp(self.root):
            yield "--ro-bind", visible, visible
        yield "--tmpfs", str(_private_base(self._scratch))
        yield "--bind", str(self.reports), str(self.reports)
        yield "--bind", str(self._tree), str(self.root)
        if self._layers:
            for number, path in enumerate(self._ignored):
                yield from self._layer(self.root / path, f"ignored-{number}")
        for secret in self._secrets:
            if self._layers or (self._tree / secret.relative_to(self.root)).is_file():
                yield "--ro-bind", str(self._scratch / "empty"), str(secret)
        yield from self._git()

    def _git(self) -> Iterator[Sequence[str]]:
        git = self.root / ".git"
        if git.exists():
            yield "--ro-bind", str(git), str(git)
        for config in git_configs(self.root):
            yield "--ro-bind", str(self._scratch / "git-config"), str(config)

    def _home(self) -> Iterator[Sequence[str]]:
        home = Path.home()
        if not home.is_dir() or home == Path("/"):
            return
        if self._layers:
            yield from self._layer(home, "home")
        elif (home / ".cache").is_dir():
            yield "--tmpfs", str(home / ".cache")
        for name in SECRETS_AT_HOME:
            secret = home / name
            if secret.is_dir():
                yield "--tmpfs", str(secret)
            elif secret.exists():
                # An empty file: a device does not open on a mount of a user namespace.
                yield "--ro-bind", str(self._scratch / "empty"), str(secret)

    def _layer(self, place: Path, name: str) -> Iterator[Sequence[str]]:
        if not place.is_dir() or place.is_symlink():
            return
        upper, work = self._scratch / "layers" / name, self._scratch / "layers" / f"{name}-work"
        upper.mkdir(exist_ok=True)
        work.mkdir(exist_ok=True)
        yield "--overlay-src", str(place), "--overlay", str(upper), str(work), str(place)


def _private_base(scratch: Path) -> Path:
    """The folder that holds the private files of all runs: the one above this run's own."""
    return next((p for p in scratch.parents if p.name.startswith("regomender-")), scratch)


def _programs_under_tmp(root: Path) -> tuple[str, ...]:
    """Toolchains that live under /tmp, which the box replaces by its own."""
    named = [Path(part).parent for part in os.environ.get("PATH", "").split(os.pathsep) if part]
    if "VIRTUAL_ENV" in os.environ:
        named.append(Path(os.environ["VIRTUAL_ENV"]))
    under = [p for p in named if p.is_relative_to("/tmp") and p.is_dir() and p not in (Path("/tmp"), root)]  # noqa: S108
    return tuple(dict.fromkeys(str(path) for path in under if not path.is_relative_to(root)))


def _accounts() -> str:
    accounts = Path("/etc/passwd").read_text(errors="replace")
    uid = _INSIDE_UID if os.geteuid() == 0 else os.geteuid()
    if any(line.split(":")[2:3] == [str(uid)] for line in accounts.splitlines()):
        return accounts
    return f"{accounts.rstrip()}\ncheck:x:{uid}:{uid}:check:{Path.home()}:/bin/sh\n"
