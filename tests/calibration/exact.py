"""An intruder whose probabilities are right: what the rule says of one, and of one who is off by a tenth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import confide as cf
from calibration.harness import threshold
from confide.calibration.reliability import bin_names, binned

BINS = (*(f"p {n}" for n in bin_names()), *(f"null {n}" for n in bin_names()), *(f"records {k}" for k in range(4)))


def row(
    rng: np.random.Generator, *, times: int, targets: int, records: int, off: float = 1.0, sure: float = 3.0
) -> cf.Reliability:
    """The table of one combination: probabilities are drawn, and what is true is drawn from them.

    Args:
        rng: where everything is drawn from.
        times: replicates.
        targets: targets in each.
        records: records in each.
        off: what probabilities are multiplied by before they are stated, as far as that goes.
        sure: how far apart the records' scores are; more: probabilities nearer to zero and one.
    """
    counts = [_once(rng, targets, records, off, sure) for _ in range(times)]
    table = np.stack(counts)
    return cf.Reliability(BINS, table[:, 0], table[:, 1], table[:, 2])


def _once(rng: np.random.Generator, targets: int, records: int, off: float, sure: float) -> np.ndarray:
    """One replicate."""
    score = rng.normal(0, sure, (targets, records + 1))
    p = np.exp(score - score.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    drawn = (rng.random(targets)[:, None] > np.cumsum(p, axis=1)[:, :-1]).sum(axis=1)
    true = np.zeros_like(p)
    true[np.arange(targets), drawn] = 1.0
    stated, null = np.minimum(p[:, :-1] * off, 1.0), p[:, -1]
    place = np.tile(np.arange(records) % 4, targets)
    groups = [np.bincount(place, weights=w) for w in (np.ones(place.size), stated.ravel(), true[:, :-1].ravel())]
    parts = [binned(stated.ravel(), true[:, :-1].ravel()), binned(null, true[:, -1]), np.stack(groups)]
    return np.concatenate(parts, axis=1)


def deviates(found: cf.Reliability) -> np.ndarray:
    """The deviates of the bins that hold anything."""
    return found.z[found.count.sum(axis=0) > 0]


def tables(seeds: int, rows: int, **size: int) -> Iterator[bool]:
    """Whether a whole table of right probabilities raises an alarm, table by table."""
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        z = np.concatenate([deviates(row(rng, sure=float(rng.uniform(0.3, 5)), **size)) for _ in range(rows)])
        yield bool(np.abs(z).max() > threshold(z.size))


def power(seeds: int, *, off: float, tests: int, **size: int) -> float:
    """How often one row that is off raises an alarm in a table of so many tests."""
    limit = threshold(tests)
    found = [np.abs(deviates(row(np.random.default_rng(s), off=off, **size))).max() > limit for s in range(seeds)]
    return float(np.mean(found))
