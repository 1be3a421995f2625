"""Bytes to text and back, keeping the encoding, the byte order mark and every line ending."""

from repair.values.base import Value

_MARKS = (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff"), ("utf-8", b""))


class Text(Value):
    r"""A file as text; `text` keeps `\r\n`, form feeds and a missing final newline as they stand."""

    text: str
    encoding: str = "utf-8"
    mark: bytes = b""


def decode(content: bytes) -> Text | None:
    """The content as text, or `None` when it is binary (NUL characters).

    UTF-16 is known by its byte order mark. What is neither that nor UTF-8 is read as latin-1, which maps every
    byte to one character, so that `encode` gives back the same bytes.
    """
    for encoding, mark in _MARKS:
        if not content.startswith(mark):
            continue
        try:
            text = content[len(mark) :].decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" in text:
            return None
        return Text(text=text, encoding=encoding, mark=mark)
    return None if b"\0" in content else Text(text=content.decode("latin-1"), encoding="latin-1")


def encode(text: Text) -> bytes:
    """The bytes of the file. Raises `UnicodeEncodeError` when its encoding lacks a character."""
    return text.mark + text.text.encode(text.encoding)


def line_ending(lines: list[str]) -> str:
    r"""The ending that most of the lines have; `\n` when none has one."""
    crlf = sum(line.endswith("\r\n") for line in lines)
    lf = sum(line.endswith("\n") for line in lines) - crlf
    return "\r\n" if crlf > lf else "\n"
