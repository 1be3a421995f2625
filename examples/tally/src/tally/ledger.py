"""Reading what was spent."""

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Entry:
    """One purchase; the amount is in cents."""

    payer: str
    purpose: str
    cents: int


def read(lines: Iterable[str]) -> Iterator[Entry]:
    """The entries of a CSV text with the columns payer, purpose and amount."""
    for row in csv.DictReader(lines):
        yield Entry(row["payer"].strip(), row["purpose"].strip(), _cents(row["amount"]))


def _cents(amount: str) -> int:
    whole, _, fraction = amount.strip().partition(".")
    return int(whole) * 100 + int(fraction.ljust(2, "0")[:2])
