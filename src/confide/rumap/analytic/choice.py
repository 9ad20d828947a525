"""How much noise meets a limit on the risk, and what utility it leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass

from scipy.optimize import brentq

from confide.rumap import check
from confide.rumap.analytic.means import mean_utility, relative_utility
from confide.rumap.analytic.risk import snooper_risk
from confide.rumap.snooper import Snooper


@dataclass(frozen=True, slots=True)
class NoiseChoice:
    """The least noise that meets a limit."""

    lambda2: float
    """The variance of the noise."""
    risk: float
    """R with this noise."""
    utility: float
    """U with this noise."""
    efficiency: float
    """U as a share of that without masking."""

    def __repr__(self) -> str:
        """Show the four numbers in one line."""
        return (
            f"noise of variance {self.lambda2:.4g}: risk {self.risk:.4g}, utility {self.utility:.4g}, "
            f"efficiency {self.efficiency:.1%}"
        )


def noise_for_risk(snooper: Snooper, n: int, sigma2: float, max_risk: float) -> NoiseChoice:
    """Give the least noise with which the risk is at most a limit: the most useful release.

    The error of a snooper who reads a fixed value off a noisy place is a parabola in √(σ² + λ²); the others' errors grow
    with λ². So there is one λ² at which the risk falls below the limit, unless it is there without noise.

    Args:
        snooper: target, knowledge and form.
        n: the sample size.
        sigma2: the variance of the values.
        max_risk: the largest R that is tolerated.

    >>> from confide.rumap.knowledge import KnowsRecord
    >>> noise_for_risk(Snooper(knows=KnowsRecord()), n=200, sigma2=1.0, max_risk=5.0)
    noise of variance 0.2: risk 5, utility 166.7, efficiency 83.3%
    """
    limit = check.limit(max_risk)

    def excess(lambda2: float) -> float:
        """Give the log of the risk over the limit."""
        risk = float(snooper_risk(snooper, n, sigma2, lambda2))
        return math.log(risk / limit) if math.isfinite(risk) else risk

    found = 0.0
    if excess(0.0) > 0:
        low, high = 0.0, sigma2
        while excess(high) > 0:
            low, high = high, 2.0 * high
        if low == 0.0:
            low = high / 2
            while excess(low) <= 0:
                low, high = low / 2, low
        found = float(brentq(excess, low, high, xtol=1e-14 * high, rtol=1e-14))
        if excess(found) > 0:
            found *= 1 + 1e-13
    return NoiseChoice(
        found,
        float(snooper_risk(snooper, n, sigma2, found)),
        float(mean_utility(n, sigma2, found)),
        float(relative_utility(found, sigma2)),
    )
