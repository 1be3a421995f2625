"""Which command fixes a check, derived from the check's own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.fixers.choice import fixers_for
from repair.tools.fixers.scripts import scripts_of
from repair.values.checks import Category, Check, Finding, Stage


def check(run: str, **fields: object) -> Check:
    return Check.model_validate({"name": "lint", "stage": Stage.LINT, "run": run, **fields})


def finding(file: str | None, message: str = "would reformat", **fields: object) -> Finding:
    return Finding.model_validate(
        {"check": "lint", "stage": Stage.LINT, "category": Category.FORMAT, "file": file, "message": message, **fields}
    )


def fixes(run: str, *files: str, cwd: str = ".", scripts: dict[str, str] | None = None) -> list[str]:
    found = fixers_for(check(run, cwd=cwd), [finding(file) for file in files], lambda _: True, scripts)
    return [command.run for command in found]


@pytest.mark.parametrize(
    ("run", "fix"),
    [
        ("ruff check .", "ruff check --fix --no-unsafe-fixes ."),
        ("ruff check --unsafe-fixes --output-format=github src", "ruff check --fix --no-unsafe-fixes src"),
        ("ruff check --output-format github -o out --select E,F", "ruff check --fix --no-unsafe-fixes --select E,F"),
        ("ruff format --check --diff .", "ruff format ."),
        ("ruff format . --check --line-length 100", "ruff format . --line-length 100"),
        ("black --check --diff -l 100 src", "black -l 100 src"),
        ("isort --check-only --profile black .", "isort --profile black ."),
        ("prettier --check 'src/**/*.ts'", "prettier --write 'src/**/*.ts'"),
        ("prettier . -l --config 'a b.json'", "prettier --write . --config 'a b.json'"),
        ("eslint --max-warnings 0 -f json src", "eslint --fix --max-warnings 0 src"),
        ("gofmt -s -l .", "gofmt -w -s ."),
        ('test -z "$(gofmt -l cmd pkg)"', "gofmt -w cmd pkg"),
        ('if [ -n "$(gofmt -l .)" ]; then exit 1; fi', "gofmt -w ."),
        ("cargo fmt --all -- --check", "cargo fmt --all"),
        ("cargo fmt -- --check --config max_width=80", "cargo fmt -- --config max_width=80"),
        ("cargo +nightly fmt --check", "cargo +nightly fmt"),
        (
            "cargo clippy --all-targets -- -D warnings",
            "cargo clippy --fix --allow-dirty --allow-staged --allow-no-vcs --all-targets -- -D warnings",
        ),
        ("opa fmt --fail -l policy", "opa fmt -w policy"),
        ("opa fmt --fail=true --diff policy", "opa fmt -w policy"),
        ("regal lint --format github -c .regal.yaml policy", "regal fix --force -c .regal.yaml policy"),
        ("terraform fmt -check -recursive -diff", "terraform fmt -recursive"),
        ("tofu -chdir=infra fmt -check=true", "tofu -chdir=infra fmt"),
        ("sqlfluff lint --dialect ansi -f json queries", "sqlfluff fix --dialect ansi queries"),
        ("shfmt -d -i 2 .", "shfmt -w -i 2 ."),
        ("pre-commit run --all-files", "pre-commit run --all-files"),
        ("shellcheck -x -f gcc a.sh", "shellcheck -f diff -x a.sh | patch -p1 --no-backup-if-mismatch"),
    ],
)
def test_the_fixer_keeps_the_options_and_paths_of_the_check(run: str, fix: str) -> None:
    assert fixes(run) == [fix]


@pytest.mark.parametrize(
    ("run", "fix"),
    [
        ("python3 -m black --check .", "python3 -m black ."),
        ("uv run --extra dev black --check .", "uv run --extra dev black ."),
        ("poetry run black --check .", "poetry run black ."),
        ("npx --no-install prettier -c .", "npx --no-install prettier --write ."),
        ("pnpm exec eslint .", "pnpm exec eslint --fix ."),
        ("FOO=1 black --check .", "FOO=1 black ."),
        ("black --check . > out.txt 2>&1", "black ."),
        ("black --check . | tee log", "black ."),
        ("! black --check .", "black ."),
        ("black --check . || exit 1", "black ."),
        ('black --check "my src" $EXTRA', 'black "my src" $EXTRA'),
        ("black --check $(git ls-files '*.py')", "black $(git ls-files '*.py')"),
        ("black \\\n  --check \\\n  .", "black ."),
        ("cd api && black --check .", "cd api && black ."),
        ("set -e\nexport A=1\nblack --check .\nmypy .", "set -e\nexport A=1\nblack ."),
    ],
)
def test_what_stands_around_the_tool_is_kept_or_understood(run: str, fix: str) -> None:
    assert fixes(run) == [fix]


@pytest.mark.parametrize(
    "run",
    [
        *("pytest -q", "mypy .", "make lint", "opa check .", "terraform validate", "cargo test", "go vet ./...", ""),
        *("cat a.py | black --check -", "black --check - < a.py", "black -c 'x = 1'", "ruff check --watch"),
        *("for f in *.py; do black --check $f; done", "lint() { black --check .; }", "$TOOL --check .", "black 'x"),
        *(
            "ruff check --add-noqa",
            "ruff --version",
            "shellcheck -",
            "npm run lint",
            "git ls-files | xargs black --check",
        ),
    ],
)
def test_what_is_not_understood_has_no_fixer(run: str) -> None:
    assert fixes(run) == []


def test_linters_come_before_formatters() -> None:
    assert fixes("black --check . && isort -c . && ruff check .") == [
        "ruff check --fix --no-unsafe-fixes .",
        "isort .",
        "black .",
    ]


@pytest.mark.parametrize(
    ("run", "fix"),
    [
        ("black --check .", "black src/a.py src/b.py"),
        ("black --check -l 100 src tests", "black -l 100 src/a.py src/b.py"),
        ("cd src && black --check .", "cd src && black a.py b.py"),
        ("cd docs; black --check ..", "cd docs && black ../src/a.py ../src/b.py"),
        ("ruff check --select E .", "ruff check --fix --no-unsafe-fixes --select E src/a.py src/b.py"),
    ],
)
def test_only_the_files_that_the_findings_name_are_touched(run: str, fix: str) -> None:
    assert fixes(run, "src/b.py", "src/a.py", "src/b.py") == [fix]


def test_paths_are_relative_to_the_folder_of_the_check() -> None:
    assert fixes("black --check .", "api/src/a.py", cwd="api") == ["black src/a.py"]


@pytest.mark.parametrize(
    ("run", "fix"),
    [
        ("cd $DIR && black --check .", "cd $DIR && black ."),
        ("uv run --directory api black --check .", "uv run --directory api black ."),
        ("black --check --new-option value .", "black --new-option value ."),
        ("black --check $FILES", "black $FILES"),
        ("terraform -chdir=infra fmt -check", "terraform -chdir=infra fmt"),
    ],
)
def test_paths_stay_where_the_folder_or_the_options_are_not_clear(run: str, fix: str) -> None:
    assert fixes(run, "infra/a.tf", "infra/a.py") == [fix]


def test_a_tool_is_left_alone_when_the_findings_are_about_other_files() -> None:
    assert fixes("black --check . && prettier -c .", "README.md") == ["prettier --write README.md"]


def test_a_file_is_never_taken_for_an_option_or_for_shell_text() -> None:
    assert fixes("black --check .", "-x.py", "a b.py", "$(id).py") == ["black '$(id).py' ./-x.py 'a b.py'"]


@pytest.mark.parametrize("file", ["/etc/a.py", "../a.py", "a\n.py"])
def test_a_file_outside_the_tree_is_not_touched(file: str) -> None:
    assert file not in " ".join(fixes("black --check .", file))


def test_findings_of_other_checks_and_masked_ones_do_not_count() -> None:
    found = [finding("a.py", check="types"), finding("b.py", masked=True), finding("c.py")]

    assert [command.run for command in fixers_for(check("black --check ."), found, lambda _: True)] == ["black c.py"]


def test_hundreds_of_files_are_left_to_the_command_itself() -> None:
    assert fixes("black --check src", *(f"src/{n}.py" for n in range(300))) == ["black src"]


def test_the_fix_of_the_check_is_the_only_one() -> None:
    found = fixers_for(check("ruff check .", fix="make fmt", cwd="api"), [], lambda _: False)

    assert [(command.run, command.cwd) for command in found] == [("make fmt", "api")]


def test_a_program_that_is_missing_is_not_proposed() -> None:
    run = "uv run black --check . && isort -c . && shellcheck a.sh"

    found = fixers_for(check(run), [], lambda program: program in {"uv", "shellcheck"})

    assert [command.tool for command in found] == ["black"]


@pytest.mark.parametrize(
    "keyword", ["`if` keyword is required before rule body", "`contains` keyword is required for x"]
)
@pytest.mark.parametrize("run", ["opa check .", "opa test -v ."])
def test_old_rego_is_translated_where_the_findings_say_so(run: str, keyword: str) -> None:
    found = [finding("policy/a.rego", f"rego_parse_error: {keyword}"), finding("b.rego", "rego_unsafe_var_error: x")]

    (command,) = fixers_for(check(run), found, lambda _: True)

    assert command.run == "opa fmt --write --v0-v1 policy/a.rego"


def test_a_script_of_the_package_is_looked_into() -> None:
    state = 'export PATH="$PWD/node_modules/.bin:$PATH"\n'

    assert fixes("cd web && npm run lint", scripts={"lint": "eslint src && prettier -c ."}) == [
        f"cd web && {state}eslint --fix src",
        f"cd web && {state}prettier --write .",
    ]


@pytest.mark.parametrize("run", ["npm run lint", "npm run-script lint", "pnpm lint", "yarn run lint", "yarn lint"])
def test_every_runner_finds_its_script(run: str) -> None:
    assert fixes(run, scripts={"lint": "eslint src"})[0].endswith("eslint --fix src")


def test_the_package_s_own_fixing_script_is_preferred() -> None:
    assert fixes("npm run lint", scripts={"lint": "eslint .", "lint:fix": "eslint --fix ."}) == ["npm run 'lint:fix'"]


@pytest.mark.parametrize("run", ["npm --prefix web run lint", "npm run lint -- --quiet", "npm run lint -w web"])
def test_a_script_with_more_to_it_is_left_alone(run: str) -> None:
    assert fixes(run, scripts={"lint": "eslint ."}) == []


def test_scripts_are_read_from_a_package_json() -> None:
    assert scripts_of('{"scripts": {"lint": "eslint .", "odd": 3}}') == {"lint": "eslint ."}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": []}', "[" * 100_000, "\0", "1e999999"])
def test_a_broken_package_json_has_no_scripts(text: str) -> None:
    assert scripts_of(text) == {}


PIECES = st.sampled_from(
    [
        *("ruff", "check", "black", "--check", "eslint", "npm", "run", "lint", "opa", "fmt", "-l", "cargo", "--", "cd"),
        *("&&", "|", ";", "\n", "(", ")", "$(", "'", '"', "<<E", ">", "for", "do", "done", "$X", "-f", "\\", "\0"),
    ]
)


@given(st.one_of(st.text(max_size=60), st.lists(PIECES, max_size=15).map(" ".join)), st.text(max_size=20))
def test_any_command_and_any_file_can_be_asked_about(run: str, file: str) -> None:
    found = fixers_for(check(run or "x"), [finding(file)], lambda _: True, {"lint": run})

    assert all(command.run for command in found)


@pytest.mark.parametrize(
    "run", ["black --check " + "a " * 20_000, "cd x && " * 500 + "black --check .", "black " * 9_000]
)
def test_a_monstrous_command_is_answered(run: str) -> None:
    assert isinstance(fixers_for(check(run), [], lambda _: True), tuple)
