"""The legs of a job's matrix.

https://docs.github.com/actions/how-tos/write-workflows/choose-what-workflows-do/run-job-variations
"""

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Final

from repair.tools.documents import Plain, list_of, mapping_of

MAX_LEGS: Final = 256

Leg = dict[str, Plain]


def legs(matrix: Plain) -> Iterator[Leg]:
    """The legs in GitHub's order, at most `MAX_LEGS`; one empty leg for a job without a matrix."""
    fields = mapping_of(matrix)
    axes = {key: list_of(value) for key, value in fields.items() if key not in {"include", "exclude"}}
    axes = {key: values for key, values in axes.items() if values}
    included = [mapping_of(item) for item in list_of(fields.get("include"))]
    excluded = [mapping_of(item) for item in list_of(fields.get("exclude"))]
    if not axes:
        yield from islice(included or [{}], MAX_LEGS)
        return
    for values in islice(product(*axes.values()), MAX_LEGS):
        leg = dict(zip(axes, values, strict=True))
        if not any(_agrees(item, leg, item) for item in excluded):
            yield _extended(leg, included)
    yield from (item for item in included if not _extends(item, axes))


def flattened(prefix: str, value: Plain) -> Iterator[tuple[str, str]]:
    """`matrix.python` and its value for each text in the value, mappings by dotted names."""
    if isinstance(value, dict):
        for key, item in value.items():
            yield from flattened(f"{prefix}.{key}", item)
    elif isinstance(value, str):
        yield prefix, value


def _extended(leg: Leg, included: list[Leg]) -> Leg:
    extended = dict(leg)
    for item in included:
        if _agrees(item, leg, leg):
            extended.update(item)
    return extended


def _agrees(item: Leg, leg: Leg, keys: Mapping[str, Plain]) -> bool:
    """Whether item and leg say the same about each of the keys that the item has."""
    return all(leg.get(key) == item[key] for key in keys if key in item)


def _extends(item: Leg, axes: Mapping[str, list[Plain]]) -> bool:
    """Whether the item belongs to legs of the product, rather than being a leg of its own."""
    return all(item[key] in values for key, values in axes.items() if key in item)
