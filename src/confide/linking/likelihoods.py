"""Log Pr(z^C | atom of a belief): what is released of altered variables, pair by pair, summed over atoms.

The same sum serves strangers (eq. 5: beliefs about each kind of record, section 3.4) and targets
(section 3.3: beliefs about their values of variables that are not known).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from confide.data.column import Column
from confide.intruder.beliefs.prior import POINT, REPLACED, SILENT, AmountPrior, UnitPrior
from confide.linking.entrance import Replaced, entrance
from confide.linking.marginal import amount_integrals, interval_masses
from confide.linking.parallel import Progress, in_chunks, part_of, silent
from confide.linking.pieces import CatPiece, JointPiece, NumPiece
from confide.linking.quadrature import log_noise, quadrature
from confide.linking.rounded import rounded_integrals
from confide.release.methods.round import Rounded
from confide.typing import BoolArray, FloatArray, IntArray

MOST_CELLS = 8_000_000
"""Records times atoms held in memory at a time."""
Within = tuple[float, float]
EVERYWHERE: Within = (-np.inf, np.inf)


@dataclass(frozen=True, slots=True, eq=False)
class Believed:
    """Altered variables and beliefs about their true values."""

    cats: tuple[CatPiece, ...]
    """Perturbed categories."""
    nums: tuple[NumPiece, ...]
    """Perturbed numbers."""
    prior: UnitPrior
    """The mixtures."""
    joint: tuple[JointPiece, FloatArray, FloatArray] | None = None
    """Numbers with correlated noise, their means by prior row and atom, and the covariance of their residuals."""
    dot_products: bool = False
    """Multiply one sum per category instead of summing jointly."""
    points: tuple[tuple[str, FloatArray], ...] = ()
    """Values of unaltered numbers on which some belief has a point: there densities say nothing (HELD, 0)."""

    def with_points(self, points: Sequence[tuple[str, FloatArray]]) -> Believed:
        """Say on which values of unaltered numbers some belief has a point."""
        return replace(self, points=tuple(points))

    def without(self, names: Collection[str]) -> Believed | None:
        """Leave variables out; None: nothing is left."""
        cats = tuple(p for p in self.cats if p.name.removesuffix(" (class)") not in names)
        nums = tuple(p for p in self.nums if p.name not in names)
        return replace(self, cats=cats, nums=nums) if cats or nums or self.joint is not None else None

    def log_likelihood(self, records: IntArray, rows: IntArray, progress: Progress = silent) -> FloatArray:
        """Sum over the atoms, for pairs of a record and a row of the prior (eq. 5, convention 8)."""
        n = records.size
        out = np.empty(n)
        size = max(1_000, MOST_CELLS // max(self.prior.log_weight.shape[1], 1))
        for start in range(0, n, size):
            part = slice(start, min(start + size, n))
            out[part] = self._part(records[part], rows[part], part_of(progress, start, n))
        return out

    def _part(self, records: IntArray, rows: IntArray, progress: Progress) -> FloatArray:
        """Sum over the atoms for some pairs."""
        prior = self.prior
        weight = prior.log_weight[rows]
        factors = [factor(piece, prior, rows, piece.record[records]) for piece in self.cats]
        needed, mass = weight.copy(), weight.copy()
        for cat, one in zip(self.cats, factors, strict=True):
            if not self.dot_products or cat.of_class:
                needed += one
                if cat.visible:
                    mass += one
        top = needed.copy()
        # atoms that the released categories rule out belong to the class all the same
        asked = needed if prior.given_class else weight
        conditioned = not self.dot_products and any(cat.visible for cat in self.cats)
        for piece in self.nums:
            out, inside = self.integrals(piece, rows, piece.record[records], asked, progress)
            if piece.visible and not prior.given_class:
                mass += inside
                conditioned = True
            elif not prior.given_class and restricted(piece):
                conditioned = True
                mass += self.integrals(possible(piece), rows, np.zeros(records.size, dtype=np.int64), asked)[0]
            if prior.given_class:
                out = np.where(np.isneginf(inside), -np.inf, out - np.where(np.isneginf(inside), 0.0, inside))
            top += out
            if piece.kernel is not None and piece.kernel.log_scale:
                # densities are those of the released number, not of its logarithm
                top += piece.jacobian[piece.record[records]][:, None]
        if self.joint is not None:
            piece_of_all, means, residual = self.joint
            z = piece_of_all.released[:, piece_of_all.record[records]]
            top += joint_density(z, means, residual + piece_of_all.covariance, rows)
        value = log_sum(top)
        if self.dot_products:
            for cat, one in zip(self.cats, factors, strict=True):
                value = value + (0.0 if cat.visible or cat.of_class else log_sum(weight + one))
        if conditioned:
            total = log_sum(mass)
            value = value - np.where(np.isneginf(total), 0.0, total)
        return value

    def integrals(
        self,
        piece: NumPiece,
        rows: IntArray,
        ids: IntArray,
        needed: FloatArray,
        progress: Progress = silent,
        within: Within = EVERYWHERE,
    ) -> tuple[FloatArray, FloatArray]:
        """Integrate the noise of one amount against its prior, in threads; only true values `within` count."""
        amount, kernel = self.prior.amounts[piece.name], noise_numbers(piece)
        out, mass = np.empty_like(needed), np.empty_like(needed)
        state = piece.state[ids]
        floor, ceiling = np.maximum(piece.low[ids], within[0]), np.minimum(piece.high[ids], within[1])
        a, b = np.nan_to_num(piece.a[ids], nan=0.0), np.nan_to_num(piece.b[ids], nan=0.0)
        below = state == 2
        if amount.negative and not np.any(below):
            # the beliefs are about absolute values: look at everything from the other side of zero
            below = np.ones(state.size, dtype=np.bool_)
            a, b, kernel = -b, -a, _mirrored(*kernel)
        low, high = np.where(below, -ceiling, floor), np.where(below, -floor, ceiling)

        def work(start: int, stop: int) -> None:
            amount_integrals(
                start, stop, rows, a, b, state, amount.family, amount.first, amount.second, low, high,
                self.prior.given_class, *kernel, *quadrature(), needed, out, mass,
            )  # fmt: skip

        in_chunks(work, ids.size, 2_000, progress)
        passed = entrance(piece.composite.before)
        if passed.lattice is not None and piece.kernel is not None:
            merged = np.zeros(ids.size, dtype=np.bool_) if piece.merged is None else piece.merged[ids]
            rounded_integrals(
                0, ids.size, rows, a, b, state, amount.family, amount.first, amount.second,
                _rounded_points(passed.lattice, amount), low, high, self.prior.given_class,
                merged & ~np.bool_(self.prior.given_class), passed.lattice.to, *kernel, out, mass,
            )  # fmt: skip
        if piece.merged is not None and not self.prior.given_class and within[0] <= 0.0 <= within[1]:
            # a kept zero leads to values that perturbed numbers lead to, too
            zero = self._family(piece, rows, zeros=True)
            out = np.where(zero & piece.merged[ids][:, None], 0.0, out)
            mass = np.where(zero, 0.0, mass)
        if piece.kernel is not None:
            for r in passed.replaced:
                out, mass = self._with_replaced(piece, r, rows, ids, within, out, mass)
        at = dict(self.points).get(piece.name)
        if at is not None and at.size:
            exact = (piece.state == 3) & (piece.low == piece.high) & np.isin(piece.low, at)
            silent = np.equal(amount.family, SILENT)
            dense = ~self._family(piece, rows) & ~(silent[rows] if len(silent) > 1 else silent)
            out = np.where(exact[ids][:, None] & dense, self._point_masses(piece)[ids][:, None], out)
        return out, mass

    def _point_masses(self, piece: NumPiece) -> FloatArray:
        """Give the log mass that strangers have on each released number: none, or their share in the file of a fit.

        A number that nobody has there counts as half a person's.
        """
        if piece.source is None or not self.prior.given_class:
            return np.full(piece.low.size, -np.inf)
        x = np.sort(piece.source[0][piece.source[1]])
        count = np.searchsorted(x, piece.low, "right") - np.searchsorted(x, piece.low, "left")
        return np.log(np.where(count > 0, count / max(x.size, 1), 0.5 / (x.size + 1)))

    def _with_replaced(
        self, piece: NumPiece, r: Replaced, rows: IntArray, ids: IntArray, within: Within, out: FloatArray, mass: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Add the true values in whose place one number was perturbed."""
        amount, kernel = self.prior.amounts[piece.name], piece.kernel
        assert kernel is not None
        if kernel.keep_zero and r.number == 0.0:
            zero = entrance(piece.composite.before).ends(0.0, 0.0)
            fits = (piece.state == 0) & (piece.low == zero[0]) & (piece.high == zero[1])
            fits |= np.False_ if piece.merged is None else piece.merged
            value = np.where(fits, 0.0, -np.inf)
        else:
            fits = piece.state == (2 if kernel.log_scale and r.number < 0 else 1)
            noise = noise_numbers(piece)
            at = [log_noise(a, b, r.number, *noise) for a, b in zip(piece.a[fits], piece.b[fits], strict=True)]
            value = np.full(fits.size, -np.inf)
            value[fits] = at
        if self.prior.given_class:
            put = np.asarray((amount.family == REPLACED) & (amount.first == r.number), dtype=np.bool_)
            mine = put[rows] if len(put) > 1 else put
            return np.where(mine, value[ids][:, None], out), mass
        chance = np.empty(amount.family.shape)
        low, high = max(r.low, within[0]), min(r.high, within[1])
        interval_masses(amount.family, amount.first, amount.second, low, high, chance)
        if kernel.keep_zero and r.number == 0.0 and low <= 0.0 <= high:
            # a point at zero is a kept zero already
            chance[(amount.family == POINT) & (amount.first == 0.0)] = -np.inf
        chance = chance[rows] if len(chance) > 1 else chance
        inside = np.where(fits[ids][:, None], chance, -np.inf)
        return np.logaddexp(out, chance + value[ids][:, None]), np.logaddexp(mass, inside)

    def _family(self, piece: NumPiece, rows: IntArray, *, zeros: bool = False) -> BoolArray:
        """Say which atoms, of which rows, are points, or points at zero."""
        amount = self.prior.amounts[piece.name]
        found = np.asarray((amount.family == POINT) & (~np.bool_(zeros) | (amount.first == 0.0)), dtype=np.bool_)
        return found[rows] if found.shape[0] > 1 else found


def restricted(piece: NumPiece) -> bool:
    """Say whether noise that is drawn again leaves some true values impossible, so that beliefs are cut to the others."""
    kernel = piece.kernel
    return kernel is not None and not kernel.clamp and bool(np.isfinite([kernel.lower, kernel.upper]).any())


def possible(piece: NumPiece) -> NumPiece:
    """Take all values that are possible as one class: those within the bounds of the noise, and those that were coded."""
    kernel = piece.kernel
    assert kernel is not None
    passed = entrance(piece.composite.before)
    ends = passed.ends(kernel.lower, kernel.upper)
    low = ends[0] if passed.low == -np.inf else -np.inf
    high = ends[1] if passed.high == np.inf else np.inf
    if kernel.keep_zero:
        low, high = min(low, 0.0), max(high, 0.0)
    one = np.zeros(1)
    return replace(
        piece, a=one, b=one, jacobian=one, state=np.zeros(1, dtype=np.int64), low=np.array([low]), high=np.array([high]),
        merged=None,
    )  # fmt: skip


def _rounded_points(lattice: Rounded, amount: AmountPrior) -> FloatArray:
    """Give what points are rounded to, by row and atom."""
    put, point = amount.first.copy(), np.broadcast_to(amount.family == POINT, amount.first.shape)
    if point.any():
        put[point] = lattice.push(Column.of_numbers(put[point])).numbers
    return put


def noise_numbers(piece: NumPiece) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the noise as the inner loops read it: flags, standard deviations and breaks."""
    kernel = piece.kernel
    if kernel is None:
        return np.zeros(6), np.ones(1), np.zeros(0)
    redraw = not kernel.clamp and not kernel.log_scale and np.isfinite([kernel.lower, kernel.upper]).any()
    flags = np.array(
        [kernel.log_scale, kernel.shift, kernel.lower, kernel.upper, redraw, kernel.keep_zero], dtype=np.float64
    )
    return flags, np.asarray(kernel.sds, dtype=np.float64), np.asarray(kernel.breaks, dtype=np.float64)


def _mirrored(flags: FloatArray, sds: FloatArray, breaks: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Give the noise of minus the number."""
    is_log, shift, lower, upper, redraw, keep_zero = flags
    return np.array([is_log, -shift, -upper, -lower, redraw, keep_zero]), sds[::-1].copy(), -breaks[::-1]


def factor(piece: CatPiece, prior: UnitPrior, rows: IntArray, codes: IntArray) -> FloatArray:
    """Give the log probability of the released code for each atom."""
    levels = prior.categories[piece.name]
    if piece.stratum is not None:
        strata = prior.categories[piece.stratum]
        levels = levels + strata * len(piece.levels)
    if levels.shape[0] == 1:
        return np.asarray(piece.channel[levels[0]][:, codes].T, dtype=np.float64)
    return np.asarray(piece.channel[levels[rows], codes[:, None]], dtype=np.float64)


def joint_density(x: FloatArray, means: FloatArray, covariance: FloatArray, rows: IntArray) -> FloatArray:
    """Give the log normal density of several numbers, by atom.

    Args:
        x: the numbers, variables by units.
        means: their means, variables by rows by atoms.
        covariance: their covariance.
        rows: the row of each unit.
    """
    lower = np.linalg.cholesky(covariance)
    log_det = 2 * np.sum(np.log(np.diag(lower)))
    out = np.empty((rows.size, means.shape[2]))
    for atom in range(means.shape[2]):
        d = np.linalg.solve(lower, x - means[:, rows, atom])
        out[:, atom] = -0.5 * np.sum(d * d, axis=0) - 0.5 * log_det - 0.5 * x.shape[0] * np.log(2 * np.pi)
    return out


def log_sum(x: FloatArray) -> FloatArray:
    """Give the log of the sum of exponentials over atoms.

    >>> log_sum(np.log([[0.25, 0.75], [0.5, 0.5]])).round(12).tolist()
    [0.0, 0.0]
    """
    top = x.max(axis=1)
    safe = np.where(np.isneginf(top), 0.0, top)
    with np.errstate(divide="ignore"):
        return np.asarray(safe + np.log(np.exp(x - safe[:, None]).sum(axis=1)), dtype=np.float64)


def points_of(priors: Sequence[UnitPrior], name: str) -> FloatArray:
    """Give the values on which some of the beliefs about an amount have a point."""
    found = [amount.first[amount.family == POINT] for prior in priors if (amount := prior.amounts.get(name)) is not None]
    return np.unique(np.concatenate(found)) if found else np.zeros(0)
