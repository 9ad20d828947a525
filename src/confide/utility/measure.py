"""The protocol every utility measure follows, and what it gives."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, runtime_checkable

from confide.data.microdata import Microdata
from confide.errors import UtilityError
from confide.release.released import Released

if TYPE_CHECKING:
    import polars as pl

SHARE = (0.0, 1.0)
"""The bounds of a share."""
Parts: TypeAlias = Mapping[str, Sequence[Any]]
"""Figures of parts, column by column."""
LOSS = (0.0, math.inf)
"""The bounds of a loss without a largest value."""


@runtime_checkable
class UtilityMeasure(Protocol):
    """A use of the data, and how much of it a release keeps.

    A measure has a direction and bounds, so that it can be an axis of a map. It is never added to a risk.
    """

    @property
    def name(self) -> str:
        """The name in frames and plans."""
        ...

    @property
    def title(self) -> str:
        """The name in printed tables."""
        ...

    @property
    def larger_is_better(self) -> bool:
        """Whether a larger value means a more useful file; otherwise it is a loss."""
        ...

    @property
    def bounds(self) -> tuple[float, float]:
        """The smallest and the largest value there can be."""
        ...

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        ...

    def unmasked(self, source: Microdata) -> Utility:
        """Take the measure of releasing the source file as it is."""
        ...


class Unmasked:
    """What most measures share: the value of the unmasked file is found by releasing the source."""

    __slots__ = ()

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        raise NotImplementedError

    def unmasked(self, source: Microdata) -> Utility:
        """Take the measure of releasing the source file as it is."""
        return self.of(Released.from_files(source, source, name="unmasked", same_order=True))


@dataclass(frozen=True, slots=True, eq=False)
class Utility:
    """The value of one measure for one release."""

    measure: UtilityMeasure
    """What was measured, with its direction and its bounds."""
    value: float
    """The figure of the file."""
    parts: Parts
    """The figures of single variables, estimates or tables, column by column."""
    se: float | None = None
    """The standard error of the value; None where there is none."""
    notes: tuple[str, ...] = ()
    """What was left out, and how values were read."""

    @property
    def name(self) -> str:
        """The name in frames and plans."""
        return self.measure.name

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return self.measure.title

    def efficiency(self, unmasked: Utility | float) -> float | None:
        """Give the utility relative to that of the unmasked file; see `efficiency`."""
        best = unmasked.value if isinstance(unmasked, Utility) else unmasked
        return efficiency(self.measure, self.value, best)

    def to_frame(self) -> pl.DataFrame:
        """Give the figures of the parts, one row each."""
        import polars as pl

        return pl.DataFrame({k: list(v) for k, v in self.parts.items()}, strict=False)

    def __repr__(self) -> str:
        """Say the value and what it means."""
        size = len(next(iter(self.parts.values()), ()))
        spread = "" if self.se is None else f" (standard error {self.se:.2g})"
        better = "larger" if self.measure.larger_is_better else "smaller"
        low, high = self.measure.bounds
        parts = f"{size} part{'s' * (size != 1)}"
        line = f"{self.title}: {self.value:.4g}{spread}; {better} is better, from {low:g} to {high:g}; {parts}"
        return "\n".join([line, *(f"note: {note}" for note in self.notes)])


def efficiency(measure: UtilityMeasure, value: float, unmasked: float) -> float | None:
    """Give the utility relative to that of the unmasked file (Duncan, Keller-McNulty and Stokes, section V).

    Of a measure that grows with utility it is the ratio. Of a loss it is how much of the way from the worst
    value to the unmasked one is left; a loss without a largest value has no such scale, and None is given.

    >>> import confide as cf
    >>> efficiency(cf.MeansKept(), 0.89, 1.0), efficiency(cf.Hellinger(), 0.25, 0.0), efficiency(cf.IL1s(), 7.0, 0.0)
    (0.89, 0.75, None)
    """
    for x in (value, unmasked):
        if math.isnan(x):
            raise UtilityError(f"{measure.title}: the efficiency of a value that is undefined is undefined")
    if measure.larger_is_better:
        if not unmasked > 0 or math.isinf(unmasked):
            raise UtilityError(f"{measure.title} is {unmasked:g} for the unmasked file, so that nothing is relative to it")
        return value / unmasked
    worst = measure.bounds[1]
    return (worst - value) / (worst - unmasked) if math.isfinite(worst) and worst > unmasked else None
