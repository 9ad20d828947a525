"""Multinomial logistic regression on distinct patterns of covariates."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from scipy.optimize import minimize
from scipy.sparse.linalg import LinearOperator, cg

from confide.errors import IntruderError
from confide.typing import FloatArray

RIDGE = 0.1
"""A weak normal prior (sd 3) on the slopes of standardised covariates; keeps empty cells finite."""

ROUGHLY = 1e-3
"""How exactly each Newton step is found, relative to the gradient."""


def fit_multinomial(patterns: FloatArray, counts: FloatArray) -> FloatArray:
    """Fit Pr(class | covariates) by penalised maximum likelihood.

    Units with equal covariates are given as counts, so the cost grows with the number of patterns.

    Args:
        patterns: distinct rows of covariates, with a column of ones first.
        counts: the number of units of each class, patterns by classes.

    Returns:
        Coefficients, covariates by classes.

    >>> x = np.ones((1, 1))
    >>> b = fit_multinomial(x, np.array([[1.0, 3.0]]))
    >>> np.exp(log_probabilities(x, b)).round(3).tolist()
    [[0.25, 0.75]]
    """
    patterns, counts = np.ascontiguousarray(patterns), np.ascontiguousarray(counts)
    n, p, classes = float(counts.sum()), patterns.shape[1], counts.shape[1]

    scale = _scales(patterns, counts)
    ridge = np.full((p, 1), RIDGE)
    ridge[0] = 1e-6

    def loss(flat: FloatArray) -> tuple[float, FloatArray]:
        b = np.einsum("cij,jc->ic", scale, flat.reshape(p, classes))
        gradient = ridge * b
        value = 0.5 * float(np.sum(gradient * b)) + negative_log_likelihood(patterns, counts, b, gradient)
        return value / n, (np.einsum("cij,ic->jc", scale, gradient) / n).ravel()

    start = np.zeros((p, classes))
    start[0] = np.log(counts.sum(axis=0) / n + 0.5 / n)
    start[0] -= start[0].mean()
    theta = np.stack([np.linalg.solve(scale[c], start[:, c]) for c in range(classes)], axis=1)
    options = {"maxiter": 1000, "gtol": 1e-5, "ftol": 1e-8, "maxcor": 30}
    found = minimize(loss, theta.ravel(), jac=True, method="L-BFGS-B", options=options)
    b = np.einsum("cij,jc->ic", scale, np.asarray(found.x).reshape(p, classes))
    b, gradient = polish(patterns, counts, b, ridge, scale)
    if not gradient < 1e-6:
        raise IntruderError(
            f"the multinomial regression of {classes} categories did not converge (largest gradient {gradient:.2g}); "
            "recode rare categories, or give beliefs=SuppliedBeliefs(...)"
        )
    return b


def polish(
    patterns: FloatArray, counts: FloatArray, b: FloatArray, ridge: FloatArray, scale: FloatArray
) -> tuple[FloatArray, float]:
    """Finish with Newton steps, so that the answer does not depend on the machine; give the last gradient, per unit.

    Newton's equations are solved by conjugate gradients in scaled coordinates, each roughly: the next step mends the rest.
    """
    n = float(counts.sum())
    units, shape = counts.sum(axis=1), b.shape
    size = float("inf")
    value = float("inf")
    for _ in range(40):
        gradient = ridge * b
        now = 0.5 * float(np.sum(gradient * b)) + negative_log_likelihood(patterns, counts, b, gradient)
        scaled = np.einsum("cij,ic->jc", scale, gradient)
        size = float(np.max(np.abs(scaled))) / n
        if size < 1e-13 or not now <= value * (1 + 1e-12) + 1e-9:
            break
        value = now
        share = np.exp(log_probabilities(patterns, b))

        def curvature(flat: FloatArray, share: FloatArray = share) -> FloatArray:
            v = np.einsum("cij,jc->ic", scale, flat.reshape(shape))
            out = ridge * v
            hessian_product(patterns, units, share, v, out)
            return np.einsum("cij,ic->jc", scale, out).ravel()

        operator = LinearOperator((b.size, b.size), matvec=curvature, dtype=np.float64)
        step, _ = cg(operator, -scaled.ravel(), rtol=ROUGHLY, maxiter=2_000)
        b = b + np.einsum("cij,jc->ic", scale, step.reshape(shape))
    return b, size


@njit(cache=True, nogil=True)
def hessian_product(patterns: FloatArray, units: FloatArray, share: FloatArray, v: FloatArray, out: FloatArray) -> None:
    """Add the curvature of minus the log likelihood times v."""
    classes, covariates = v.shape[1], v.shape[0]
    moved = np.empty(classes)
    for i in range(patterns.shape[0]):
        moved[:] = 0.0
        for k in range(covariates):
            x = patterns[i, k]
            if x != 0.0:
                for c in range(classes):
                    moved[c] += x * v[k, c]
        mean = 0.0
        for c in range(classes):
            mean += share[i, c] * moved[c]
        for c in range(classes):
            moved[c] = units[i] * share[i, c] * (moved[c] - mean)
        for k in range(covariates):
            x = patterns[i, k]
            if x != 0.0:
                for c in range(classes):
                    out[k, c] += x * moved[c]


@njit(cache=True, nogil=True)
def negative_log_likelihood(patterns: FloatArray, counts: FloatArray, b: FloatArray, gradient: FloatArray) -> float:
    """Give minus the log likelihood and add its gradient; covariates that are zero cost nothing."""
    classes, covariates = b.shape[1], b.shape[0]
    eta = np.empty(classes)
    value = 0.0
    for i in range(patterns.shape[0]):
        eta[:] = 0.0
        for k in range(covariates):
            x = patterns[i, k]
            if x != 0.0:
                for c in range(classes):
                    eta[c] += x * b[k, c]
        top = eta.max()
        total, units = 0.0, 0.0
        for c in range(classes):
            value -= counts[i, c] * (eta[c] - top)
            units += counts[i, c]
            eta[c] = math.exp(eta[c] - top)
            total += eta[c]
        value += units * math.log(total)
        for c in range(classes):
            eta[c] = units * eta[c] / total - counts[i, c]
        for k in range(covariates):
            x = patterns[i, k]
            if x != 0.0:
                for c in range(classes):
                    gradient[k, c] += x * eta[c]
    return value


def _scales(patterns: FloatArray, counts: FloatArray) -> FloatArray:
    """Give, for each class, a change of coordinates in which its curvature is about one.

    The curvature of a class is close to the second moments of the covariates among its members.
    """
    everyone = (patterns * counts.sum(axis=1, keepdims=True)).T @ patterns
    n, p = float(counts.sum()), patterns.shape[1]
    out = np.empty((counts.shape[1], p, p))
    for c in range(counts.shape[1]):
        here = counts[:, c] > 0
        own = (patterns[here] * counts[here, c][:, None]).T @ patterns[here]
        curvature = own + everyone / n + (RIDGE + 1e-9) * np.eye(p)
        out[c] = np.linalg.inv(np.linalg.cholesky(curvature)).T
    return np.asarray(out * np.sqrt(n), dtype=np.float64)


def log_probabilities(x: FloatArray, b: FloatArray) -> FloatArray:
    """Give the log probabilities of all classes for each row of covariates."""
    eta = x @ b
    top = eta.max(axis=1, keepdims=True)
    return np.asarray(eta - top - np.log(np.exp(eta - top).sum(axis=1, keepdims=True)), dtype=np.float64)
