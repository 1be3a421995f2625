"""Figures we keep: ratios measured in one run, never timed tests."""
