"""Counting tokens without the model's tokenizer, and pricing them."""

import math

from repair.values.model import Usage

_BYTES_PER_TOKEN = 3.2
_WEIGHT_OF_THE_NEWEST = 0.2
_FEWEST_TO_LEARN_FROM = 100
_LIMITS_OF_CORRECTION = (0.25, 4.0)


class TokenCounter:
    """An estimate by length, corrected by what the server counted.

    Local models bring tokenizers of their own, so no vocabulary fits all of them.
    """

    def __init__(self) -> None:
        self._correction = 1.0

    def count(self, text: str) -> int:
        """About how many tokens the text has."""
        return math.ceil(_plain(text) * self._correction)

    def learn(self, text: str, counted: int) -> None:
        """Move the estimate toward the server's count of `text`.

        Short texts teach nothing: the chat template outweighs them. Absurd counts are bounded.
        """
        estimate = _plain(text)
        if estimate < _FEWEST_TO_LEARN_FROM or counted <= 0:
            return
        low, high = _LIMITS_OF_CORRECTION
        observed = min(max(counted / estimate, low), high)
        self._correction += _WEIGHT_OF_THE_NEWEST * (observed - self._correction)


def _plain(text: str) -> float:
    return len(text.encode("utf-8", errors="replace")) / _BYTES_PER_TOKEN


class Ledger:
    """What one request cost, lost and failed tries included.

    `prices` are US dollars for a million prompt tokens and for a million completion tokens.
    """

    def __init__(self, counter: TokenCounter, prompt: str, prices: tuple[float, float]) -> None:
        self.spent = Usage()
        self._counter = counter
        self._prompt = prompt
        self._prices = prices
        self._in_flight = False

    def sent(self) -> None:
        """A request goes out."""
        self._in_flight = True
        self.spent += Usage(calls=1)

    def free(self) -> None:
        """The request failed before a model worked on it."""
        self._in_flight = False

    def counted(self, prompt_tokens: int, completion_tokens: int) -> None:
        """The server told the price of the request."""
        self._counter.learn(self._prompt, prompt_tokens)
        self._book(prompt_tokens, completion_tokens, estimated=False)

    def estimated(self, completion: str = "") -> None:
        """The server told no price: the prompt was read, and `completion` written."""
        self._book(self._counter.count(self._prompt), self._counter.count(completion), estimated=True)

    def lost(self) -> None:
        """The deadline came; a request on its way was read by the model all the same."""
        if self._in_flight:
            self.estimated()

    def _book(self, prompt_tokens: int, completion_tokens: int, *, estimated: bool) -> None:
        self._in_flight = False
        usd = (prompt_tokens * self._prices[0] + completion_tokens * self._prices[1]) / 1_000_000
        self.spent += Usage(
            prompt_tokens=prompt_tokens, completion_tokens=completion_tokens, usd=usd, estimated=estimated
        )
