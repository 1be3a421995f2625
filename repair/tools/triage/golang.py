"""Reads go: what build, vet and golangci-lint report, and the runs of go test in text and JSON."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from posixpath import join

from repair.tools.triage.reading import Tool, at, command, draft, in_tree, json_values, lines_of, quoted, text, unique
from repair.tools.triage.seam import Triager
from repair.values.checks import Category, Counters, Finding, Origin
from repair.values.triage import Transcript, Triage

_ERROR = re.compile(
    r"(?:vet: )?(?P<file>(?:\.{0,2}/)?[^\s:][^:]*?\.(?:go|mod|work)):(?P<row>\d{1,7})(?::(?P<col>\d{1,7}))?: "
    r"(?P<said>.+)$"
)
_PROGRESS = ("downloading ", "finding ", "found ", "extracting ")
_GO = re.compile(r"go: (?P<said>.+)$")
_LINTER = re.compile(r"(?P<said>.*) \((?P<rule>[\w-]+)\)$")
_UNDEFINED = re.compile(r"undefined: (?P<name>[\w.]+)|(?P<owner>[\w.]+) undefined|not used: (?P<unused>\w+)")
_IMPORTS = (
    "no required module",
    "cannot find package",
    "cannot find module",
    "import cycle",
    "missing go.sum",
    "could not import",
    "package ",
)


def _go(transcript: Transcript) -> Triage:
    documents = [one for one in json_values(transcript.output) if text(at(one, "Action"))]
    printed = "".join(text(at(one, "Output")) for one in documents) or transcript.output
    lines = lines_of(printed)
    run = _json_run(documents) if documents else _text_run(lines)
    origin = Origin.STRUCTURED if documents else Origin.STABLE_TEXT
    failures = [_failure(transcript, run, key, origin) for key in run.failed()]
    return Triage(
        findings=(*unique(_errors(transcript, lines)), *failures, *_timeouts(transcript, lines)),
        counters=run.counters(lines),
        tests=run.tests(),
        first_error_only="too many errors" in printed or "\nvet: " in printed,
    )


def _errors(transcript: Transcript, lines: Iterable[str]) -> Iterator[Finding]:
    for line in lines:
        if match := _ERROR.match(line):
            linter = (
                _LINTER.match(match["said"])
                if re.search(r"golangci|staticcheck|revive", transcript.check.run)
                else None
            )
            said = linter["said"] if linter else match["said"]
            yield draft(
                transcript,
                _category(transcript, said, bool(linter), line),
                said,
                file=match["file"],
                line=match["row"],
                column=match["col"],
                symbol=_symbol(said),
                code=linter["rule"] if linter else None,
                detail=[line],
            )
        elif (match := _GO.match(line)) and not match["said"].startswith(_PROGRESS):
            category = Category.IMPORT_DEPENDENCY if "module" in match["said"] else Category.BUILD_TOOL
            yield draft(transcript, category, match["said"], detail=[line])


def _category(transcript: Transcript, said: str, linter: bool, line: str) -> Category:
    if "syntax error" in said or said.startswith("expected ") or "expected operand" in said:
        return Category.SYNTAX
    if linter or "and not used" in said:
        return Category.LINT_STYLE
    if said.startswith("undefined: ") or " undefined (" in said:
        return Category.NAME_UNRESOLVED
    if said.startswith(_IMPORTS):
        return Category.IMPORT_DEPENDENCY
    if re.search(r"\bgo\s+vet\b", transcript.check.run) and not line.startswith("vet: "):
        return Category.LINT_STYLE
    return Category.SCHEMA_CONFIG if ".mod:" in line else Category.TYPE


def _symbol(said: str) -> str | None:
    if match := _UNDEFINED.search(said):
        return match["name"] or match["owner"] or match["unused"]
    if said.startswith(_IMPORTS):
        return next((word.strip(';:"') for word in said.split() if "/" in word), None)
    return quoted(said)


_Key = tuple[str, str]


@dataclass(slots=True)
class _Run:
    """The tests of a run, by package and name: their verdicts and what they printed."""

    verdicts: dict[_Key, str] = field(default_factory=dict)
    printed: dict[_Key, list[str]] = field(default_factory=dict)
    packages: list[str] = field(default_factory=list)
    listed: bool = False

    def failed(self) -> list[_Key]:
        """The failed tests, without those that failed only because a subtest did."""
        names = [key for key, verdict in self.verdicts.items() if verdict == "fail"]
        parents = {(package, name.rpartition("/")[0]) for package, name in names}
        return [key for key in names if key not in parents]

    def tests(self) -> tuple[str, ...]:
        """The identities of all tests, where go was asked to name them."""
        return tuple(f"{package}.{name}"[:300] for package, name in self.verdicts) if self.listed else ()

    def counters(self, lines: Iterable[str]) -> Counters:
        """The number of tests; where go did not name them, only a run without any can be told."""
        if self.listed and self.verdicts:
            return Counters(
                collected=len(self.verdicts), skipped=sum(verdict == "skip" for verdict in self.verdicts.values())
            )
        results = [match["rest"] for line in lines if (match := _PACKAGE.match(line))]
        return Counters(collected=0) if results and all("[no test" in rest for rest in results) else Counters()

    def folder(self, package: str) -> str:
        """The folder of a package below its module, as far as the output tells."""
        parts = package.split("/")
        hosted = "/".join(parts[:3]) if parts[0] in {"github.com", "gitlab.com", "bitbucket.org"} else ""
        together = zip(*(one.split("/") for one in self.packages), strict=False)
        shared = "/".join(same[0] for same in takewhile(lambda names: len(set(names)) == 1, together))
        module = hosted or (shared if len(self.packages) > 1 else package)
        return package.removeprefix(module).strip("/")


def _json_run(documents: Iterable[object]) -> _Run:
    run = _Run(listed=True)
    for one in documents:
        package, name, action = text(at(one, "Package")), text(at(one, "Test")), text(at(one, "Action"))
        if package and package not in run.packages:
            run.packages.append(package)
        if name and action == "output":
            run.printed.setdefault((package, name), []).append(text(at(one, "Output")).rstrip("\n"))
        elif name and action in {"pass", "fail", "skip"}:
            run.verdicts[package, name] = action
    return run


_VERDICT = re.compile(r"\s*--- (?P<verdict>PASS|FAIL|SKIP): (?P<name>\S+) \(")
_SWITCH = re.compile(r"=== (?P<what>RUN|CONT|NAME|PAUSE)\s+(?P<name>\S+)$")
_PACKAGE = re.compile(r"(?P<verdict>FAIL|ok|\?|---)\s+(?P<package>\S+)\s+(?P<rest>\S.*)$")


def _text_run(lines: Iterable[str]) -> _Run:
    run, current = _Run(), ""
    verdicts: dict[str, str] = {}
    printed: dict[str, list[str]] = {}
    for line in lines:
        if match := _SWITCH.match(line):
            current, run.listed = match["name"], True
        elif match := _VERDICT.match(line):
            current = match["name"]
            verdicts[current] = match["verdict"].lower()
        elif (match := _PACKAGE.match(line)) and match["verdict"] != "---":
            package = match["package"]
            run.packages.append(package)
            run.verdicts |= {(package, name): verdict for name, verdict in verdicts.items()}
            run.printed |= {(package, name): said for name, said in printed.items()}
            verdicts, printed, current = {}, {}, ""
        elif current:
            printed.setdefault(current, []).append(line)
    return run


_LOG = re.compile(r"\s+(?P<file>\w[^\s:]*\.go):(?P<row>\d{1,7}): ?(?P<said>.*)$")
_PANIC = re.compile(r"panic: (?P<said>.+?)(?: \[recovered.*\])?$")
_FRAME = re.compile(r"\s+(?P<file>/\S+\.go):(?P<row>\d{1,7})(?: \+0x[0-9a-f]+)?$")


def _failure(transcript: Transcript, run: _Run, key: _Key, origin: Origin) -> Finding:
    package, name = key
    body = [line for line in run.printed.get(key, []) if not line.startswith("=== ")]
    panicked = next((match for line in body if (match := _PANIC.match(line))), None)
    frames = [match for line in body if (match := _FRAME.match(line)) and in_tree(match["file"], transcript.root)]
    logged = [(n, match) for n, line in enumerate(body) if (match := _LOG.match(line))]
    file, row, said = None, None, "test failed"
    if panicked:
        said, place = panicked["said"], frames[0] if frames else None
        file, row = (place["file"], place["row"]) if place else (None, None)
    elif logged:
        # What a test logs before it fails looks the same: the last message is the one that made it fail.
        at_line, match = logged[-1]
        file, row = join(run.folder(package), match["file"]), match["row"]
        more = takewhile(lambda line: line.startswith("        "), body[at_line + 1 : at_line + 8])
        said = " ".join([match["said"], *(line.strip() for line in more)]).strip() or said
    return draft(
        transcript,
        Category.TEST_ERROR if panicked else Category.TEST_ASSERTION,
        said,
        file=file,
        line=row,
        test=f"{package}.{name}",
        origin=origin,
        detail=body,
    )


def _timeouts(transcript: Transcript, lines: Sequence[str]) -> list[Finding]:
    start = next((n for n, line in enumerate(lines) if line.startswith("panic: test timed out after")), None)
    if start is None:
        return []
    running = [line.split()[0] for line in lines[start + 2 : start + 30] if line.startswith("\t\t") and line.strip()]
    said = lines[start].removeprefix("panic: ")
    return [
        draft(transcript, Category.RESOURCE_TIMEOUT, said, test=test, detail=lines[start : start + 30])
        for test in running or [""]
    ]


def _gofmt(transcript: Transcript) -> Triage:
    listed = [line for line in lines_of(transcript.output) if re.fullmatch(r"[^\s:][^:]*\.go", line)]
    return Triage(
        findings=tuple(draft(transcript, Category.FORMAT, "not formatted by gofmt", file=f, detail=[f]) for f in listed)
    )


TRIAGERS: tuple[Triager, ...] = (
    Tool("gofmt", command(r"gofmt\s+-\w*l", r"goimports\s+-\w*l"), (), _gofmt),
    Tool(
        "go",
        command(r"go\s+(?:build|vet|test|run|install)", "golangci-lint", "staticcheck"),
        (".go:", "--- FAIL: ", '"Action":"'),
        _go,
    ),
)
