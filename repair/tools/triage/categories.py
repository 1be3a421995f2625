"""What a tool's code means: the table from (tool, code) to the closed categories."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from repair.values.checks import Category

_SYNTAX = Category.SYNTAX
_NAME = Category.NAME_UNRESOLVED
_IMPORT = Category.IMPORT_DEPENDENCY


@dataclass(frozen=True, slots=True)
class _Codes:
    """A tool's codes; the longest prefix of a code decides."""

    other: Category
    prefixes: Mapping[str, Category] = field(default_factory=dict)

    def category(self, code: str) -> Category:
        fitting = [prefix for prefix in self.prefixes if code.startswith(prefix)]
        return self.prefixes[max(fitting, key=len)] if fitting else self.other


_PYTHON_LINT = _Codes(
    Category.LINT_STYLE,
    {
        "E9": _SYNTAX,
        "E902": Category.BUILD_TOOL,
        "F7": _SYNTAX,
        "F821": _NAME,
        "F822": _NAME,
        "F823": _NAME,
        "SyntaxError": _SYNTAX,
        "invalid-syntax": _SYNTAX,
        "unformatted": Category.FORMAT,
    },
)

_TABLE: Mapping[str, _Codes] = {
    "ruff": _PYTHON_LINT,
    "flake8": _PYTHON_LINT,
    "pylint": _Codes(
        Category.LINT_STYLE,
        {
            "E0001": _SYNTAX,
            "E0401": _IMPORT,
            "E0611": _IMPORT,
            "E0601": _NAME,
            "E0602": _NAME,
            "E1": Category.TYPE,
            "F0002": Category.BUILD_TOOL,
        },
    ),
    "mypy": _Codes(
        Category.TYPE,
        {"name-defined": _NAME, "used-before-def": _NAME, "import": _IMPORT, "syntax": _SYNTAX},
    ),
    "yamllint": _Codes(Category.LINT_STYLE, {"syntax": _SYNTAX, "key-duplicates": Category.SCHEMA_CONFIG}),
    "black": _Codes(Category.FORMAT),
    "isort": _Codes(Category.FORMAT),
    "python": _Codes(
        Category.TEST_ERROR,
        {
            "AssertionError": Category.TEST_ASSERTION,
            "Failed": Category.TEST_ASSERTION,
            "FailException": Category.TEST_ASSERTION,
            "ImportError": _IMPORT,
            "ModuleNotFoundError": _IMPORT,
            "IndentationError": _SYNTAX,
            "SyntaxError": _SYNTAX,
            "TabError": _SYNTAX,
            "MemoryError": Category.RESOURCE_TIMEOUT,
            "TimeoutError": Category.RESOURCE_TIMEOUT,
            "TimeoutExpired": Category.RESOURCE_TIMEOUT,
        },
    ),
}
_UNKNOWN = _Codes(Category.LINT_STYLE)


def category_of(tool: str, code: str | None) -> Category:
    """The category of a tool's code; `tool` may be `python`, whose codes are the names of exceptions."""
    return _TABLE.get(tool, _UNKNOWN).category(code or "")


def exception_category(kind: str, *, in_test: bool) -> Category:
    """What an uncaught exception is: in a test that ran, an unresolved name is an error of the test."""
    if kind in ("NameError", "UnboundLocalError") and not in_test:
        return _NAME
    return category_of("python", kind)
