"""Which tool a simple command calls, behind `python -m`, `uv run`, `npx` and the like."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Final

from repair.tools.shell import SimpleCommand, Word

MAX_WRAPPERS: Final = 8

_INTERPRETER: Final = re.compile(r"(?:python|pypy)(?:\d(?:\.\d{1,2})?)?|py")
_ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
_NODE_OPTIONS: Final = frozenset({"-p", "--package", "--prefix", "-C", "--dir", "--cwd", "--filter"})
_UV_OPTIONS: Final = frozenset(
    {
        *("--with", "--with-requirements", "--with-editable", "--from", "--extra", "--no-extra"),
        *("--group", "--no-group", "--only-group", "-p", "--python", "--package", "--project", "--directory"),
        *("--env-file", "--index", "--index-url", "--default-index", "-i", "-f", "--find-links", "--cache-dir"),
    }
)
_CONDA_OPTIONS: Final = frozenset({"-n", "--name", "-p", "--prefix", "--cwd"})

# Words that call the command after them, each with the options that take a value.
_WRAPPERS: Final[Mapping[tuple[str, ...], frozenset[str]]] = {
    ("uv", "run"): _UV_OPTIONS,
    ("uvx",): _UV_OPTIONS,
    ("uv", "tool", "run"): _UV_OPTIONS,
    ("pipx", "run"): frozenset({"--spec", "--python", "--pip-args"}),
    ("poetry", "run"): frozenset({"-C", "--directory", "-P", "--project"}),
    ("pipenv", "run"): frozenset(),
    ("pdm", "run"): frozenset({"-p", "--project"}),
    ("rye", "run"): frozenset({"--pyproject"}),
    ("pixi", "run"): frozenset({"-e", "--environment", "--manifest-path"}),
    ("conda", "run"): _CONDA_OPTIONS,
    ("mamba", "run"): _CONDA_OPTIONS,
    ("micromamba", "run"): _CONDA_OPTIONS,
    ("coverage", "run"): frozenset({"--source", "--rcfile", "--data-file", "--include", "--omit", "--concurrency"}),
    ("npx",): _NODE_OPTIONS,
    ("npm", "exec"): _NODE_OPTIONS,
    ("pnpm", "exec"): _NODE_OPTIONS,
    ("pnpm", "dlx"): _NODE_OPTIONS,
    ("yarn", "exec"): _NODE_OPTIONS,
    ("yarn", "dlx"): _NODE_OPTIONS,
    ("bunx",): _NODE_OPTIONS,
    ("bun", "x"): _NODE_OPTIONS,
    ("nyc",): frozenset({"--reporter", "-r"}),
    ("c8",): frozenset({"--reporter", "-r"}),
    ("bundle", "exec"): frozenset(),
    ("env",): frozenset({"-u", "--unset", "-C", "--chdir"}),
    ("cross-env",): frozenset(),
    ("sudo",): frozenset({"-u", "--user", "-g", "--group"}),
    ("nice",): frozenset({"-n"}),
    ("stdbuf",): frozenset({"-i", "-o", "-e"}),
    ("xvfb-run",): frozenset({"-s", "-n", "--server-args", "--server-num"}),
    ("time",): frozenset(),
    ("command",): frozenset(),
    ("exec",): frozenset(),
    ("nohup",): frozenset(),
}
_TIMEOUT_OPTIONS: Final = frozenset({"-s", "--signal", "-k", "--kill-after"})
_ELSEWHERE: Final = frozenset({"-C", "--directory", "--project", "--chdir", "--cwd", "--prefix", "--dir", "--filter"})
_INTERPRETER_OPTIONS: Final = frozenset({"-W", "-X", "--check-hash-based-pycs"})


@dataclass(frozen=True)
class Invocation:
    """A call of `tool` with `args`; `head` are the words before those, the tool's own included.

    `program` is what must be installed for the call to start. `elsewhere` says that a wrapper
    changes the folder first.
    """

    program: str
    tool: str
    head: tuple[Word, ...]
    args: tuple[Word, ...]
    elsewhere: bool = False

    @property
    def subcommand(self) -> str | None:
        """The first argument that is no option (nor a toolchain, as in `cargo +nightly fmt`)."""
        return next((arg.value for arg in self.args if not (arg.value or "").startswith(("-", "+"))), None)

    def has(self, *options: str) -> bool:
        """Whether one of the options stands among the arguments, with `=value` or without."""
        return any((arg.value or "").partition("=")[0] in options for arg in self.args)


def invocation_of(command: SimpleCommand) -> Invocation | None:
    """The call behind all wrappers; `None` when the name of the program is only known in a run."""
    first = command.words[0].value
    if not first:
        return None
    call = Invocation(_base(first), _base(first), command.words[:1], command.words[1:])
    for _ in range(MAX_WRAPPERS):
        inner = _unwrapped(call)
        if inner is None:
            return call
        call = inner
    return None


def _unwrapped(call: Invocation) -> Invocation | None:
    """The call inside this one, or `None` when this one wraps nothing."""
    if _INTERPRETER.fullmatch(call.tool):
        return _module(call)
    if call.tool == "timeout":
        return _inner(call, 0, _TIMEOUT_OPTIONS, skipped=1)
    for size in (3, 2, 1):
        words = (call.tool, *(arg.value or "" for arg in call.args[: size - 1]))
        if len(words) == size and (options := _WRAPPERS.get(words)) is not None:
            # `coverage run -m pytest` names a module, like the interpreter itself.
            return _module(_past(call, size - 1)) if words[0] == "coverage" else _inner(call, size - 1, options)
    return None


def _past(call: Invocation, count: int) -> Invocation:
    return replace(call, head=call.head + call.args[:count], args=call.args[count:])


def _module(call: Invocation) -> Invocation | None:
    """The module of `python -m MODULE`."""
    index = 0
    while index < len(call.args):
        option = call.args[index].value or ""
        if option == "-m" and index + 1 < len(call.args):
            return _called(call, index + 1)
        if not option.startswith("-") or option in {"-c", "-m", "-"}:
            return None
        index += 2 if option in _INTERPRETER_OPTIONS or option in {"--source", "--rcfile"} else 1
    return None


def _inner(call: Invocation, index: int, options: frozenset[str], skipped: int = 0) -> Invocation | None:
    """The command after a wrapper's own options and variables, and `skipped` words more."""
    elsewhere = call.elsewhere
    while index < len(call.args):
        word = call.args[index].value or ""
        if word == "-m" and "--with" in options:
            return _called(replace(call, elsewhere=elsewhere), index + 1)
        if word.startswith("-"):
            elsewhere = elsewhere or word.partition("=")[0] in _ELSEWHERE
            index += 2 if word in options else 1
        elif _ASSIGNMENT.match(word):
            index += 1
        elif skipped:
            index, skipped = index + 1, skipped - 1
        else:
            return _called(replace(call, elsewhere=elsewhere), index)
    return None


def _called(call: Invocation, index: int) -> Invocation | None:
    if index >= len(call.args) or not call.args[index].value:
        return None
    tool = _base(str(call.args[index].value))
    return replace(_past(call, index + 1), tool=tool)


def _base(path: str) -> str:
    """`eslint` of `./node_modules/.bin/eslint`, `ruff` of `ruff@0.9` as npx and uvx write it."""
    name = PurePosixPath(path.replace("\\", "/")).name
    name = name.removesuffix(".exe").removesuffix(".cmd")
    return name if name.startswith("@") else name.partition("@")[0]
