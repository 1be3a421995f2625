"""What a run may touch and must make true. Frozen and hashed before the first edit."""

from typing import Literal

from repair.values.base import Value


class Contract(Value):
    """The limits of a repair.

    `in_scope` and `protected` are git-style globs; protection wins. `acceptance` are the names of
    the checks that must pass, `invariants` the names of the hidden ones. `targets` are the
    fingerprints of the findings at the start. `test_policy` says whether tests may be edited.
    """

    goal: str
    base_tree: str
    in_scope: tuple[str, ...] = ("**",)
    protected: tuple[str, ...] = ()
    test_policy: Literal["never", "suggest", "allow"] = "suggest"
    targets: tuple[str, ...] = ()
    acceptance: tuple[str, ...] = ()
    invariants: tuple[str, ...] = ()
