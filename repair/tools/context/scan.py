"""The context scan: everything a repair should know about the code around its findings."""

from collections.abc import Iterator, Mapping, Sequence

from repair.tools.context import evidence, related
from repair.tools.context.budget import fit
from repair.tools.context.configuration import configuration
from repair.tools.context.excerpts import shown
from repair.tools.context.index import Index
from repair.tools.context.suggest import rank
from repair.tools.context.targets import Target, error_units, failing_tests
from repair.tools.tree import Tree
from repair.values.checks import Finding
from repair.values.context import ContextPack, Excerpt

BUDGET = 12_000


def scan(
    tree: Tree,
    findings: Sequence[Finding],
    *,
    diff: str = "",
    last_green: Mapping[str, str] | None = None,
    hidden: Sequence[str] = (),
    command: str = "",
    depth: int = 1,
    budget: int = BUDGET,
) -> ContextPack:
    """The facts about the code around the findings, the same for the same input, within `budget` characters.

    `diff` is the pull request against its base; `last_green` maps paths to their text when the check last passed;
    `hidden` paths, folders or globs are never read; `command` is what the check runs; `depth` counts the hops from the
    units to the definitions they use. Names of kinds that the budget cut are in the pack's `cut`.
    """
    index = Index(tree, hidden)
    tests = failing_tests(index, findings, command)
    suspects = rank(index, findings, command, diff)
    targets = error_units(index, findings, tests, suspects)
    found = [*_units(index, targets), *evidence.failing(index, tests)]
    found += [*related.headers(index, targets), *related.definitions(index, targets, depth)]
    found += [*related.dependents(index, targets, tests), *configuration(index, command, suspects)]
    paths = list(dict.fromkeys([*(excerpt.path for excerpt in found), *suspects]))
    found += evidence.hunks(index, diff, targets, paths)
    found += evidence.last_green_units(index, targets, last_green or {})
    found += [*related.similar(index, targets), *evidence.decisions(index, targets)]
    return fit(found, budget)


def _units(index: Index, targets: Sequence[Target]) -> Iterator[Excerpt]:
    for target in targets:
        text = index.files.text(target.unit.path) or ""
        yield shown("a", text, target.unit, target.reason, target.confidence, target.lines)
