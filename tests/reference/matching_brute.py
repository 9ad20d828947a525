"""Matching without replacement, written out: every way to give records to people is listed.

It shares no code with the package and is slow.
"""

from __future__ import annotations

import itertools
import math

import numpy as np


def matchings(scores: np.ndarray, strangers: list[list[int]], simulated: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """P(record j is target i's) and the null links.

    `scores`: records by targets, likelihood ratios against a random person, 0 where impossible. `strangers[j]`: the
    people not on the list whose record j may be, by number. `simulated`: the probability that a record is nobody's.
    Given which records are real, every injective map into the people of a group is equally likely beforehand; a group is
    a set of records with the same strangers.
    """
    n, targets = scores.shape
    groups: dict[tuple[int, ...], list[int]] = {}
    for j in range(n):
        groups.setdefault(tuple(strangers[j]), []).append(j)
    p = np.zeros((n, targets))
    for people, records in groups.items():
        mine = [i for i in range(targets) if any(scores[j, i] > 0 for j in records)]
        p[np.ix_(records, mine)] = _group(scores[np.ix_(records, mine)], len(people), simulated)
    return p, 1.0 - p.sum(axis=0)


def _group(scores: np.ndarray, strangers: int, simulated: float) -> np.ndarray:
    n, targets = scores.shape
    people = targets + strangers
    found, total = np.zeros((n, targets)), 0.0
    for real in itertools.product([False, True], repeat=n) if simulated else [(True,) * n]:
        chosen = [j for j in range(n) if real[j]]
        if len(chosen) > people:
            continue
        prior = simulated ** (n - len(chosen)) * (1 - simulated) ** len(chosen) / math.perm(people, len(chosen))
        for to in itertools.permutations(range(people), len(chosen)):
            weight = prior
            for j, i in zip(chosen, to, strict=True):
                weight *= scores[j, i] if i < targets else 1.0
            total += weight
            for j, i in zip(chosen, to, strict=True):
                if i < targets:
                    found[j, i] += weight
    return found / total
