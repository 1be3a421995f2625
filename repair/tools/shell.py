"""Shell text taken apart into its simple commands, each word as it was written."""

import shlex
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from tree_sitter import Node

from repair.tools.context.grammars import BASH, parse, text_of

MAX_SCRIPT: Final = 50_000
MAX_DEPTH: Final = 200
MAX_STATE: Final = 64

_SEQUENCES: Final = {"program", "list", "compound_statement"}
_REPEATED: Final = {
    "for_statement",
    "c_style_for_statement",
    "while_statement",
    "case_statement",
    "function_definition",
}
_ASSIGNMENTS: Final = {"variable_assignment", "variable_assignments", "declaration_command", "unset_command"}
_SUBSTITUTIONS: Final = {"command_substitution", "process_substitution"}
_EXPANSIONS: Final = {*_SUBSTITUTIONS, "simple_expansion", "expansion", "arithmetic_expansion", "ansi_c_string"}
_SHELL_STATE: Final = {"cd", "pushd", "popd", "source", ".", "set", "shopt", "umask", "ulimit", "eval", "nvm"}
_OUTPUT: Final = {">", ">>", "&>", "&>>", ">|", ">&", ">&-"}


@dataclass(frozen=True)
class Word:
    """A word as written, and what the shell makes of it: `None` where only a run can tell."""

    text: str
    value: str | None


@dataclass(frozen=True)
class SimpleCommand:
    """One program called in a script.

    `before` are the earlier statements that set the state it runs in (folder, variables), as
    written. `fed` says that it reads a pipe or a file, `repeated` that it stands in a loop, a
    function or a case.
    """

    words: tuple[Word, ...]
    assignments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    fed: bool = False
    repeated: bool = False


# Many ask about the same few commands of a run.
@lru_cache(maxsize=64)
def simple_commands(script: str) -> tuple[SimpleCommand, ...]:
    """The simple commands of a script in the order they stand, as far as its size is bearable."""
    if len(script) > MAX_SCRIPT:
        return ()
    tree = parse(BASH, script)
    return tuple(_Walk([]).commands(tree.root_node, 0)) if tree else ()


def is_well_formed(script: str) -> bool:
    """Whether the script is shell text that the grammar reads without an error."""
    tree = parse(BASH, script) if len(script) <= MAX_SCRIPT else None
    return tree is not None and not tree.root_node.has_error


def statements(script: str) -> tuple[str, ...]:
    """The top-level statements of a script as written; the whole script where it cannot be split."""
    tree = parse(BASH, script) if len(script) <= MAX_SCRIPT else None
    if tree is None or tree.root_node.has_error:
        return (script,)
    nodes = tree.root_node.children
    # A statement in the background belongs to what follows it.
    if any(node.type == "&" for node in nodes):
        return (script,)
    return tuple(text_of(node) for node in nodes if node.is_named and node.type != "comment")


def is_state(statement: str) -> bool:
    """Whether a statement does nothing but set the state of the shell: its folder, its variables."""
    return all(command.words[0].value in _SHELL_STATE for command in simple_commands(statement))


@dataclass(frozen=True)
class _Walk:
    """A walk through one scope; `before` grows with the statements that change its state."""

    before: list[str]
    fed: bool = False
    repeated: bool = False

    def commands(self, node: Node, depth: int) -> Iterator[SimpleCommand]:
        if depth > MAX_DEPTH or len(self.before) > MAX_STATE or node.type in {"comment", "heredoc_body"}:
            return
        if node.type == "command":
            yield from self._command(node, depth)
        elif node.type in _SEQUENCES or node.type == "negated_command":
            yield from self._all(node.named_children, depth)
        elif node.type == "redirected_statement":
            yield from self._redirected(node, depth)
        elif node.type == "pipeline":
            yield from self._pipeline(node, depth)
        else:
            inner = replace(self, before=list(self.before), repeated=self.repeated or node.type in _REPEATED)
            yield from inner._all(node.named_children, depth)
            if node.type in _ASSIGNMENTS:
                self.before.append(text_of(node))

    def _all(self, nodes: Iterable[Node], depth: int) -> Iterator[SimpleCommand]:
        for node in nodes:
            yield from self.commands(node, depth + 1)

    def _pipeline(self, node: Node, depth: int) -> Iterator[SimpleCommand]:
        for index, part in enumerate(node.named_children):
            inner = replace(self, before=list(self.before), fed=self.fed or index > 0)
            yield from inner.commands(part, depth + 1)

    def _redirected(self, node: Node, depth: int) -> Iterator[SimpleCommand]:
        redirects = node.children_by_field_name("redirect")
        # The same list of earlier statements: `cd web > /dev/null` moves what follows as well.
        inner = replace(self, fed=self.fed or any(_feeds(redirect) for redirect in redirects))
        if body := node.child_by_field_name("body"):
            yield from inner.commands(body, depth + 1)
        for redirect in redirects:
            yield from replace(self, before=list(self.before)).commands(redirect, depth + 1)

    def _command(self, node: Node, depth: int) -> Iterator[SimpleCommand]:
        children = node.named_children
        assignments = tuple(text_of(child) for child in children if child.type == "variable_assignment")
        words = tuple(_word(child) for child in children if not _is_beside(child))
        fed = self.fed or any(_feeds(child) for child in children if child.type.endswith("_redirect"))
        if words:
            yield SimpleCommand(words, assignments, tuple(self.before), fed, self.repeated)
        yield from replace(self, before=list(self.before), fed=False)._all(_substitutions(node), depth)
        if words and words[0].value in _SHELL_STATE:
            self.before.append(text_of(node))


def _is_beside(node: Node) -> bool:
    return node.type == "variable_assignment" or node.type.endswith("_redirect")


def _feeds(redirect: Node) -> bool:
    return not any(child.type in _OUTPUT for child in redirect.children)


def _substitutions(node: Node) -> list[Node]:
    """The outermost substitutions below a node."""
    found: list[Node] = []
    waiting = list(reversed(node.named_children))
    while waiting:
        child = waiting.pop()
        if child.type in _SUBSTITUTIONS:
            found.append(child)
        else:
            waiting.extend(reversed(child.named_children))
    return found


def _word(node: Node) -> Word:
    text = text_of(node)
    if node.type == "command_name" and node.named_children:
        node = node.named_children[0]
    return Word(text, _default(node) if node.type == "expansion" else _literal(node, text))


def _literal(node: Node, text: str) -> str | None:
    waiting = [node]
    while waiting:
        inner = waiting.pop()
        if inner.type in _EXPANSIONS:
            return None
        waiting.extend(inner.named_children)
    try:
        parts = shlex.split(text)
    except ValueError:
        return None
    return parts[0] if len(parts) == 1 else None


def _default(node: Node) -> str | None:
    """`terraform` of `${TF:-terraform}`: what the name stands for unless the caller says otherwise."""
    children = node.named_children
    is_default = len(children) == 2 and any(child.type in {":-", "-"} for child in node.children)
    return _literal(children[1], text_of(children[1])) if is_default else None
