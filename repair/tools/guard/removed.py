"""Rules about code that is gone: files, definitions, and most of a definition."""

from collections import Counter
from collections.abc import Iterator

from rapidfuzz import fuzz

from repair.tools.guard.change import Change, FileChange, asks_for, critical, major, removable
from repair.tools.guard.definitions import Definition, definitions
from repair.tools.guard.source import Source
from repair.tools.guard.words import normal
from repair.values.change import Violation

_SAME_BODY = 80  # percent of equal words, above which a unit counts as moved
_LONGEST_COMPARED = 20_000
_SMALLEST_JUDGED = 24  # words; below, losing half says nothing


def removed(change: Change) -> Iterator[Violation]:
    """No file, and no named unit, may be gone without a finding that asks for it."""
    for file in change.product:
        if file.before is None:
            continue
        if file.after is None:
            yield from _gone_file(file, change)
        else:
            yield from _gone_units(file, change)
            yield from _shrunk(file, change)


def _gone_file(file: FileChange, change: Change) -> Iterator[Violation]:
    if file.before is None or any(finding.line is None for finding in removable(change.findings, file.path)):
        return  # a check calls the whole file unused
    moved = next((new.path for new in change.files if new.before is None and _alike(file.before, new.after)), None)
    if moved:
        yield major("renamed", f"the file was renamed to {moved}", file.path)
    else:
        yield critical("removed", "the file is gone", file.path)


def _alike(before: Source, after: Source | None) -> bool:
    if after is None or after.language != before.language:
        return False
    return fuzz.ratio(before.text[:_LONGEST_COMPARED], after.text[:_LONGEST_COMPARED]) >= _SAME_BODY


def _gone_units(file: FileChange, change: Change) -> Iterator[Violation]:
    if file.before is None or file.after is None:
        return
    if file.before.tokens and not file.after.tokens and not _all_flagged(file.before, file, change):
        yield critical("removed", "no code is left in the file", file.path)
    before, after = _by_name(file.before), _by_name(file.after)
    for name, units in before.items():
        if name in after:
            yield from _fewer(units, after[name], file, change)
        elif not _flagged(units[0], file, change):
            yield from _gone_unit(units[0], file, change)


def _all_flagged(before: Source, file: FileChange, change: Change) -> bool:
    """Whether a check named every line there was, as it does for a file of unused imports."""
    lines = {number for number, line in enumerate(before.text.splitlines(), 1) if line.strip()}
    return lines <= {finding.line for finding in removable(change.findings, file.path)}


def _by_name(source: Source) -> dict[str, list[Definition]]:
    found: dict[str, list[Definition]] = {}
    for unit in definitions(source):
        found.setdefault(unit.name, []).append(unit)
    return found


def _flagged(unit: Definition, file: FileChange, change: Change) -> bool:
    """Whether a check asked for exactly this unit to go."""
    return any(asks_for(finding, unit.name, unit.line) for finding in removable(change.findings, file.path))


def _gone_unit(unit: Definition, file: FileChange, change: Change) -> Iterator[Violation]:
    if file.after is not None and _unread(unit, file.after):
        return
    heir = _heir(unit, file, change)
    if not unit.exported and heir is not None:
        return
    message = f"the {unit.kind} `{unit.name}` is gone"
    if heir is not None and heir.name == unit.name and _mentioned(unit, file.after):
        return  # moved to another file, and this one passes its name on
    if unit.exported:
        yield critical("removed", message, file.path, unit.line)
    else:
        yield major("removed", message, file.path, unit.line)


def _unread(unit: Definition, after: Source) -> bool:
    """Whether the unit may still be there behind a syntax error that this change did not cure."""
    return after.root is not None and after.root.has_error and _mentioned(unit, after)


def _mentioned(unit: Definition, source: Source | None) -> bool:
    last = unit.name.rsplit(".", 1)[-1]
    return source is not None and any(token.kind == "name" and token.text == last for token in source.tokens)


def _heir(unit: Definition, file: FileChange, change: Change) -> Definition | None:
    """A unit that is new in this change and has the same body."""
    for other in change.files:
        if other.after is None or other.after.language != (file.before.language if file.before else None):
            continue
        known = {each.name for each in definitions(other.before)} if other.before else set()
        for new in definitions(other.after):
            if (new.name not in known) and new.kind == unit.kind and _same_body(unit, new):
                return new
    return None


def _same_body(old: Definition, new: Definition) -> bool:
    before, after = normal(old.body_tokens)[:_LONGEST_COMPARED], normal(new.body_tokens)[:_LONGEST_COMPARED]
    return before == after or fuzz.ratio(before, after) >= _SAME_BODY


def _fewer(before: list[Definition], after: list[Definition], file: FileChange, change: Change) -> Iterator[Violation]:
    """Overloads and repeated rules: fewer of them may be a merge, or a loss."""
    if len(after) < len(before) and not _flagged(before[-1], file, change):
        repeated = Counter(normal(unit.tokens) for unit in before)
        if len(after) < len(repeated):
            yield major("removed", f"there are fewer definitions of `{before[0].name}`", file.path, before[0].line)
    if any(unit.exported for unit in before) and not any(unit.exported for unit in after):
        yield major("removed", f"`{before[0].name}` is no longer public", file.path, after[0].line)


def _shrunk(file: FileChange, change: Change) -> Iterator[Violation]:
    """More than half of a unit's words gone."""
    if file.before is None or file.after is None:
        return
    flagged = {finding.line for finding in removable(change.findings, file.path) if finding.line}
    after = _by_name(file.after)
    grown = sum(
        len(unit.tokens) for name, units in after.items() if name not in _by_name(file.before) for unit in units
    )
    for name, units in _by_name(file.before).items():
        size = sum(len(unit.tokens) for unit in units)
        left = sum(len(unit.tokens) for unit in after.get(name, ())) + grown
        if any(unit.line <= line <= unit.end_line for unit in units for line in flagged):
            continue
        if name in after and size >= _SMALLEST_JUDGED and left * 2 < size:
            yield major("shrunk", f"more than half of `{name}` is gone", file.path, units[0].line)
    if not after and len(file.before.lines) >= 8 and len(file.after.text.split()) * 2 < len(file.before.text.split()):
        yield major("shrunk", "more than half of the file is gone", file.path)
