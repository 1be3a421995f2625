"""The configuration of a repository: `.regomender.yml`, version 1."""

from typing import Literal

from pydantic import Field

from repair.values.base import Value


class CheckEntry(Value):
    """One entry of `checks:`; `timeout` is in seconds."""

    name: str = Field(min_length=1)
    kind: Literal["syntax", "semantic"]
    run: str = Field(min_length=1)
    fix: str | None = None
    cwd: str = "."
    timeout: float = Field(default=300, gt=0)
    paths: tuple[str, ...] = ()
    required: bool = True


class Limits(Value):
    """What one run may use. `seconds` is wall time, `usd` money."""

    iterations: int = Field(default=15, ge=1, le=100)
    stagnation: int = Field(default=3, ge=2, le=5)
    rewrite_above: int = Field(default=10, ge=1)
    attempts_per_pr: int = Field(default=3, ge=1)
    tokens: int = Field(default=200_000, ge=0)
    seconds: float = Field(default=1800, gt=0)
    usd: float = Field(default=1.0, ge=0)


class Network(Value):
    """Which registries or hosts a phase may reach."""

    setup: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()


class CommitSettings(Value):
    """How fix commits are made."""

    sign: Literal["api", "none"] = "api"
    sign_off: bool = False
    prefix: str = "fix: "


class Labels(Value):
    """The labels that start and forbid a run."""

    run: str = "regomender"
    off: str = "regomender:off"


class Invariant(Value):
    """A command that must hold on every accepted tree and that the Repairer never sees."""

    name: str = Field(min_length=1)
    run: str = Field(min_length=1)


class Settings(Value):
    """A whole `.regomender.yml`; every field has the documented default."""

    version: Literal[1] = 1
    mode: Literal["suggest", "commit", "comment"] = "suggest"
    auto: bool = True
    setup: tuple[str, ...] = ()
    checks: tuple[CheckEntry, ...] = ()
    protect: tuple[str, ...] = ()
    tests: Literal["never", "suggest", "allow"] = "suggest"
    limits: Limits = Limits()
    network: Network = Network()
    commit: CommitSettings = CommitSettings()
    labels: Labels = Labels()
    bots: tuple[str, ...] = ()
    hints: tuple[str, ...] = ()
    invariants: tuple[Invariant, ...] = ()
