"""Records believed to be double exponential around a centre: absolute instead of squared distance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.intruder.appearance.appearance import LAPLACE
from confide.intruder.appearance.axes import Axes
from confide.intruder.appearance.check import as_spread, as_table
from confide.intruder.appearance.formed import Formed
from confide.intruder.appearance.forms import LOG_SCALE, LocatedForm
from confide.intruder.appearance.sources import source_values
from confide.intruder.appearance.spread import Spread, absolute_spread


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LaplaceAppearance(Formed):
    """Each respondent's record is double exponential, variables independent (Lambert 1993, section 5).

    >>> from confide.intruder.appearance.dense import log_densities
    >>> np.exp(log_densities(LaplaceAppearance([0.0], scale=2.0), [0.0])).tolist()
    [[0.25]]
    """

    SHAPE: ClassVar[int] = LAPLACE

    centre: npt.ArrayLike
    """The medians, respondents by variables; a plain list is one variable."""
    scale: npt.ArrayLike
    """The mean absolute errors: one number, one per variable, or respondents by variables."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        centre = as_table(self.centre, "centre")
        scale = as_spread(self.scale, (int(centre.shape[0]), int(centre.shape[1])), "scale")
        constant = -np.log(scale).sum(axis=1) - centre.shape[1] * LOG_SCALE[LAPLACE]
        form = LocatedForm(Axes(centre.shape[1]), centre, scale, LAPLACE, constant)
        for name, value in (("centre", centre), ("scale", scale), ("form", form)):
            object.__setattr__(self, name, value)

    @classmethod
    def around(
        cls,
        source: Microdata | npt.ArrayLike,
        variables: str | Sequence[str] | None = None,
        *,
        scale: Spread | None = None,
        relative_scale: npt.ArrayLike | None = None,
    ) -> LaplaceAppearance:
        """Centre the beliefs at source values.

        Args:
            source: a file, or values by respondent.
            variables: the variables of the file.
            scale: the mean absolute error, or what `elicit` gave.
            relative_scale: the same divided by the size of each value.
        """
        return cls(*absolute_spread(source_values(source, variables), scale, relative_scale, cls, "scale"))
