"""Facts about files, remembered by their content."""

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeVar

from repair.tools.context.seam import Definition, ImportRef, Reference
from repair.tools.context.sources import language_of, source_of

CAPACITY = 1_000_000

Fact = TypeVar("Fact")


class FactCache:
    """Asks the source of a language once for each content; the least recently used facts go when there are too many.

    `capacity` is the number of single facts kept, about 100 bytes each. Safe to share between threads.
    """

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._held = 0
        self._known: OrderedDict[tuple[str, ...], tuple[object, ...]] = OrderedDict()
        self._lock = threading.Lock()

    def definitions(self, path: str, text: str) -> tuple[Definition, ...]:
        """The definitions of a file."""
        return self._ask("definitions", language_of(path), source_of(path).definitions, path, text)

    def references(self, path: str, text: str) -> tuple[Reference, ...]:
        """The names a file uses."""
        return self._ask("references", language_of(path), source_of(path).references, path, text)

    def imports(self, path: str, text: str) -> tuple[ImportRef, ...]:
        """The imports of a file; they depend on its path as well."""
        return self._ask("imports", path, source_of(path).imports, path, text)

    def _ask(
        self, what: str, owner: str, ask: Callable[[str, str], tuple[Fact, ...]], path: str, text: str
    ) -> tuple[Fact, ...]:
        key = what, owner, hashlib.blake2b(text.encode("utf-8", errors="replace"), digest_size=16).hexdigest()
        with self._lock:
            if key in self._known:
                self._known.move_to_end(key)
                return self._known[key]  # type: ignore[return-value]  # the key names the kind of fact
        facts = ask(path, text)
        with self._lock:
            self._keep(key, facts)
        return facts

    def _keep(self, key: tuple[str, ...], facts: tuple[object, ...]) -> None:
        if key in self._known:
            return
        self._known[key] = facts
        self._held += len(facts) + 1
        while self._held > self._capacity and len(self._known) > 1:
            _, dropped = self._known.popitem(last=False)
            self._held -= len(dropped) + 1


SHARED = FactCache()
