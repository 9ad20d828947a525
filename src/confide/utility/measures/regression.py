"""Are the coefficients of a regression kept?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import ClassVar

from confide.errors import HarmError, UtilityError
from confide.harm.model.disclose import model_disclosure
from confide.harm.model.formula import ModelFormula
from confide.release.released import Released
from confide.utility.files import Files, files_of
from confide.utility.lost import still_known
from confide.utility.measure import SHARE, Parts, Unmasked, Utility


@dataclass(frozen=True, slots=True)
class RegressionKept(Unmasked):
    """The mean overlap of the 95 % intervals of the coefficients (Karr, Kohnen, Oganian, Reiter and Sanil 2006).

    An overlap is the mean of the shares that both intervals have in each other, and 0 where they do not meet. Amounts are
    explained by linear, two categories by logistic, more by multinomial regression. Coefficients that the release cannot
    give, since a variable is not released or is released in other categories, count 0. Where the release has blanks in the
    response or in the variable of a coefficient, its overlap counts for the share of records that they leave.

    >>> import confide as cf
    >>> cps = cf.examples.cps()
    >>> masked = cf.Release(cf.Noise("age", sd=20)).apply(cps, seed=1)
    >>> cf.RegressionKept("income ~ age + sex").of(masked).to_frame()["coefficient"].to_list()
    ['(intercept)', 'age', 'sex[2]']
    >>> cf.RegressionKept("income ~ age + sex").unmasked(cps).value
    1.0
    """

    name: ClassVar[str] = "regression_kept"
    larger_is_better: ClassVar[bool] = True
    bounds: ClassVar[tuple[float, float]] = SHARE

    formula: str | ModelFormula
    """A formula such as "income ~ age + C(edu) + log(tax)"."""
    weights: bool = True
    """Whether records count by their survey weights, where the files have any; errors are then those of the sandwich."""

    def __post_init__(self) -> None:
        """Read the formula."""
        if isinstance(self.formula, str):
            try:
                object.__setattr__(self, "formula", ModelFormula.parse(self.formula))
            except HarmError as error:
                raise UtilityError(f"RegressionKept: {error}") from None
        if not isinstance(self.formula, ModelFormula):
            raise UtilityError(
                f"RegressionKept takes a formula such as 'income ~ age + C(edu)', found {type(self.formula).__name__}"
            )

    @property
    def title(self) -> str:
        """The name in printed tables."""
        return f"Regression kept, {self.formula}"

    def of(self, released: Released) -> Utility:
        """Take the measure of a released file, with its source."""
        files = files_of(released, self.title, weights=self.weights)
        read = replace(released, data=files.released)
        assert isinstance(self.formula, ModelFormula)
        try:
            found = model_disclosure(read, self.formula, wanted=True, weights=files.weighted)
        except HarmError as error:
            raise UtilityError(f"{self.title}: {error}") from None
        pairs = [c for c in found.coefficients if c.source is not None]
        known = _known(files, self.formula)
        overlaps = [(c.overlap or 0.0) * known(c.name) for c in pairs]
        lost = sum(c.overlap is None for c in pairs)
        parts: Parts = {
            "coefficient": [c.name for c in pairs],
            "source": [c.source for c in pairs],
            "source_se": [c.source_se for c in pairs],
            "released": [c.released if c.compared else None for c in pairs],
            "released_se": [c.released_se if c.compared else None for c in pairs],
            "overlap": overlaps,
        }
        notes = (*files.notes_on(self.formula.variables), *found.notes)
        if any(known(c.name) < 1 for c in pairs if c.overlap is not None):
            notes = (*notes, "coefficients of variables with blanks in the release count for the share that is still known")
        if lost:
            notes = (*notes, f"{lost:,} of {len(pairs):,} coefficients cannot be compared and count 0")
        return Utility(self, sum(overlaps) / len(overlaps), parts, None, notes)


def _known(files: Files, formula: ModelFormula) -> Callable[[str], float]:
    """Give the share of records in which the response and the variable of a coefficient are still known, by its name."""
    response = formula.response.variable
    alone = still_known(files, [response])
    shares = {str(t): still_known(files, [response, t.variable]) for t in formula.terms}

    def of(name: str) -> float:
        told = f": {name}"
        return min((s for t, s in shares.items() if f": {t}[" in told or told.endswith(f": {t}")), default=alone)

    return of
