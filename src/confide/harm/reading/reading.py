"""The protocol every way of reading a record follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from confide.harm.belief import Belief
from confide.harm.sensitive import Sensitive
from confide.typing import BoolArray, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Amounts:
    """What each released record tells about an amount."""

    estimate: FloatArray
    """The best guess; NaN where nothing can be said."""
    belief: Belief
    """The whole distribution; anything where nothing can be said."""

    @property
    def known(self) -> BoolArray:
        """Where anything can be said."""
        return ~np.isnan(self.estimate)


@runtime_checkable
class Reading(Protocol):
    """A way to read a record: from released values to beliefs about true ones."""

    def amounts(self, attribute: Sensitive) -> Amounts:
        """Give, for every released record, beliefs about the amount of the person it belongs to."""
        ...

    def categories(self, attribute: Sensitive) -> FloatArray:
        """Give the probabilities of the categories, records by levels; a row of zeros: nothing can be said."""
        ...

    def describe(self) -> str:
        """Say it in words."""
        ...
