"""Evidence from several numbers with correlated noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedModel
from confide.linking.pieces import JointPiece
from confide.linking.view import View
from confide.release.channel import JointKernel, own_sds
from confide.typing import FloatArray

COARSEST = 0.5
"""The coarsest grid that is taken, in standard deviations of a variable's noise given the others."""


def correlated(name: str) -> str:
    """Say why a number with correlated noise is not weighed by what is believed of it, beside the other numbers."""
    return (
        f"correlated noise on {name!r} cannot be modelled by bounds or beliefs while the intruder looks at more of the "
        "numbers that share it: they would have to be integrated over together. Know it exactly, leave it or the others "
        "out, or use Noise"
    )


def joint_piece(views: Sequence[View]) -> JointPiece:
    """Rotate the numbers so that their noise is independent with sd one.

    Only the known variables of the noise are used; the others are integrated out by leaving their
    rows of the covariance away. On grids of steps h a released row has the mass of a box, which is taken to be its volume
    times the density of the noise and its rounding, whose covariance has h^2 / 12 more on the diagonal. The two agree in
    all moments up to the third. With s the standard deviation of a variable's noise given all others, and u how many such
    it lies off, the relative error is about (h / s)^4 (u^4 - 6 u^2 + 3) / 2880, summed over variables: for h = s / 2, the
    coarsest that is taken, a thousandth at u = 3 and a hundredth at u = 5, and 16 times less for each halving of h.
    """
    core = views[0].composite.core
    assert isinstance(core, JointKernel)
    if any(v.composite.before or v.composite.after for v in views):
        raise LikelihoodError(
            f"correlated noise on {', '.join(v.name for v in views)} is combined with another method on the same variable; "
            "its likelihood is not tractable. Use Noise on that variable, or understands_masking=False"
        )
    names = tuple(v.name for v in views)
    places = [core.variables.index(n) for n in names]
    covariance = core.rounded[np.ix_(places, places)]
    _check_steps(names, [core.steps[i] for i in places], core.covariance[np.ix_(places, places)])
    lower = np.linalg.cholesky(covariance)
    released = np.stack([v.released.numbers for v in views])
    true = np.stack([v.target.numbers for v in views])
    if np.isnan(true).any():
        raise IntruderError(
            f"some targets hold no number in {', '.join(names)}; correlated noise needs one in each variable"
        )
    unknown = int(np.isnan(released).any(axis=0).sum())
    if unknown:
        raise IntruderError(
            f"{unknown} released record(s) hold no number in {', '.join(names)}; correlated noise needs one in each. "
            "Leave the variable with blanks out of what is known, or use understands_masking=False"
        )
    _, record_first, record = np.unique(released, axis=1, return_index=True, return_inverse=True)
    _, target_first, target = np.unique(true, axis=1, return_index=True, return_inverse=True)
    source = None
    if all(v.source is not None for v in views):
        source = np.stack([v.source.numbers for v in views if v.source is not None])
    return JointPiece(
        names=names,
        record=record.ravel().astype(np.int64),
        rotated=np.linalg.solve(lower, released[:, record_first]),
        target=target.ravel().astype(np.int64),
        centres=np.linalg.solve(lower, true[:, target_first]),
        true=true[:, target_first],
        log_det=float(np.sum(np.log(np.diag(lower)))),
        released=released[:, record_first],
        covariance=covariance,
        source=source,
    )


def _check_steps(names: Sequence[str], steps: Sequence[float | None], covariance: FloatArray) -> None:
    """Raise where a grid is too coarse for the mass of a box to be told from a density."""
    coarse = [
        f"{name!r} (step {step:g}, sd {sd:.3g})"
        for name, step, sd in zip(names, steps, own_sds(covariance), strict=True)
        if step is not None and step > COARSEST * sd
    ]
    if coarse:
        raise LikelihoodError(
            f"correlated noise: the grid of {', '.join(coarse)} is coarser than half the sd of the noise given the other "
            "variables, so that the likelihood of a released row is not tractable; give CorrelatedNoise more noise or a "
            "smaller grid, use Noise on each variable, or understands_masking=False"
        )


def joint_model(
    joints: Sequence[JointPiece], model: FittedModel, columns: Sequence[Column]
) -> tuple[JointPiece, FloatArray, FloatArray]:
    """Fit a normal regression of the numbers with correlated noise: means by row and atom, and the covariance."""
    if len(joints) > 1:
        raise LikelihoodError("two groups of correlated noise cannot be modelled together; put the variables in one group")
    piece = joints[0]
    if piece.source is None:
        raise IntruderError("beliefs are fitted to the source file, but it lacks a variable with correlated noise")
    size = piece.source.shape[1]
    x = np.column_stack([model.design.matrix(model.source_columns, size), model.indicators[model.source_combination]])
    coefficients, _, rank, _ = np.linalg.lstsq(x, piece.source.T, rcond=None)
    residual = piece.source.T - x @ coefficients
    covariance = residual.T @ residual / max(x.shape[0] - int(rank), 1)
    at = model.design.matrix(columns, 1)
    split = at.shape[1]
    base = at @ coefficients[:split]
    extra = model.indicators @ coefficients[split:]
    means = base.T[:, :, None] + extra.T[:, None, :]
    return piece, np.asarray(means, dtype=np.float64), np.atleast_2d(covariance)
