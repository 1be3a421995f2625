"""Frozen models without I/O. They import nothing else of ours."""
