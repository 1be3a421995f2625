"""A checking command rewritten into the fixing command of the same tool."""

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from repair.tools.fixers.named_files import MAX_FILES, as_arguments, files_named, folder_of
from repair.tools.invocations import Invocation, invocation_of
from repair.tools.shell import SimpleCommand, Word, is_well_formed, simple_commands
from repair.values.checks import Check, Finding

# Options that move a tool to another folder: the paths in findings are not the ones it wants then.
_MOVING: Final = frozenset({"-chdir", "--chdir", "--cwd", "--prefix", "--project-directory", "--working-dir", "--dir"})
# Options without a value that many tools share.
_FLAGS: Final = frozenset({"-q", "--quiet", "-v", "--verbose", "--color", "--no-color", "--cache", "--no-cache", "-s"})
_NOT_A_RUN: Final = frozenset({"--help", "-h", "--version", "--watch", "-"})


@dataclass(frozen=True)
class Recipe:
    """How the checking command of a tool becomes its fixing one; its options and paths are kept.

    `subcommand` is what must be called, `instead` what takes its place, `adds` the options put
    behind it. `drops` and `drops_with_value` are the options that only make sense for a check,
    `with_value` the options whose next word is no path, `refuses` those that make it another thing.
    `files` are the endings of the files that the tool takes as arguments: an empty ending means
    any file, no endings mean that it takes none.
    """

    name: str
    tools: frozenset[str]
    subcommand: str | None = None
    instead: tuple[str, ...] = ()
    adds: tuple[str, ...] = ()
    drops: frozenset[str] = frozenset()
    drops_with_value: frozenset[str] = frozenset()
    with_value: frozenset[str] = frozenset()
    refuses: frozenset[str] = frozenset()
    files: tuple[str, ...] = ()


@dataclass(frozen=True)
class RecipeFixer:
    """The fixer of a tool that has a recipe."""

    recipe: Recipe

    @property
    def name(self) -> str:
        """The name of the recipe."""
        return self.recipe.name

    def commands(self, check: Check, findings: Sequence[Finding]) -> tuple[str, ...]:
        """One command for each call of the tool in the check."""
        runs = (self._run(command, call, check, findings) for command, call in calls_to(check, self.recipe.tools))
        return tuple(run for run in runs if run)

    def _run(self, command: SimpleCommand, call: Invocation, check: Check, findings: Sequence[Finding]) -> str:
        recipe = self.recipe
        if recipe.subcommand is not None and call.subcommand != recipe.subcommand:
            return ""
        if call.has(*recipe.refuses, *_NOT_A_RUN):
            return ""
        options, is_clear = _kept_options(call, recipe)
        named = files_named(check, findings) if recipe.files else ()
        files = tuple(file for file in named if file.endswith(recipe.files))
        if named and not files:
            # The findings are about other files, so another tool of the command has failed.
            return ""
        folder = folder_of(command, call, check.cwd)
        if not files or len(files) > MAX_FILES or not is_clear or folder is None:
            return run_after(command, call, _kept(call, recipe))
        return run_after(command, call, [*options, *as_arguments(files, folder)])


def calls_to(check: Check, tools: frozenset[str]) -> Iterator[tuple[SimpleCommand, Invocation]]:
    """The calls of the tools in a check that can be repeated on their own."""
    if not is_well_formed(check.run):
        return
    for command in simple_commands(check.run):
        call = invocation_of(command)
        if call is not None and call.tool in tools and not command.fed and not command.repeated:
            yield command, call


def run_after(command: SimpleCommand, call: Invocation, args: Iterable[str]) -> str:
    """The call with other arguments, after the statements that set the state it runs in."""
    state = "".join(statement + (" && " if _must_succeed(statement) else "\n") for statement in command.before)
    words = [*command.assignments, *(word.text for word in call.head), *args]
    return state + " ".join(words)


def _must_succeed(statement: str) -> bool:
    return statement.startswith(("cd ", "pushd ", "source ", ". "))


def _kept(call: Invocation, recipe: Recipe) -> list[str]:
    """The arguments with all paths, rewritten for a fix."""
    return [text for text, _ in _rewritten(call, recipe)]


def _kept_options(call: Invocation, recipe: Recipe) -> tuple[list[str], bool]:
    """The arguments without the paths; whether it is clear which arguments those are."""
    rewritten = list(_rewritten(call, recipe))
    moves = any((word.value or "").partition("=")[0] in _MOVING for word in call.args)
    is_clear = not moves and all(is_path is not None for _, is_path in rewritten)
    return [text for text, is_path in rewritten if is_path is False], is_clear


def _rewritten(call: Invocation, recipe: Recipe) -> Iterator[tuple[str, bool | None]]:
    """Each argument of the fixing command, and whether it is a path: `None` where that is not clear."""
    begun = recipe.subcommand is None
    if begun:
        yield from ((word, False) for word in recipe.adds)
    words = deque(call.args)
    while words:
        word = words.popleft()
        value = word.value
        if value is None:
            yield word.text, None
        elif not begun and value == recipe.subcommand:
            begun = True
            yield from ((text, False) for text in (*(recipe.instead or (word.text,)), *recipe.adds))
        elif value == "--" and not recipe.files:
            yield from _passed_on(words, recipe)
            return
        elif value.startswith("-"):
            yield from _option(word, words, recipe)
        else:
            yield word.text, True


def _option(word: Word, rest: deque[Word], recipe: Recipe) -> Iterator[tuple[str, bool | None]]:
    name, has_value, _ = (word.value or "").partition("=")
    takes_next = not has_value and bool(rest)
    if name in recipe.drops_with_value:
        if takes_next:
            rest.popleft()
    elif name in recipe.with_value:
        yield word.text, False
        if takes_next:
            yield rest.popleft().text, False
    elif name not in recipe.drops:
        # An option that we do not know, with a word behind it: that word may be its value.
        next_value = rest[0].value if takes_next else "-"
        is_flag = name in recipe.adds or name == "--" or (next_value or "").startswith("-")
        yield word.text, False if is_flag or name in _FLAGS else None


def _passed_on(words: Iterable[Word], recipe: Recipe) -> Iterator[tuple[str, bool]]:
    """What stands behind `--` belongs to the program inside, as with `cargo fmt -- --check`."""
    kept = [word.text for word in words if word.value not in recipe.drops]
    if kept:
        yield "--", False
    yield from ((text, False) for text in kept)
