"""Rules about ways around a check that leave its code in place."""

import re
from collections import Counter
from collections.abc import Iterator

from repair.tools.guard.change import Change, FileChange, critical
from repair.tools.guard.source import Source
from repair.tools.guard.swallowed import swallowed
from repair.values.change import Violation

_SHELL = re.compile(
    r"\|\|[ \t]*(?:true|:|/bin/true|exit[ \t]+0|return[ \t]+0)(?![\w-])|;[ \t]*(?:true|:)[ \t]*(?:\n|$)|"
    r"\bset[ \t]+\+(?:e|o[ \t]+(?:errexit|pipefail))\b|\bexit[ \t]+0\b|\btrap[ \t]+(?:''|\"\"|-|:|'exit 0')[ \t]+ERR\b"
)
_STRICT = re.compile(r"\bset[ \t]+-(?:[a-z]*e[a-z]*\b|o[ \t]+(?:errexit|pipefail)\b|[a-z]*o[ \t]+pipefail\b)")
_GOES_ON = re.compile(
    r"\bcontinue-on-error[ \t]*:[ \t]*(?!false)|\ballow_failure[ \t]*:[ \t]*true|"
    r"\bignore_errors[ \t]*:[ \t]*(?:true|yes)"
)
_EXITS = re.compile(
    r"\b(?:sys\.exit|os\._exit|(?<![.\w])exit|(?<![.\w])quit)\(\s{0,9}(?:0|None)?\s{0,9}\)|\bSystemExit\(\s{0,9}0?\s{0,9}\)|"
    r"\bprocess\.exit(?:Code\s{0,9}=\s{0,9}0\b|\(\s{0,9}0?\s{0,9}\))|\bos\.Exit\(0\)|\bprocess::exit\(0\)|\bSystem\.exit\(0\)"
)
_UNDER_TEST = re.compile(
    r"PYTEST_\w+|[\"'](?:pytest|unittest|_pytest|py\.test|jest|vitest|mocha)[\"']\s{0,9}(?:not\s+)?in\s+sys\.(?:modules|argv)|"
    r"\b(?:in\s+|get\()?sys\.modules\.get\(\s*[\"'](?:pytest|unittest)|NODE_ENV\W{1,12}test\b|\b(?:JEST|VITEST|MOCHA)_\w+|"
    r"\bprocess\.env\.(?:CI|VITEST|TEST|NODE_TEST_CONTEXT|GITHUB_ACTIONS)\b|"
    r"\b(?:environ(?:\.get)?|getenv|Getenv|LookupEnv|env::var|env::var_os)\s?[\[(]\s?[\"'](?:CI|GITHUB_ACTIONS|TESTING|TEST)[\"']|"
    r"\btesting\.Testing\(\)|\bflag\.Lookup\(\"test\.|\bcfg!\(\s*(?:not\()?\s*test|sys\.argv\[0\]\S{0,40}test|"
    r"\bimport\.meta\.(?:vitest|jest)|\$\{?(?:CI|GITHUB_ACTIONS)\b|\binspect\.(?:stack|currentframe)\("
)
# Ways to see who runs the code that need no tool's full name.
_LOOKS_AROUND = re.compile(
    r"\bsys\.(?:orig_argv|_getframe|_current_frames)\b|\btraceback\.(?:extract|format|walk|print)_stack\b|"
    r"\bfor\s[^\n:]{1,80}\bin\s{1,9}(?:\w{1,20}\(){0,2}os\.environ\b|\bin\s{1,9}(?:\w{1,20}\(){0,2}sys\.modules\b|"
    r"\b(?:sys\.argv|process\.argv|os\.Args)\b[^\n]{0,80}(?<![a-z])test|\bprocess\.execArgv\b|"
    r"\bError\([^()\n]{0,40}\)\.stack\b[^\n]{0,80}(?<![a-z])(?:test|spec)|[\"']\w{0,40}pytest\w{0,40}[\"']",
    re.IGNORECASE,
)
_READS_TESTS = re.compile(
    r"[\"'`](?:[^\"'`\n]{0,200}/)?(?:tests?|__tests__)/[^\"'`\n]{0,200}[\"'`]|/\s{0,9}[\"']tests?[\"']|[\"']tests?[\"']\s{0,9}/|"
    r"[\"'`](?:[^\"'`\n]{0,200}/)?(?:test_\w{1,80}\.py|\w{1,80}_test\.(?:py|go|rs|rego)|[\w-]{1,80}\.(?:test|spec)\.[cm]?[jt]sx?)[\"'`]"
)
_TEST_IMPORTS = re.compile(
    r"(?m)^[ \t]*(?:from|import)\s+(?:pytest|_pytest|unittest|hypothesis|tests?|conftest|nose)\b|"
    r"(?:from|require\(|import\()\s*[\"'](?:node:test|vitest|jest|@jest/\S{1,40}|mocha|chai|sinon)[\"']|"
    r"(?:from|require\(|import\()\s*[\"'][./]\S{0,200}(?:/tests?/|/__tests__/|\.test\b|\.spec\b)|"
    r"\buse\s+(?:crate|super)::tests\b|^[ \t]*\"testing\"[ \t]*$"
)
_PATCHED = re.compile(
    r"\bmonkeypatch\b|(?<![.\w])patch\(|\bmock\.patch\b|"
    r"\b(?:pytest|unittest|builtins|jest|expect|assert|console\.assert)(?:\.\w{1,60}){1,4}[ \t]*=(?!=)|"
    r"\bsetattr\(\s*(?:pytest|unittest|builtins|sys\.modules)|\bsys\.modules\[[^\]\n]{1,80}\]\s*=(?!=)|\b__builtins__\b"
)
# Signs nobody sees, that turn a line around, or end a comment: a reviewer would read other code than the compiler.
_HIDDEN = re.compile("[\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff\u2028\u2029]|\r(?!\n)")

_PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("bypass", "a failure is made to look like a success", _EXITS),
    ("bypass", "a failed step no longer stops the job", _GOES_ON),
    ("test-detection", "the code asks whether it is being tested", _UNDER_TEST),
    ("test-import", "product code newly imports tests or test tools", _TEST_IMPORTS),
    ("patched-tool", "product code replaces part of a tool", _PATCHED),
    ("hidden-text", "invisible or direction-changing characters were added", _HIDDEN),
)
_CODE_PATTERNS = (
    ("test-detection", "the code asks whether it is being tested", _LOOKS_AROUND),
    ("test-import", "product code newly reads tests", _READS_TESTS),
)
_NOT_CODE = frozenset({None, "bash", "hcl", "sql"})  # these name test folders and runners for good reasons
_SHELL_FILES = (".sh", ".bash", ".bats", ".yml", ".yaml", ".mk", "Makefile", "Dockerfile", "justfile")


def bypass(change: Change) -> Iterator[Violation]:
    """No newly ignored failure, swallowed exception, test detection, or tampering with a tool."""
    for file in change.product:
        if file.after is None:
            continue
        for rule, message, pattern in (*_PATTERNS, *(() if file.language in _NOT_CODE else _CODE_PATTERNS)):
            yield from _more(rule, message, pattern, file)
        if file.language == "bash" or file.path.endswith(_SHELL_FILES):
            yield from _more("bypass", "a failing command is made to look like a success", _SHELL, file)
            yield from _less_strict(file)
        yield from swallowed(file)


def _more(rule: str, message: str, pattern: re.Pattern[str], file: FileChange) -> Iterator[Violation]:
    new = _count(pattern, file.after) - _count(pattern, file.before)
    if new.total():
        shown = min(new).encode("ascii", "backslashreplace").decode()
        yield critical(rule, f"{message}: `{shown.strip()}`", file.path)


def _count(pattern: re.Pattern[str], source: Source | None) -> Counter[str]:
    return (
        Counter(" ".join(found.split()) or ascii(found) for found in pattern.findall(source.text))
        if source
        else Counter()
    )


def _less_strict(file: FileChange) -> Iterator[Violation]:
    if file.before and _STRICT.search(file.before.text) and not (file.after and _STRICT.search(file.after.text)):
        yield critical("bypass", "the script no longer stops at its first failure", file.path)
