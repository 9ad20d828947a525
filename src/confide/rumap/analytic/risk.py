"""Which formula gives the risk of which snooper."""

from __future__ import annotations

import numpy as np

from confide.errors import IntruderError
from confide.rumap import check
from confide.rumap.analytic.extremes import exact_expected_maximum_risk, expected_maximum_risk
from confide.rumap.analytic.joint import exact_sample_risk, sample_percentile_risk
from confide.rumap.analytic.means import linked_record_risk, sample_target_risk, typical_target_risk
from confide.rumap.analytic.percentiles import exact_percentile_risk, normal_percentile_risk
from confide.rumap.forms import AsymptoticForm
from confide.rumap.knowledge import KnowsPopulation, KnowsRecord
from confide.rumap.snooper import Snooper
from confide.rumap.targets import AtPercentile, Typical
from confide.typing import FloatArray


def snooper_risk(snooper: Snooper, n: int, sigma2: float, lambda2: float | FloatArray) -> FloatArray:
    """Give R = 1/E(target - estimate)² for a sample of n normal values with normal noise.

    ===============  ==============================  ===============================  =================
    target           population known                sample known                     record known
    ===============  ==============================  ===============================  =================
    Typical          `typical_target_risk`           `sample_target_risk`             eq. (4)
    AtPercentile     `exact_percentile_risk`         `exact_sample_risk`              eq. (4)
    the same, large  `normal_percentile_risk`        `sample_percentile_risk`         eq. (4)
    AtMaximum        `exact_expected_maximum_risk`   `exact_sample_risk`              eq. (4)
    the same, large  `expected_maximum_risk`         none; refused                    eq. (4)
    ===============  ==============================  ===============================  =================

    Args:
        snooper: target, knowledge and form.
        n: the sample size.
        sigma2: the variance of the values.
        lambda2: the variance of the noise, one or several.

    >>> from confide.rumap.knowledge import KnowsRecord
    >>> [round(float(snooper_risk(s, 200, 1.0, 0.21)), 3) for s in (Snooper(), Snooper(knows=KnowsRecord()))]
    [0.994, 4.762]
    """
    target, knows = snooper.target, snooper.knows
    if isinstance(knows, KnowsRecord):
        check.size(n)
        check.positive("sigma2", sigma2)
        return linked_record_risk(lambda2)
    population, large = isinstance(knows, KnowsPopulation), isinstance(snooper.form, AsymptoticForm)
    if isinstance(target, Typical):
        return (typical_target_risk if population else sample_target_risk)(n, sigma2, lambda2)
    if isinstance(target, AtPercentile):
        if population:
            return (normal_percentile_risk if large else exact_percentile_risk)(n, target.p, sigma2, lambda2)
        if large:
            return sample_percentile_risk(n, target.p, sigma2, lambda2)
    elif population:
        return (expected_maximum_risk if large else exact_expected_maximum_risk)(n, sigma2, lambda2)
    elif large:
        raise IntruderError(
            f"the {target.label} of the sample itself has no asymptotic form: eq. (10) takes it as fixed. "
            "Give ExactForm(), or KnowsPopulation() for eq. (10)"
        )
    return exact_sample_risk(n, target.rank(n), sigma2, np.asarray(lambda2, dtype=np.float64))
