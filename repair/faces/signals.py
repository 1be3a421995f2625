"""Writing what may not be left half written."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread

ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""The signals by which people and systems end a run."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Leave the ending signals unheard for a moment; only the main thread hears any."""
    if current_thread() is not main_thread():
        yield
        return
    heard = {sign: signal.signal(sign, signal.SIG_IGN) for sign in ENDING}
    try:
        yield
    finally:
        for sign, handler in heard.items():
            signal.signal(sign, signal.SIG_DFL if handler is None else handler)
