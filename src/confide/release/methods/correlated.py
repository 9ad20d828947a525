"""Add correlated Gaussian noise to several variables at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import ReleaseError
from confide.kit.keyed import Draws
from confide.release.channel import Channel, JointKernel, Kernel, own_sds
from confide.release.grid import Grid, found_step, grid_faults, grid_words
from confide.release.gridded import gridded
from confide.release.method import Draft, the_numbers
from confide.release.size import check_noise, check_size
from confide.release.vary import Varying

SINGULAR = 1e-13
"""The smallest eigenvalue of a correlation matrix from which noise can be drawn."""


@dataclass(frozen=True, slots=True)
class CorrelatedNoise(Varying):
    """Add Gaussian noise with a covariance to several variables.

    Give the covariance itself, or the fraction of the covariance of the data that the noise has;
    such noise keeps correlations. All records must hold numbers in all the variables.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"a": [1.0, 2.0, 4.5], "b": [2.0, 1.0, 7.5]})
    >>> data = data.declare(kinds={"a": "continuous", "b": "continuous"})
    >>> released = cf.Release(cf.CorrelatedNoise(["a", "b"], fraction=0.1)).apply(data, seed=1)
    >>> released.data.column("a").size
    3
    """

    names: Sequence[str]
    """The variables that are perturbed."""
    covariance: Sequence[Sequence[float]] | None = None
    """The covariance of the noise."""
    fraction: float | None = None
    """The covariance of the noise as a fraction of that of the data."""
    grid: Grid = "source"
    """Release multiples of a step: of the one given, of each variable's decimal step, or "none", unrounded."""

    def __post_init__(self) -> None:
        """Check what can be checked without data."""
        if (self.covariance is None) == (self.fraction is None):
            raise ReleaseError("CorrelatedNoise: give one of covariance and fraction")
        if len(set(self.names)) < len(self.names) or len(self.names) < 2:
            raise ReleaseError("CorrelatedNoise: name two or more different variables; for one variable use Noise")
        if self.fraction is not None and not 0 < self.fraction < np.inf:
            raise ReleaseError(f"CorrelatedNoise: fraction must be positive and finite, found {self.fraction}")
        if faults := grid_faults(self.grid):
            raise ReleaseError(f"CorrelatedNoise: {faults[0]}")
        if self.covariance is not None:
            if {len(row) for row in self.covariance} != {len(self.covariance)}:
                raise ReleaseError("CorrelatedNoise: the covariance must have as many columns as rows")
            self._check(np.asarray(self.covariance, dtype=np.float64), "the covariance")

    def _check(self, covariance: np.ndarray[tuple[int, ...], np.dtype[np.float64]], what: str) -> None:
        """Raise unless the matrix is symmetric and positive definite."""
        k = len(self.names)
        if covariance.shape != (k, k) or not np.allclose(covariance, covariance.T):
            raise ReleaseError(f"CorrelatedNoise: {what} of {k} variables must be a symmetric {k} by {k} matrix")
        if not bool(np.all(np.isfinite(covariance))):
            raise ReleaseError(f"CorrelatedNoise: {what} holds numbers that are not finite; give smaller ones")
        scale = np.sqrt(np.maximum(np.diag(covariance), 0.0))
        same = bool(np.all(scale > 0)) and float(np.linalg.eigvalsh(covariance / scale[:, None] / scale)[0]) <= SINGULAR
        if same or not bool(np.all(scale > 0)):
            raise ReleaseError(
                f"CorrelatedNoise: {what} is not positive definite; leave out a variable that follows from others"
            )

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables that are perturbed."""
        return tuple(self.names)

    def describe(self) -> str:
        """Say in one line what is done."""
        size = f" of {self.fraction:g} times the data's" if self.fraction is not None else ""
        return f"add correlated noise with a covariance{size} to {', '.join(self.names)}" + grid_words(self.grid)

    def bind(self, data: Microdata) -> CorrelatedStep:
        """Find the covariance."""
        columns = [the_numbers(data, name, self) for name in self.names]
        for name, column in zip(self.names, columns, strict=True):
            absent = int(np.sum(~column.is_number))
            if absent:
                raise ReleaseError(
                    f"CorrelatedNoise: {name!r} holds no number for {absent} record(s); a number is needed for each"
                )
            check_size(column.numbers, f"CorrelatedNoise {name!r}")
        if self.covariance is not None:
            covariance = np.asarray(self.covariance, dtype=np.float64)
        else:
            if data.n < 2:
                raise ReleaseError("CorrelatedNoise: a file of one record has no covariance; give covariance=[[...], ...]")
            with np.errstate(over="ignore"):  # what is infinite is refused below
                covariance = float(self.fraction or 0.0) * np.atleast_2d(np.cov(np.stack([c.numbers for c in columns])))
            self._check(covariance, "the covariance of the data")
        own = own_sds(covariance)
        grids = [found_step(self.grid, column.numbers, float(own[i])) for i, column in enumerate(columns)]
        for i, (name, column) in enumerate(zip(self.names, columns, strict=True)):
            kernel = Kernel((float(np.sqrt(covariance[i, i])),), grid=grids[i])
            check_noise(kernel, column.numbers, f"CorrelatedNoise {name!r}")
        return CorrelatedStep(JointKernel(tuple(self.names), covariance, tuple(grids)))


@dataclass(frozen=True, slots=True, eq=False)
class CorrelatedStep:
    """Correlated noise with its covariance filled in."""

    kernel: JointKernel
    """The channel, shared by all its variables."""

    @property
    def channels(self) -> Mapping[str, Channel]:
        """The channel, by each variable."""
        return dict.fromkeys(self.kernel.variables, self.kernel)

    @property
    def grids(self) -> Mapping[str, float | None]:
        """The step that released numbers are multiples of, by variable."""
        return dict(zip(self.kernel.variables, self.kernel.steps, strict=True))

    def apply(self, draft: Draft, stream: Draws) -> Draft:
        """Draw the noise of all variables together."""
        names = self.kernel.variables
        drawn = np.stack([stream.normal(draft.keys, k) for k in range(len(names))])
        noise = np.linalg.cholesky(self.kernel.covariance) @ drawn
        columns = {}
        for name, e, step in zip(names, noise, self.kernel.steps, strict=True):
            column = draft.data.columns[name]
            z = column.numbers + e
            z = z if step is None else gridded(Kernel((1.0,), grid=step), z)
            columns[name] = column.with_numbers(column.is_number, z)
        return Draft(draft.data.with_columns(columns), draft.parent, draft.keys)
