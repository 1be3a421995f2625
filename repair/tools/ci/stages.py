"""The stage of a command, told by the tool it calls."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Literal

from repair.tools.invocations import Invocation, invocation_of
from repair.tools.shell import Word, simple_commands
from repair.values.checks import Stage

Kind = Literal["syntax", "semantic"]

_TOOLS: Final[Mapping[Stage, frozenset[str]]] = {
    Stage.PARSE: frozenset({"compileall", "py_compile", "json.tool", "jsonlint", "ajv", "check-jsonschema"}),
    Stage.COMPILE: frozenset(
        {
            *("mypy", "dmypy", "pyright", "basedpyright", "pyre", "pytype", "ty", "pyrefly"),
            *("tsc", "vue-tsc", "svelte-check", "flow", "webpack", "rollup", "esbuild", "vite", "tsup"),
            *("gcc", "g++", "cc", "c++", "clang", "clang++", "cmake", "ninja", "meson", "bazel", "bazelisk"),
            *("javac", "kotlinc", "scalac", "rustc", "ghc", "phpstan", "psalm", "psql", "sqlite3", "kubeconform"),
        }
    ),
    Stage.LINT: frozenset(
        {
            *("ruff", "flake8", "pylint", "black", "isort", "pycodestyle", "pydocstyle", "pyflakes", "yapf", "bandit"),
            *("autopep8", "autoflake", "vulture", "interrogate", "djlint", "lint-imports", "deptry", "codespell"),
            *("eslint", "prettier", "stylelint", "biome", "oxlint", "xo", "standard", "tslint", "jshint", "dprint"),
            *("shellcheck", "shfmt", "yamllint", "sqlfluff", "regal", "gofmt", "goimports", "gofumpt", "staticcheck"),
            *("golangci-lint", "rustfmt", "tflint", "checkov", "hadolint", "actionlint", "zizmor", "rubocop", "taplo"),
            *("clang-format", "clang-tidy", "cppcheck", "cpplint", "ktlint", "detekt", "checkstyle", "phpcs"),
            *("php-cs-fixer", "markdownlint", "markdownlint-cli2", "cspell", "typos", "pre-commit", "prek"),
        }
    ),
    Stage.UNIT: frozenset(
        {
            *("pytest", "py.test", "unittest", "nose2", "doctest", "behave", "jest", "vitest", "mocha", "ava", "tap"),
            *("karma", "cypress", "playwright", "bats", "ctest", "phpunit", "pest", "rspec", "gotestsum", "conftest"),
        }
    ),
    Stage.SETUP: frozenset(
        {
            *("pip", "pip3", "pip-sync", "ensurepip", "venv", "virtualenv", "apt", "apt-get", "apk", "dnf", "yum"),
            *("brew", "choco", "corepack", "nvm", "rustup", "asdf", "sdk", "gem"),
        }
    ),
}
_STAGE_OF_TOOL: Final = {tool: stage for stage, tools in _TOOLS.items() for tool in tools}

_NODE_PACKAGES: Final = {"ci": Stage.SETUP, "install": Stage.SETUP, "i": Stage.SETUP, "add": Stage.SETUP}
_PYTHON_PACKAGES: Final = {"install": Stage.SETUP, "sync": Stage.SETUP, "lock": Stage.SETUP, "config": Stage.SETUP}
_TERRAFORM: Final = {
    "init": Stage.SETUP,
    "validate": Stage.COMPILE,
    "plan": Stage.COMPILE,
    "fmt": Stage.LINT,
    "test": Stage.UNIT,
}
_SUBCOMMANDS: Final[Mapping[str, Mapping[str, Stage]]] = {
    "opa": {
        "parse": Stage.PARSE,
        "check": Stage.COMPILE,
        "build": Stage.COMPILE,
        "fmt": Stage.LINT,
        "test": Stage.UNIT,
    },
    "terraform": _TERRAFORM,
    "tofu": _TERRAFORM,
    "cargo": {
        **dict.fromkeys(("fetch", "install", "binstall"), Stage.SETUP),
        **dict.fromkeys(("check", "build", "doc"), Stage.COMPILE),
        **dict.fromkeys(("clippy", "fmt", "deny", "audit", "machete"), Stage.LINT),
        **dict.fromkeys(("test", "nextest"), Stage.UNIT),
    },
    "go": {
        **dict.fromkeys(("mod", "get", "install", "generate", "env"), Stage.SETUP),
        **dict.fromkeys(("build", "vet"), Stage.COMPILE),
        "fmt": Stage.LINT,
        "test": Stage.UNIT,
    },
    "dotnet": {"restore": Stage.SETUP, "build": Stage.COMPILE, "format": Stage.LINT, "test": Stage.UNIT},
    "swift": {"build": Stage.COMPILE, "test": Stage.UNIT},
    "zig": {"build": Stage.COMPILE, "fmt": Stage.LINT, "test": Stage.UNIT},
    "deno": {"check": Stage.COMPILE, "lint": Stage.LINT, "fmt": Stage.LINT, "test": Stage.UNIT},
    "bun": {**_NODE_PACKAGES, "build": Stage.COMPILE, "test": Stage.UNIT},
    "npm": {**_NODE_PACKAGES, "test": Stage.UNIT, "t": Stage.UNIT},
    "pnpm": {**_NODE_PACKAGES, "test": Stage.UNIT},
    "yarn": {**_NODE_PACKAGES, "test": Stage.UNIT},
    "uv": {**_PYTHON_PACKAGES, "pip": Stage.SETUP, "venv": Stage.SETUP, "python": Stage.SETUP, "tool": Stage.SETUP},
    "poetry": {**_PYTHON_PACKAGES, "check": Stage.LINT},
    "pdm": _PYTHON_PACKAGES,
    "pipenv": _PYTHON_PACKAGES,
    "pipx": _PYTHON_PACKAGES,
    "conda": {**_PYTHON_PACKAGES, "create": Stage.SETUP, "env": Stage.SETUP},
    "mise": _PYTHON_PACKAGES,
    "bundle": _PYTHON_PACKAGES,
    "composer": _PYTHON_PACKAGES,
    "manage.py": {"check": Stage.COMPILE, "makemigrations": Stage.COMPILE, "test": Stage.UNIT},
    "setup.py": {"install": Stage.SETUP, "develop": Stage.SETUP, "build": Stage.COMPILE, "test": Stage.UNIT},
}
_MAVEN: Final = {
    **dict.fromkeys(("compile", "test-compile"), Stage.COMPILE),
    **dict.fromkeys(("test", "verify", "package", "install", "integration-test"), Stage.UNIT),
}
_GRADLE: Final = {
    **dict.fromkeys(("compileJava", "compileKotlin", "classes", "testClasses", "assemble"), Stage.COMPILE),
    **dict.fromkeys(("ktlintCheck", "spotlessCheck", "checkstyleMain", "detekt", "lint"), Stage.LINT),
    **dict.fromkeys(("test", "check", "build"), Stage.UNIT),
}
# Build tools that take several goals in one call; the last of them to run decides.
_GOALS: Final = {"mvn": _MAVEN, "mvnw": _MAVEN, "gradle": _GRADLE, "gradlew": _GRADLE}

# Programs that run a script or a target of the repository's own, whose name says what it is for.
_RUNNERS: Final = {"npm", "pnpm", "yarn", "bun", "make", "gmake", "just", "task", "tox", "nox", "hatch", "poe", "rake"}
_RUNNERS_ALSO: Final = {"invoke", "inv", "composer", "mix", "ant", "turbo", "nx", "lerna", "moon"}
_NAMES: Final[Mapping[Stage, frozenset[str]]] = {
    Stage.SETUP: frozenset({"deps", "dependencies", "setup", "bootstrap"}),
    Stage.PARSE: frozenset({"syntax", "parse", "parses"}),
    Stage.COMPILE: frozenset(
        {
            *("type", "types", "typing", "typecheck", "typescript", "tsc", "mypy", "pyright", "build", "compile"),
            *("validate", "import", "imports", "load", "vet", "migrate", "migrations", "schema"),
        }
    ),
    Stage.LINT: frozenset({"lint", "lints", "linter", "linting", "format", "formatting", "fmt", "style", "prettier"}),
    Stage.UNIT: frozenset({"test", "tests", "testing", "unit", "unittest", "spec", "specs", "pytest", "integration"}),
}
_STAGE_OF_NAME: Final = {name: stage for stage, names in _NAMES.items() for name in names}
_NAME_PART: Final = re.compile(r"[a-z]+")


def stage_of(command: str, kind: Kind | None = None, name: str = "") -> Stage:
    """The stage of a shell command: by the tools it calls, else by its kind, else by its name.

    Of several tools the one of the latest stage decides: the command is not green before that one is.
    """
    stages = [stage for call in calls_in(command) if (stage := stage_of_call(call)) is not None]
    if stages:
        return max(stages)
    if kind is not None:
        return Stage.COMPILE if kind == "syntax" else Stage.UNIT
    return _stage_of_name(name) or Stage.OTHER


def calls_in(command: str) -> Iterator[Invocation]:
    """Every call in the command whose program has a name."""
    return (call for part in simple_commands(command) if (call := invocation_of(part)) is not None)


def stage_of_call(call: Invocation) -> Stage | None:
    """The stage of one call, or `None` when it is no tool that we know."""
    if call.tool in _STAGE_OF_TOOL:
        return _STAGE_OF_TOOL[call.tool]
    if call.tool in _GOALS:
        return max(_goals(call, _GOALS[call.tool]), default=None)
    if (special := _SPECIAL.get(call.tool)) is not None:
        return special(call)
    stage = _SUBCOMMANDS.get(call.tool, {}).get(call.subcommand or "")
    if stage is None and (call.tool in _RUNNERS or call.tool in _RUNNERS_ALSO):
        return _target(call)
    return stage


def _stage_of_name(name: str) -> Stage | None:
    parts = _NAME_PART.findall(name[:200].lower())
    return next((_STAGE_OF_NAME[part] for part in parts if part in _STAGE_OF_NAME), None)


def _goals(call: Invocation, stages: Mapping[str, Stage]) -> Iterator[Stage]:
    goals = ((arg.value or "").rpartition(":")[2] for arg in call.args)
    return (stages[goal] for goal in goals if goal in stages)


def _target(call: Invocation) -> Stage | None:
    """`make` alone builds; otherwise the words after the runner name the target."""
    words = " ".join(arg.value or "" for arg in call.args[:8])
    stage = _stage_of_name(words)
    if stage is None and call.tool in {"make", "gmake"} and call.subcommand in {None, "all"}:
        return Stage.COMPILE
    # `yarn` alone installs.
    return Stage.SETUP if stage is None and call.tool == "yarn" and call.subcommand is None else stage


def _python(call: Invocation) -> Stage | None:
    first = call.args[0].value if call.args else None
    if first == "-c":
        return Stage.COMPILE if len(call.args) > 1 and "import " in call.args[1].text else None
    return _script(call)


def _node(call: Invocation) -> Stage | None:
    if _begins(call, "--check", "-c"):
        return Stage.PARSE
    if call.has("--test"):
        return Stage.UNIT
    if call.has("-e", "--eval", "-p", "--print"):
        loads = any("import" in arg.text or "require" in arg.text for arg in call.args)
        return Stage.COMPILE if loads else None
    return _script(call)


def _shell(call: Invocation) -> Stage | None:
    return Stage.PARSE if _begins(call, "-n") else _script(call)


def _ruby(call: Invocation) -> Stage | None:
    return Stage.PARSE if _begins(call, "-c", "-l") else _script(call)


def _begins(call: Invocation, *options: str) -> bool:
    return bool(call.args) and call.args[0].value in options


def _script(call: Invocation) -> Stage | None:
    """`manage.py test`, or what a script of the repository runs in turn: `bash with-db.sh pytest`."""
    index = next((i for i, arg in enumerate(call.args) if not (arg.value or "-").startswith("-")), None)
    if index is None:
        return None
    path, rest = str(call.args[index].value), call.args[index + 1 :]
    if known := _SUBCOMMANDS.get(path.rpartition("/")[2]):
        return known.get(str(rest[0].value)) if rest else None
    return _inner_stage(rest) or _stage_of_name(path)


def _inner_stage(words: tuple[Word, ...]) -> Stage | None:
    tool = words[0].value if words else None
    if not tool or tool.startswith("-"):
        return None
    if tool in _SPECIAL:
        # One script inside another is as deep as we look, whatever the command's length.
        return _stage_of_name(words[1].text) if len(words) > 1 else None
    return stage_of_call(Invocation(tool, tool, words[:1], words[1:]))


_SPECIAL: Final[Mapping[str, Callable[[Invocation], Stage | None]]] = {
    **dict.fromkeys(("python", "python3", "pypy", "pypy3", "py"), _python),
    **dict.fromkeys(("node", "tsx", "ts-node"), _node),
    **dict.fromkeys(("bash", "sh", "zsh", "dash"), _shell),
    **dict.fromkeys(("ruby", "php", "perl"), _ruby),
}
