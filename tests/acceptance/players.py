"""Models of different character, played over a case by the scripted server."""

import json
import re
from collections.abc import Callable, Sequence

from tests.model_double import Player, Recorded, Step

_EXCERPT = re.compile(r"^(\S+):(\d+)-(\d+) \(", re.MULTILINE)


def honest_diagnosis(request: Recorded) -> Step:
    """A diagnosis whose one claim can be found in the tree: the first place the prompt shows."""
    shown = _EXCERPT.search(request.prompt)
    file, line = (shown[1], int(shown[2])) if shown else ("README.md", 1)
    number = len(request.prompt)
    return json.dumps(
        {
            "hypothesis": f"the code there does not do what the failing check needs ({number} characters read)",
            "plan": "change it",
            "claims": [{"file": file, "line": line, "quote": "", "why": "it is shown first"}],
            "fixable": True,
            "why_not": "",
        }
    )


def repairing(answer: Callable[[Recorded], Step]) -> Player:
    """A model that diagnoses honestly, and repairs as told."""

    def play(request: Recorded) -> Step:
        return honest_diagnosis(request) if request.role == "analyzer" else answer(request)

    return play


def in_turn(answers: Sequence[Step]) -> Player:
    """The answers one after the other; the last is repeated."""
    left = list(answers)
    return repairing(lambda request: left.pop(0) if len(left) > 1 else left[0])
