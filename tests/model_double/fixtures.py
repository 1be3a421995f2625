"""Fixtures of the double; a conftest imports them."""

from collections.abc import Iterator

import pytest

from tests.model_double.server import ModelDouble, serving


@pytest.fixture
def model_server() -> Iterator[ModelDouble]:
    """A running double; the test fails where a request was not as the contract wants it."""
    with serving() as double:
        yield double
    assert double.violations == []
