"""The journal of a run: one JSON object a line, only ever appended to."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from pydantic import TypeAdapter, ValidationError

from repair.tools.locks import InUse, hold
from repair.values.blackboard import Event

_EVENT: TypeAdapter[Event] = TypeAdapter(Event)


class JournalError(Exception):
    """The journal cannot be read or is in use; the message says what to do."""


class Journal:
    """Appends events to a file. Every line is on the disk before `append` returns."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock: BinaryIO | None = None

    def lock(self) -> None:
        """Keep every other process, and journal, off this run until this one is gone. Raises `JournalError`."""
        if self._lock is not None:
            return
        try:
            self._lock = hold(self.path.with_name(f"{self.path.name}.lock"))
        except InUse as error:
            raise JournalError(f"another process works on this run ({self.path}); wait for its end") from error

    def append(self, event: Event) -> None:
        """Write one event."""
        line = _EVENT.dump_json(event) + b"\n"
        with self.path.open("ab") as file:
            file.write(line)
            file.flush()
            os.fsync(file.fileno())

    def read(self) -> tuple[Event, ...]:
        """All events. A last line that a crash tore is cut off the file. Raises `JournalError` for any other damage."""
        if not self.path.is_file():
            raise JournalError(f"{self.path} is not there; --resume takes the --output folder of an earlier run")
        self._cut_torn_line()
        return tuple(self._events())

    def _events(self) -> Iterator[Event]:
        for number, line in enumerate(self.path.read_bytes().splitlines(), 1):
            try:
                yield _EVENT.validate_json(line)
            except ValidationError as error:
                raise JournalError(
                    f"{self.path}, line {number} is not an event of this version: start a new run"
                ) from error

    def _cut_torn_line(self) -> None:
        content = self.path.read_bytes()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            with self.path.open("r+b") as file:
                file.truncate(whole)
