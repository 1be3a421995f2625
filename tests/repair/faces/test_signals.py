"""Signals that come while something is written."""

import os
import signal
from threading import Thread

import pytest

from repair.faces.signals import ENDING, undisturbed


@pytest.mark.parametrize("sign", ENDING)
def test_a_signal_meanwhile_interrupts_nothing_and_is_heard_again_afterwards(sign: signal.Signals) -> None:
    heard: list[int] = []
    before = signal.signal(sign, lambda number, _: heard.append(number))
    try:
        with undisturbed():
            os.kill(os.getpid(), sign)
        during = list(heard)
        os.kill(os.getpid(), sign)
    finally:
        signal.signal(sign, before)

    assert (during, heard) == ([], [sign])


def test_handlers_come_back_after_a_failure() -> None:
    before = [signal.getsignal(sign) for sign in ENDING]

    with pytest.raises(OSError, match="disk full"), undisturbed():
        raise OSError("disk full")

    assert [signal.getsignal(sign) for sign in ENDING] == before


def test_another_thread_may_write_too() -> None:
    entered: list[bool] = []

    def write() -> None:
        with undisturbed():
            entered.append(True)

    thread = Thread(target=write)
    thread.start()
    thread.join()

    assert entered == [True]
