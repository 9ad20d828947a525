"""Evidence from several numbers with correlated noise."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError, LikelihoodError
from confide.intruder.beliefs.fitted import FittedModel
from confide.linking.pieces import JointPiece
from confide.linking.view import View
from confide.release.channel import JointKernel
from confide.typing import FloatArray


def joint_piece(views: Sequence[View]) -> JointPiece:
    """Rotate the numbers so that their noise is independent with sd one.

    Only the known variables of the noise are used; the others are integrated out by leaving their
    rows of the covariance away.
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
    covariance = core.covariance[np.ix_(places, places)]
    lower = np.linalg.cholesky(covariance)
    released = np.stack([v.released.numbers for v in views])
    true = np.stack([v.target.numbers for v in views])
    if np.isnan(true).any():
        raise IntruderError(
            f"some targets hold no number in {', '.join(names)}; correlated noise needs one in each variable"
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
