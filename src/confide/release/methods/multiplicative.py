"""Multiply numbers by lognormal noise."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.release.channel import Kernel
from confide.release.grid import Grid, found_step, grid_faults, grid_words
from confide.release.method import the_numbers
from confide.release.noisy import KernelStep
from confide.release.size import check_noise, check_size
from confide.release.vary import Varying


@dataclass(frozen=True, slots=True)
class MultiplicativeNoise(Varying):
    """Multiply numbers by exp(sd times a standard normal); zeros and signs stay.

    `sd` is the standard deviation of the logarithm, so 95 per cent of the released numbers lie
    within a factor exp(2 sd) of the true ones (Lambert 1993, section 4.2.4).

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"income": [0.0, -500.0, 3000.0]}).declare(kinds={"income": "continuous"})
    >>> masked = cf.Release(cf.MultiplicativeNoise("income", sd=0.1)).apply(data, seed=1).data.column("income").numbers
    >>> [float(x) for x in (masked > 0)], float(masked[0])
    ([0.0, 0.0, 1.0], 0.0)
    """

    variable: str
    """The variable that is perturbed."""
    sd: float
    """The standard deviation of the logarithm of the factor."""
    mean_one: bool = False
    """Shift the factor so that its mean, not its median, is one."""
    grid: Grid = "source"
    """Release multiples of a step: of the one given, of the source's decimal step, or "none", unrounded."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        faults = [] if math.isfinite(self.sd) and self.sd > 0 else [f"sd must be a positive number, found {self.sd}"]
        faults += grid_faults(self.grid)
        if faults:
            raise ReleaseError(f"MultiplicativeNoise {self.variable!r}: " + "; ".join(faults))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variable that is perturbed."""
        return (self.variable,)

    def describe(self) -> str:
        """Say in one line what is done."""
        return f"multiply {self.variable} by lognormal noise with sd {self.sd:g}" + grid_words(self.grid)

    def bind(self, data: Microdata) -> KernelStep:
        """Check that the variable holds numbers."""
        column = the_numbers(data, self.variable, self)
        shift = -(self.sd**2) / 2 if self.mean_one else 0.0
        what, x = f"MultiplicativeNoise {self.variable!r}", column.numbers[column.is_number]
        check_size(x, what)
        size = float(np.median(np.abs(x[x != 0]))) if bool((x != 0).any()) else 0.0
        step = found_step(self.grid, x, self.sd * size)
        kernel = Kernel(sds=(self.sd,), log_scale=True, shift=shift, keep_zero=True, grid=step)
        check_noise(kernel, x, what)
        return KernelStep(self.variable, kernel)
