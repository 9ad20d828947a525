"""What normal and lognormal appearances share: a centre, and an sd or a covariance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy.typing as npt

from confide.intruder.appearance.check import as_table
from confide.intruder.appearance.covariance import gaussian_form
from confide.intruder.appearance.formed import Formed


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Gaussian(Formed):
    """Records that are normal, themselves or in their logarithms (`LOGS`), around a centre."""

    centre: npt.ArrayLike
    """The means, of the logarithms where these are normal, respondents by variables; a plain list is one variable."""
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
