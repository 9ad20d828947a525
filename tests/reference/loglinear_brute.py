"""Log-linear models by the whole table: slow, plain, and sure."""

from __future__ import annotations

from itertools import product

import numpy as np


def fitted_table(counts: np.ndarray, sets: list[tuple[int, ...]], rounds: int = 3000) -> np.ndarray:
    """Fit margins by iterative proportional fitting on the table of all cells."""
    mean = np.ones(counts.shape)
    for _ in range(rounds):
        before = mean.copy()
        for axes in sets:
            others = tuple(a for a in range(counts.ndim) if a not in axes)
            want, have = counts.sum(axis=others, keepdims=True), mean.sum(axis=others, keepdims=True)
            mean = mean * np.divide(want, have, out=np.zeros_like(have), where=have > 0)
        if np.abs(mean - before).max() < 1e-13:
            break
    return mean


def expected_errors(counts: np.ndarray, mean: np.ndarray, pi: float) -> tuple[float, float, float, float]:
    """Give B1, v1, B2, v2 by the definition, with derivatives by differences."""

    def h1(big):
        return np.exp(-(1 - pi) * big)

    def h2(big):
        return -np.expm1(-(1 - pi) * big) / ((1 - pi) * big)

    found = []
    for h in (h1, h2):
        b = v = 0.0
        for cell in product(*(range(s) for s in counts.shape)):
            f, mu = counts[cell], mean[cell]
            if mu == 0:
                continue
            big, step = mu / pi, 1e-3
            down = (h(big + step) - h(big - step)) / (2 * step)
            bend = (h(big + step) - 2 * h(big) + h(big - step)) / step**2
            weight = big * np.exp(-pi * big)
            b += weight * (-down * (f - mu) + bend * ((f - mu) ** 2 - f) / (2 * pi))
            v += weight**2 * (down**2 * mu + bend**2 / (4 * pi**2) * 2 * mu**2)
        found += [b, v]
    return tuple(found)
