from tally.ledger import Entry
from tally.shares import paid


def test_adds_up_what_each_person_paid() -> None:
    entries = [Entry("ida", "bread", 350), Entry("jon", "rent", 41000), Entry("ida", "oil", 600)]
    assert paid(entries) == {"ida": 950, "jon": 41000}
