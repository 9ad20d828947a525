"""Add Gaussian noise to a variable."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.release.channel import Kernel
from confide.release.grid import FINE, FINE_SOURCE, Grid, found_step, grid_faults, grid_words
from confide.release.method import the_column, the_numbers
from confide.release.noisy import KernelStep
from confide.release.size import check_noise, check_size
from confide.release.vary import Varying
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class Noise(Varying):
    """Add Gaussian noise to numbers (Reiter 2005, sections 3.2.2 and 4.1).

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"tax": [0.0, 635.0, 1100.0]}).declare(kinds={"tax": "continuous"})
    >>> release = cf.Release(cf.Noise("tax", sd=290, keep_zero=True, lower=0))
    >>> masked = release.apply(data, seed=7).data.column("tax").numbers
    >>> float(masked[0]), bool((masked[1:] > 0).all())
    (0.0, True)
    """

    variable: str
    """The variable that is perturbed."""
    sd: float
    """The standard deviation of the noise, absolute or as a multiple (see `relative_to`)."""
    relative_to: Literal["all", "positive"] | None = None
    """Multiply `sd` by the standard deviation of all values, or of the positive ones."""
    keep_zero: bool = False
    """Release zeros as zeros."""
    lower: float | None = None
    """Released numbers are above this."""
    upper: float | None = None
    """Released numbers are below this."""
    outside: Literal["redraw", "clamp"] = "redraw"
    """Draw again until the number is inside the bounds, or set it to the bound."""
    grid: Grid = "source"
    """Release multiples of a step: of the one given, of the source's decimal step, or "none", unrounded."""
    times_above: Mapping[float, float] | None = None
    """Multiply the sd by a factor for true values above a value, e.g. {10_000: 2}."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        faults = []
        if not (math.isfinite(self.sd) and self.sd > 0):
            faults.append(f"sd must be a positive number, found {self.sd}")
        if self.relative_to not in (None, "all", "positive"):
            faults.append(f"relative_to is 'all' or 'positive', found {self.relative_to!r}")
        if self.outside not in ("redraw", "clamp"):
            faults.append(f"outside is 'redraw' or 'clamp', found {self.outside!r}")
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            faults.append(f"lower must be below upper, found {self.lower:g} and {self.upper:g}")
        if any(f <= 0 or not math.isfinite(f) for f in (self.times_above or {}).values()):
            faults.append("the factors of times_above must be positive")
        faults += grid_faults(self.grid)
        if faults:
            raise ReleaseError(f"Noise {self.variable!r}: " + "; ".join(faults))

    @property
    def variables(self) -> tuple[str, ...]:
        """The variable that is perturbed."""
        return (self.variable,)

    def describe(self) -> str:
        """Say in one line what is done."""
        of = {"all": " times the sd of the variable", "positive": " times the sd of its positive values"}
        extra = (", zeros kept" if self.keep_zero else "") + grid_words(self.grid)
        return f"add noise with sd {self.sd:g}{of.get(self.relative_to or '', '')} to {self.variable}{extra}"

    def suppose(self, released: Microdata) -> KernelStep:
        """Fill in the method as an outsider who sees only the released file."""
        column = (the_column if self.relative_to is None else the_numbers)(released, self.variable, self)
        return KernelStep(self.variable, self._fitting(column.numbers[column.is_number]))

    def bind(self, data: Microdata) -> KernelStep:
        """Find the standard deviation and check the bounds against the values."""
        column = the_numbers(data, self.variable, self)
        x = column.numbers[column.is_number]
        kernel = self._fitting(x)
        moved = x[x != 0] if self.keep_zero else x
        outside = int(np.sum((moved < kernel.lower) | (moved > kernel.upper)))
        if outside:
            raise ReleaseError(
                f"Noise {self.variable!r}: {outside} of {moved.size} values lie outside the bounds "
                f"{kernel.lower:g} to {kernel.upper:g} already; widen the bounds or topcode first"
            )
        return KernelStep(self.variable, kernel)

    def _fitting(self, x: FloatArray) -> Kernel:
        """Give the channel for some numbers, and check that noise does something to them."""
        what = f"Noise {self.variable!r}"
        check_size(x, what)
        kernel = self._kernel(self.sd if self.relative_to is None else self.sd * self._spread(x), x)
        check_noise(kernel, x, what)
        return kernel

    def _spread(self, x: FloatArray) -> float:
        """Give the standard deviation that `sd` is a multiple of."""
        of = x[x > 0] if self.relative_to == "positive" else x
        spread = float(np.std(of, ddof=1)) if of.size > 1 else 0.0
        if spread == 0.0:
            raise ReleaseError(
                f"Noise {self.variable!r}: the {self.relative_to} values have no spread, so a relative sd is undefined; "
                "give an absolute sd"
            )
        return spread

    def _kernel(self, sd: float, x: FloatArray) -> Kernel:
        """Give the channel for a standard deviation."""
        steps = sorted((self.times_above or {}).items())
        sds = (float(sd), *(float(sd * factor) for _, factor in steps))
        return Kernel(
            sds=sds,
            breaks=tuple(float(b) for b, _ in steps),
            lower=-np.inf if self.lower is None else float(self.lower),
            upper=np.inf if self.upper is None else float(self.upper),
            clamp=self.outside == "clamp",
            keep_zero=self.keep_zero,
            grid=found_step(self.grid, x, min(sds)),
            fine=FINE_SOURCE if self.grid == "source" else FINE,
        )
