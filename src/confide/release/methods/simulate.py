"""Add simulated records to the release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.kit import memory
from confide.kit.keyed import Draws
from confide.release.channel import Channel
from confide.release.method import Draft, the_column
from confide.release.vary import Varying
from confide.typing import IntArray

BYTES = 40
"""Memory for a variable of a simulated record while it is drawn."""


@dataclass(frozen=True, slots=True)
class Simulate(Varying):
    """Add records that belong to nobody (Duncan and Lambert 1987, section 4.1).

    A simulated record takes the values of the variables `together` from one random donor and
    every other value from a donor of its own, so that single values look real while their
    combinations belong to nobody. Weights are shared out so that their sum stays.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": [20, 30, 40, 50], "sex": ["m", "f", "m", "f"]})
    >>> released = cf.Release(cf.Simulate(n=2)).apply(data, seed=1)
    >>> released.data.n, released.parent.tolist()
    (6, [0, 1, 2, 3, -1, -1])
    """

    n: int | None = None
    """The number of records to add."""
    fraction: float | None = None
    """The number of records to add as a fraction of the file."""
    together: Sequence[str] = ()
    """Variables that are taken from the same donor."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        if (self.n is None) == (self.fraction is None):
            raise ReleaseError("Simulate: give one of n and fraction")
        if self.n is not None and self.n > 2**40:
            raise ReleaseError(f"Simulate: {self.n} records do not fit in memory")
        if (self.n is not None and self.n < 1) or (self.fraction is not None and not 0 < self.fraction < np.inf):
            raise ReleaseError("Simulate: the number or fraction of records to add must be positive")

    @property
    def variables(self) -> tuple[str, ...]:
        """Simulated records leave the others as they are."""
        return ()

    def describe(self) -> str:
        """Say in one line what is done."""
        return f"add {self.n} simulated records" if self.n else f"add {self.fraction:g} times as many simulated records"

    def bind(self, data: Microdata) -> SimulateStep:
        """Find the number of records."""
        for name in self.together:
            the_column(data, name, self)
        n = self.n if self.n is not None else max(1, round(min((self.fraction or 0.0) * data.n, 2.0**60)))
        size = n * (BYTES * len(data.columns) + 2 * BYTES)
        memory.needs(
            size, f"simulating {n:,} records", instead="give a smaller n or fraction, or take a larger machine",
            error=ReleaseError,
        )  # fmt: skip
        return SimulateStep(n, tuple(self.together))


@dataclass(frozen=True, slots=True, eq=False)
class SimulateStep:
    """Add a known number of records."""

    n: int
    """The number of records to add."""
    together: tuple[str, ...]
    """Variables that are taken from the same donor."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """Real records stay as they are."""
        return {}

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Draw donors and put the simulated records below the real ones."""
        data = draft.data
        first = int(draft.keys.max(initial=-1)) + 1
        new: IntArray = np.arange(first, first + self.n, dtype=np.int64)

        def donors(draw: int) -> IntArray:
            return (stream.uniform(new, draw) * data.n).astype(np.int64)

        columns = {}
        for k, (name, column) in enumerate(data.columns.items()):
            drawn = column.take(donors(0 if name in self.together else k + 1))
            columns[name] = column.append(drawn)
        for name in data.with_role(Role.WEIGHT):
            total = float(data.columns[name].numbers.sum())
            w = columns[name].numbers
            columns[name] = columns[name].with_numbers(columns[name].is_number, w * (total / w.sum()))
        parent = np.concatenate([draft.parent, np.full(self.n, -1, dtype=np.int64)])
        return Draft(data.with_columns(columns), parent, np.concatenate([draft.keys, new]))
