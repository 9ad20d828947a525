"""Pull released amounts towards the middle of the file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from confide.errors import HarmError
from confide.harm.belief import PointBelief
from confide.harm.reading.as_released import AsReleased, numbers
from confide.harm.reading.reading import Amounts
from confide.harm.sensitive import Sensitive
from confide.release.channel import JointKernel, Kernel
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Shrunk:
    """Shrink the value on the record towards the mean of the file (Duncan and Lambert 1987, section 5.1).

    Without a given weight, the record gets the share of the released variance that is not noise; without noise it is
    read as it stands. Categories are mixed with the shares of the file in the same way; then the weight must be given.

    >>> Shrunk(0.8).describe()
    'shrinks released values towards the file, 0.8 of the record'
    """

    weight: float | None = None
    """The weight of the record's own value, between 0 and 1; None: the reliability of the released variable."""

    def __post_init__(self) -> None:
        """Check the weight."""
        if self.weight is not None and not 0 <= self.weight <= 1:
            raise HarmError(f"Shrunk: weight is the share of the record's own value, between 0 and 1; found {self.weight}")

    def amounts(self, attribute: Sensitive) -> Amounts:
        """Give the shrunk numbers."""
        z = numbers(attribute)
        known = ~np.isnan(z)
        if not known.any():
            return Amounts(z, PointBelief(np.nan_to_num(z)))
        mean = float(z[known].mean())
        if self.weight is not None:
            centre, slope = mean, self.weight
        else:
            centre, slope = best_line(noise_of(attribute), z[known])
        estimate = np.where(known, centre + slope * (z - mean), np.nan)
        return Amounts(estimate, PointBelief(np.nan_to_num(estimate)))

    def categories(self, attribute: Sensitive) -> FloatArray:
        """Mix the released category with the shares of the file."""
        if self.weight is None:
            raise HarmError("Shrunk: categories need a weight, such as Shrunk(0.8); or use Misrecorded(), which finds it")
        found = AsReleased().categories(attribute)
        known = found.sum(axis=1) > 0
        if not known.any():
            return found
        share = found[known].mean(axis=0)
        return np.where(known[:, None], self.weight * found + (1 - self.weight) * share, 0.0)

    def describe(self) -> str:
        """Say it in words."""
        how = "by what noise left of the variance" if self.weight is None else f"{self.weight:g} of the record"
        return f"shrinks released values towards the file, {how}"


def noise_of(attribute: Sensitive) -> Kernel | None:
    """Give the noise on the attribute; of correlated noise, its own part. None: there is none."""
    core = attribute.composite.core
    if isinstance(core, JointKernel):
        place = core.variables.index(attribute.name)
        return Kernel(sds=(float(np.sqrt(core.covariance[place, place])),), grid=core.steps[place])
    return core if isinstance(core, Kernel) else None


def best_line(kernel: Kernel | None, z: FloatArray) -> tuple[float, float]:
    """Give the true value expected at the mean of released ones, and the slope of the best line through it.

    The slope is the share of the released variance that is not noise; at least one standard error of it. With noise that
    multiplies, the second moment of z is exp(s^2) times what it would be without it.

    >>> centre, slope = best_line(Kernel(sds=(1.0,)), np.array([0.0, 2.0, 4.0, 6.0] * 50))
    >>> round(centre, 6), round(slope, 3)
    (3.0, 0.801)
    """
    mean, total = float(z.mean()), float(np.var(z, ddof=1)) if z.size > 1 else 0.0
    if kernel is None or total == 0:
        return mean, 1.0
    sd = kernel.sd(z)
    factor = 1.0
    noise = float(np.mean(kernel.variance(z)))
    if kernel.log_scale:
        grown = float(np.mean(np.exp(-(sd**2))))
        noise = float(np.mean(z**2)) * (1 - grown)
        factor = float(np.exp(kernel.shift + 0.5 * np.mean(sd**2)))
    return mean / factor, float(np.clip(1 - noise / total, np.sqrt(2 / z.size), 1.0)) / factor
