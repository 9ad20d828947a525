"""All pairs compete: every record has one match at most."""

from __future__ import annotations

import math

import numpy as np
from scipy import sparse

from confide.linking.posterior.joint.exact import null_links
from confide.linking.posterior.joint.result import JointLinks
from confide.linking.posterior.joint.solve import link_probabilities
from confide.linking.probabilistic.blocks import Blocked
from confide.linking.probabilistic.patterns import Kept
from confide.typing import FloatArray

WORK = 1e6
"""With an infinite tolerance, the most elementary operations for an exact answer to one group of competing records."""


def prior_of(pairs: Blocked, matches: float) -> FloatArray:
    """Give the log odds of a match before comparing, for the pairs of every place.

    Every source record that has candidates is as likely as any other to have a match among them; in a small block
    each candidate is likelier to be it.

    Args:
        pairs: the candidate pairs.
        matches: how many of them are matches.
    """
    c = pairs.candidates
    many = np.bincount(c.row, c.high - c.low)
    p = np.minimum(matches / np.sum(many > 0) / many[c.row], 1 - 1e-9)
    return np.asarray(np.log(p) - np.log1p(-p), dtype=np.float64)


def matched_share(kept: Kept, prior: FloatArray, pairs: Blocked) -> float:
    """Estimate the share of source records with a match, when each has one at most.

    Given its candidates a source record has a match with the odds share / (1 - share) times the mean weight of its
    candidates; the share is the mean of these probabilities (EM). It stays below one by half a record.

    Args:
        kept: the pairs worth keeping.
        prior: the log odds of every place.
        pairs: the candidate pairs.
    """
    c = pairs.candidates
    n = c.block_a.shape[1]
    many, before = np.bincount(c.row, c.high - c.low, minlength=n), np.zeros(n)
    before[c.row] = prior
    total = np.bincount(kept.source, np.exp(np.minimum(kept.log_odds - before[kept.source], 700.0)), minlength=n)
    ratio = np.asarray(total[many > 0] / many[many > 0], dtype=np.float64)
    found = 0.9
    for _ in range(1_000):
        share = found
        found = min(float(np.sum(share * ratio / (share * ratio + 1 - share))), ratio.size - 0.5) / ratio.size
        if abs(found - share) < 1e-9:
            break
    return float(found * ratio.size / n)


def competing_odds(log_odds: FloatArray, share: float, shape: tuple[int, int]) -> FloatArray:
    """Give the log odds of pairs against both records staying alone.

    A pair's prior odds are over all ways not to be a match, most of them matches of others. When pairs compete these are
    counted by themselves, so that the odds are over both records having no match: divide by the two probabilities.

    Args:
        log_odds: the log odds of a match, each pair seen on its own.
        share: the share of source records with a match.
        shape: the number of released and of source records.

    >>> competing_odds(np.zeros(1), 0.5, (100, 100)).round(3).tolist()
    [1.386]
    """
    n, wide = shape
    alone = sum(np.log1p(-min(share * wide / k, (k - 0.5) / k)) for k in (n, wide))
    return np.asarray(log_odds - alone, dtype=np.float64)


def competing(kept: Kept, odds: FloatArray, shape: tuple[int, int], tolerance: float, seed: int) -> JointLinks:
    """Give the probability that each released record is each source record's, eq. (4.1), and the null link.

    Args:
        kept: the pairs.
        odds: their log odds against both records staying alone.
        shape: the number of released and of source records.
        tolerance: as for `link_probabilities`; infinite: propagation alone where there is no exact answer.
        seed: of the chains, with a finite tolerance.
    """
    n, wide = shape
    own = np.arange(n)
    at = np.concatenate([kept.released, own]), np.concatenate([kept.source, wide + own])
    table = sparse.csr_array((np.concatenate([odds, np.zeros(n)]), at), shape=(n, wide + n))
    found = link_probabilities(table, log=True, tolerance=tolerance, seed=seed, work=WORK if math.isinf(tolerance) else None)
    p, error = sparse.csr_array(found.p)[:, :wide], sparse.csr_array(found.error)[:, :wide]
    # approximate answers may sum to a little more than one
    over = np.maximum(np.asarray(p.sum(axis=0)).ravel(), 1.0)[p.indices]
    error.data = error.data + p.data * (1 - 1 / over)
    p.data = p.data / over
    return JointLinks(p, null_links(p), error, found.methods, found.diagnostics)
