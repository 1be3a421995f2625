"""Which findings only follow from another one."""

from collections.abc import Hashable, Iterable, Sequence

from repair.values.checks import Category, Finding

# Each file mends its own syntax and style, though the words be the same.
_OF_THE_FILE = (Category.SYNTAX, Category.LINT_STYLE, Category.FORMAT)
_ONE_CAUSE = (Category.IMPORT_DEPENDENCY, Category.NAME_UNRESOLVED, Category.SYNTAX, Category.TEST_ERROR)


def mark_derived(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The same findings in the same order, `derived` set on those whose root is another finding.

    Derived are: what follows a file's first parse error; the same symbol and code in another file;
    one failed import, and one exception raised in one place, that many tests share.
    """
    given = tuple(findings)
    unparsed = _first_parse_errors(given)
    roots: dict[Hashable, Finding] = {}
    return tuple(
        found if found.derived or not _follows(found, unparsed, roots) else found.model_copy(update={"derived": True})
        for found in given
    )


def _first_parse_errors(findings: Sequence[Finding]) -> dict[str, Finding]:
    first: dict[str, Finding] = {}
    for found in findings:
        if found.category is Category.SYNTAX and found.file:
            known = first.get(found.file)
            if known is None or _line(found) < _line(known):
                first[found.file] = found
    return first


def _follows(found: Finding, unparsed: dict[str, Finding], roots: dict[Hashable, Finding]) -> bool:
    broken = unparsed.get(found.file or "")
    if broken is not None and found is not broken and _line(found) >= _line(broken):
        return True
    known = [(key, roots.get(key)) for key in _causes(found)]
    for key, root in known:
        if root is None:
            roots[key] = found
    return any(root is not None and _same_cause(key, root, found) for key, root in known)


def _line(found: Finding) -> int:
    """Its line; a finding without one concerns the whole file, and comes after every parse error."""
    return found.line or 1 << 31


def _causes(found: Finding) -> list[tuple[str, Hashable]]:
    causes: list[tuple[str, Hashable]] = []
    if found.symbol and found.category not in _OF_THE_FILE:
        causes.append(("symbol", (found.symbol, found.code, found.category)))
    if found.category is Category.IMPORT_DEPENDENCY:
        causes.append(("import", (found.symbol, found.message)))
    if found.category in _ONE_CAUSE and found.file and found.line:
        causes.append(("place", (found.file, found.line, found.code, found.message)))
    return causes


def _same_cause(key: tuple[str, Hashable], root: Finding, found: Finding) -> bool:
    return key[0] != "symbol" or root.file != found.file
