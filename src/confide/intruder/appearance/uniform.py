"""Records believed to lie anywhere between two ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.intruder.appearance.appearance import UNIFORM
from confide.intruder.appearance.axes import Axes
from confide.intruder.appearance.check import as_spread, as_table, frozen
from confide.intruder.appearance.formed import Formed
from confide.intruder.appearance.forms import LocatedForm
from confide.intruder.appearance.sources import source_values


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class UniformAppearance(Formed):
    """Each respondent's record is uniform between two ends, which belong to it (Lambert 1993, 4.2.3).

    >>> from confide.intruder.appearance.dense import log_densities
    >>> np.exp(log_densities(UniformAppearance([-4.0], [4.0]), [-2.25, 4.0, 4.1])).round(12).tolist()
    [[0.125], [0.125], [0.0]]
    """

    low: npt.ArrayLike
    """The lower ends, respondents by variables; a plain list is one variable."""
    high: npt.ArrayLike
    """The upper ends."""

    def __post_init__(self) -> None:
        """Check the ends."""
        low, high = as_table(self.low, "low"), as_table(self.high, "high")
        if low.shape != high.shape:
            raise IntruderError(f"low and high must have one shape; found {low.shape} and {high.shape}")
        if not bool(np.all(low < high)):
            raise IntruderError(f"low must be below high; it is not for {int(np.sum(low >= high))} of {low.size} ends")
        with np.errstate(over="ignore"):
            width = high - low
        if not bool(np.all(np.isfinite(width))):
            raise IntruderError("low and high are too far apart; give ends whose distance is a finite number")
        centre = low + width / 2
        scale = np.maximum(high - centre, centre - low)  # both ends are inside, whatever the rounding
        form = LocatedForm(Axes(low.shape[1]), frozen(centre), frozen(scale), UNIFORM, -np.log(width).sum(axis=1))
        for name, value in (("low", low), ("high", high), ("form", form)):
            object.__setattr__(self, name, value)

    @classmethod
    def around(
        cls,
        source: Microdata | npt.ArrayLike,
        variables: str | Sequence[str] | None = None,
        *,
        half_width: npt.ArrayLike | None = None,
        relative_half_width: npt.ArrayLike | None = None,
    ) -> UniformAppearance:
        """Put the ends at equal distance from source values.

        Args:
            source: a file, or values by respondent.
            variables: the variables of the file.
            half_width: the distance.
            relative_half_width: the distance divided by the size of each value, .2 for 'within 20 per cent'.

        >>> UniformAppearance.around([100.0], relative_half_width=0.2).high.tolist()
        [[120.0]]
        """
        values = source_values(source, variables)
        shape = (int(values.shape[0]), int(values.shape[1]))
        if relative_half_width is None and half_width is not None:
            half = as_spread(half_width, shape, "half_width")
        elif half_width is None and relative_half_width is not None:
            half = as_spread(relative_half_width, shape, "relative_half_width") * np.abs(values)
            if bool(np.any(values == 0)):
                raise IntruderError(
                    f"{int(np.sum(values == 0))} of {values.size} values are zero, where a relative half width is none; "
                    "give half_width itself"
                )
        else:
            raise IntruderError("give half_width or relative_half_width, one of them")
        return cls(values - half, values + half)
