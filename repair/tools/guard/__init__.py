"""The deterministic gate against fixes that only silence, weaken or fool a check."""

from repair.tools.guard.change import ModedTree
from repair.tools.guard.gate import inspect_change
from repair.tools.guard.protection import BUILT_IN_PROTECTED, allowed_path, protected_globs

__all__ = ["BUILT_IN_PROTECTED", "ModedTree", "allowed_path", "inspect_change", "protected_globs"]
