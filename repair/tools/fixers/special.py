"""Fixers of tools whose fixing command is more than their checking one with other options."""

import re
from collections.abc import Sequence
from typing import Final

from repair.tools.fixers.named_files import MAX_FILES, as_arguments, files_named, folder_of
from repair.tools.fixers.rewriting import calls_to, run_after
from repair.values.checks import Check, Finding

_KEYWORD_REQUIRED: Final = re.compile(r"`?\b(?:if|contains)\b`? keyword is required")
_PRE_COMMIT: Final = frozenset({"pre-commit", "prek"})


class OldRegoFixer:
    """`opa check` and `opa test` refuse Rego of version 0; `opa fmt` translates it."""

    name = "opa fmt"

    def commands(self, check: Check, findings: Sequence[Finding]) -> tuple[str, ...]:
        """One translation of the files that lack the keywords of version 1."""
        old = [found for found in findings if _KEYWORD_REQUIRED.search(f"{found.message[:500]} {found.detail[:2000]}")]
        files = [file for file in files_named(check, old) if file.endswith(".rego")]
        for command, call in calls_to(check, frozenset({"opa"})):
            folder = folder_of(command, call, check.cwd)
            if files and folder is not None and call.subcommand in {"check", "test"}:
                arguments = as_arguments(files[:MAX_FILES], folder)
                return (run_after(command, call, ("fmt", "--write", "--v0-v1", *arguments)),)
        return ()


class ShellcheckFixer:
    """What shellcheck knows how to fix it prints as a diff."""

    name = "shellcheck"

    def commands(self, check: Check, findings: Sequence[Finding]) -> tuple[str, ...]:
        """The diff of each call, applied by `patch`, which needs no git folder around it."""
        return tuple(
            f"{run_after(command, call, ('-f', 'diff', *options))} | patch -p1 --no-backup-if-mismatch"
            for command, call in calls_to(check, frozenset({"shellcheck"}))
            if (options := _without_format([word.text for word in call.args])) is not None
        )


class PreCommitFixer:
    """Most hooks of pre-commit repair what they complain about, so the same call again is the fixer."""

    name = "pre-commit"

    def commands(self, check: Check, findings: Sequence[Finding]) -> tuple[str, ...]:
        """Each call that runs hooks, as it is."""
        return tuple(
            run_after(command, call, (word.text for word in call.args))
            for command, call in calls_to(check, _PRE_COMMIT)
            if call.subcommand == "run"
        )


def _without_format(words: list[str]) -> list[str] | None:
    """The arguments of shellcheck without an output format; `None` when it reads its standard input."""
    kept: list[str] = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in {"-f", "--format"}:
            skip = True
        elif word == "-":
            return None
        elif not word.startswith("--format="):
            kept.append(word)
    return kept
