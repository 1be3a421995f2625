"""Which files a repair may touch at all."""

from collections.abc import Mapping

import pytest

from repair.tools.guard import BUILT_IN_PROTECTED, allowed_path, inspect_change, protected_globs
from repair.values.contract import Contract


def contract(**limits: object) -> Contract:
    return Contract(**{"goal": "g", "base_tree": "b", "protected": BUILT_IN_PROTECTED, **limits})


@pytest.mark.parametrize(
    "path",
    [
        "tests/test_a.py", "test/x.js", "spec/a.rb", "pkg/tests/data.csv", "src/a_test.go", "src/a.test.js",
        "src/a.spec.ts", "src/a.test.mts", "policy/a_test.rego", "a.tftest.hcl", "src/__snapshots__/a.snap",
        "pkg/testdata/in.txt", "src/test/java/ATest.java", "conftest.py", "pkg/sub/conftest.py",
        ".github/workflows/ci.yml", ".github/CODEOWNERS", ".gitlab-ci.yml", "Jenkinsfile", "pyproject.toml",
        "setup.cfg", "tox.ini", ".flake8", "ruff.toml", "mypy.ini", "pytest.ini", ".coveragerc", ".eslintrc.json",
        "eslint.config.mjs", ".prettierrc", "tsconfig.json", "tsconfig.build.json", ".yamllint.yml", ".sqlfluff",
        ".regal/config.yaml", ".shellcheckrc", ".golangci.yml", "package.json", "web/package.json", "Cargo.toml",
        "Cargo.lock", "go.mod", "poetry.lock", "package-lock.json", "requirements.txt", "Makefile", "noxfile.py",
        ".pre-commit-config.yaml", ".regomender.yml", ".gitattributes", ".gitignore", "sitecustomize.py", "x.pth",
    ],
)  # fmt: skip
def test_what_defines_a_check_is_protected(path):
    assert allowed_path(path, contract()) == "the path is protected"


@pytest.mark.parametrize(
    "path",
    [
        "src/a.py",
        "lib/index.js",
        "main.tf",
        "contest.py",
        "src/latest.py",
        "attest/a.go",
        "docs/testing.md",
        "sql/a.sql",
    ],
)
def test_product_files_are_open(path):
    assert allowed_path(path, contract()) is None


@pytest.mark.parametrize(
    "path",
    [
        "", "/etc/passwd", "~/x", "../x", "a/../../x", "a/./b", "a//b", "a/", ".git/config", "sub/.git/hooks/pre-push",
        ".GIT/config", ".git./config", "a\x00b", "a\nb", "a\u202eb", "a\\b", "C:/x", "x" * 2000, "a\ud800",
    ],
)  # fmt: skip
def test_a_path_that_is_no_plain_name_in_the_tree_is_refused(path):
    assert allowed_path(path, contract(protected=())) is not None


def test_a_scope_ends_at_its_folder():
    scoped = contract(in_scope=("src/a",))
    assert allowed_path("src/a", scoped) is None
    assert allowed_path("src/a/b.py", scoped) is None
    assert allowed_path("src/ab.py", scoped) == "the path is out of scope"


def test_protection_wins_over_scope_and_cannot_be_lifted():
    assert allowed_path("tests/a.py", contract(in_scope=("tests/**",))) == "the path is protected"
    assert allowed_path("tests/a.py", contract(protected=protected_globs(["!tests/**", "docs/**"]))) is not None
    assert allowed_path("docs/a.md", contract(protected=protected_globs(["docs/**"]))) is not None


def test_a_policy_that_allows_tests_opens_test_files_alone():
    allowing = contract(test_policy="allow", protected=protected_globs(["tests/golden/**"]))
    assert allowed_path("tests/test_a.py", allowing) is None
    assert allowed_path("tests/golden/a.txt", allowing) is not None
    assert allowed_path("tests/conftest.py", allowing) is not None
    assert allowed_path(".github/workflows/ci.yml", allowing) is not None


def test_a_new_file_outside_the_scope_is_caught(judge):
    assert judge({"a.py": "x = 1\n"}, {"a.py": "x = 1\n", "tests/helper.py": "y = 1\n"}).refused == {"path"}


@pytest.mark.parametrize(
    "path", ["pytest.py", "src/mypy.py", "pytest/__init__.py", "random.py", "src/unittest/mock.py", "lib/jest.js"]
)
def test_a_new_module_may_not_stand_in_for_a_tool(judge, path):
    assert "shadowing" in judge({}, {path: "x = 1\n"}).refused


@pytest.mark.parametrize("path", ["src/shop/types.py", "shop/random.py", "randomly.py", "docs/pytest.md"])
def test_a_new_module_of_another_name_may_be_added(judge, path):
    assert not judge({}, {path: "x = 1\n"}).violations


def test_a_binary_or_huge_file_waits_for_a_person(judge):
    assert judge({"a.bin": b"a\0b"}, {"a.bin": b"a\0c"}).held == {"binary"}
    assert "uninspected" in judge({"a.py": "x = 1\n"}, {"a.py": "x = 1\n" * 300_000}).held


class ModedTree:
    def __init__(self, modes: Mapping[str, str]) -> None:
        self._modes = modes

    def paths(self) -> list[str]:
        return sorted(path for path, mode in self._modes.items() if mode.startswith("100"))

    def read(self, path: str) -> bytes | None:
        return b"x" if path in self.paths() else None

    def modes(self) -> Mapping[str, str]:
        return self._modes


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a.sh": "100755"}, {"a.sh": "100644"}),
        ({"a.sh": "100644"}, {"a.sh": "120000"}),
        ({}, {"link": "120000"}),
        ({}, {"module": "160000"}),
    ],
)
def test_modes_and_links_stay_as_they_are(before, after):
    found = inspect_change(ModedTree(before), ModedTree(after), contract(), ())
    assert "mode" in {violation.rule for violation in found}
