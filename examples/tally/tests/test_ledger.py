from tally.ledger import Entry, read


def test_reads_names_and_cents() -> None:
    lines = ["payer,purpose,amount", "ida, bread ,3.5", "jon,rent,410.00"]
    assert list(read(lines)) == [Entry("ida", "bread", 350), Entry("jon", "rent", 41000)]
