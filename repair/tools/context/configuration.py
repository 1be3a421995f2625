"""The configuration of the tools that a command runs, and the scripts it names."""

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from repair.tools.context import exclude
from repair.tools.context.excerpts import shown
from repair.tools.context.index import Index
from repair.tools.context.mentions import mentioned
from repair.tools.context.units import whole_file
from repair.values.change import Unit
from repair.values.context import Excerpt


class Tool(NamedTuple):
    """Where a tool is configured: files by name, and sections of the files that tools share."""

    words: tuple[str, ...]
    files: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()


TOOLS = (
    Tool(("ruff",), ("ruff.toml", ".ruff.toml"), ("tool.ruff",)),
    Tool(("mypy",), ("mypy.ini", ".mypy.ini"), ("tool.mypy", "mypy")),
    Tool(("pyright",), ("pyrightconfig.json",), ("tool.pyright",)),
    Tool(("pytest", "py.test"), ("pytest.ini",), ("tool.pytest", "tool:pytest", "pytest")),
    Tool(("flake8",), (".flake8",), ("flake8",)),
    Tool(("pylint",), (".pylintrc",), ("tool.pylint",)),
    Tool(("black",), (), ("tool.black",)),
    Tool(("isort",), (".isort.cfg",), ("tool.isort", "isort")),
    Tool(("tox",), ("tox.ini",), ("tool.tox",)),
    Tool(("nox",), ("noxfile.py",)),
    Tool(("pre-commit",), (".pre-commit-config.yaml",)),
    Tool(("tsc", "ts-node", "tsx", "vue-tsc"), ("tsconfig.json",)),
    Tool(("eslint",), ("eslint.config.js", "eslint.config.mjs", "eslint.config.cjs", ".eslintrc.json", ".eslintrc.js")),
    Tool(("prettier",), (".prettierrc", ".prettierrc.json", "prettier.config.js", "prettier.config.mjs")),
    Tool(("jest",), ("jest.config.js", "jest.config.ts", "jest.config.mjs")),
    Tool(("vitest",), ("vitest.config.ts", "vitest.config.js", "vite.config.ts")),
    Tool(("node", "npm", "npx", "yarn", "pnpm"), ("package.json",)),
    Tool(("cargo", "rustc", "clippy"), ("Cargo.toml", "clippy.toml")),
    Tool(("rustfmt", "cargo fmt"), ("rustfmt.toml", ".rustfmt.toml")),
    Tool(("go",), ("go.mod",)),
    Tool(("golangci-lint",), (".golangci.yml", ".golangci.yaml")),
    Tool(("mvn",), ("pom.xml",)),
    Tool(("gradle", "gradlew"), ("build.gradle", "build.gradle.kts")),
    Tool(("yamllint",), (".yamllint", ".yamllint.yml", ".yamllint.yaml")),
    Tool(("sqlfluff",), (".sqlfluff",), ("tool.sqlfluff", "sqlfluff")),
    Tool(("shellcheck",), (".shellcheckrc",)),
    Tool(("tflint",), (".tflint.hcl",)),
    Tool(("regal",), (".regal/config.yaml",)),
    Tool(("make",), ("Makefile",)),
    Tool(("just",), ("justfile",)),
)

_SHARED = ("pyproject.toml", "setup.cfg", "tox.ini")
_SECTION = re.compile(r"\s{0,8}\[{1,2}\s{0,8}(?P<name>[\w.:\"-]{1,200})")
_MOST_SCRIPTS = 3
_WHOLE_LINES = 60


def configuration(index: Index, command: str, near: Sequence[str]) -> Iterator[Excerpt]:
    """(f) Scripts named in the command, then the settings of its tools; of several the one nearest above `near`."""
    scripts = [place.path for place in mentioned(index.files, command) if not exclude.is_test(place.path)]
    for path in [
        path for path in dict.fromkeys(scripts) if path.endswith((".sh", ".bash", ".py", ".js", ".mjs", ".sql"))
    ][:_MOST_SCRIPTS]:
        text = index.files.text(path) or ""
        yield shown("f", text, whole_file(path, text), "named in the command of the check")
    words = set(re.findall(r"[\w.-]+", command))
    for tool in TOOLS:
        if words.intersection(tool.words) or any(" " in word and word in command for word in tool.words):
            yield from _settings(index, tool, near)


def _settings(index: Index, tool: Tool, near: Sequence[str]) -> Iterator[Excerpt]:
    reason = f"configures {tool.words[0]}, read-only"
    for name in tool.files:
        if path := _nearest(index, name, near):
            text = index.files.text(path) or ""
            whole = whole_file(path, text)
            yield shown("f", text, whole.model_copy(update={"end": min(whole.end, _WHOLE_LINES)}), reason)
            return
    for name in _SHARED if tool.sections else ():
        if path := _nearest(index, name, near):
            text = index.files.text(path) or ""
            for start, end in _sections(text, tool.sections):
                yield shown("f", text, Unit(path=path, start=start, end=end, kind="section"), reason)


def _nearest(index: Index, name: str, near: Sequence[str]) -> str | None:
    """The file of that name in the nearest folder above the first of `near`, else at the root, else the highest."""
    folder = posixpath.dirname(near[0]) if near else ""
    while folder:
        if found := index.files.match(f"{folder}/{name}"):
            return found[0]
        folder = posixpath.dirname(folder)
    return next(iter(index.files.first((name, f"**/{name}"))), None)


def _sections(text: str, wanted: tuple[str, ...]) -> Iterator[tuple[int, int]]:
    """The line ranges of the sections of those names and of their subsections, neighbours joined."""
    lines = text.split("\n")
    start = 0
    filled = 0
    for number, line in enumerate((*lines, "[end]"), 1):
        if match := _SECTION.match(line):
            name = match["name"].replace('"', "")
            inside = any(name == section or name.startswith((f"{section}.", f"{section}:")) for section in wanted)
            if start and not inside:
                yield start, filled
            start = (start or number) if inside else 0
        if line.strip():
            filled = number
