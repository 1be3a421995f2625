"""Reads the runs of cargo test, and panics."""

import re
from collections.abc import Sequence
from itertools import takewhile

from repair.tools.triage.reading import blocks, draft, in_tree
from repair.values.checks import Category, Counters, Finding
from repair.values.triage import Transcript

_VERDICT = re.compile(r"(?:test )?(?P<name>\S.*?)(?: - should panic)? (?:\.\.\.|---) (?P<verdict>ok|FAILED|ignored)\b")
_RUNNING = re.compile(r"running (?P<count>\d{1,9}) tests?$")
_RESULT = re.compile(r"test result: .*?(?P<ignored>\d{1,9}) ignored")
_STDOUT = re.compile(r"---- (?P<name>.+) stdout ----$|(?P<end>failures:|test result: )")
_PANIC = re.compile(
    r"thread '(?P<thread>[^']*)'(?: \(\d+\))? panicked at (?:'(?P<said>.*)', )?"
    r"(?P<file>\S+?):(?P<row>\d{1,7}):(?P<col>\d{1,7}):?$"
)
_NO_PANIC = re.compile(r"note: test did not panic as expected at (?P<file>\S+?):(?P<row>\d{1,7}):(?P<col>\d{1,7})$")
_DOC = re.compile(r"(?P<file>\S+\.\w+) - .*\(line (?P<row>\d{1,7})\)$")
_AT = re.compile(r"\s+at (?P<file>\S+?):(?P<row>\d{1,7}):(?P<col>\d{1,7})$")


def counted(lines: Sequence[str]) -> tuple[tuple[str, ...], Counters]:
    """The identities of the tests, where all are named, and their numbers over all test binaries."""
    running = [int(match["count"]) for line in lines if (match := _RUNNING.match(line))]
    if not running:
        return (), Counters()
    named = tuple(match["name"] for line in lines if line.startswith("test ") and (match := _VERDICT.match(line)))
    skipped = sum(int(match["ignored"]) for line in lines if (match := _RESULT.match(line)))
    tests = named if len(named) == sum(running) else ()
    return tests, Counters(collected=sum(running), skipped=skipped)


def test_failures(transcript: Transcript, lines: Sequence[str]) -> list[Finding]:
    """A finding for each test that failed."""
    told = {block.match["name"]: block.body for block in blocks(lines, _STDOUT) if block.match["name"]}
    verdicts = [match for line in lines if (match := _VERDICT.match(line))]
    failed = dict.fromkeys(match["name"] for match in verdicts if match["verdict"] == "FAILED")
    return [_test_failure(transcript, name, told.get(name, [])) for name in {**failed, **dict.fromkeys(told)}]


def _test_failure(transcript: Transcript, name: str, body: Sequence[str]) -> Finding:
    if panicked := panics(transcript, body, name):
        # A documentation test counts its lines from its own beginning: its name tells the place in the file.
        doc = _DOC.match(name)
        return (
            panicked[0].model_copy(update={"file": doc["file"], "line": int(doc["row"]), "column": None})
            if doc
            else panicked[0]
        )
    silent = next((match for line in body if (match := _NO_PANIC.match(line))), None)
    said = next((line for line in body if line.strip()), "test failed")
    return draft(
        transcript,
        Category.TEST_ASSERTION if silent else Category.TEST_ERROR,
        "the test did not panic as expected" if silent else said,
        file=silent["file"] if silent else None,
        line=silent["row"] if silent else None,
        column=silent["col"] if silent else None,
        test=name,
        detail=body,
    )


def panics(transcript: Transcript, lines: Sequence[str], test: str | None = None) -> list[Finding]:
    """A finding for each panic in these lines, at the innermost place that is ours."""
    found = []
    for block in blocks(lines, _PANIC):
        body = list(takewhile(lambda line: not line.startswith(("note: ", "----")), block.body))
        message = list(takewhile(lambda line: line.strip() and not line.startswith("stack backtrace"), body))
        said = block.match["said"] or " ".join(message) or "panicked"
        # The panic may be in the standard library; the first frame of ours is then the place.
        frames = [block.match, *(match for line in body if (match := _AT.match(line)))]
        frame = next((match for match in frames if in_tree(match["file"], transcript.root)), None)
        category = Category.TEST_ASSERTION if "assertion" in said else Category.TEST_ERROR
        file, row, col = (frame["file"], frame["row"], frame["col"]) if frame else (None, None, None)
        found.append(
            draft(
                transcript,
                category,
                said,
                file=file,
                line=row,
                column=col,
                test=test,
                detail=[block.match.string, *body],
            )
        )
    return found
