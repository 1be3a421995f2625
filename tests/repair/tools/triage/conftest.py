"""A run as the registry gets it, and what it reads in it."""

from collections.abc import Sequence
from typing import Protocol

import pytest

from repair.tools.triage.matchers import ProblemMatcher
from repair.tools.triage.registry import triage
from repair.values.checks import Check, Stage
from repair.values.triage import Transcript, Triage


class Read(Protocol):
    def __call__(
        self,
        output: str,
        run: str = "./ci",
        exit_code: int = 1,
        *,
        cwd: str = ".",
        stage: Stage = Stage.UNIT,
        reports: Sequence[tuple[str, str]] = (),
        matchers: Sequence[ProblemMatcher] = (),
    ) -> Triage: ...


@pytest.fixture(scope="session")
def read() -> Read:
    """Triage of an output, by default of a failed run whose command gives nothing away, in /repo."""

    def read_run(
        output: str,
        run: str = "./ci",
        exit_code: int = 1,
        *,
        cwd: str = ".",
        stage: Stage = Stage.UNIT,
        reports: Sequence[tuple[str, str]] = (),
        matchers: Sequence[ProblemMatcher] = (),
    ) -> Triage:
        check = Check(name="check", stage=stage, run=run, cwd=cwd)
        given = Transcript(check=check, exit_code=exit_code, output=output, root="/repo", reports=tuple(reports))
        return triage(given, matchers)

    return read_run
