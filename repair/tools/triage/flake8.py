"""flake8 and its kin: pycodestyle, pyflakes, pylint's text."""

import re

from repair.tools.triage import ruff
from repair.tools.triage.categories import category_of
from repair.tools.triage.reading import Tool, command, draft, lines_of, unique
from repair.tools.triage.symbols import symbol_of
from repair.values.checks import Finding
from repair.values.triage import Transcript, Triage

_LINE = re.compile(
    r"(?P<file>[^\s:][^:]*):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?:\[(?P<bracketed>[A-Z]{1,6}\d{1,4})[^\]]*\]|(?P<code>[A-Z]{1,6}\d{1,4}):?) (?P<message>.+)$"
)
_MARK = re.compile(r"^[^\s:][^:\n]*:\d+:(?:\d+:)? \[?[A-Z]{1,6}\d{1,4}\b", re.MULTILINE)
_PYLINT_CODE = re.compile(r"[CRWEF]\d{4}$")


class _Flake8(Tool):
    def recognises(self, transcript: Transcript) -> bool:
        """Whether the command names the tool, or lines look like its own and are not ruff's."""
        if self.command.search(transcript.check.run):
            return True
        if any(other.recognises(transcript) for other in ruff.TRIAGERS):
            return False
        return _MARK.search(transcript.output) is not None


def _read(transcript: Transcript) -> Triage:
    matches = (match for line in lines_of(transcript.output) if (match := _LINE.match(line)))
    return Triage(findings=unique(_finding(transcript, match) for match in matches))


def _finding(transcript: Transcript, match: re.Match[str]) -> Finding:
    code = match["bracketed"] or match["code"]
    return draft(
        transcript,
        category_of("pylint" if _PYLINT_CODE.match(code) else "flake8", code),
        match["message"],
        file=match["file"],
        line=match["line"],
        column=match["column"],
        symbol=symbol_of(match["message"]),
        code=code,
        detail=[match[0]],
    )


TRIAGERS = (_Flake8("flake8", command("flake8", "pycodestyle", "pyflakes", "pylint"), (), _read),)
