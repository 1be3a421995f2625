"""Checks read off GitHub workflows."""

import json
import tomllib
from pathlib import Path
from textwrap import dedent, indent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.ci.workflows import Discovered, UnknownJobError, checks_from_workflows, merge_jobs, select_job
from repair.values.checks import Stage

ROOT = Path(__file__).resolve().parents[4]
CASES = ROOT.parent / "shared" / "cases"


def discover(text: str) -> tuple[Discovered, ...]:
    return checks_from_workflows({".github/workflows/ci.yml": dedent(text)})


def job(steps: str, fields: str = "", head: str = "on: [push, pull_request]\n") -> Discovered:
    """The only job of a workflow with those steps; `fields` belong to the job, `head` to the workflow."""
    body = indent(dedent(fields), "    ") + "    steps:\n" + indent(dedent(steps), "      ")
    (found,) = checks_from_workflows({"ci.yml": f"{head}jobs:\n  only:\n    runs-on: ubuntu-latest\n{body}"})
    return found


def runs(found: Discovered) -> list[str]:
    return [check.run for check in found.checks]


def test_steps_become_checks_in_order() -> None:
    found = job(
        """
        - uses: actions/checkout@v4
        - {name: lint, run: ruff check .}
        - run: |
            # everything
            pytest -q \\
              --strict
        """
    )

    assert [(check.name, check.stage, check.run) for check in found.checks] == [
        ("lint", Stage.LINT, "ruff check ."),
        ("# everything", Stage.UNIT, "# everything\npytest -q \\\n  --strict"),
    ]
    assert found.notes == ()


def test_a_name_is_used_once() -> None:
    found = job("- {name: test, run: pytest a}\n- {name: test, run: pytest b}\n- {name: test, run: pytest c}")

    assert [check.name for check in found.checks] == ["test", "test (2)", "test (3)"]


def test_jobs_stand_in_the_order_of_their_file() -> None:
    found = discover(
        """
        on: push
        jobs:
          zeta: {runs-on: ubuntu-latest, steps: [{run: pytest}]}
          alpha: {runs-on: ubuntu-latest, steps: [{run: mypy .}]}
        """
    )

    assert [(job.workflow, job.job) for job in found] == [("ci.yml", "zeta"), ("ci.yml", "alpha")]


@pytest.mark.parametrize(
    "command",
    [
        *(
            "pip install -e .[test]",
            "python -m pip install --upgrade pip",
            "npm ci",
            "uv sync --frozen",
            "poetry install",
        ),
        *(
            "sudo apt-get update && sudo apt-get install -y jq",
            "cp .env.example .env",
            "go mod download",
            "terraform init",
        ),
        *("curl -sSf https://example.org/install | sh", "git config --global user.name ci", "echo A=b > .env"),
    ],
)
def test_installing_is_setup_and_no_check(command: str) -> None:
    found = job(f"- run: {command!r}\n- run: pytest")

    assert found.setup == (command,)
    assert runs(found) == ["pytest"]


def test_a_script_that_installs_first_is_split() -> None:
    found = job("- run: |\n    cd web\n    npm ci\n    npm test")

    assert found.setup == ("cd web\nnpm ci",)
    assert runs(found) == ["cd web\nnpm test"]


def test_setup_in_one_statement_with_a_check_stays_with_it() -> None:
    assert runs(job("- run: terraform init > /dev/null && terraform validate")) == [
        "terraform init > /dev/null && terraform validate"
    ]


def test_a_setup_command_brings_its_folder_and_variables() -> None:
    found = job("- {run: npm ci, working-directory: my web, env: {A: it's}}")

    assert found.setup == ("export A='it'\"'\"'s'\ncd 'my web' || exit 1\nnpm ci",)


@pytest.mark.parametrize("command", ["echo hello", "python --version", "ls -la && pwd"])
def test_what_only_says_something_is_passed_over(command: str) -> None:
    found = job(f"- run: {command}")

    assert (found.checks, found.setup) == ((), ())


@pytest.mark.parametrize(
    "command",
    ["twine upload dist/*", "npm publish", "gh release create v1", "git push", "aws s3 sync a b", "terraform apply"],
)
def test_a_delivery_is_left_out_with_its_reason(command: str) -> None:
    found = job(f"- {{name: ship, run: '{command}'}}")

    assert found.checks == ()
    assert found.notes == ("step `ship` is left out where it delivers something, or needs credentials for a service",)


def test_a_delivery_after_a_check_leaves_the_check() -> None:
    assert runs(job("- run: |\n    pytest --cov\n    codecov -f coverage.xml")) == ["pytest --cov"]


@pytest.mark.parametrize(
    ("step", "note"),
    [
        ("{uses: psf/black@stable}", "the action psf/black@stable does not run here"),
        ("{run: 'deploy ${{ secrets.KEY }}'}", "it needs `secrets.KEY`"),
        ("{run: Get-Item, shell: pwsh}", "its shell is pwsh"),
        ("{run: ls, working-directory: ../other}", "it works outside the repository"),
        ("{run: make, if: failure()}", "its condition does not hold on pull_request"),
        ("{run: make, if: \"github.ref == 'refs/heads/main'\"}", "its condition does not hold on pull_request"),
        ("{run: docker build .}", "it needs a container engine"),
    ],
)
def test_what_cannot_run_here_is_left_out_and_said(step: str, note: str) -> None:
    found = job(f"- {step}")

    assert found.checks == ()
    assert found.notes[0].endswith(note)


@pytest.mark.parametrize(
    "action", ["actions/checkout@v4", "actions/setup-go@v5", "actions/cache@v4", "astral-sh/setup-uv@v6"]
)
def test_actions_that_prepare_the_runner_are_no_news(action: str) -> None:
    assert job(f"- uses: {action}").notes == ()


@pytest.mark.parametrize(
    "condition", ["always()", "${{ success() }}", "!cancelled()", "github.event_name == 'pull_request'"]
)
def test_a_condition_that_holds_changes_nothing(condition: str) -> None:
    found = job(f'- {{run: pytest, if: "{condition}"}}')

    assert (runs(found), found.notes) == (["pytest"], ())


def test_a_condition_that_cannot_be_told_is_said() -> None:
    found = job("- {name: test, run: pytest, if: \"hashFiles('x') != ''\"}")

    assert runs(found) == ["pytest"]
    assert found.notes == ("step `test` is taken although its condition is not known here",)


def test_variables_come_from_the_workflow_the_job_and_the_step() -> None:
    found = job(
        "- {run: pytest, env: {C: '${{ env.B }}3', A: step}}",
        "env: {B: '2', TOKEN: '${{ secrets.T }}'}\n",
        "on: push\nenv: {A: '1'}\n",
    )

    assert found.checks[0].env == (("A", "step"), ("B", "2"), ("C", "23"))
    assert found.notes == ("the job: the variable TOKEN is left out: it needs `secrets.T`",)


def test_the_first_leg_of_the_matrix_that_runs_on_linux_is_taken() -> None:
    (found,) = discover(
        """
        on: push
        jobs:
          test:
            runs-on: ${{ matrix.os }}
            strategy:
              matrix:
                os: [windows-latest, ubuntu-latest]
                py: [3.10, 3.11]
                db: [{name: pg}]
                exclude: [{os: ubuntu-latest, py: 3.10}]
                include: [{py: 3.11, extra: fast}]
            steps:
              - run: pytest --py ${{ matrix.py }} ${{ matrix.extra }} ${{ matrix.db.name }}
        """
    )

    assert runs(found) == ["pytest --py 3.11 fast pg"]


def test_a_matrix_of_included_legs_alone_has_its_first() -> None:
    found = job(
        "- run: tox -e ${{ matrix.env }}",
        "strategy: {matrix: {include: [{env: unit}, {env: lint}]}}\n",
    )

    assert runs(found) == ["tox -e unit"]


def test_folder_shell_and_timeout_come_from_the_nearest_place() -> None:
    found = job(
        """
        - {run: pytest, timeout-minutes: 2}
        - {run: mypy ., working-directory: api}
        - {run: ruff check, working-directory: "${{ github.workspace }}/lib/"}
        """,
        "timeout-minutes: 10\ndefaults: {run: {working-directory: web}}\n",
    )

    assert [(check.cwd, check.timeout) for check in found.checks] == [("web", 120), ("api", 600), ("lib", 600)]


def test_the_workspace_is_found_from_any_folder() -> None:
    assert runs(job("- {run: 'pytest ${{ github.workspace }}/tests', working-directory: a/b}")) == [
        "pytest ../../tests"
    ]


def test_a_step_that_may_fail_is_not_required() -> None:
    found = job("- {run: pytest, continue-on-error: true}\n- {run: mypy .}")

    assert [check.required for check in found.checks] == [False, True]


def test_files_of_the_runner_lead_nowhere() -> None:
    assert job("- run: pytest >> $GITHUB_STEP_SUMMARY").checks[0].env == (("GITHUB_STEP_SUMMARY", "/dev/null"),)


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        (
            "{runs-on: windows-latest, steps: [{run: pytest}]}",
            "the job is left out: it runs on another system than Linux",
        ),
        ("{uses: ./.github/workflows/x.yml}", "the job is left out: it calls the workflow ./.github/workflows/x.yml"),
        ("{if: false, steps: [{run: a}]}", "the job is left out: its condition does not hold on pull_request"),
        ("{services: {db: {image: pg}}, steps: [{run: a}]}", "the job asks for `services`, which is not started here"),
    ],
)
def test_a_job_says_what_it_lacks(fields: str, note: str) -> None:
    (found,) = discover(f"on: pull_request\njobs: {{a: {fields}}}")

    assert found.notes == (note,)


WORKFLOW = """
name: Continuous Integration
on: {push: {branches: [main]}, pull_request: null}
jobs:
  unit: {name: Unit tests, runs-on: ubuntu-latest, steps: [{run: pytest}]}
"""


@pytest.mark.parametrize(
    "name",
    ["ci.yml:unit", "ci:unit", "Continuous Integration:unit", "ci:Unit tests", "Continuous Integration:Unit tests"],
)
def test_a_job_is_selected_by_any_of_its_names(name: str) -> None:
    assert select_job(discover(WORKFLOW), name).job == "unit"


def test_an_unknown_job_is_answered_with_the_nearest_one() -> None:
    with pytest.raises(UnknownJobError, match=r"no job `ci:units`.*did you mean `ci\.yml:unit`"):
        select_job(discover(WORKFLOW), "ci:units")


def test_without_any_job_the_answer_says_so() -> None:
    with pytest.raises(UnknownJobError, match="known are: none"):
        select_job((), "ci:unit")


def test_merging_takes_the_jobs_of_pull_requests_and_pushes_and_each_command_once() -> None:
    nightly = "on: {schedule: [{cron: '1 1 * * *'}]}\njobs: {n: {steps: [{run: make soak}]}}"
    two = """
    on: [pull_request]
    jobs:
      a: {steps: [{run: npm ci}, {name: test, run: pytest}, {name: lint, run: ruff check}]}
      b: {steps: [{run: npm ci}, {name: again, run: pytest}, {name: lint, run: mypy .}]}
    """

    merged = merge_jobs(checks_from_workflows({"a.yml": dedent(two), "n.yml": nightly}))

    assert [(check.name, check.run) for check in merged.checks] == [
        ("test", "pytest"),
        ("lint", "ruff check"),
        ("b / lint", "mypy ."),
    ]
    assert merged.setup == ("npm ci",)


@pytest.mark.parametrize(
    "text", ["a: [", "jobs: {a: 1}", "[]", "", "jobs: []", "jobs: {a: {steps: 3}}", "\0", "[" * 9_000]
)
def test_a_broken_workflow_is_a_note(text: str) -> None:
    (found,) = checks_from_workflows({".github/workflows/broken.yml": text})

    assert found.checks == ()
    assert found.workflow == "broken.yml"


def test_other_files_are_no_workflows() -> None:
    assert checks_from_workflows({".github/workflows/README.md": WORKFLOW}) == ()


@pytest.mark.skipif(not CASES.is_dir(), reason="the shared cases are not here")
@pytest.mark.parametrize("case", sorted(path.name for path in CASES.glob("*") if (path / "case.toml").is_file()))
def test_every_check_of_a_shared_case_is_discovered(case: str) -> None:
    folder = CASES / case / "broken" / ".github" / "workflows"
    expected = tomllib.loads((CASES / case / "case.toml").read_text("utf-8"))["checks"]

    merged = merge_jobs(checks_from_workflows({path.name: path.read_text("utf-8") for path in folder.iterdir()}))

    assert [(check.name, check.run) for check in merged.checks] == [(check["name"], check["run"]) for check in expected]


STEP = st.dictionaries(
    st.sampled_from(["run", "uses", "if", "env", "name", "shell", "working-directory", "timeout-minutes"]),
    st.one_of(st.text(max_size=30), st.none(), st.lists(st.text(max_size=3)), st.just({"A": "${{ b }}"})),
    max_size=5,
)


@given(st.lists(STEP, max_size=4), st.text(max_size=20))
def test_any_workflow_can_be_read(steps: list[dict[str, object]], event: str) -> None:
    text = json.dumps({"on": event, "jobs": {"a": {"steps": steps}}})

    assert [found.workflow for found in checks_from_workflows({"a.yml": text})] == ["a.yml"]
