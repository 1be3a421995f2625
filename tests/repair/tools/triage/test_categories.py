"""What the codes of tools mean."""

import pytest

from repair.tools.triage.categories import category_of, exception_category
from repair.values.checks import Category


@pytest.mark.parametrize(
    ("tool", "code", "category"),
    [
        ("ruff", "F821", Category.NAME_UNRESOLVED),
        ("flake8", "F401", Category.LINT_STYLE),
        ("flake8", "E999", Category.SYNTAX),
        ("ruff", "E902", Category.BUILD_TOOL),
        ("ruff", "invalid-syntax", Category.SYNTAX),
        ("ruff", "unformatted", Category.FORMAT),
        ("pylint", "E0602", Category.NAME_UNRESOLVED),
        ("pylint", "E0401", Category.IMPORT_DEPENDENCY),
        ("mypy", "name-defined", Category.NAME_UNRESOLVED),
        ("mypy", "import-untyped", Category.IMPORT_DEPENDENCY),
        ("mypy", "syntax", Category.SYNTAX),
        ("mypy", "attr-defined", Category.TYPE),
        ("black", None, Category.FORMAT),
        ("yamllint", "key-duplicates", Category.SCHEMA_CONFIG),
        ("a tool nobody knows", "X1", Category.LINT_STYLE),
    ],
)
def test_a_code_has_one_category(tool: str, code: str | None, category: Category) -> None:
    assert category_of(tool, code) is category


def test_an_unresolved_name_is_an_error_of_the_test_that_met_it() -> None:
    assert exception_category("NameError", in_test=True) is Category.TEST_ERROR
    assert exception_category("NameError", in_test=False) is Category.NAME_UNRESOLVED
