"""What works on this machine."""

import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from repair.tools.model.environment import from_environment
from repair.tools.sandbox import SandboxUnavailable
from repair.tools.sandbox.bubblewrap import find_bubblewrap, has_overlays

_FIXERS = (
    "ruff",
    "black",
    "isort",
    "prettier",
    "eslint",
    "gofmt",
    "cargo",
    "opa",
    "regal",
    "terraform",
    "tofu",
    "sqlfluff",
)


@dataclass(frozen=True)
class Finding:
    """One line of the examination; a run is impossible without what is `needed`."""

    text: str
    fine: bool
    needed: bool = False


def examine(environ: Mapping[str, str]) -> Iterator[Finding]:
    """Look at the interpreter, git, the sandbox, the model's settings and the fixers."""
    yield Finding(f"Python {sys.version.split()[0]}", fine=True)
    yield Finding(
        "git" if shutil.which("git") else "git is missing: install it", bool(shutil.which("git")), needed=True
    )
    yield Finding(
        "bash" if shutil.which("bash") else "bash is missing: checks run in it", bool(shutil.which("bash")), True
    )
    yield from _sandbox()
    yield _model(environ)
    here = [name for name in _FIXERS if shutil.which(name)]
    yield Finding(f"fixers on PATH: {', '.join(here) or 'none'}", bool(here))


def _sandbox() -> Iterator[Finding]:
    try:
        program = find_bubblewrap()
    except SandboxUnavailable as error:
        yield Finding(str(error), fine=False, needed=True)
        return
    yield Finding(f"sandbox bubblewrap ({program})", fine=True)
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:  # where runs keep their layers too
        layered = has_overlays(program, folder)
    text = "ignored folders are layered copy-on-write" if layered else "no overlays here: ignored folders are copied"
    yield Finding(text, fine=layered)


def _model(environ: Mapping[str, str]) -> Finding:
    try:
        configured = from_environment(None, None, environ)
    except ValueError as error:
        return Finding(f"model: {error}", fine=False)
    if configured is None:
        text = "no model: set REGOMENDER_MODEL and OPENAI_BASE_URL or OPENAI_API_KEY; without one only fixers are tried"
        return Finding(text, fine=False)
    return Finding(f"model {environ.get('REGOMENDER_MODEL')}", fine=True)
