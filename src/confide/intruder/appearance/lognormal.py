"""Records believed to be lognormal around a centre: the beliefs of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.intruder.appearance.check import as_spread
from confide.intruder.appearance.gaussian import Gaussian
from confide.intruder.appearance.sources import source_values
from confide.intruder.appearance.spread import Spread, elicited_columns, log_spread


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LognormalAppearance(Gaussian):
    """Each respondent's record is lognormal (Duncan and Lambert 1987, section 4.3).

    Centre, sd and covariance are those of the logarithms. A record with a value that is not
    positive can be nobody's.

    >>> from confide.intruder.appearance.dense import log_densities
    >>> two = LognormalAppearance([0.0, 2.0], sd=1.0)
    >>> np.exp(log_densities(two, [7.0, 20.0])).round(4).tolist()
    [[0.0086, 0.0569], [0.0002, 0.0122]]
    """

    LOGS: ClassVar[bool] = True

    @classmethod
    def around(
        cls,
        source: Microdata | npt.ArrayLike,
        variables: str | Sequence[str] | None = None,
        *,
        sd: Spread | None = None,
        relative_sd: npt.ArrayLike | None = None,
        covariance: npt.ArrayLike | None = None,
    ) -> LognormalAppearance:
        """Put the medians of the beliefs at source values: f_i is lognormal(log y_i, sd) (Lambert 1993, Table 1).

        Args:
            source: a file, or values by respondent.
            variables: the variables of the file.
            sd: the sd of the logarithm, or what `elicit` gave.
            relative_sd: the sd of the value divided by its mean.
            covariance: the covariance of the logarithms.

        >>> LognormalAppearance.around([15.0, 30.0], sd=0.5).centre.ravel().round(3).tolist()
        [2.708, 3.401]
        """
        values = source_values(source, variables)
        shape = (int(values.shape[0]), int(values.shape[1]))
        if sum(x is not None for x in (sd, relative_sd, covariance)) != 1:
            raise IntruderError("give sd, relative_sd or covariance, one of them")
        if bool(np.any(values <= 0)):
            raise IntruderError(
                f"{int(np.sum(values <= 0))} of {values.size} values are zero or negative and cannot be the median of a "
                "lognormal; use NormalAppearance, or give the centre of the logarithms"
            )
        centre = np.log(values)
        if covariance is not None:
            return cls(centre, covariance=covariance)
        if relative_sd is not None:
            return cls(centre, sd=log_spread(relative_sd, shape))
        columns = elicited_columns(sd, cls, shape[1])
        if columns is None:
            return cls(centre, sd=as_spread(sd, shape, "sd"))  # type: ignore[arg-type]
        return cls(centre + np.log([e.centre for e in columns]), sd=[e.sd for e in columns])
