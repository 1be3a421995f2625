"""Who owes whom."""

from collections import Counter
from collections.abc import Iterable

from tally.ledger import Entry


def paid(entries: Iterable[Entry]) -> dict[str, int]:
    """How many cents each person paid."""
    totals: Counter[str] = Counter()
    for entry in entries:
        totals[entry.payer] += entry.cents
    return dict(totals)
