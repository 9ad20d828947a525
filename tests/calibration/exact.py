"""An intruder whose probabilities are right: what the rule says of one, and of one who is off by a tenth."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import confide as cf
from calibration.harness import threshold
from confide.calibration.reliability import EDGES, bin_names

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
    score = rng.normal(0, sure, (times, targets, records + 1))
    p = np.exp(score - score.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    drawn = (rng.random((times, targets, 1)) > np.cumsum(p, axis=2)[:, :, :-1]).sum(axis=2)
    true = drawn[:, :, None] == np.arange(records + 1)
    links, null = np.minimum(p[:, :, :-1] * off, 1.0), p[:, :, -1]
    group = np.broadcast_to(np.arange(records) % 4, links.shape)
    parts = [
        _counted(_place(links), links, true[:, :, :-1], len(EDGES) - 1),
        _counted(_place(null), null, true[:, :, -1], len(EDGES) - 1),
        _counted(group, links, true[:, :, :-1], 4),
    ]
    return cf.Reliability(BINS, *np.concatenate(parts, axis=2))


def _place(p: np.ndarray) -> np.ndarray:
    """The bin of each probability."""
    return np.searchsorted(np.asarray(EDGES[1:-1]), p, side="left")


def _counted(place: np.ndarray, stated: np.ndarray, true: np.ndarray, bins: int) -> np.ndarray:
    """Cases, stated and true, replicates by bins."""
    times = place.shape[0]
    at = (place + bins * np.arange(times).reshape(-1, *[1] * (place.ndim - 1))).ravel()
    return np.stack(
        [
            np.bincount(at, weights=w, minlength=times * bins).reshape(times, bins)
            for w in (np.ones(at.size), stated.ravel(), true.ravel().astype(float))
        ]
    )


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
