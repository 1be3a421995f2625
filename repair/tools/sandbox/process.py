"""One child process with a deadline, bounded output, and a look at its stacks before it is killed."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from repair.values.execution import Ended, Execution

KEPT_BYTES = 512 * 1024
"""How much of the head, and how much of the tail, of the output is kept."""
FLOOD_BYTES = 256 * 1024 * 1024
_LAST_WORDS_SECONDS = 2.0
_ROUNDS = 5


class _Output:
    """The head and the tail of a stream."""

    def __init__(self) -> None:
        self.head = bytearray()
        self.tail = bytearray()
        self.total = 0

    def feed(self, chunk: bytes) -> None:
        self.total += len(chunk)
        room = KEPT_BYTES - len(self.head)
        self.head += chunk[:room] if room > 0 else b""
        self.tail += chunk[max(room, 0) :]
        if len(self.tail) > 2 * KEPT_BYTES:
            del self.tail[:-KEPT_BYTES]

    def text(self) -> str:
        tail = bytes(self.tail[-KEPT_BYTES:])
        lost = self.total - len(self.head) - len(tail)
        mark = f"\n[... {lost} bytes omitted ...]\n".encode() if lost > 0 else b""
        return (bytes(self.head) + mark + tail).decode("utf-8", errors="replace")


class _Watch(asyncio.SubprocessProtocol):
    """What is heard of a child process, each thing as soon as it happens.

    `asyncio.subprocess.Process.wait` would wait for the pipe too, which a daemon may hold open for ever.
    """

    def __init__(self) -> None:
        self.output = _Output()
        self.exited = asyncio.Event()
        self.closed = asyncio.Event()
        self.flooded = asyncio.Event()

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        """Keep what is worth keeping."""
        self.output.feed(data)
        if self.output.total > FLOOD_BYTES:
            self.flooded.set()

    def pipe_connection_lost(self, fd: int, exc: Exception | None) -> None:
        """Nobody can write any more."""
        self.closed.set()

    def process_exited(self) -> None:
        """The child itself has ended; what it started may not have."""
        self.exited.set()


async def run_process(argv: Sequence[str], *, env: Mapping[str, str], cwd: Path, timeout: float) -> Execution:
    """Run a program in its own session until it ends or `timeout` seconds are over; its whole group dies with it."""
    began = time.monotonic()
    try:
        child, watch = await asyncio.get_running_loop().subprocess_exec(
            _Watch,
            *argv,
            env=dict(env),
            cwd=cwd,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        return Execution(ended=Ended.NOT_STARTED, exit_code=None, output=str(error), seconds=0.0)
    try:
        ended, stack = await _wait(child.get_pid(), watch, timeout)
    finally:
        _kill_group(child.get_pid())
        await _happens(watch.exited, 10)
        child.close()
    return Execution(
        ended=ended,
        exit_code=_exit_code(child.get_returncode()),
        output=watch.output.text(),
        seconds=time.monotonic() - began,
        stack=stack,
    )


async def _wait(pid: int, watch: _Watch, timeout: float) -> tuple[Ended, str]:
    ends = {asyncio.create_task(event.wait()) for event in (watch.exited, watch.flooded)}
    try:
        await asyncio.wait(ends, timeout=timeout, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for end in ends:
            end.cancel()
    if watch.flooded.is_set():
        return Ended.TOO_MUCH_OUTPUT, ""
    if watch.exited.is_set():
        # What the command itself wrote is in the pipe already.
        await _happens(watch.closed, 1.0)
        return Ended.EXITED, ""
    return Ended.TIMED_OUT, await _last_words(pid, watch.output)


async def _happens(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, but not for ever."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(event.wait(), seconds)


async def _last_words(pid: int, output: _Output) -> str:
    """Ask interpreters that hang for their stacks: Python by faulthandler, Go and the JVM by SIGQUIT."""
    before = output.total
    for descendant in _descendants(pid):
        wanted = _dump_signal(descendant)
        if wanted is not None:
            with contextlib.suppress(OSError):
                os.kill(descendant, wanted)
    await asyncio.sleep(_LAST_WORDS_SECONDS)
    said = output.total - before
    return output.text()[-said:][-16_000:] if said > 0 else ""


def _dump_signal(pid: int) -> signal.Signals | None:
    with contextlib.suppress(OSError):
        name = Path(f"/proc/{pid}/exe").readlink().name
        if name.startswith(("python", "pypy")):
            return signal.SIGABRT
        if name == "java" or name.endswith(".test"):
            return signal.SIGQUIT
    return None


def _descendants(pid: int) -> tuple[int, ...]:
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, ValueError, IndexError):
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
            children.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found, todo = [], [pid]
    while todo:
        for child in children.get(todo.pop(), []):
            found.append(child)
            todo.append(child)
    return (pid, *found)


def kill_marked(variable: str, value: str) -> None:
    """Kill every process that was started with this variable in its environment, whatever session it moved to."""
    mark = f"{variable}={value}".encode()
    for _ in range(_ROUNDS):  # a process may start another one while they are looked through
        killed = [_kill_if_marked(int(folder.name), mark) for folder in Path("/proc").glob("[0-9]*")]
        if not any(killed):
            return


def _kill_if_marked(pid: int, mark: bytes) -> bool:
    """Kill a process if its environment holds the mark. A descriptor keeps its number from meaning another one."""
    try:
        process = os.pidfd_open(pid)
    except OSError:  # gone meanwhile
        return False
    try:
        marked = mark in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        if marked:
            signal.pidfd_send_signal(process, signal.SIGKILL)
        return marked
    except OSError:  # gone meanwhile, or somebody else's
        return False
    finally:
        os.close(process)


def _kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(group, signal.SIGKILL)


def _exit_code(returncode: int | None) -> int | None:
    if returncode is None:
        return None
    return returncode if returncode >= 0 else 128 - returncode
