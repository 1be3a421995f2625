"""When a run tells nothing about the code: a missing tool, a full disk, no network at a set-up command."""

import posixpath
import re
from collections.abc import Iterator, Sequence

from repair.tools.triage.paths import in_root
from repair.tools.triage.reading import lines_of
from repair.values.checks import Finding, Stage
from repair.values.triage import Transcript

_NOT_FOUND = re.compile(
    r"(?P<shell>[^\s:]{1,300}): (?:line )?\d{1,7}: (?:exec: )?(?P<tool>[^\s:]{1,200}): "
    r"(?:(?:command )?not found|No such file or directory)$"
)
_MISSING = tuple(
    re.compile(shape)
    for shape in (
        r"(?:\S*/)?(?:z|k|a|da|ba)?sh: (?:command not found: )?(?P<tool>[^\s:]+)(?:: (?:command )?not found)?$",
        r"make(?:\[\d+\])?: (?P<tool>[^\s:]+): (?:No such file or directory|Command not found)$",
        r"(?:\S*/)?(?:env|xargs|nohup|timeout|sudo): .{0,30}?[`'\"\u2018]?(?P<tool>[\w.+-]+)['\"\u2019]?: "
        r"(?:No such file or directory|command not found)$",
        r"\S*python[\d.]*(?:\.exe)?: No module named (?P<tool>[\w-]+)$",
        r"error: no such command: `(?P<tool>[\w-]+)`",
        r"error: '(?P<tool>[\w-]+)(?:\.exe)?' is not installed for the toolchain",
        r".{0,100}Unable to locate executable file: (?P<tool>[\w.+-]+)",
    )
)
_PASSED_ON = re.compile(r"\bError 12[67]\b")
_INSTALLED = re.compile(r"(?:^|/)(?:node_modules|\.?venv|\.tox|\.nox)/")
_NOT_STARTED = (126, 127)
_SHELLS = frozenset({"sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"})
# What a script of the tree may call and a machine may lack; any other name may be a function of the tree.
_KNOWN_TOOLS = frozenset(
    {
        *("actionlint", "ansible", "awk", "aws", "az", "bandit", "black", "bundle", "bun", "cargo", "cc", "clang"),
        *("cmake", "conftest", "curl", "deno", "docker", "dotnet", "eslint", "flake8", "g++", "gcc", "gh", "git", "go"),
        *("golangci-lint", "gradle", "hadolint", "helm", "isort", "java", "javac", "jest", "jq", "just", "kubectl"),
        *("make", "markdownlint", "meson", "mvn", "mypy", "ninja", "node", "npm", "npx", "opa", "php", "pip", "pnpm"),
        *("poetry", "pre-commit", "prettier", "psql", "pylint", "pyright", "pytest", "python", "python3", "regal"),
        *("rsync", "ruby", "ruff", "rustc", "rustfmt", "semgrep", "shellcheck", "shfmt", "sqlfluff", "sqlite3"),
        *("task", "terraform", "tflint", "tofu", "tox", "tsc", "unzip", "uv", "vitest", "wget", "yamllint", "yarn"),
        *("yq", "zip"),
    }
)
_DISK = re.compile(r"No space left on device|\[Errno 28\]|\bENOSPC\b|Disk quota exceeded")
_NETWORK = re.compile(
    r"Network is unreachable|Temporary failure in name resolution|Name or service not known|Could not resolve host"
    r"|Temporary failure resolving|getaddrinfo (?:EAI_AGAIN|ENOTFOUND|failed)|\bEAI_AGAIN\b|Failed to resolve '"
    r"|dial tcp: lookup .{1,200}: no such host|Connection (?:refused|timed out|reset by peer)|ECONNREFUSED|ETIMEDOUT"
)
_SET_UP = re.compile(
    r"(?<![\w-])(?:(?:pip3?|pipx|uv|poetry|pdm|conda|npm|pnpm|yarn|bun|bundle|gem|composer|go|apt|apt-get|apk|dnf|brew)\b"
    r".{0,60}?\b(?:install|sync|ci|add|update|download|get|i)\b"
    r"|yarn(?:$|\s*&&)|cargo fetch|(?:terraform|tofu) init|git clone|curl|wget)"
)


def infra_reason(transcript: Transcript, findings: Sequence[Finding]) -> str:
    """Why the run tells nothing about the code, naming the missing tool; empty when it does tell something.

    `findings` are what the triagers made of the run: an error they read in the code is never excused.
    """
    tool = next(_missing_tools(transcript), "")
    if tool and all(_concerns(found, tool) for found in findings):
        return f"tool missing: {tool}"
    if _DISK.search(transcript.output) and _only(_DISK, findings):
        return "no space left on the disk"
    lost = _NETWORK.search(transcript.output) if _is_set_up(transcript) else None
    if lost and _only(_NETWORK, findings):
        return f"no network at set-up: {lost[0]}"
    if transcript.exit_code in _NOT_STARTED and not findings:
        return f"a command could not be started (exit status {transcript.exit_code})"
    return ""


def _missing_tools(transcript: Transcript) -> Iterator[str]:
    for line in lines_of(transcript.output):
        if match := _NOT_FOUND.match(line):
            if _is_tool(transcript, match["shell"], match["tool"]):
                yield match["tool"]
            continue
        found = next((hit for shape in _MISSING if (hit := shape.match(line))), None)
        if found and not _in_tree(transcript, found["tool"]):
            yield found["tool"]


def _is_tool(transcript: Transcript, shell: str, name: str) -> bool:
    """Whether a program is missing; in a script of the tree it may be a function that nobody defined."""
    if _in_tree(transcript, name):
        return False
    if posixpath.basename(name) in _KNOWN_TOOLS or name in transcript.check.run.split():
        return True
    not_started = transcript.exit_code in _NOT_STARTED or _PASSED_ON.search(transcript.output) is not None
    return not_started and posixpath.basename(shell) in _SHELLS


def _in_tree(transcript: Transcript, name: str) -> bool:
    return "/" in name and not _INSTALLED.search(name) and in_root(name, transcript.root) is not None


def _concerns(found: Finding, tool: str) -> bool:
    return not found.test and (tool in found.message or found.symbol == tool or bool(_PASSED_ON.search(found.message)))


def _only(cause: re.Pattern[str], findings: Sequence[Finding]) -> bool:
    return all(not found.test and cause.search(f"{found.message}\n{found.detail}") for found in findings)


def _is_set_up(transcript: Transcript) -> bool:
    return transcript.check.stage is Stage.SETUP or _SET_UP.search(transcript.check.run[:8000]) is not None
