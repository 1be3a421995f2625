"""What every role works with."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from repair.rules.progress import fold, replay
from repair.tools.journal import Journal
from repair.tools.model import ModelClient, ModelFailure
from repair.tools.redact import Redactor
from repair.tools.sandbox import Sandbox
from repair.tools.verify import Verifier
from repair.tools.workspace import Workspace
from repair.values.blackboard import Asked, Blackboard, Event
from repair.values.checks import Check
from repair.values.model import ModelReply, ModelRequest
from repair.values.settings import Settings

_SHORTEST_ANSWER = 64


class BudgetSpent(Exception):  # noqa: N818  # how a run ends, not a mistake
    """The next request to the model would go over a limit; the message names it."""


class Watcher(Protocol):
    """Someone who looks on: a terminal, a page, a check run."""

    def event(self, event: Event) -> None:
        """Something was written into the journal."""

    def working(self, what: str) -> None:
        """What runs now."""


@dataclass
class Workbench:
    """The tools of one run. `began` is the monotonic time at which this process took it up."""

    run: str
    workspace: Workspace
    sandbox: Sandbox
    sandbox_name: str
    verifier: Verifier
    checks: Sequence[Check]
    settings: Settings
    journal: Journal
    redactor: Redactor
    watcher: Watcher
    model: ModelClient | None = None
    diff: str = ""
    temperature: float | None = None
    clock: Callable[[], float] = time.monotonic
    began: float = field(default_factory=time.monotonic)
    _events: list[Event] = field(default_factory=list)
    _board: Blackboard | None = None

    @property
    def board(self) -> Blackboard:
        """The blackboard; it is there once the baseline is recorded."""
        if self._board is None:
            raise RuntimeError("the blackboard was asked for before the baseline was recorded")
        return self._board

    @property
    def seconds(self) -> float:
        """Wall time used so far."""
        return self.clock() - self.began

    @property
    def seconds_left(self) -> float:
        """Wall time the run still has."""
        return max(0.0, self.settings.limits.seconds - self.seconds)

    def record(self, event: Event) -> None:
        """Write an event into the journal, then let the blackboard and the onlookers know."""
        self.journal.append(event)
        self._events.append(event)
        self._board = fold(self._board, event) if self._board else replay(self._events)
        self.watcher.event(event)

    def recall(self, events: Sequence[Event]) -> None:
        """Take up the blackboard an earlier journal stands for."""
        self._events = list(events)
        self._board = replay(events)

    async def ask(self, request: ModelRequest) -> ModelReply:
        """Ask the model and write down what it cost, also when it fails. Raises `ModelFailure` or `BudgetSpent`."""
        if self.model is None:
            raise RuntimeError("a role asked a model that is not there")
        limit = self.settings.limits.tokens
        left = limit - self.board.usage.tokens - self.model.count_tokens(request.system + request.prompt)
        if left < _SHORTEST_ANSWER:
            raise BudgetSpent(f"the limit of {limit} tokens leaves too few for another request")
        # The request's own deadline comes before the run's, so that its price is still written down.
        seconds = max(1.0, min(request.timeout, self.seconds_left - 1.0))
        request = request.model_copy(update={"max_tokens": min(request.max_tokens, left), "timeout": seconds})
        self.watcher.working(f"{request.role.value} asks the model")
        asked = self.clock()
        try:
            reply = await self.model.ask(request)
        except ModelFailure as failure:
            spent = self.clock() - asked
            self.record(Asked(role=request.role, usage=failure.usage, seconds=spent, failure=failure.kind))
            raise
        self.record(Asked(role=request.role, usage=reply.usage, seconds=self.clock() - asked))
        return reply

    def check(self, name: str) -> Check:
        """The check of that name."""
        return next(check for check in self.checks if check.name == name)
