"""Which paths a change may touch: the protected globs and the rules for a single path."""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from pathspec import GitIgnoreSpec

from repair.values.contract import Contract

TEST_GLOBS: tuple[str, ...] = (
    "**/tests/**",
    "**/test/**",
    "**/spec/**",
    "**/Tests/**",
    "**/__tests__/**",
    "**/__mocks__/**",
    "**/__snapshots__/**",
    "**/testdata/**",
    "**/fixtures/**",
    "**/snapshots/**",
    "test_*.py",
    "*_test.py",
    "*_test.go",
    "*_test.rego",
    "*_test.rs",
    "*.test.[cm][jt]s",
    "*.test.[jt]s",
    "*.test.[jt]sx",
    "*.spec.[cm][jt]s",
    "*.spec.[jt]s",
    "*.spec.[jt]sx",
    "*_spec.rb",
    "*Test.java",
    "*Tests.java",
    "*IT.java",
    "*.tftest.hcl",
    "*.tftest.json",
    "*.bats",
    "*.snap",
)

CI_GLOBS: tuple[str, ...] = (
    ".github/**",
    ".gitlab-ci.yml",
    ".gitlab/**",
    ".circleci/**",
    ".buildkite/**",
    ".woodpecker/**",
    ".woodpecker.yml",
    ".drone.yml",
    ".travis.yml",
    "appveyor.yml",
    ".appveyor.yml",
    "azure-pipelines*.yml",
    "bitbucket-pipelines.yml",
    "Jenkinsfile*",
    ".regomender.yml",
    ".gitattributes",
    ".gitignore",
    ".gitmodules",
)

CONFIG_GLOBS: tuple[str, ...] = (
    "conftest.py",
    "sitecustomize.py",
    "usercustomize.py",
    "*.pth",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "noxfile.py",
    "pytest.ini",
    ".pytest.ini",
    "mypy.ini",
    ".mypy.ini",
    "pyrightconfig.json",
    "ruff.toml",
    ".ruff.toml",
    ".flake8",
    ".pylintrc",
    "pylintrc",
    ".isort.cfg",
    ".bandit",
    ".coveragerc",
    ".codecov.yml",
    "codecov.yml",
    ".pre-commit-config.yaml",
    ".editorconfig",
    ".eslintrc*",
    "eslint.config.*",
    ".eslintignore",
    ".prettierrc*",
    "prettier.config.*",
    ".prettierignore",
    "biome.json*",
    "tsconfig*.json",
    "jsconfig.json",
    "jest.config.*",
    "jest.setup.*",
    "vitest.config.*",
    "vitest.setup.*",
    "vitest.workspace.*",
    "playwright.config.*",
    "cypress.config.*",
    "karma.conf.*",
    "babel.config.*",
    ".babelrc*",
    ".mocharc*",
    ".nycrc*",
    ".c8rc*",
    ".npmrc",
    ".yamllint*",
    ".sqlfluff",
    ".sqlfluffignore",
    ".regal/**",
    ".opa*",
    ".manifest",
    ".shellcheckrc",
    ".tflint.hcl",
    ".tfsec*",
    ".checkov*",
    ".golangci*",
    "clippy.toml",
    ".clippy.toml",
    "rustfmt.toml",
    ".rustfmt.toml",
    ".cargo/**",
    "rust-toolchain*",
    "checkstyle*.xml",
    "spotbugs*.xml",
    "Makefile",
    "makefile",
    "GNUmakefile",
    "*.mk",
    "justfile",
    "Justfile",
    "Taskfile.y*ml",
)

MANIFEST_GLOBS: tuple[str, ...] = (
    "package.json",
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock*",
    "requirements*.txt",
    "requirements/**",
    "constraints*.txt",
    "Pipfile*",
    "poetry.lock",
    "uv.lock",
    "pdm.lock",
    "pylock*.toml",
    "Cargo.toml",
    "Cargo.lock",
    "build.rs",
    "go.mod",
    "go.sum",
    "go.work*",
    "pom.xml",
    "*.gradle",
    "*.gradle.kts",
    "gradle.lockfile",
    ".terraform.lock.hcl",
    "Gemfile*",
    "composer.lock",
    "*.lock",
    "node_modules/**",
)

# Manifests are here because they define checks (npm scripts, lint tables) and what the checks run against.
BUILT_IN_PROTECTED: tuple[str, ...] = TEST_GLOBS + CI_GLOBS + CONFIG_GLOBS + MANIFEST_GLOBS

# Other spellings of the folders above, as repositories write them.
_FOLDER_SPELLINGS = ("tests/**", "test/**", "spec/**", "tests/", "test/", "spec/", "tests", "test", "spec")
_LONGEST_PATH = 1024


def protected_globs(extra: Iterable[str] = ()) -> tuple[str, ...]:
    """The built-in globs and a repository's own, for `Contract.protected`; negated globs lift nothing."""
    own = (glob for glob in extra if not glob.startswith("!"))
    return tuple(dict.fromkeys((*BUILT_IN_PROTECTED, *own)))


@lru_cache(maxsize=256)
def _spec(globs: tuple[str, ...]) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines(glob for glob in globs if not glob.startswith("!"))


def matches(path: str, globs: tuple[str, ...]) -> bool:
    """Whether git would match `path` with one of `globs`; a folder's glob never reaches its siblings."""
    return _spec(globs).match_file(path)


def is_test(path: str) -> bool:
    """Whether the path is a test, a fixture or a snapshot by its name."""
    return matches(path, TEST_GLOBS)


def beyond_tests(contract: Contract) -> tuple[str, ...]:
    """The protected globs that stay closed where test files are open."""
    tests = {*TEST_GLOBS, *_FOLDER_SPELLINGS}
    closed = (*CI_GLOBS, *CONFIG_GLOBS, *MANIFEST_GLOBS, *contract.protected)
    return tuple(dict.fromkeys(glob for glob in closed if glob not in tests))


def allowed_path(path: str, contract: Contract) -> str | None:
    """Why `path` may not be edited, or `None` when it may."""
    return malformed_path(path) or _closed(path, contract)


def malformed_path(path: str) -> str | None:
    """Why `path` is not the plain relative name of a file inside the tree, or `None`."""
    if not path or len(path) > _LONGEST_PATH:
        return "the path is empty or too long"
    if any(unicodedata.category(sign) in {"Cc", "Cf", "Cs"} for sign in path):
        return "the path holds control characters"
    if path.startswith(("/", "~")) or "\\" in path or path[1:2] == ":":
        return "the path is absolute or not a POSIX path"
    parts = path.split("/")
    if any(part in {"", ".", ".."} for part in parts):
        return "the path leaves the tree or is not in its simple form"
    if any(part.rstrip(". ").casefold() in {".git", "git~1"} for part in parts):
        return "the path lies in the repository's own data"
    return None


def _closed(path: str, contract: Contract) -> str | None:
    open_test = contract.test_policy == "allow" and is_test(path)
    closed = beyond_tests(contract) if open_test else contract.protected
    if matches(path, closed):
        return "the path is protected"
    if not matches(path, contract.in_scope):
        return "the path is out of scope"
    return None
