"""What all appearances with a form share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy.typing as npt

from confide.intruder.appearance.appearance import NORMAL, Appearance, Located
from confide.intruder.appearance.axes import Axes
from confide.intruder.appearance.covariance import CovarianceForm
from confide.intruder.appearance.forms import LocatedForm
from confide.intruder.appearance.quantiles import Fitted, centres_at
from confide.typing import FloatArray, IntArray


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Formed:
    """An appearance that answers by its form."""

    LOGS: ClassVar[bool] = False
    SHAPE: ClassVar[int] = NORMAL

    form: LocatedForm | CovarianceForm = field(init=False)
    """The densities, ready to be evaluated."""

    around: ClassVar[Callable[..., Any]]
    """Places the beliefs around source values."""

    @classmethod
    def at_quantiles(
        cls, distribution: Fitted, respondents: int, *, ranks: npt.ArrayLike | None = None, **spread: Any
    ) -> Self:
        """Place the beliefs around quantiles of a fitted distribution, by rank (Duncan and Lambert 1987, section 4.3).

        Args:
            distribution: what the source values are like, such as `fit_lognormal` gives.
            respondents: N.
            ranks: the ranks of the respondents, 1 for the smallest; all N of them by default.
            spread: how far records may be from there, as for `around`.

        >>> from confide.intruder.appearance.normal import NormalAppearance
        >>> from confide.intruder.distribution import Normal
        >>> NormalAppearance.at_quantiles(Normal(100, 15), 3, sd=5).centre.ravel().round(1).tolist()
        [89.9, 100.0, 110.1]
        """
        found: Self = cls.around(centres_at(distribution, respondents, ranks), **spread)
        return found

    @property
    def respondents(self) -> int:
        """The number of respondents, N."""
        return self.form.respondents

    @property
    def variables(self) -> int:
        """The number of columns of a record, d."""
        return self.form.variables

    @property
    def axes(self) -> Axes:
        """The coordinates of `boxes`."""
        return self.form.axes

    def log_density(self, records: FloatArray, record: IntArray, respondent: IntArray) -> FloatArray:
        """Give log f_i(y_j) of the pairs (record[k], respondent[k]); -inf where it is impossible."""
        return self.form.log_density(records, record, respondent)

    def coordinates(self, records: FloatArray) -> FloatArray:
        """Give the records in the coordinates of `boxes`."""
        return self.form.coordinates(records)

    def boxes(self, mass: float) -> tuple[FloatArray, FloatArray]:
        """Give boxes that the record of each respondent leaves with probability `mass` at most."""
        return self.form.boxes(mass)

    def located(self, records: FloatArray) -> Located | None:
        """Give the same densities as moved and stretched shapes; None where they are not."""
        return self.form.located(records)

    def __repr__(self) -> str:
        """Show the size, never the values."""
        return title(self)


def title(appearance: Appearance) -> str:
    """Say what an appearance is and how large."""
    many = "" if appearance.variables == 1 else "s"
    people = "" if appearance.respondents == 1 else "s"
    name = type(appearance).__name__
    return f"{name}({appearance.respondents} respondent{people}, {appearance.variables} variable{many})"
