"""The live view of a run: one line an attempt, and what runs now and for how long."""

import contextlib
import sys
from collections.abc import Iterator
from typing import TextIO

from rich.console import Console
from rich.status import Status

from repair.faces.report import line_of
from repair.roles.workbench import Watcher
from repair.rules.comparison import signature
from repair.values.blackboard import Attempted, Baseline, Diagnosed, Event, Flaked, RolledBack


@contextlib.contextmanager
def watching(stream: TextIO | None = None) -> Iterator[Watcher]:
    """A live view at a terminal, plain lines elsewhere; both on standard error unless a stream is named."""
    if not sys.stderr.isatty():
        yield LineWatcher(stream or sys.stderr)
        return
    watcher = TerminalWatcher()
    try:
        yield watcher
    finally:
        watcher.stop()


class QuietWatcher:
    """Looks on and says nothing."""

    def event(self, event: Event) -> None:
        """Say nothing."""

    def working(self, what: str) -> None:
        """Say nothing."""


class LineWatcher:
    """One plain line for each entry, for logs and pipes."""

    def __init__(self, stream: TextIO = sys.stderr) -> None:
        self._stream = stream

    def event(self, event: Event) -> None:
        """Print the line of an event."""
        line = line_for(event)
        if line:
            print(line, file=self._stream, flush=True)

    def working(self, what: str) -> None:
        """Say nothing: a log needs no clock."""


class TerminalWatcher:
    """Lines above a status that moves; for a person at a terminal."""

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False)
        self._status: Status | None = None

    def event(self, event: Event) -> None:
        """Print the line of an event above the status."""
        line = line_for(event)
        if line:
            self._console.print(line, markup=False)

    def working(self, what: str) -> None:
        """Show what runs now; the spinner counts the seconds."""
        self.stop()
        self._status = Status("", console=self._console)
        self._status.update(_Clock(what, self._console))
        self._status.start()

    def stop(self) -> None:
        """Take the status away."""
        if self._status is not None:
            self._status.stop()
            self._status = None


class _Clock:
    def __init__(self, what: str, console: Console) -> None:
        self._what, self._console, self._began = what, console, console.get_time()

    def __rich__(self) -> str:
        return f"{self._what.replace('[', '(')} {self._console.get_time() - self._began:.0f} s"


def line_for(event: Event) -> str:
    """What a person reads of an event; empty for those that say nothing to people."""
    match event:
        case Baseline():
            return f" 0 baseline {signature(event.state, 0)}"
        case Attempted():
            return line_of(event.attempt)
        case Diagnosed() | RolledBack():
            return line_of(event)
        case Flaked():
            return f"    {len(event.fingerprints)} flaky failures left out"
        case _:
            return ""
