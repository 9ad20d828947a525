"""Levels of agreement of two dates."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.probabilistic.comparison import (
    DATE,
    Compared,
    MissingLevel,
    NoInformation,
    codes_of,
    cuts_of,
    same_share,
)
from confide.typing import FloatArray, IntArray, Label

WRITTEN = re.compile(r"(\d{4})[-/.]?(\d{2})[-/.]?(\d{2})(?:\.0)?")


@dataclass(frozen=True, slots=True)
class DateAgreement:
    """Dates are the same, agree in two of year, month and day, lie within some days, or differ.

    Dates are written year, month, day: 19810527, "1981-05-27". Dates whose day and month are swapped agree in two parts. A
    date that cannot be, such as the 34th of a month, still has parts.

    >>> DateAgreement("born", days=(31,)).labels
    ('different', 'within 31 days', 'two parts the same', 'same')
    """

    variable: str
    """The variable."""
    days: tuple[float, ...] = ()
    """Numbers of days up to which further levels reach, increasing."""
    missing: MissingLevel = field(default_factory=NoInformation)
    """What a missing value says: `NoInformation()` or `OwnLevel()`."""

    def __post_init__(self) -> None:
        """Check the levels."""
        if self.days:
            cuts_of(self.variable, self.days)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the levels mean."""
        return ("different", *(f"within {d:g} days" for d in reversed(self.days)), "two parts the same", "same")

    def compared(self, source: Microdata, released: Microdata, pairs: int = 0) -> Compared:
        """Give the parts and the day numbers of both files."""
        del pairs
        y, z, values = codes_of(self.variable, source, released)
        same = same_share(y, z)
        parts, days = _read(self.variable, values)
        found = [(np.where(c >= 0, parts[c], -1), np.where(c >= 0, days[c], np.nan)) for c in (y, z)]
        (y, day), (z, other) = found
        cuts = np.asarray(self.days, dtype=np.float64)
        return Compared(self.variable, DATE, self.labels, y, z, self.missing, day, other, cuts, same=same)


def _read(name: str, values: tuple[Label, ...]) -> tuple[IntArray, FloatArray]:
    """Give year, month and day as one number, and the number of days where the date exists."""
    found = [WRITTEN.fullmatch(str(v)) for v in values]
    wrong = sum(f is None for f in found)
    if wrong:
        raise IntruderError(
            f"{name!r}: {wrong} of {len(values)} different values are not dates written year, month, day, such as "
            "19810527 or 1981-05-27; rewrite them, or compare by TextAgreement"
        )
    parts = [tuple(int(g) for g in f.groups()) for f in found if f]
    days = np.full(len(parts) + 1, np.nan)
    for i, (year, month, day) in enumerate(parts):
        try:
            days[i] = np.datetime64(f"{year:04d}-{month:02d}-{day:02d}").astype("datetime64[D]").astype(np.int64)
        except ValueError:
            continue
    return np.array([10_000 * y + 100 * m + d for y, m, d in parts] + [-1], dtype=np.int64), days
