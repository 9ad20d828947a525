"""The perturbation table: how likely each count becomes each other one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from confide.errors import LikelihoodError, TableError
from confide.tables.perturb.entropy import most_even, variances
from confide.typing import AnyArray, FloatArray, IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class PerturbationTable:
    """For each true count the distribution of its noise; counts beyond the last row have its noise.

    >>> table = PerturbationTable.of(2, 1.0)
    >>> table.row(0).tolist(), table.row(7).round(4).tolist()
    ([0.0, 0.0, 1.0, 0.0, 0.0], [0.0638, 0.2447, 0.383, 0.2447, 0.0638])
    """

    largest: int
    """D: noise lies from -D to D."""
    variance: float
    """V: the variance asked for."""
    small: int
    """js: counts from 1 to js are never published."""
    probabilities: FloatArray
    """One row for each true count from 0: the probabilities of noise from -D to D."""
    variances: FloatArray
    """The variance of each row; other than V where no noise of a small count has V."""

    @classmethod
    def of(cls, D: int, V: float, *, js: int = 0, pstay: float | None = None, strict: bool = False) -> PerturbationTable:  # noqa: N803  as in the literature
        """Find the most even noise with mean 0 and variance V that keeps counts from being negative or small.

        Empty cells stay empty. Where a small count has no noise of variance V, the nearest possible variance is taken.

        Args:
            D: the largest noise.
            V: the variance.
            js: counts from 1 to this are never published.
            pstay: the probability that a count stays as it is, where it may; None: whatever is most even.
            strict: whether to raise where a row cannot have the variance.
        """
        if D < 1 or not (np.isfinite(V) and V > 0) or js < 0 or (pstay is not None and not 0 <= pstay < 1):
            raise TableError(
                f"noise needs D of 1 or more, V above 0, js of 0 or more and pstay from 0 to less than 1; found D = {D}, "
                f"V = {V:g}, js = {js}, pstay = {pstay}"
            )
        noise = np.arange(-D, D + 1)
        rows = [np.equal(noise, 0).astype(np.float64)]
        held = [0.0]
        for i in range(1, D + js + 2):
            p, v = _row(i, noise, V, js, pstay, strict=strict)
            rows.append(p)
            held.append(v)
        if held[-1] != V:
            raise TableError(
                f"noise from {-D} to {D} cannot have variance {V:g}; the nearest is {held[-1]:g}; change D, V or pstay"
            )
        return cls(D, float(V), js, np.stack(rows), np.array(held))

    @property
    def noise(self) -> IntArray:
        """The values of the noise, which the columns stand for."""
        return np.arange(-self.largest, self.largest + 1)

    def row(self, count: int) -> FloatArray:
        """Give the distribution of the noise of a true count."""
        return np.asarray(self.probabilities[min(int(count), self.probabilities.shape[0] - 1)])

    def noise_of(self, counts: AnyArray, keys: FloatArray) -> IntArray:
        """Look up the noise of counts by their cell keys from 0 to less than 1: the inverse of the distribution."""
        found = np.asarray(counts, dtype=np.float64)
        if bool((found < 0).any()) or bool((found != np.rint(found)).any()):
            raise TableError("counts must be whole and not negative; weighted counts are magnitudes, use MagnitudeNoise")
        rows = np.minimum(found, self.probabilities.shape[0] - 1).astype(np.int64)
        noise = np.zeros(found.size, dtype=np.int64)
        for r in np.unique(rows).tolist():
            at = np.flatnonzero(rows == r)
            noise[at] = self.noise[looked_up(self.probabilities[r], keys[at])]
        return noise

    def likelihood(self, published: int, counts: AnyArray) -> FloatArray:
        """Give Pr(published | true count) for true counts.

        >>> PerturbationTable.of(2, 1.0).likelihood(0, np.array([0, 1, 2, 3])).round(4).tolist()
        [1.0, 0.3981, 0.0638, 0.0]
        """
        i = np.asarray(counts, dtype=np.int64)
        shift = published - i
        inside = (np.abs(shift) <= self.largest) & (i >= 0)
        row = np.clip(i, 0, self.probabilities.shape[0] - 1)
        return np.where(inside, self.probabilities[row, np.clip(shift + self.largest, 0, 2 * self.largest)], 0.0)

    def posterior(self, published: int, prior: AnyArray, first: int = 0) -> FloatArray:
        """Give the probabilities of true counts 0, 1, 2, ... given the published one, by Bayes' rule.

        Args:
            published: the published count.
            prior: the probabilities of 0, 1, 2, ... beforehand, up to a factor.
            first: the count that the prior begins with, if not 0.

        >>> PerturbationTable.of(2, 1.0).posterior(0, np.ones(5)).round(4).tolist()
        [0.684, 0.2723, 0.0437, 0.0, 0.0]
        """
        before = np.asarray(prior, dtype=np.float64)
        if before.ndim != 1 or not bool(np.all(np.isfinite(before) & (before >= 0))):
            raise TableError("the prior holds a weight of 0 or more for each count from 0 on")
        joint = before * self.likelihood(published, first + np.arange(before.size))
        if not joint.sum() > 0:
            raise LikelihoodError(
                f"a published count of {published} is impossible under this prior; give counts near it weight"
            )
        return np.asarray(joint / joint.sum())

    def reach(self, published: AnyArray) -> tuple[IntArray, IntArray]:
        """Give the least and the largest true count that each published count can come from."""
        seen, of = np.unique(np.asarray(published, dtype=np.int64), return_inverse=True)
        ends = np.zeros((seen.size, 2), dtype=np.int64)
        for k, j in enumerate(seen.tolist()):
            counts = np.arange(max(0, j - self.largest), j + self.largest + 1)
            possible = counts[self.likelihood(j, counts) > 0]
            if not possible.size:
                raise LikelihoodError(f"no count is published as {j} with this table")
            ends[k] = possible[0], possible[-1]
        return ends[of.ravel(), 0], ends[of.ravel(), 1]

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each true count: its variance, and the probability of each noise."""
        import polars as pl

        columns = {f"{v:+d}": self.probabilities[:, k] for k, v in enumerate(self.noise.tolist())}
        return pl.DataFrame({"count": np.arange(self.variances.size), "variance": self.variances} | columns)


def looked_up(p: FloatArray, keys: FloatArray) -> IntArray:
    """Invert a distribution: the place whose stretch of the cumulated probabilities holds the key."""
    cdf = np.cumsum(p)
    cdf[np.flatnonzero(p > 0)[-1] :] = np.inf
    return np.searchsorted(cdf, keys, side="right").astype(np.int64)


def _row(i: int, noise: IntArray, v: float, js: int, pstay: float | None, *, strict: bool) -> tuple[FloatArray, float]:
    """Find the noise of one count, and its variance."""
    allowed = (i + noise >= 0) & ~((i + noise >= 1) & (i + noise <= js))
    stay = pstay if pstay is not None and i > js else None
    if stay is not None:
        allowed &= noise != 0
    support = noise[allowed]
    share = 1.0 if stay is None else 1.0 - stay
    try:
        least, most = variances(support)
    except TableError:
        raise TableError(
            f"a count of {i} has no noise from {noise[0]} to {noise[-1]} with mean 0 that avoids counts from 1 to {js}; "
            "allow larger noise, or a smaller js"
        ) from None
    wanted = min(max(v / share, least), most)
    if strict and wanted != v / share:
        raise TableError(
            f"noise of a count of {i} has a variance from {least * share:g} to {most * share:g}; asked for {v:g}; allow "
            "larger noise, a smaller js, or strict=False"
        )
    p = np.zeros(noise.size)
    p[allowed] = share * most_even(support, wanted)
    if stay is not None:
        p[noise == 0] = stay
    return p, v if wanted == v / share else wanted * share
