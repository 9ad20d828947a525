"""Records believed to be lognormal around a centre: the beliefs of the papers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.intruder.appearance.check import as_spread, as_table
from confide.intruder.appearance.covariance import gaussian_form
from confide.intruder.appearance.formed import Formed
from confide.intruder.appearance.quantiles import Fitted, centres_at
from confide.intruder.appearance.sources import source_values
from confide.intruder.appearance.spread import Spread, elicited_columns, log_spread


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LognormalAppearance(Formed):
    """Each respondent's record is lognormal (Duncan and Lambert 1987, section 4.3).

    Centre, sd and covariance are those of the logarithms. A record with a value that is not
    positive can be nobody's.

    >>> from confide.intruder.appearance.dense import log_densities
    >>> two = LognormalAppearance([0.0, 2.0], sd=1.0)
    >>> np.exp(log_densities(two, [7.0, 20.0])).round(4).tolist()
    [[0.0086, 0.0569], [0.0002, 0.0122]]
    """

    LOGS: ClassVar[bool] = True

    centre: npt.ArrayLike
    """The means of the logarithms, respondents by variables; a plain list is one variable."""
    sd: npt.ArrayLike | None = None
    """One number, one per variable, or respondents by variables."""
    covariance: npt.ArrayLike | None = None
    """Instead of sd: Σ, variables by variables for all, or one such table for each respondent."""

    def __post_init__(self) -> None:
        """Check the parameters."""
        centre = as_table(self.centre, "centre")
        form, sd, covariance = gaussian_form(centre, self.sd, self.covariance, logs=self.LOGS)
        for name, value in (("centre", centre), ("sd", sd), ("covariance", covariance), ("form", form)):
            object.__setattr__(self, name, value)

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

    @classmethod
    def at_quantiles(
        cls,
        distribution: Fitted,
        respondents: int,
        *,
        ranks: npt.ArrayLike | None = None,
        sd: Spread | None = None,
        relative_sd: npt.ArrayLike | None = None,
    ) -> LognormalAppearance:
        """Put the medians of the beliefs at quantiles of a fitted distribution, by rank (Duncan and Lambert 1987, 4.3).

        Args:
            distribution: what the source values are like, such as `fit_lognormal` gives.
            respondents: N.
            ranks: the ranks of the respondents, 1 for the smallest; all N of them by default.
            sd: the sd of the logarithm, or what `elicit` gave.
            relative_sd: the sd of the value divided by its mean.

        >>> from confide.intruder.distribution import Lognormal
        >>> LognormalAppearance.at_quantiles(Lognormal(2, 1), 3, sd=0.5).centre.ravel().round(3).tolist()
        [1.326, 2.0, 2.674]
        """
        return cls.around(centres_at(distribution, respondents, ranks), sd=sd, relative_sd=relative_sd)
