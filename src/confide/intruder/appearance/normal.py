"""Records believed to be normal around a centre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.intruder.appearance.gaussian import Gaussian
from confide.intruder.appearance.sources import source_values
from confide.intruder.appearance.spread import Spread, absolute_spread


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NormalAppearance(Gaussian):
    """Each respondent's record is normal, with an sd or a covariance (Lambert 1993, section 5).

    >>> NormalAppearance([[20.0, 1.7], [45.0, 1.8]], sd=[5.0, 0.1])
    NormalAppearance(2 respondents, 2 variables)
    """

    @classmethod
    def around(
        cls,
        source: Microdata | npt.ArrayLike,
        variables: str | Sequence[str] | None = None,
        *,
        sd: Spread | None = None,
        relative_sd: npt.ArrayLike | None = None,
        covariance: npt.ArrayLike | None = None,
    ) -> NormalAppearance:
        """Centre the beliefs at source values.

        Args:
            source: a file, or values by respondent.
            variables: the variables of the file.
            sd: the sd, or what `elicit` gave.
            relative_sd: the sd divided by the size of each value.
            covariance: the covariance of the errors.

        >>> NormalAppearance.around([10.0, 200.0], relative_sd=0.1).sd.ravel().tolist()
        [1.0, 20.0]
        """
        values = source_values(source, variables)
        if covariance is not None:
            if sd is not None or relative_sd is not None:
                raise IntruderError("give sd, relative_sd or covariance, one of them")
            return cls(values, covariance=covariance)
        centre, spread = absolute_spread(values, sd, relative_sd, cls, "sd")
        return cls(centre, sd=spread)
