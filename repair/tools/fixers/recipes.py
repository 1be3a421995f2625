"""The recipes of the tools that can fix what they check."""

from typing import Final

from repair.tools.fixers.rewriting import Recipe

_PYTHON: Final = (".py", ".pyi", ".ipynb")
_ANY_FILE: Final = ("",)
_RUFF_VALUES: Final = frozenset(
    {
        *(
            "--select",
            "--ignore",
            "--extend-select",
            "--extend-ignore",
            "--per-file-ignores",
            "--fixable",
            "--unfixable",
        ),
        *("--extend-per-file-ignores", "--extend-fixable", "--exclude", "--extend-exclude", "--target-version"),
        *("--line-length", "--config", "--cache-dir", "--extension", "--color"),
    }
)

# Formatters stand behind linters: what a linter rewrites may need formatting.
RECIPES: Final = (
    Recipe(
        name="ruff check",
        tools=frozenset({"ruff"}),
        subcommand="check",
        # Said on the command line, for a project's own configuration may ask for unsafe fixes.
        adds=("--fix", "--no-unsafe-fixes"),
        drops=frozenset(
            {
                *("--fix", "--no-fix", "--fix-only", "--unsafe-fixes", "--no-unsafe-fixes", "--show-fixes"),
                *("--diff", "--statistics", "--exit-non-zero-on-fix"),
            }
        ),
        drops_with_value=frozenset({"--output-format", "--output-file", "-o"}),
        with_value=_RUFF_VALUES,
        refuses=frozenset({"--add-noqa", "--add-ignore", "-w", "--show-files", "--show-settings", "--stdin-filename"}),
        files=_PYTHON,
    ),
    Recipe(
        name="eslint",
        tools=frozenset({"eslint"}),
        adds=("--fix",),
        drops=frozenset({"--fix", "--fix-dry-run", "--no-fix"}),
        drops_with_value=frozenset({"--format", "-f", "--output-file", "-o"}),
        with_value=frozenset(
            {
                *("--config", "-c", "--ext", "--ignore-path", "--ignore-pattern", "--max-warnings", "--rulesdir"),
                *("--cache-location", "--cache-file", "--cache-strategy", "--parser", "--parser-options", "--plugin"),
                *("--rule", "--env", "--global", "--resolve-plugins-relative-to", "--fix-type", "--concurrency"),
                *("--report-unused-disable-directives-severity", "--suppressions-location"),
            }
        ),
        refuses=frozenset({"--stdin", "--stdin-filename", "--print-config", "--init", "--suppress-all"}),
        files=_ANY_FILE,
    ),
    Recipe(
        name="cargo clippy",
        tools=frozenset({"cargo"}),
        subcommand="clippy",
        adds=("--fix", "--allow-dirty", "--allow-staged", "--allow-no-vcs"),
        drops=frozenset({"--fix", "--allow-dirty", "--allow-staged", "--allow-no-vcs"}),
        drops_with_value=frozenset({"--message-format"}),
    ),
    Recipe(
        name="regal",
        tools=frozenset({"regal"}),
        subcommand="lint",
        instead=("fix",),
        adds=("--force",),
        drops=frozenset({"--instrument", "--metrics", "--profile", "--enable-print"}),
        drops_with_value=frozenset(
            {"--format", "-f", "--fail-level", "-l", "--output-file", "-o", "--timeout", "--pprof"}
        ),
        with_value=frozenset(
            {
                *("--config-file", "-c", "--disable", "-d", "--disable-category", "--enable", "-e"),
                *("--enable-category", "--ignore-files", "-i", "--rules", "-r"),
            }
        ),
        files=(".rego",),
    ),
    Recipe(
        name="sqlfluff",
        tools=frozenset({"sqlfluff"}),
        subcommand="lint",
        instead=("fix",),
        drops=frozenset({"--nofail"}),
        drops_with_value=frozenset({"--format", "-f", "--write-output", "--annotation-level", "--persist-timing"}),
        with_value=frozenset(
            {
                *("--dialect", "-d", "--templater", "-t", "--rules", "-r", "--exclude-rules", "-e", "--config"),
                *("--ignore", "-i", "--encoding", "--processes", "-p", "--library-path", "--disable-noqa-except"),
                *("--logger", "--recursion-limit"),
            }
        ),
        refuses=frozenset({"--stdin-filename"}),
        files=(".sql", ".dml", ".ddl", ".sql.j2"),
    ),
    Recipe(
        name="isort",
        tools=frozenset({"isort"}),
        drops=frozenset({"--check", "--check-only", "-c", "--diff", "--df"}),
        with_value=frozenset(
            {
                *("--profile", "--settings-path", "--settings-file", "--settings", "--sp", "--line-length", "-l", "-w"),
                *("--skip", "-s", "--extend-skip", "--skip-glob", "--sg", "--extend-skip-glob", "--project", "-p"),
                *("--thirdparty", "-o", "--src", "--src-path", "--multi-line", "-m", "--jobs", "-j", "--cr", "--py"),
                *("--config-root", "--python-version", "--add-import", "-a", "--remove-import", "--rm", "--top", "-t"),
            }
        ),
        refuses=frozenset({"--stdout", "-d", "--show-config", "--show-files", "--interactive", "--filename"}),
        files=(".py", ".pyi"),
    ),
    Recipe(
        name="ruff format",
        tools=frozenset({"ruff"}),
        subcommand="format",
        drops=frozenset({"--check", "--diff", "--exit-non-zero-on-format"}),
        drops_with_value=frozenset({"--output-format"}),
        with_value=_RUFF_VALUES,
        refuses=frozenset({"--stdin-filename", "--range"}),
        files=_PYTHON,
    ),
    Recipe(
        name="black",
        tools=frozenset({"black"}),
        drops=frozenset({"--check", "--diff"}),
        with_value=frozenset(
            {
                *("--line-length", "-l", "--target-version", "-t", "--config", "--include", "--exclude", "--workers"),
                *("--extend-exclude", "--force-exclude", "--required-version", "-W", "--cache-dir"),
                *("--enable-unstable-feature", "--python-cell-magics"),
            }
        ),
        refuses=frozenset({"--code", "-c", "--line-ranges", "--stdin-filename"}),
        files=_PYTHON,
    ),
    Recipe(
        name="prettier",
        tools=frozenset({"prettier"}),
        adds=("--write",),
        drops=frozenset({"--check", "-c", "--list-different", "-l", "--write", "-w"}),
        with_value=frozenset(
            {
                *("--config", "--config-precedence", "--ignore-path", "--plugin", "--parser", "--log-level"),
                *("--print-width", "--tab-width", "--end-of-line", "--prose-wrap", "--quote-props", "--arrow-parens"),
                *("--trailing-comma", "--cache-location", "--cache-strategy", "--object-wrap"),
            }
        ),
        refuses=frozenset({"--stdin-filepath", "--find-config-path", "--file-info", "--range-start", "--range-end"}),
        files=_ANY_FILE,
    ),
    Recipe(
        name="gofmt",
        tools=frozenset({"gofmt", "goimports", "gofumpt"}),
        adds=("-w",),
        drops=frozenset({"-l", "-d", "-w"}),
        with_value=frozenset({"-r", "-local", "-lang", "-modpath", "-srcdir"}),
        files=(".go",),
    ),
    Recipe(
        name="cargo fmt",
        tools=frozenset({"cargo"}),
        subcommand="fmt",
        drops=frozenset({"--check"}),
        drops_with_value=frozenset({"--message-format"}),
    ),
    Recipe(
        name="rustfmt",
        tools=frozenset({"rustfmt"}),
        drops=frozenset({"--check"}),
        with_value=frozenset({"--edition", "--style-edition", "--config", "--config-path"}),
        refuses=frozenset({"--emit", "--print-config"}),
        files=(".rs",),
    ),
    Recipe(
        name="opa fmt",
        tools=frozenset({"opa"}),
        subcommand="fmt",
        adds=("-w",),
        drops=frozenset({"--fail", "-l", "--list", "-d", "--diff", "-w", "--write"}),
        with_value=frozenset({"--capabilities"}),
        files=(".rego",),
    ),
    Recipe(
        name="terraform fmt",
        tools=frozenset({"terraform", "tofu"}),
        subcommand="fmt",
        drops=frozenset({"-check", "--check", "-diff", "--diff", "-write", "--write"}),
        files=(".tf", ".tfvars", ".hcl"),
    ),
    Recipe(
        name="shfmt",
        tools=frozenset({"shfmt"}),
        adds=("-w",),
        drops=frozenset({"-d", "--diff", "-l", "--list", "-w", "--write"}),
        with_value=frozenset({"-ln", "--language-dialect", "-i", "--indent"}),
        refuses=frozenset({"-f", "--find", "--filename", "-tojson", "--to-json"}),
        files=_ANY_FILE,
    ),
)
