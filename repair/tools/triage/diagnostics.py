"""The category of a terraform diagnostic, by the start of its summary."""

from repair.values.checks import Category

_SYNTAX = """
Argument definition|Argument or block|Extra characters|Invalid block definition|Invalid character|Invalid expression
Invalid legacy|Invalid multi-line|Invalid quoted|Invalid single-argument|Invalid string literal|Invalid template
Missing attribute|Missing block|Missing close|Missing expression|Missing item separator|Missing key/value
Missing name for|Missing newline|Unbalanced|Unclosed|Unexpected comma|Unterminated
"""
_UNRESOLVED = """
Call to unknown function|Invalid reference|Reference to|Unknown variable|Unsupported attribute
"""
_DEPENDENCY = """
Could not load plugin|Failed to download module|Failed to install provider|Failed to load plugin
Failed to query available provider|Incompatible provider|Inconsistent dependency lock|Invalid provider registry
Missing required provider|Module not found|Module not installed|Required plugins are not installed
Unreadable module|Unresolvable module
"""
_TYPE = """
Attempt to get attribute|Error in function call|Inconsistent conditional|Incorrect|Invalid condition result
Invalid count|Invalid default value|Invalid for_each|Invalid function argument|Invalid index|Invalid operand
Invalid value for|Iteration over|Missing map element|Missing resource instance key|Unsuitable value|Unsupported operand
"""
_ASSERTION = """
Check block|Module output value precondition|Resource postcondition|Resource precondition|Test assertion failed
"""


def _starts(table: str) -> tuple[str, ...]:
    return tuple(table.strip().replace("\n", "|").split("|"))


_CATEGORIES = {
    Category.SYNTAX: _starts(_SYNTAX),
    Category.NAME_UNRESOLVED: _starts(_UNRESOLVED),
    Category.IMPORT_DEPENDENCY: _starts(_DEPENDENCY),
    Category.TYPE: _starts(_TYPE),
    Category.TEST_ASSERTION: _starts(_ASSERTION),
}


def category_of(summary: str) -> Category:
    """The category of the first start that fits; what is wrong with a block's arguments is its schema."""
    fitting = (category for category, starts in _CATEGORIES.items() if summary.startswith(starts))
    return next(fitting, Category.SCHEMA_CONFIG)
