"""Pure decisions over values: no I/O, no clock, no randomness."""
