"""The Analyzer: triage is done, the Context Scan collects the facts, a model may say what they mean."""

from collections.abc import Sequence

from pydantic import BaseModel

from repair.roles.briefing import Briefing, brief
from repair.roles.workbench import Workbench
from repair.rules.progress import shown
from repair.rules.routing import Facts, Target, is_old
from repair.tools.claims import surviving
from repair.tools.context.index import Index
from repair.tools.context.scan import scan
from repair.tools.guard import allowed_path
from repair.tools.model import parse_structured, schema_of
from repair.tools.prompting import render
from repair.tools.tree import Tree
from repair.values.blackboard import Blackboard, Claim, Diagnosed, Diagnosis, RolledBack
from repair.values.checks import Category
from repair.values.context import ContextPack
from repair.values.model import ModelRequest, ModelRole

_MOST_TOKENS = 900
_MOST_SECONDS = 600.0
_SHORTEST_EVIDENCE = 8


class ClaimAnswer(BaseModel):
    """A claim as the model gives it."""

    file: str
    line: int
    quote: str
    why: str


class DiagnosisAnswer(BaseModel):
    """A diagnosis as the model gives it; the name of its JSON schema is `diagnosis`."""

    hypothesis: str
    plan: str
    claims: list[ClaimAnswer]
    fixable: bool
    why_not: str


class Analyzer:
    """Reads, and changes nothing."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench

    def scan(self, target: Target) -> ContextPack:
        """The facts around the target; wider for errors that survived, and after a rollback."""
        board = self._bench.board
        wide = is_old(board, target) or bool(board.rollbacks)
        return scan(
            self._tree(),
            target.findings,
            diff=self._bench.diff,
            command=self._bench.check(target.findings[0].check).run,
            depth=2 if wide else 1,
        )

    def facts(self, target: Target) -> Facts:
        """What routing needs to know about names that are not found."""
        unresolved = [
            f for f in target.findings if f.category in (Category.NAME_UNRESOLVED, Category.IMPORT_DEPENDENCY)
        ]
        if not unresolved:
            return Facts(single_candidate=True)
        index = Index(self._tree())
        found = [len(index.defining(finding.symbol)) if finding.symbol else 0 for finding in unresolved]
        return Facts(single_candidate=all(count == 1 for count in found))

    async def diagnose(self, target: Target) -> Diagnosed:
        """The model's diagnosis with only those claims that the tree bears out. Raises `ModelFailure`."""
        briefing = brief(self._bench, target, self.scan(target))
        answer = parse_structured(await self._ask(briefing), DiagnosisAnswer)
        board = self._bench.board
        n = len(board.entries) + 1
        signature = shown(board)
        if answer is None:
            problem = "the answer was no diagnosis"
            return Diagnosed(n=n, tree=board.now.tree, signature=signature, diagnosis=None, problem=problem)
        diagnosis = self._checked(target, answer)
        problem = "" if diagnosis else "nothing it claims is to be found in the tree, or it was refuted before"
        return Diagnosed(n=n, tree=board.now.tree, signature=signature, diagnosis=diagnosis, problem=problem)

    async def _ask(self, briefing: Briefing) -> str:
        board = self._bench.board
        repeats = sum(1 for entry in board.entries if isinstance(entry, Diagnosed))
        request = ModelRequest(
            role=ModelRole.ANALYZER,
            run=self._bench.run,
            system=render("analyzer_system", {}),
            prompt=self._bench.redactor.redact(render("diagnosis", briefing.values | {"refuted": refuted(board)})),
            schema_=schema_of(DiagnosisAnswer, "diagnosis"),
            max_tokens=_MOST_TOKENS,
            temperature=self._bench.temperature if self._bench.temperature is not None else min(0.3 * repeats, 0.9),
            seed=repeats,
            timeout=_MOST_SECONDS,
        )
        return (await self._bench.ask(request)).text

    def _checked(self, target: Target, answer: DiagnosisAnswer) -> Diagnosis | None:
        board = self._bench.board
        hypothesis = " ".join(answer.hypothesis.split())[:1000]
        if not hypothesis or hypothesis in refuted(board):
            return None
        claims = [Claim(**claim.model_dump()) for claim in answer.claims[:20]]
        outputs = [result.output for result in board.now.state.results]
        kept = surviving(claims, self._tree(), [f.detail for f in target.findings] + outputs)
        if claims and not kept:
            return None
        # The model's word ends a run only where its own evidence lies outside what may be edited.
        evidence = [claim for claim in kept if len(claim.quote.strip()) >= _SHORTEST_EVIDENCE]
        reachable = any(allowed_path(claim.file, board.contract) is None for claim in kept)
        fixable = answer.fixable or reachable or not evidence or not answer.why_not.strip()
        return Diagnosis(
            hypothesis=hypothesis,
            plan=answer.plan.strip()[:2000],
            claims=kept,
            fixable=fixable,
            why_not=answer.why_not.strip()[:500],
            dropped_claims=len(claims) - len(kept),
        )

    def _tree(self) -> Tree:
        return self._bench.workspace.files(self._bench.board.now.tree)


def refuted(board: Blackboard) -> Sequence[str]:
    """The hypotheses under which attempts were made and no progress came."""
    found: list[str] = []
    current = ""
    for entry in board.entries:
        if isinstance(entry, Diagnosed):
            current = entry.diagnosis.hypothesis if entry.diagnosis else ""
        elif not isinstance(entry, RolledBack) and current and not entry.progress:
            found.append(current)
    return tuple(dict.fromkeys(found))
