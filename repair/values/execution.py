"""What a sandbox is asked to run, and what it saw."""

from enum import StrEnum

from pydantic import Field

from repair.values.base import Value


class Command(Value):
    """A program for the sandbox. `cwd` is relative to the tree; `timeout` is in seconds."""

    argv: tuple[str, ...]
    cwd: str = "."
    timeout: float = Field(default=300, gt=0)
    env: tuple[tuple[str, str], ...] = ()
    network: bool = False

    @staticmethod
    def bash(script: str) -> tuple[str, ...]:
        """The argv for shell text, with the options a GitHub runner gives bash.

        https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-syntax#jobsjob_idstepsshell
        """
        return ("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)


class Ended(StrEnum):
    """How a program came to its end."""

    EXITED = "exited"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    TOO_MUCH_OUTPUT = "too_much_output"
    NOT_STARTED = "not_started"


class Execution(Value):
    """What a program did. `exit_code` is 128 + signal for a killed program, `None` when it never started.

    `output` holds stdout and stderr in the order they came, head and tail kept, the cut marked.
    `stack` is the stack dump taken from a hanging program before it was killed.
    """

    ended: Ended
    exit_code: int | None
    output: str
    seconds: float
    stack: str = ""
