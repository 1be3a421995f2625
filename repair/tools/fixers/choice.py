"""Which commands may fix a check without a model."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from repair.tools.fixers.recipes import RECIPES
from repair.tools.fixers.rewriting import RecipeFixer
from repair.tools.fixers.scripts import fixing_scripts, with_scripts
from repair.tools.fixers.seam import FixCommand, Fixer
from repair.tools.fixers.special import OldRegoFixer, PreCommitFixer, ShellcheckFixer
from repair.tools.invocations import invocation_of
from repair.tools.shell import is_state, simple_commands
from repair.values.checks import Check, Finding

FIXERS: Final[tuple[Fixer, ...]] = (
    OldRegoFixer(),
    *(RecipeFixer(recipe) for recipe in RECIPES),
    ShellcheckFixer(),
    PreCommitFixer(),
)

Available = Callable[[str], bool]


def fixers_for(
    check: Check,
    findings: Sequence[Finding],
    available: Available,
    scripts: Mapping[str, str] | None = None,
) -> tuple[FixCommand, ...]:
    """The commands that may fix the check, linters before formatters.

    The check's own `fix` is the only one when there is one. `available` says whether a program
    can be started; `scripts` are those of the package.json in the check's folder.
    """
    if check.fix:
        return (FixCommand(tool="fix", run=check.fix, cwd=check.cwd),)
    own = dict.fromkeys(run for run in fixing_scripts(check, scripts or {}) if _can_start(run, available))
    if own:
        return tuple(FixCommand(tool="script", run=run, cwd=check.cwd) for run in own)
    found = {run: name for name, run in _known(check, findings, available, scripts or {})}
    return tuple(FixCommand(tool=name, run=run, cwd=check.cwd) for run, name in found.items())


def _known(
    check: Check, findings: Sequence[Finding], available: Available, scripts: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    yield from _commands(check, findings, available)
    for runner, unfolded in with_scripts(check, scripts):
        # The programs of a script stand in node_modules, where only its runner finds them.
        if available(runner):
            yield from _commands(unfolded, findings, lambda _: True)


def _commands(check: Check, findings: Sequence[Finding], available: Available) -> Iterator[tuple[str, str]]:
    for fixer in FIXERS:
        for run in fixer.commands(check, findings):
            if _can_start(run, available):
                yield fixer.name, run


def _can_start(run: str, available: Available) -> bool:
    calls = (invocation_of(command) for command in simple_commands(run) if not is_state(command.words[0].text))
    return all(call is not None and available(call.program) for call in calls)
