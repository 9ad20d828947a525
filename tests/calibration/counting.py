"""Count what is stated and what is true, by bins and by groups of all that the intruder sees."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import confide as cf
from calibration import examples
from calibration.combination import Combination
from calibration.population import VARIABLES, middle
from confide.calibration.reliability import bin_names, binned
from confide.linking.pairs import linked_groups

SAME = 1e-9
"""Probabilities closer than this are the same."""
SEVERAL = 10
"""Levels of a variable with more of them are put into groups."""
OWN = {cf.Exactly, cf.Within, cf.Roughly, cf.Bracket}
"""Knowledge that differs from target to target with their own value."""

Counts = dict[str, np.ndarray]
"""For each bin: cases, stated, true."""


@dataclass(frozen=True)
class Seen:
    """What came of one population."""

    counts: Counts
    """All bins."""
    targets: int
    """How many targets there were."""
    told: int
    """For how many of them probabilities differed among the records of one area."""
    named: tuple[str, ...] = ()
    """Which assumptions the library says fail."""


def seen(
    c: Combination, released: cf.Released, links: Sequence[cf.Links], data: cf.Microdata, intruder: cf.Intruder
) -> Seen:
    """Compare every pair of a target and a record, and the null link, by bins."""
    p = np.concatenate([dense(one) for one in links])
    own = np.concatenate([one.evidence.own_records for one in links])
    null = np.concatenate([one.null for one in links])
    rows = np.concatenate([one.evidence.target_rows for one in links])
    true = np.zeros_like(p)
    inside = np.flatnonzero(own >= 0)
    true[inside, own[inside]] = 1.0
    counts = {f"p {n}": x for n, x in zip(bin_names(), binned(p.ravel(), true.ravel()).T, strict=True) if x[0]}
    if not c.in_file:
        nulls = zip(bin_names(), binned(null, (own < 0).astype(float)).T, strict=True)
        counts |= {f"null {n}": x for n, x in nulls if x[0]}
    for name in (*c.variables, *c.exactly):
        if name in released.data.columns:
            area, value = _areas(c, data, rows), _known(c, name, data, rows, intruder)
            shown = np.array(_groups(name, released.data.columns[name]))
            there = _shown_areas(c, released)
            counts |= _crossed(
                p, true, [f"area {a}" for a in area], [f"{b}{name} {g}" for b, g in zip(there, shown, strict=True)]
            )
            if value:
                counts |= _crossed(p, true, [f"known {v}" for v in value], [f"{name} {g}" for g in shown])
            if value and not c.in_file:
                for v in set(value):
                    at = np.array(value) == v
                    counts[f"null, known {name} {v}"] = np.array(
                        [at.sum(), null[at].sum(), (own[at] < 0).sum()], dtype=float
                    )
    return Seen(counts, len(own), told(p, released.data.columns.get("area")))


def _crossed(p: np.ndarray, true: np.ndarray, of_target: Sequence[str], of_record: Sequence[str]) -> Counts:
    """Count pairs by a group of the target and one of the record."""
    first, second = np.array(of_target), np.array(of_record)
    found = {}
    for a, b in itertools.product(np.unique(first).tolist(), np.unique(second).tolist()):
        at = np.ix_(first == a, second == b)
        found[f"{a}, record {b}"] = np.array([p[at].size, p[at].sum(), true[at].sum()])
    return found


def _areas(c: Combination, data: cf.Microdata, rows: np.ndarray) -> list[str]:
    """The area of each target, where it is known."""
    return [str(a) for a in data.column("area").take(rows).values()] if c.area is cf.Exactly else ["?"] * rows.size


def _shown_areas(c: Combination, released: cf.Released) -> list[str]:
    """The area of each record, where the intruder looks at it but does not know that of the target."""
    looks = c.area is cf.OneOf or (c.area is None and not c.masks("area"))
    return [f"{a}, " for a in released.data.columns["area"].values()] if looks else [""] * released.data.n


def _known(c: Combination, name: str, data: cf.Microdata, rows: np.ndarray, intruder: cf.Intruder) -> list[str]:
    """What is known or believed of each target's value, in a few groups; empty: the same of all."""
    if c.kind is cf.AboutTargets and name not in c.exactly and isinstance(intruder.unavailable, cf.AboutTargets):
        units = intruder.unavailable.units
        likely = [max(unit, key=lambda atom: atom.weight).values[name] for unit in units]
        return [_word(name, x) for x in likely] if len(units) == rows.size else []
    if name not in c.exactly and (c.unavailable or c.kind not in OWN):
        return []
    return _groups(name, data.column(name).take(rows))


def _word(name: str, value: Any) -> str:
    """Name a level, or say where the middle of a distribution lies."""
    if not examples.is_number(name):
        return str(value)
    mean = (value.low + value.high) / 2 if isinstance(value, cf.Uniform) else getattr(value, "mean", value)
    number = np.exp(mean) if isinstance(value, cf.Lognormal) else mean
    return "zero" if number == 0 else ("low", "middle", "high")[int(np.searchsorted(middle(name), number))]


def _level(name: str, value: Any) -> str:
    """Name a level; of many, which are given from common to rare, how common it is."""
    levels = getattr(VARIABLES.get(name), "levels", ())
    if len(levels) <= SEVERAL or value not in levels:
        return str(value)
    cuts = (len(levels) // 10, len(levels) // 3)
    return ("common", "seldom", "rare")[int(np.searchsorted(cuts, levels.index(value), "right"))]


def told(p: np.ndarray, area: Any) -> int:
    """For how many targets probabilities differ among records that show the same area."""
    of_each = np.zeros(p.shape[1], dtype=np.int64) if area is None else area.profile()[0]
    parts = [p[:, of_each == g] for g in np.unique(of_each)]
    return int(np.any([np.ptp(part, axis=1) > SAME for part in parts], axis=0).sum())


def dense(links: cf.Links) -> np.ndarray:
    """All link probabilities, targets by records."""
    found = linked_groups(links)
    p = np.zeros((found.size, found.records))
    for part in found.parts():
        p[part.first + part.group, part.record] = part.p
    return p[found.group]


def _groups(name: str, column: Any) -> list[str]:
    """Put values into a few groups."""
    if not examples.is_number(name) or name not in VARIABLES:
        return [_level(name, v) for v in column.values()]
    cuts = middle(name)
    words = ("low", "middle", "high")
    place = np.searchsorted(cuts, np.nan_to_num(column.numbers))
    return [
        str(v) if not number else "zero" if x == 0 else words[k]
        for v, number, x, k in zip(column.values(), column.is_number, column.numbers, place, strict=True)
    ]
