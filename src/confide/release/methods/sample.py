"""Release a random sample of the records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from confide.data.codebook import Role
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.kit.keyed import Draws
from confide.release.channel import Channel
from confide.release.method import Draft
from confide.release.vary import Varying


@dataclass(frozen=True, slots=True)
class Sample(Varying):
    """Release a simple random sample of the records; weights are adjusted by its fraction.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"age": list(range(20, 40)), "wt": [2.0] * 20}).declare(weight="wt")
    >>> released = cf.Release(cf.Sample(fraction=0.5)).apply(data, seed=1)
    >>> released.data.n, float(released.data.weights.sum())
    (10, 40.0)
    """

    n: int | None = None
    """The number of records to release."""
    fraction: float | None = None
    """The share of records to release."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        if (self.n is None) == (self.fraction is None):
            raise ReleaseError("Sample: give one of n and fraction")
        if self.n is not None and self.n < 1:
            raise ReleaseError(f"Sample: n must be 1 or more, found {self.n}")
        if self.fraction is not None and not 0 < self.fraction <= 1:
            raise ReleaseError(f"Sample: fraction must be above 0 and at most 1, found {self.fraction}")

    @property
    def variables(self) -> tuple[str, ...]:
        """A sample touches no variable."""
        return ()

    def describe(self) -> str:
        """Say in one line what is done."""
        return f"release a sample of {self.n} records" if self.n else f"release a sample of {self.fraction:g} of the records"

    def bind(self, data: Microdata) -> SampleStep:
        """Find the number of records."""
        n = self.n if self.n is not None else max(1, round((self.fraction or 0.0) * data.n))
        if n > data.n:
            raise ReleaseError(f"Sample: {n} records were asked for, the file holds {data.n}")
        return SampleStep(n)


@dataclass(frozen=True, slots=True, eq=False)
class SampleStep:
    """Draw a sample of known size."""

    n: int
    """The number of records to release."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """A sample leaves values as they are."""
        return {}

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Keep the records with the smallest random words, in the order of the file."""
        rows = np.sort(stream.order(draft.keys)[: self.n])
        data = draft.data.take(rows)
        for name in data.with_role(Role.WEIGHT):
            scaled = data.columns[name].numbers * (draft.data.n / self.n)
            data = data.with_columns({name: Column.of_numbers(scaled)})
        return Draft(data, draft.parent[rows], draft.keys[rows])
