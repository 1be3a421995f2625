"""The base of every value: frozen, and strict about unknown fields."""

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen model: two values with equal fields are the same value."""

    model_config = ConfigDict(frozen=True, extra="forbid")
