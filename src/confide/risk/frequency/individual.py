"""Individual risk: the expectation of 1/F given f, from survey weights.

Benedetti and Franconi (1998); Franconi and Polettini (2004), Individual risk estimation in mu-Argus: a review. F given f is
negative binomial with f successes of probability p, and p is estimated by f over the sum of the weights.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from confide.errors import IntruderError
from confide.risk.frequency.counts import frequencies
from confide.risk.frequency.inverse_kernel import expected_inverses
from confide.risk.frequency.keys import File, Keys
from confide.risk.frequency.missing import AS_LEVEL, Missing
from confide.risk.per_record import RecordRisk
from confide.typing import AnyArray, FloatArray


@dataclass(frozen=True, slots=True)
class FormulaRisk:
    """E(1/F | f) = p^f / f 2F1(f, f; f + 1; 1 - p), the formula of the model, to rounding for every f.

    What is right to rounding is the formula. The model takes p from the weights of f records; one or two say little.
    """

    def of(self, f: AnyArray, p: FloatArray) -> FloatArray:
        """Give the risk for counts f and sampling probabilities p."""
        return expected_inverses(f, p)

    def error(self, f: AnyArray, p: FloatArray, risk: FloatArray) -> float:  # noqa: ARG002
        """Say how far a risk may be off the formula: not at all."""
        return 0.0

    def describe(self) -> str:
        """Say it in words."""
        return "by the formula of the negative binomial model"


@dataclass(frozen=True, slots=True)
class ApproximateRisk:
    """The approximation p / (f - (1 - p)) for f of 3 or more, the default of sdcMicro; for 1 and 2 the formula itself.

    It is never below the formula.
    """

    def of(self, f: AnyArray, p: FloatArray) -> FloatArray:
        """Give the risk for counts f and sampling probabilities p."""
        few = f < 3
        risk = p / np.where(few, 1.0, f - (1.0 - p))
        risk[few] = expected_inverses(f[few], p[few])
        return np.asarray(risk)

    def error(self, f: AnyArray, p: FloatArray, risk: FloatArray) -> float:
        """Say how far a risk is above the formula at most."""
        return max(float((risk - expected_inverses(f, p)).max()), 0.0)

    def describe(self) -> str:
        """Say it in words."""
        return "approximate for the negative binomial model"


Form = FormulaRisk | ApproximateRisk
FORMULA = FormulaRisk()
FEW = 2
"""So few weights say little of how many people share the keys."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IndividualRisk(RecordRisk):
    """The expectation of 1/F of every record, from survey weights: the chance that a pick among those who agree is right.

    It is as good as the weights of the few records that agree: of sample uniques it is often several times too low, where
    `loglinear_risk` and `population_uniques` read the whole file.
    """

    name: ClassVar[str] = "individual_risk"
    title: ClassVar[str] = "Individual risk"

    form: Form
    """How it was computed."""
    error: float
    """How far any of them may be off the formula."""
    few: int
    """How many records have a risk that rests on one or two weights."""

    def notes(self) -> str:
        """Say how it was computed, how far it may be off the formula, and where the model says little."""
        off = f", off by at most {self.error:.1g} from it" if self.error else ""
        few = f", {self.few:,} of them from one or two weights and perhaps several times too low" if self.few else ""
        return f", {self.form.describe()}{off}{few}"


def individual_risk(data: File, keys: Keys = None, form: Form = FORMULA, *, missing: Missing = AS_LEVEL) -> IndividualRisk:
    """Give each record's expectation of 1/F, from survey weights.

    A file says little of the people behind one or two records through their weights alone: of sample uniques, the risk is
    understated, several times where many combinations are rare. `loglinear_risk` reads the whole file.

    Where the weights sum to less than the number of records, the sum is taken as that number, and the risk is 1/f.

    Args:
        data: a source file, or a released one, with survey weights.
        keys: the variables an intruder knows; those declared as keys when None.
        form: `FormulaRisk()`, or `ApproximateRisk()` as other software computes it.
        missing: what a missing key value says.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "f", "m"], "w": [30.0, 50.0, 10.0]}).declare(weight="w")
    >>> cf.individual_risk(data, "sex").per_record.round(4).tolist()
    [0.0232, 0.0232, 0.2558]
    """
    counts = frequencies(data, keys, missing=missing, weights=True)
    assert counts.F is not None
    if not np.issubdtype(counts.f.dtype, np.integer):
        raise IntruderError("the individual risk needs whole counts; take MissingAsWildcard() with share=1")
    p = counts.f / np.maximum(counts.F, counts.f)
    risk = form.of(counts.f, p)
    few = int(np.count_nonzero((counts.f <= FEW) & (p < 1)))
    return IndividualRisk(risk, form, form.error(counts.f, p, risk), few)
