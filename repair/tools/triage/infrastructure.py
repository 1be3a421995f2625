"""Reads terraform and tofu: diagnostics of every command in text and JSON, test runs, and the list of fmt."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import dropwhile
from typing import NamedTuple

from repair.tools.triage.diagnostics import category_of
from repair.tools.triage.reading import Tool, at, command, draft, each, json_values, lines_of, number, text, unique
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_NAMED = re.compile(r"(?:named|function|attribute|argument|module|variable) \"(?P<name>[^\"]+)\"|\"(?P<other>[^\"]+)\"")
_ADDRESS = re.compile(r"(?:resource|data source|module|variable|local value) \"(?P<type>[^\"]+)\" \"(?P<name>[^\"]+)\"")
_NETWORK = (
    "could not connect to",
    "no such host",
    "connection refused",
    "context deadline exceeded",
    "dial tcp",
    "network is unreachable",
)
# `init` heads the errors of the configuration with a notice that is no error of its own.
_NOTICE = "Terraform encountered problems during initiali"


class _Diagnostic(NamedTuple):
    """One error as terraform tells it."""

    summary: str
    detail: str
    file: str
    line: int | None
    column: int | None
    context: str
    run: str
    printed: Sequence[str]


_HEADER = re.compile(r"(?P<level>Error|Warning): (?P<summary>.*)$")
_PLACE = re.compile(r"  (?:on|with) (?P<file>[^<\s]\S*) line (?P<line>\d{1,7})(?:, in (?P<context>.*?))?:?$")
_RUN = re.compile(r"  run \"(?P<run>[^\"]+)\"\.\.\. (?P<verdict>pass|fail|skip|error)$")
_TEST_FILE = re.compile(
    r"(?P<file>\S+\.(?:tftest|tofutest)\.hcl)\.\.\. (?P<what>in progress|pass|fail|tearing down|skip)$"
)
_END = re.compile(r"╵|(?:Failure|Success)! |\S+\.hcl\.\.\. ")
_TOTAL = re.compile(
    r"^(?:Failure|Success)! (?P<passed>\d{1,9}) passed, (?P<failed>\d{1,9}) failed"
    r"(?:, (?P<skipped>\d{1,9}) skipped)?\.",
    re.MULTILINE,
)


def _terraform(transcript: Transcript) -> Triage:
    documents = list(json_values(transcript.output))
    structured = list(_from_json(documents))
    runs = list(_json_runs(documents)) or list(_text_runs(lines_of(transcript.output)))
    told = [one for one in structured or _from_text(transcript.output) if not one.summary.startswith(_NOTICE)]
    origin = Origin.STRUCTURED if structured else Origin.STABLE_TEXT
    found = unique(_finding(transcript, one, runs, origin) for one in told)
    counters = _counters(transcript.output, runs)
    return Triage(findings=found, counters=counters, tests=tuple(name for name, _ in runs), infra=_unreachable(told))


def _unreachable(told: Iterable[_Diagnostic]) -> str:
    """A provider that could not be fetched says nothing about the code."""
    return next((one.summary for one in told if any(words in one.detail for words in _NETWORK)), "")


def _from_json(documents: Iterable[object]) -> Iterator[_Diagnostic]:
    for document in documents:
        for one in [*each(document, "diagnostics"), at(document, "diagnostic")]:
            if at(one, "severity") == "error":
                start = at(one, "range", "start")
                yield _Diagnostic(
                    text(at(one, "summary")),
                    text(at(one, "detail")),
                    text(at(one, "range", "filename")),
                    number(at(start, "line")),
                    number(at(start, "column")),
                    text(at(one, "snippet", "context")),
                    text(at(document, "@testrun")),
                    [text(at(one, "snippet", "code")), *_values(one)],
                )


def _values(diagnostic: object) -> Iterator[str]:
    for value in each(diagnostic, "snippet", "values"):
        yield f"{text(at(value, 'traversal'))} {text(at(value, 'statement'))}"


def _from_text(output: str) -> Iterator[_Diagnostic]:
    region: list[str] = []
    run = failed = ""
    for printed in [*lines_of(output), "Error: "]:
        line = printed.removeprefix("│ ").removeprefix("│")
        header = _HEADER.match(line)
        if header or _END.match(line) or _RUN.match(line):
            if region:
                yield _diagnostic(region, run)
            region = [line] if header and header["level"] == "Error" and header["summary"] else []
            run = failed
        elif region and len(region) < 80:
            region.append(line)
        if match := _RUN.match(line):
            failed = match["run"] if match["verdict"] in {"fail", "error"} else ""
            run = failed
        elif line.endswith("... tearing down"):
            run = failed = ""


def _diagnostic(region: Sequence[str], run: str) -> _Diagnostic:
    empty = next((n for n, line in enumerate(region) if not line.strip()), len(region))
    summary = " ".join([region[0].removeprefix("Error: "), *region[1:empty]])
    body = list(region[empty:])
    place = next((match for line in body if (match := _PLACE.match(line))), None)
    if place:
        after = list(dropwhile(lambda line: line != place.string, body))
        body = list(dropwhile(str.strip, after))
    return _Diagnostic(
        summary,
        " ".join(line.strip() for line in body if line.strip()),
        place["file"] if place else "",
        number(place["line"]) if place else None,
        None,
        (place["context"] or "") if place else "",
        run,
        region,
    )


def _finding(transcript: Transcript, told: _Diagnostic, runs: Sequence[tuple[str, str]], origin: Origin) -> Finding:
    return draft(
        transcript,
        category_of(told.summary),
        f"{told.summary}: {told.detail}" if told.detail else told.summary,
        file="" if told.file.startswith("<") else told.file,
        line=told.line,
        column=told.column,
        symbol=_symbol(told),
        scope=".".join(told.context.replace('"', "").split()),
        test=_test(told, runs),
        code=told.summary,
        origin=origin,
        detail=told.printed if origin is Origin.STABLE_TEXT else [told.summary, *told.printed, told.detail],
    )


def _symbol(told: _Diagnostic) -> str | None:
    said = f"{told.summary} {told.detail}"
    if match := _ADDRESS.search(said):
        return f"{match['type']}.{match['name']}"
    match = _NAMED.search(said)
    return match["name"] or match["other"] if match else None


def _test(told: _Diagnostic, runs: Sequence[tuple[str, str]]) -> str | None:
    named = re.match(r'run "(?P<run>[^"]+)"', told.context)
    run = named["run"] if named else told.run
    return next((name for name, _ in runs if run and name.endswith(f" > {run}")), None)


def _text_runs(lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The identity and the verdict of every run block, in the order of the output."""
    file = ""
    for line in lines:
        if match := _TEST_FILE.match(line):
            file = match["file"]
        elif match := _RUN.match(line):
            yield f"{file} > {match['run']}"[:300], match["verdict"]


def _json_runs(documents: Iterable[object]) -> Iterator[tuple[str, str]]:
    for document in documents:
        run = at(document, "test_run")
        if at(run, "progress") == "complete":
            yield f"{text(at(run, 'path'))} > {text(at(run, 'run'))}"[:300], text(at(run, "status"))


def _counters(output: str, runs: Sequence[tuple[str, str]]) -> Counters:
    if total := _TOTAL.search(output):
        counted = {key: int(value or 0) for key, value in total.groupdict().items()}
        return Counters(collected=sum(counted.values()), skipped=counted["skipped"])
    return Counters(collected=len(runs), skipped=sum(verdict == "skip" for _, verdict in runs)) if runs else Counters()


_COMMAND = r"(?:terraform|tofu|\$\{?TF\S*)"
_UNFORMATTED = re.compile(r"[^\s:][^:]*\.(?:tf|tfvars|tofu|hcl|tftest\.hcl)$")


def _fmt(transcript: Transcript) -> Triage:
    listed = [line for line in lines_of(transcript.output) if _UNFORMATTED.match(line)]
    # With -diff the same names stand in the headers of the diff, which the pattern does not take.
    return Triage(
        findings=unique(
            draft(transcript, Category.FORMAT, "not formatted by terraform fmt", file=f, detail=[f]) for f in listed
        )
    )


TRIAGERS: tuple[Triager, ...] = (
    Tool(
        "terraform",
        command(rf"{_COMMAND}\s+(?:init|validate|plan|apply|test)"),
        ("│ Error: ", ".tf line ", ".hcl line ", ".hcl... ", '"@module":"terraform.ui"'),
        _terraform,
    ),
    Tool("terraform fmt", command(rf"{_COMMAND}\s+(?:-chdir=\S+\s+)?fmt"), (), _fmt),
)
