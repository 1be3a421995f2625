"""SARIF 2.1.0, which many analysers can write: https://docs.oasis-open.org/sarif/sarif/v2.1.0/."""

from collections.abc import Iterator

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

from repair.tools.triage.categories import category_of
from repair.tools.triage.reading import draft, unique
from repair.tools.triage.symbols import symbol_of
from repair.values.checks import Finding, Origin
from repair.values.triage import Transcript, Triage

_SIZE_LIMIT = 32 * 1024 * 1024
_SUFFIXES = (".sarif", ".sarif.json", ".json")


class _Part(BaseModel):
    model_config = ConfigDict(alias_generator=to_camel, extra="ignore")


class _Artifact(_Part):
    uri: str = ""
    uri_base_id: str | None = None


class _Region(_Part):
    start_line: int | None = None
    start_column: int | None = None


class _Physical(_Part):
    artifact_location: _Artifact = _Artifact()
    region: _Region = _Region()


class _Location(_Part):
    physical_location: _Physical = _Physical()


class _Message(_Part):
    text: str = ""


class _Result(_Part):
    rule_id: str | None = None
    level: str = "warning"
    message: _Message = _Message()
    locations: list[_Location] = []
    suppressions: list[object] = []


class _Driver(_Part):
    name: str = ""


class _Program(_Part):
    driver: _Driver = _Driver()


class _Run(_Part):
    tool: _Program = _Program()
    results: list[_Result] | None = None


class _Log(_Part):
    runs: list[_Run] = Field(default_factory=list)


class Sarif:
    """Any analyser's SARIF, in a report or as the whole output."""

    name = "sarif"

    def recognises(self, transcript: Transcript) -> bool:
        """Whether a document looks like SARIF."""
        return bool(_documents(transcript))

    def triage(self, transcript: Transcript) -> Triage:
        """One finding for each unsuppressed error, or warning where there is no error."""
        if not transcript.exit_code:
            return Triage()
        results = [pair for content in _documents(transcript) for pair in _results(content)]
        errors = [pair for pair in results if pair[1].level == "error"]
        kept = errors or [pair for pair in results if pair[1].level == "warning"]
        return Triage(findings=unique(_finding(transcript, tool, result) for tool, result in kept))


def _documents(transcript: Transcript) -> list[str]:
    candidates = [content for name, content in transcript.reports if name.lower().endswith(_SUFFIXES)]
    if transcript.output.lstrip().startswith("{"):
        candidates.append(transcript.output)
    return [content for content in candidates if len(content) <= _SIZE_LIMIT and '"runs"' in content]


def _results(content: str) -> Iterator[tuple[str, _Result]]:
    try:
        log = _Log.model_validate_json(content.strip().encode("utf-8", "replace"))
    except ValidationError:
        return
    for run in log.runs:
        for result in run.results or []:
            if not result.suppressions:
                yield run.tool.driver.name.lower(), result


def _finding(transcript: Transcript, tool: str, result: _Result) -> Finding:
    physical = result.locations[0].physical_location if result.locations else _Physical()
    artifact = physical.artifact_location
    # A base such as %SRCROOT% is the root of the sources, wherever the check ran.
    based = artifact.uri_base_id is not None and "://" not in artifact.uri and not artifact.uri.startswith("/")
    said = result.message.text.strip().partition("\n")[0]
    return draft(
        transcript,
        category_of(tool, result.rule_id),
        said or result.rule_id or "the analyser says no more",
        file=f"{transcript.root}/{artifact.uri}" if based and artifact.uri else artifact.uri or None,
        line=physical.region.start_line,
        column=physical.region.start_column,
        symbol=symbol_of(said),
        code=result.rule_id,
        origin=Origin.STRUCTURED,
        detail=result.message.text.split("\n"),
    )


TRIAGERS = (Sarif(),)
