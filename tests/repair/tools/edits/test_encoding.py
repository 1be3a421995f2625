"""Bytes to text and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from repair.tools.edits.encoding import decode, encode


@pytest.mark.parametrize(
    ("content", "encoding", "text"),
    [
        (b"a\r\nb", "utf-8", "a\r\nb"),
        ("\ufeffä\n".encode(), "utf-8", "ä\n"),
        ("\ufeffä\n".encode("utf-16-le"), "utf-16-le", "ä\n"),
        ("\ufeffä\n".encode("utf-16-be"), "utf-16-be", "ä\n"),
        (b"caf\xe9\n", "latin-1", "café\n"),
        (b"", "utf-8", ""),
    ],
)
def test_the_encoding_is_known_and_kept(content: bytes, encoding: str, text: str) -> None:
    decoded = decode(content)
    assert decoded is not None
    assert (decoded.encoding, decoded.text) == (encoding, text)
    assert encode(decoded) == content


@pytest.mark.parametrize("content", [b"\x7fELF\0\0", b"\xff\xfe\0\0a\0\0\0", b"\x89PNG\0", b"\xff\0"])
def test_binary_files_are_no_text(content: bytes) -> None:
    assert decode(content) is None


def test_a_character_the_encoding_lacks_is_an_error() -> None:
    decoded = decode(b"caf\xe9")
    assert decoded is not None
    with pytest.raises(UnicodeEncodeError):
        encode(decoded.model_copy(update={"text": "→"}))


MARKS = st.sampled_from([b"", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"])


@given(MARKS, st.one_of(st.binary(), st.text().map(lambda text: text.encode("utf-16-le", "replace"))))
def test_what_can_be_read_is_written_back_byte_for_byte(mark: bytes, rest: bytes) -> None:
    decoded = decode(mark + rest)
    assert decoded is None or encode(decoded) == mark + rest
