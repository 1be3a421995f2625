"""What is connected with a unit: its imports, the definitions it uses, its dependents, code like it."""

from collections.abc import Iterable, Iterator, Sequence

from repair.tools.context import exclude
from repair.tools.context.excerpts import shown
from repair.tools.context.index import Index, Place
from repair.tools.context.sources import family_of, language_of
from repair.tools.context.targets import Target
from repair.tools.context.units import SHORT_FILE, enclosing_unit, unit_of, whole_file
from repair.values.change import Unit
from repair.values.context import Excerpt

_MOST_IMPORT_LINES = 40
_MOST_DEFINITIONS = 24
_MOST_NAMES = 80
_MOST_DEPENDENTS = 8
_MOST_USES = 60
_MOST_USERS = 50
_MOST_DEFINED_NAMES = 10
_MOST_SIBLINGS = 20
_TINY_FILE = 25
_ALIKE = 0.5
_FEWEST_NAMES = 4

# Terraform passes each value through several small blocks: argument, variable, local, resource, output.
_MORE_HOPS = {"hcl": 2}


def headers(index: Index, targets: Sequence[Target]) -> Iterator[Excerpt]:
    """(b) The imports of the files of which only a part is shown."""
    for path in dict.fromkeys(target.unit.path for target in targets):
        text = index.files.text(path) or ""
        lines = [entry.line for entry, _ in index.imports(path)]
        parts = [target.unit for target in targets if target.unit.path == path]
        if not lines or language_of(path) == "bash" or any(unit.start <= lines[0] <= unit.end for unit in parts):
            continue
        end = max(line for line in lines if line < lines[0] + _MOST_IMPORT_LINES)
        yield shown("b", text, Unit(path=path, start=lines[0], end=end, kind="imports"), "imports of the file")


def definitions(index: Index, targets: Sequence[Target], depth: int) -> Iterator[Excerpt]:
    """(c) The definitions of the names used in the units, then of those used there, `depth` times."""
    seen: set[tuple[str, int, int]] = set()
    front = [target.unit for target in targets]
    hops = depth + max((_MORE_HOPS.get(language_of(unit.path), 0) for unit in front), default=0)
    for hop in range(1, hops + 1):
        following: list[Unit] = []
        for unit in front:
            for place, name in _used(index, unit):
                found = _unit(index, place)
                key = (found.path, found.start, found.end)
                if key in seen or len(seen) >= _MOST_DEFINITIONS:
                    continue
                seen.add(key)
                following.append(found)
                reason = f"defines {name}, used in {unit.name or unit.path}"
                yield shown("c", index.files.text(found.path) or "", found, reason, place.confidence * 0.9 ** (hop - 1))
        front = following
    yield from _unexplained(index, [target.unit for target in targets])


def dependents(index: Index, targets: Sequence[Target], tests: Sequence[Target]) -> Iterator[Excerpt]:
    """(d) The code elsewhere that uses what the units define; tests last, without the files of the failing ones."""
    failing = {test.unit.path for test in tests}
    uses = [(target.unit.path, *use) for target in targets for use in _uses(index, target.unit)]
    outside = sorted((use for use in uses if use[2] not in failing), key=lambda use: exclude.is_test(use[2]))
    found: dict[tuple[str, int], Excerpt] = {}
    for owner, name, path, line in outside[:_MOST_USES]:
        text = index.files.text(path) or ""
        user = _around(path, text, line)
        found.setdefault((path, user.start), shown("d", text, user, f"uses {name} of {owner}", 0.9))
    yield from list(found.values())[:_MOST_DEPENDENTS]


def similar(index: Index, targets: Sequence[Target]) -> Iterator[Excerpt]:
    """(i) For each unit the definition in its folder that shares most names with it, if that is at least half."""
    for target in targets:
        unit = target.unit
        names = frozenset(index.uses(unit.path, unit.start, unit.end))
        if len(names) < _FEWEST_NAMES or unit.kind == "file":
            continue
        ranked = sorted(_likenesses(index, unit, names), key=lambda entry: (-entry[0], entry[1].path, entry[1].start))
        for likeness, other in ranked[:1]:
            text = index.files.text(other.path) or ""
            yield shown("i", text, other, f"similar to {unit.name}", likeness)


def _likenesses(index: Index, unit: Unit, names: frozenset[str]) -> Iterator[tuple[float, Unit]]:
    folder = unit.path.rpartition("/")[0]
    siblings = [path for path in index.files.in_folder(folder) if family_of(path) == family_of(unit.path)]
    for path in siblings[:_MOST_SIBLINGS]:
        for entry in index.definitions(path):
            if entry.kind != unit.kind or (path == unit.path and entry.start <= unit.end and unit.start <= entry.end):
                continue
            others = frozenset(index.uses(path, entry.start, entry.end))
            likeness = len(names & others) / len(names | others)
            if likeness >= _ALIKE:
                yield likeness, unit_of(path, index.files.text(path) or "", entry)


def _used(index: Index, unit: Unit) -> Iterator[tuple[Place, str]]:
    """The definitions outside a unit of the names used in it."""
    for name in index.uses(unit.path, unit.start, unit.end)[:_MOST_NAMES]:
        for place in index.resolve(unit.path, name):
            inside = place.path == unit.path and unit.start <= place.definition.start <= unit.end
            if not inside and place.definition.kind != "package":
                yield place, name


def _unexplained(index: Index, units: Iterable[Unit]) -> Iterator[Excerpt]:
    """Short files that a unit imports by a name it uses although none of the names it uses is defined there."""
    for unit in units:
        names = {name.rpartition(".")[2] for name in index.uses(unit.path, unit.start, unit.end)}
        explained = {place.path for place, _ in _used(index, unit)}
        for entry, files in index.imports(unit.path):
            used = unit.start <= entry.line <= unit.end or names.intersection(entry.names)
            for path in files if used else ():
                text = index.files.text(path) or ""
                whole = whole_file(path, text)
                if path not in explained and whole.lines <= SHORT_FILE:
                    yield shown("c", text, whole, f"imported as {entry.module}", 0.7)


def _unit(index: Index, place: Place) -> Unit:
    """The definition; the whole file where that is hardly more."""
    text = index.files.text(place.path) or ""
    whole = whole_file(place.path, text)
    return whole if whole.lines <= _TINY_FILE else unit_of(place.path, text, place.definition)


def _uses(index: Index, unit: Unit) -> Iterator[tuple[str, str, int]]:
    """Where names that a unit defines are used outside it: name, path, line.

    Files that neither import the unit's file nor see it count only for rare names that nothing else defines; an import
    counts only in a file that has no other use.
    """
    family = family_of(unit.path)
    near = {unit.path, *index.importers(unit.path), *index.neighbours(unit.path)}
    for name in _defined_in(index, unit):
        everywhere = index.mentioning(name, family)
        unique = len(everywhere) <= _MOST_USERS and len(index.defining(name, family)) == 1
        uses = index.using(name, everywhere if unique else (path for path in everywhere if path in near))
        outside = [(path, line) for path, line in uses if path != unit.path or not unit.start <= line <= unit.end]
        importing = {(path, entry.line) for path, _ in outside for entry, _ in index.imports(path)}
        using = {path for path, line in outside if (path, line) not in importing}
        yield from ((name, path, line) for path, line in outside if path not in using or (path, line) not in importing)


def _around(path: str, text: str, line: int) -> Unit:
    """The unit around a use; in a short file a few lines."""
    unit = enclosing_unit(path, text, line)
    if unit.kind != "file" or unit.lines <= SHORT_FILE // 2:
        return unit
    return Unit(path=path, start=max(1, line - 5), end=min(unit.end, line + 5), kind="lines")


def _defined_in(index: Index, unit: Unit) -> tuple[str, ...]:
    entries = (entry for entry in index.definitions(unit.path) if unit.start <= entry.start <= unit.end)
    names = (entry.name for entry in entries if entry.name and entry.kind not in ("package", "local"))
    return tuple(dict.fromkeys(names))[:_MOST_DEFINED_NAMES]
