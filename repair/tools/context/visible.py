"""Making characters visible that a person, or a model, would not see as what they are."""

import re

_SHORTEST_FENCE = 3
# Letters and marks that count as printable and show nothing, or change how their neighbours look.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {chr(code) for code in range(0xFE00, 0xFE10)}
_SELECTORS = range(0xE0100, 0xE01F0)


def visible(text: str) -> str:
    r"""The text with every control, invisible or bidirectional character written as `\u202e` is written in code.

    Line feeds and tabs stay; a carriage return before a line feed is dropped.
    """
    text = text.replace("\r\n", "\n")
    if text.isascii() and text.replace("\n", "").replace("\t", "").isprintable():
        return text
    return "".join(character if _shows(character) else _escaped(character) for character in text)


def fence(text: str) -> str:
    """Backticks that fence a text: three, or one more than stand together in it."""
    runs = (len(run) for run in re.findall("`+", text))
    return "`" * max(_SHORTEST_FENCE, max(runs, default=0) + 1)


def _shows(character: str) -> bool:
    if character in "\n\t":
        return True
    return character.isprintable() and character not in _BLANK and ord(character) not in _SELECTORS


def _escaped(character: str) -> str:
    code = ord(character)
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"
