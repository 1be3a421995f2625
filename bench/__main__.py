"""`python -m bench`: where the wall time of runs over the shared cases goes.

Engine overhead is wall time minus the checks' minus the model's. The checks' time is compared with the plain policy
of running every check after every edit; what is spent on seeing the same tree again (flaky observations, the
second run, the clean clone, minimising) is shown apart, since the plain policy has no such thing.
"""

import asyncio
import os
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from repair.faces.choice import choose_checks
from repair.faces.run import Options, Result, repair
from repair.faces.terminal import QuietWatcher
from repair.tools.model import OpenAIModel
from tests.acceptance.cases import Case, all_cases, blocks, environment
from tests.acceptance.players import in_turn
from tests.model_double import serving

_ROW = "{:28}{:>10}{:>10}{:>8}{:>12}{:>8}{:>12}{:>11}"


@dataclass(frozen=True)
class Figures:
    """One run; `plain_seconds` is what every check after every edit would have taken."""

    case: str
    result: Result
    attempts: int
    plain_seconds: float

    @property
    def overhead(self) -> float:
        """Wall seconds that neither the checks nor the model took."""
        result = self.result
        return result.seconds - result.check_seconds - result.model_seconds

    @property
    def loop_seconds(self) -> float:
        """Check-seconds of the loop itself."""
        return self.result.check_seconds - self.result.assurance_seconds


def measure(case: Case, folder: Path) -> Figures:
    """Repair one case with a model that makes one hunk of the reference fix at a time."""
    tree = case.check_out(folder / "tree")
    chosen = choose_checks(tree, case.configuration(folder / "c.yml"), None)
    with serving(in_turn(blocks(case.patched(case.fix, folder / "fixed")))) as model:
        options = Options(
            root=tree,
            output=folder / "output",
            settings=chosen.settings,
            checks=chosen.required_some(),
            sandbox="bubblewrap",
            model=OpenAIModel("double", model.base_url, "none"),
            dry_run=False,
        )
        result = asyncio.run(repair(options, QuietWatcher()))
    attempts = sum(entry["action"] in ("patch", "rewrite", "fixer") for entry in result.report["iterations"])
    return Figures(case.name, result, attempts, (attempts + 1) * _once(case, tree))


def _once(case: Case, tree: Path) -> float:
    """The seconds all checks take once on the finished tree."""
    began = time.monotonic()
    for check in case.spec["checks"]:
        subprocess.run(["bash", "-c", check["run"]], cwd=tree, env=environment(), capture_output=True, check=False)
    return time.monotonic() - began


def main() -> None:
    """Measure every case whose tools are here and print one row each."""
    os.environ.update(environment())
    rows = []
    print(_ROW.format("case", "outcome", "attempts", "wall s", "overhead s", "share", "loop/plain", "all/plain"))
    for case in all_cases():
        if case.missing_tools or not case.repairable:
            continue
        with tempfile.TemporaryDirectory(prefix="bench-") as folder:
            figures = measure(case, Path(folder))
        rows.append(figures)
        result = figures.result
        plain = figures.plain_seconds
        cells = [f"{result.seconds:.1f}", f"{figures.overhead:.2f}", f"{figures.overhead / result.seconds:.1%}"]
        cells += [f"{figures.loop_seconds / plain:.2f}", f"{result.check_seconds / plain:.2f}"]
        print(_ROW.format(figures.case, result.stop.outcome.value, figures.attempts, *cells), flush=True)
    if rows:
        share = statistics.median(row.overhead / row.result.seconds for row in rows)
        each = statistics.median(row.overhead / max(row.attempts, 1) for row in rows)
        loop = sum(row.loop_seconds for row in rows) / sum(row.plain_seconds for row in rows)
        print(f"median overhead {share:.1%} of the wall, {each:.2f} s an attempt; loop/plain over all cases {loop:.2f}")


if __name__ == "__main__":
    main()
