"""Rules about paths: what may not change whatever is in it."""

import sys
from collections.abc import Iterator
from pathlib import PurePosixPath

from repair.tools.guard.change import Change, FileChange, ModedTree, critical, major
from repair.tools.guard.inventory import facts
from repair.tools.guard.kinds import kinds
from repair.tools.guard.protection import allowed_path, beyond_tests, is_test, malformed_path, matches
from repair.values.change import Violation

# Modules a check imports: a file of that name in the repository would stand in for the tool.
_TOOLS = kinds(
    "pytest _pytest pluggy mypy ruff unittest coverage hypothesis flake8 pycodestyle pyflakes pylint black isort tox",
    "nox nose doctest bandit yamllint sqlfluff pyright jest vitest mocha eslint prettier typescript",
)
_IMPORT_ROOTS = frozenset({"", "src", "lib", "python"})


def paths(change: Change) -> Iterator[Violation]:
    """Protected, out-of-scope and malformed paths; modules that shadow a tool; binary files; modes and links."""
    for file in change.files:
        reason = allowed_path(file.path, change.contract)
        if reason and not (change.tool_made and _reformatted_test(file, change)):
            yield critical("path", reason, file.path)
        elif file.before is None and _shadows(file.path):
            yield critical("shadowing", "the new module stands in for a tool or a standard module", file.path)
        elif file.is_binary:
            yield major("binary", "a binary file was changed", file.path)
        elif any(side.unread for side in (file.before, file.after) if side):
            yield major("uninspected", "the file is too large or too deeply nested to be inspected", file.path)
    yield from _modes(change)


def _reformatted_test(file: FileChange, change: Change) -> bool:
    """Whether a tool rewrote a test file, and every test still asserts what it did."""
    if malformed_path(file.path) or not is_test(file.path) or not matches(file.path, change.contract.in_scope):
        return False
    if file.before is None or file.after is None or matches(file.path, beyond_tests(change.contract)):
        return False
    before, after = facts(file.before), facts(file.after)
    return file.before.language is not None and bool(before) and before == after


def _shadows(path: str) -> bool:
    parts = PurePosixPath(path).parts
    if len(parts) > 1 and parts[0] in _IMPORT_ROOTS:
        parts = parts[1:]
    name = PurePosixPath(parts[0]).stem if len(parts) == 1 else parts[0]
    code = path.endswith((".py", ".pyi", ".so", ".js", ".cjs", ".mjs"))
    return code and (name in _TOOLS or (path.endswith(".py") and name in sys.stdlib_module_names))


def _modes(change: Change) -> Iterator[Violation]:
    if not isinstance(change.base, ModedTree) or not isinstance(change.candidate, ModedTree):
        return
    before, after = change.base.modes(), change.candidate.modes()
    for path in sorted(after):
        if path in before and before[path] != after[path]:
            yield critical("mode", f"the mode changed from {before[path]} to {after[path]}", path)
        elif path not in before and after[path] not in {"100644", "100755"}:
            yield critical("mode", "a link or submodule was added", path)
