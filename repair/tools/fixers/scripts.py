"""`npm run lint` seen as the script of package.json that it stands for."""

import json
from collections.abc import Iterator, Mapping
from typing import Final

from repair.tools.fixers.rewriting import calls_to, run_after
from repair.tools.invocations import Invocation
from repair.values.checks import Check

MAX_MANIFEST: Final = 1_000_000
MAX_SCRIPTS: Final = 500
_RUNNERS: Final = frozenset({"npm", "pnpm", "yarn", "bun"})
# What a runner does before it starts a script.
_PATH: Final = 'export PATH="$PWD/node_modules/.bin:$PATH"\n'


def scripts_of(manifest: str) -> dict[str, str]:
    """The scripts of a package.json by name; none for a text that is no such file."""
    if len(manifest) > MAX_MANIFEST:
        return {}
    try:
        package = json.loads(manifest)
    except (ValueError, RecursionError):
        return {}
    scripts = package.get("scripts") if isinstance(package, dict) else None
    entries = list(scripts.items())[:MAX_SCRIPTS] if isinstance(scripts, dict) else []
    return {name: script for name, script in entries if isinstance(script, str)}


def fixing_scripts(check: Check, scripts: Mapping[str, str]) -> Iterator[str]:
    """The package's own fixer for a script: `npm run lint:fix` for `npm run lint`."""
    for command, call in calls_to(check, _RUNNERS):
        fixer = f"{_script_called(call)}:fix"
        if fixer in scripts:
            yield run_after(command, call, ("run", f"'{fixer}'"))


def with_scripts(check: Check, scripts: Mapping[str, str]) -> Iterator[tuple[str, Check]]:
    """For each script that the check runs: the runner, and the check as if it were the script's text."""
    for command, call in calls_to(check, _RUNNERS):
        script = scripts.get(_script_called(call) or "")
        if script is not None:
            state = run_after(command, call, ()).removesuffix(" ".join(word.text for word in call.head))
            yield call.program, check.model_copy(update={"run": f"{state}\n{_PATH}{script}"})


def _script_called(call: Invocation) -> str | None:
    """The name of the script, when nothing else is said: options could name another package."""
    words = [word.value for word in call.args]
    if words[:1] in (["run"], ["run-script"]):
        words = words[1:]
    name = words[0] if len(words) == 1 else None
    return None if name is None or "'" in name or name.startswith("-") else name
