"""What surrounds the code of an error: the failing test, the pull request's diff, the last green version, decisions."""

import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence

from repair.tools.context import exclude
from repair.tools.context.excerpts import READ_ONLY, shown
from repair.tools.context.facts import SHARED
from repair.tools.context.index import Index, Place
from repair.tools.context.seam import Definition
from repair.tools.context.sources import language_of
from repair.tools.context.suggest import patch_of
from repair.tools.context.targets import Target
from repair.tools.context.units import SHORT_FILE, unit_of, whole_file
from repair.values.change import Unit
from repair.values.context import Excerpt

_MOST_TESTS = 4
_MOST_DATA_LINES = 30
_MOST_HUNKS = 12
_LONGEST_HUNK = 4000
_MOST_DECISIONS = 2
_DECISION_LINES = 40
_DECISION = re.compile(r"(?:^|/)(?:adrs?|decisions)/[^/]+\.(?:md|rst|adoc|txt)$")
_INTENT = "project.intent.md"


def failing(index: Index, tests: Sequence[Target]) -> Iterator[Excerpt]:
    """(e) The bodies of the failing tests, the fixtures they ask for, and the data files they read."""
    for test in tests[:_MOST_TESTS]:
        text = index.files.text(test.unit.path) or ""
        yield shown("e", text, test.unit, test.reason, test.confidence, test.lines)
        for place in _fixtures(index, test.unit):
            fixture = index.files.text(place.path) or ""
            unit = unit_of(place.path, fixture, place.definition)
            yield shown("e", fixture, unit, f"fixture of {test.unit.name}")
    for path in dict.fromkeys(file for test in tests[:_MOST_TESTS] for file in _data(index, test.unit)):
        text = index.files.text(path) or ""
        whole = whole_file(path, text)
        if whole.lines <= _MOST_DATA_LINES:
            yield shown("e", text, whole, "read by the failing test")


def hunks(index: Index, diff: str, targets: Sequence[Target], paths: Sequence[str]) -> Iterator[Excerpt]:
    """(g) The hunks of the pull request in files that are shown, those in the units first."""
    found = []
    for file in patch_of(diff):
        if file.path not in paths or index.files.text(file.path) is None:
            continue
        for hunk in file:
            start, end = max(1, hunk.target_start), max(1, hunk.target_start + max(0, hunk.target_length - 1))
            inside = any(t.unit.path == file.path and t.unit.start <= end and start <= t.unit.end for t in targets)
            note = f"; {READ_ONLY}" if exclude.is_test(file.path) else ""
            excerpt = Excerpt(
                kind="g",
                path=file.path,
                start=start,
                end=end,
                text=str(hunk)[:_LONGEST_HUNK].rstrip("\n"),
                reason=f"changed by the pull request{note}",
            )
            found.append((not inside, paths.index(file.path), start, excerpt))
    yield from (entry[-1] for entry in sorted(found, key=lambda entry: entry[:3])[:_MOST_HUNKS])


def last_green_units(index: Index, targets: Sequence[Target], last_green: Mapping[str, str]) -> Iterator[Excerpt]:
    """(h) The units as they were when the check last passed, where they differ."""
    for unit in (target.unit for target in targets if target.unit.path in last_green):
        old = last_green[unit.path]
        before = _same_unit(unit, old)
        text = index.files.text(unit.path) or ""
        if before and _lines(old, before) != _lines(text, unit):
            yield shown("h", old, before, "last version that passed")


def decisions(index: Index, targets: Sequence[Target]) -> Iterator[Excerpt]:
    """(j) The project's intent, and the decision records that speak of the files or units."""
    words = {target.unit.path for target in targets} | {posixpath.basename(target.unit.path) for target in targets}
    words |= {target.unit.name for target in targets if len(target.unit.name) > 3}
    documents = [path for path in index.files.searched if path == _INTENT or _DECISION.search(path)]
    relevant = [
        path for path in documents if path == _INTENT or any(word in (index.files.text(path) or "") for word in words)
    ]
    for path in relevant[:_MOST_DECISIONS]:
        text = index.files.text(path) or ""
        whole = whole_file(path, text)
        yield shown(
            "j", text, whole.model_copy(update={"end": min(whole.end, _DECISION_LINES)}), "decision of the project"
        )


def _fixtures(index: Index, unit: Unit) -> Iterator[Place]:
    """The pytest fixtures a test names as its parameters, from its own file or the nearest `conftest.py` above."""
    if language_of(unit.path) != "python":
        return
    text = index.files.text(unit.path) or ""
    header = re.search(r"def\s+\w+\(([^()]{0,1000})", _lines(text, unit))
    folder = posixpath.dirname(unit.path)
    above = [folder]
    while folder:
        folder = posixpath.dirname(folder)
        above.append(folder)
    files = [unit.path, *(posixpath.join(folder, "conftest.py") for folder in above)]
    for name in re.findall(r"[^\W\d]\w*", header[1]) if header else ():
        yield from index.defined(name, (file for file in files if index.files.text(file) is not None))[:1]


def _data(index: Index, unit: Unit) -> Iterator[str]:
    """The files of the tests that a test script reads."""
    for entry, files in index.imports(unit.path):
        if unit.start <= entry.line <= unit.end and language_of(unit.path) == "bash":
            yield from (file for file in files if exclude.is_test(file))


def _same_unit(unit: Unit, text: str) -> Unit | None:
    if unit.kind == "file":
        whole = whole_file(unit.path, text)
        return whole if whole.lines <= 2 * SHORT_FILE else None
    entries: tuple[Definition, ...] = SHARED.definitions(unit.path, text)
    return next((unit_of(unit.path, text, entry) for entry in entries if entry.path == unit.name and entry.name), None)


def _lines(text: str, unit: Unit) -> str:
    return "\n".join(text.split("\n")[unit.start - 1 : unit.end])
