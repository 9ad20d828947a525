"""Compiled sums over records: gradient and information of a logistic regression."""

from __future__ import annotations

import numpy as np
from numba import njit

from confide.typing import FloatArray, IntArray


@njit(cache=True, nogil=True)
def entries(
    index: IntArray, value: FloatArray, start: IntArray, width: IntArray, pair: IntArray, at: IntArray, x: FloatArray
) -> int:
    """Write the columns of one record that are not zero, in order, and what stands in them; give their number."""
    at[0], x[0] = 0, 1.0
    m = 1
    slots = index.size
    for j in range(slots):
        if index[j] >= 0:
            at[m], x[m] = start[j] + index[j], value[j]
            m += 1
    if pair[0, slots - 1] < 0:
        return m
    for j in range(slots):
        if index[j] < 0:
            continue
        if pair[j, j] >= 0 and index[j] == 0:
            at[m], x[m] = pair[j, j], value[j] ** 2
            m += 1
        for k in range(j + 1, slots):
            if index[k] >= 0:
                at[m] = pair[j, k] + index[j] * width[k] + index[k]
                x[m] = value[j] * value[k]
                m += 1
    return m


@njit(cache=True, nogil=True)
def logistic_sums(
    index: IntArray,
    value: FloatArray,
    start: IntArray,
    width: IntArray,
    pair: IntArray,
    target: FloatArray,
    w: FloatArray,
    b: FloatArray,
    gradient: FloatArray,
    information: FloatArray,
) -> float:
    """Add up gradient and information (upper triangle) at coefficients b; give the log likelihood."""
    n, slots = index.shape
    room = 1 + slots + slots * (slots + 1) // 2
    at, x = np.empty(room, dtype=np.int64), np.empty(room)
    log_likelihood = 0.0
    for i in range(n):
        if w[i] == 0:
            continue
        m = entries(index[i], value[i], start, width, pair, at, x)
        eta = 0.0
        for a in range(m):
            eta += b[at[a]] * x[a]
        e = np.exp(-abs(eta))
        p = 1.0 / (1.0 + e) if eta >= 0 else e / (1.0 + e)
        log_likelihood += w[i] * ((eta if target[i] > 0 else 0.0) - max(eta, 0.0) - np.log1p(e))
        left, weight = w[i] * (target[i] - p), w[i] * e / (1.0 + e) ** 2
        for a in range(m):
            gradient[at[a]] += left * x[a]
            step = weight * x[a]
            for c in range(a, m):
                information[at[a], at[c]] += step * x[c]
    return log_likelihood


@njit(cache=True, nogil=True)
def scores(
    index: IntArray, value: FloatArray, start: IntArray, width: IntArray, pair: IntArray, b: FloatArray, out: FloatArray
) -> None:
    """Write the probability of each record."""
    n, slots = index.shape
    room = 1 + slots + slots * (slots + 1) // 2
    at, x = np.empty(room, dtype=np.int64), np.empty(room)
    for i in range(n):
        m = entries(index[i], value[i], start, width, pair, at, x)
        eta = 0.0
        for a in range(m):
            eta += b[at[a]] * x[a]
        e = np.exp(-abs(eta))
        out[i] = 1.0 / (1.0 + e) if eta >= 0 else e / (1.0 + e)
