"""What the statements of a workflow step are for: to set up, to check, to deliver, or to say something."""

from collections.abc import Mapping
from enum import IntEnum
from typing import Final, NamedTuple

from repair.tools.ci.stages import calls_in, stage_of_call
from repair.tools.invocations import Invocation
from repair.tools.shell import is_state, statements
from repair.values.checks import Stage

_ANY: Final = frozenset[str]()
_SAYING: Final = {
    "echo",
    "printf",
    "ls",
    "pwd",
    "cat",
    "env",
    "printenv",
    "which",
    "date",
    "uname",
    "true",
    ":",
    "sleep",
}
_PREPARING: Final = {
    *("cd", "export", "set", "source", ".", "mkdir", "cp", "mv", "ln", "rm", "touch", "chmod", "chown"),
    *("curl", "wget", "tar", "unzip", "gunzip", "sha256sum", "tee"),
}
# The subcommands of each program that are meant; none named means all of them.
_GIT_PREPARING: Final = frozenset({"config", "fetch", "clone", "checkout", "submodule", "lfs", "init", "remote"})
_PUBLISHING: Final = frozenset({"publish", "push", "deploy", "login", "release", "apply", "destroy", "upload"})
_DELIVERING: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun", "cargo", "uv", "poetry", "pdm", "hatch", "flit"), _PUBLISHING),
    **dict.fromkeys(("mvn", "mvnw", "gradle", "gradlew", "gem", "dotnet", "helm", "terraform", "tofu"), _PUBLISHING),
    **dict.fromkeys(("twine", "goreleaser", "semantic-release", "changeset", "gh-pages", "gh", "hub"), _ANY),
    **dict.fromkeys(("vercel", "netlify", "firebase", "fly", "flyctl", "serverless", "cdk", "heroku"), _ANY),
    **dict.fromkeys(("aws", "gcloud", "gsutil", "az", "kubectl", "rsync", "scp", "ssh", "sentry-cli"), _ANY),
    **dict.fromkeys(("codecov", "coveralls", "codeclimate", "wrangler"), _ANY),
    "git": frozenset({"push", "commit", "tag"}),
}
_CONTAINERS: Final = {"docker", "docker-compose", "podman", "buildah", "kind", "minikube", "act"}
_RUNNER_FILES: Final = ("GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY", "GITHUB_STATE")


class Purpose(IntEnum):
    """What a statement is for. Of several calls in one statement the greatest decides."""

    SAY = 0
    SET_UP = 1
    CHECK = 2
    CONTAINER = 3
    DELIVER = 4


_WHY: Final = {
    Purpose.CONTAINER: "it needs a container engine",
    Purpose.DELIVER: "it delivers something, or needs credentials for a service",
}


class Parts(NamedTuple):
    """A script in two: what sets up, what checks; and why the rest was left out."""

    setup: str = ""
    check: str = ""
    left_out: tuple[str, ...] = ()


def take_apart(script: str) -> Parts:
    """Split the script of a step. One that is all check comes back as it was written."""
    parts = [(statement, purpose_of(statement)) for statement in statements(script)]
    purposes = [purpose for _, purpose in parts]
    left_out = tuple(_WHY[purpose] for purpose in sorted(set(purposes)) if purpose in _WHY)
    kept = [(statement, purpose) for statement, purpose in parts if purpose not in _WHY]
    first = next((index for index, (_, purpose) in enumerate(kept) if purpose is Purpose.CHECK), len(kept))
    leading = [statement for statement, _ in kept[:first]]
    sets_up = any(not is_state(statement) for statement, purpose in kept[:first] if purpose is Purpose.SET_UP)
    setup = "\n".join(leading) if sets_up else ""
    if first == len(kept):
        return Parts(setup, "", left_out)
    if not setup and not left_out:
        return Parts("", script.strip())
    state = [statement for statement in leading if is_state(statement)]
    return Parts(setup, "\n".join([*state, *(statement for statement, _ in kept[first:])]), left_out)


def purpose_of(statement: str) -> Purpose:
    """What one statement is for; a program we do not know is taken for a check."""
    purposes = [_purpose_of_call(call) for call in calls_in(statement)]
    if purposes:
        # What is said into a file prepares something.
        least = Purpose.SET_UP if ">" in statement else Purpose.SAY
        return max(least, *purposes)
    return Purpose.SET_UP if is_state(statement) else Purpose.CHECK


def runner_files(script: str) -> tuple[tuple[str, str], ...]:
    """Variables for the files through which a script would speak to GitHub's runner: nobody listens here."""
    return tuple((name, "/dev/null") for name in _RUNNER_FILES if name in script)


def _purpose_of_call(call: Invocation) -> Purpose:
    if call.tool in _CONTAINERS:
        return Purpose.CONTAINER
    delivering = _DELIVERING.get(call.tool)
    if delivering is not None and (not delivering or call.subcommand in delivering):
        return Purpose.DELIVER
    if call.tool in _SAYING or [arg.value for arg in call.args] in (["--version"], ["-V"], ["-v"], ["version"]):
        return Purpose.SAY
    return Purpose.SET_UP if _sets_up(call) else Purpose.CHECK


def _sets_up(call: Invocation) -> bool:
    if call.tool == "git":
        return call.subcommand in _GIT_PREPARING
    if call.tool in {"sh", "bash"}:
        # `curl ... | sh`: a script that came through a pipe.
        return not call.args or call.args[0].value in {"-s", "-"}
    return call.tool in _PREPARING or stage_of_call(call) is Stage.SETUP
