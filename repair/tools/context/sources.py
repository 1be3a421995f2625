"""Which source of facts reads which file."""

import posixpath

from repair.tools.context import grammars, treesitter
from repair.tools.context.hcl import HclSource
from repair.tools.context.outlines import shell_outline, sql_outline
from repair.tools.context.python import PythonSource
from repair.tools.context.rego import RegoSource
from repair.tools.context.seam import ContextSource
from repair.tools.context.text import TextSource
from repair.tools.context.treesitter import TreeSitterSource

_SOURCES: dict[str, ContextSource] = {
    "python": PythonSource(),
    "javascript": TreeSitterSource(grammars.JAVASCRIPT, treesitter.javascript_import),
    "typescript": TreeSitterSource(grammars.TYPESCRIPT, treesitter.javascript_import),
    "tsx": TreeSitterSource(grammars.TSX, treesitter.javascript_import),
    "go": TreeSitterSource(grammars.GO, treesitter.go_import),
    "rust": TreeSitterSource(grammars.RUST, treesitter.rust_import),
    "java": TreeSitterSource(grammars.JAVA, treesitter.java_import),
    "bash": TreeSitterSource(grammars.BASH, treesitter.shell_import, shell_outline),
    "sql": TreeSitterSource(grammars.SQL, None, sql_outline),
    "hcl": HclSource(),
    "rego": RegoSource(),
    "text": TextSource(),
}

_LANGUAGES = {
    **dict.fromkeys((".py", ".pyi"), "python"),
    **dict.fromkeys((".js", ".jsx", ".mjs", ".cjs"), "javascript"),
    **dict.fromkeys((".ts", ".mts", ".cts"), "typescript"),
    ".tsx": "tsx",
    ".go": "go",
    ".rs": "rust",
    ".java": "java",
    **dict.fromkeys((".sh", ".bash"), "bash"),
    **dict.fromkeys((".tf", ".hcl", ".tfvars"), "hcl"),
    ".sql": "sql",
    ".rego": "rego",
}

# Names in one language of a family may mean definitions in another.
_FAMILIES = {"typescript": "javascript", "tsx": "javascript"}


def language_of(path: str) -> str:
    """The language of a file by its ending; `text` when it is none of ours."""
    return _LANGUAGES.get(posixpath.splitext(path)[1].lower(), "text")


def family_of(path: str) -> str:
    """The languages that share names with this file, by one of them."""
    language = language_of(path)
    return _FAMILIES.get(language, language)


def source_of(path: str) -> ContextSource:
    """The source of facts for a file."""
    return _SOURCES[language_of(path)]
