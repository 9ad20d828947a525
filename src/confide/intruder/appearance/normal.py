"""Records believed to be normal around a centre."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy.typing as npt

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.intruder.appearance.check import as_table
from confide.intruder.appearance.covariance import gaussian_form
from confide.intruder.appearance.formed import Formed
from confide.intruder.appearance.quantiles import Fitted, centres_at
from confide.intruder.appearance.sources import source_values
from confide.intruder.appearance.spread import Spread, absolute_spread


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NormalAppearance(Formed):
    """Each respondent's record is normal, with an sd or a covariance (Lambert 1993, section 5).

    >>> NormalAppearance([[20.0, 1.7], [45.0, 1.8]], sd=[5.0, 0.1])
    NormalAppearance(2 respondents, 2 variables)
    """

    centre: npt.ArrayLike
    """The means, respondents by variables; a plain list is one variable."""
    sd: npt.ArrayLike | None = None
    """One number, one per variable, or respondents by variables."""
    covariance: npt.ArrayLike | None = None
    """Instead of sd: variables by variables for all, or one such table for each respondent."""

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

    @classmethod
    def at_quantiles(
        cls,
        distribution: Fitted,
        respondents: int,
        *,
        ranks: npt.ArrayLike | None = None,
        sd: Spread | None = None,
        relative_sd: npt.ArrayLike | None = None,
    ) -> NormalAppearance:
        """Centre the beliefs at quantiles of a fitted distribution, by rank (Duncan and Lambert 1987, section 4.3).

        Args:
            distribution: what the source values are like, such as `fit_normal` gives.
            respondents: N.
            ranks: the ranks of the respondents, 1 for the smallest; all N of them by default.
            sd: the sd, or what `elicit` gave.
            relative_sd: the sd divided by the size of each quantile.

        >>> from confide.intruder.distribution import Normal
        >>> NormalAppearance.at_quantiles(Normal(100, 15), 3, sd=5).centre.ravel().round(1).tolist()
        [89.9, 100.0, 110.1]
        """
        return cls.around(centres_at(distribution, respondents, ranks), sd=sd, relative_sd=relative_sd)
