"""Draw people, mask, ask, and count: what is stated against what is true."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

import confide as cf
from calibration import examples
from calibration.combinations import Combination
from calibration.hearsay import heard
from calibration.population import AREAS, MEMBERS, VARIABLES, Finite, all_possibilities, members, middle, people, true_beliefs
from confide.calibration.reliability import bin_names, binned
from confide.errors import UserMistake
from confide.linking.pairs import linked_groups

RELEASED = 0.6
"""The share of the people who are in the file, where the intruder does not know who is."""
OF_BELIEF = {cf.Distributed, cf.Roughly}
"""Knowledge that is held against strangers also where a variable is released as it is."""
OF_EACH = {cf.Regression, cf.AboutTargets, cf.GivenRecords}
"""Beliefs that differ from target to target, or from record to record."""
ONE_BY_ONE = 10
"""How many targets are asked about one by one, where each has a number of people like them that must be told."""
ALL_AT_ONCE = 16
"""How many people there are at most, where all records compete for all targets."""
FALSE_ALARM = 0.01
"""How often the whole table may raise an alarm though every probability is right."""

TELLING = 0.1
"""For so many of the targets probabilities must differ, so that a combination proves anything."""
SAME = 1e-9
"""Probabilities closer than this are the same."""

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


@dataclass(frozen=True)
class Row:
    """What came of one combination."""

    combination: Combination
    found: cf.Reliability | None = None
    """All bins; None where the combination was refused."""
    refused: str = ""
    """Why it was refused."""
    left_out: int = 0
    """How many replicates were refused, where others were not: a level that nobody has is no level."""
    telling: float = 0.0
    """Of the targets, for how many probabilities differ among the records of one area."""

    @property
    def tests(self) -> int:
        """How many bins were tested."""
        return 0 if self.found is None else int((self.found.count.sum(axis=0) > 0).sum())

    @property
    def informative(self) -> bool:
        """Whether what is known or believed tells targets from strangers; otherwise nothing is proven."""
        return self.telling >= TELLING

    @property
    def settled(self) -> bool:
        """Whether true and stated are equal in every bin of every replicate: in a block of equals nothing is left to chance."""
        return self.found is not None and bool(np.all(np.abs(self.found.true - self.found.stated) < SAME))

    @property
    def worst(self) -> int:
        """The bin that is furthest off."""
        assert self.found is not None
        return int(np.argmax(np.abs(self.found.z)))

    @property
    def z(self) -> float:
        """The largest deviate of any bin."""
        return 0.0 if self.found is None else float(self.found.z[self.worst])


def threshold(tests: int) -> float:
    """The deviate above which a bin raises an alarm, when so many bins are tested (Bonferroni)."""
    return float(stats.norm.isf(FALSE_ALARM / 2 / max(tests, 1)))


def alarms(rows: Sequence[Row]) -> list[Row]:
    """The rows that do not calibrate."""
    limit = threshold(sum(r.tests for r in rows))
    return [r for r in rows if abs(r.z) > limit]


def measure(combination: Combination, *, size: int, times: int, seed: int = 1) -> Row:
    """Draw a population, mask it and ask the intruder, so many times."""
    if combination.without:
        size = min(size, ALL_AT_ONCE)
    counts, refused = [], []
    for k in range(times):
        try:
            counts.append(once(combination, size, seed * 100_000 + k))
        except UserMistake as error:
            refused.append(" ".join(str(error).split()))
        if len(refused) >= max(times / 2, 1):
            return Row(combination, refused=refused[0])
    seen = [s for s in counts if s is not None]
    told = sum(s.told for s in seen) / sum(s.targets for s in seen)
    return Row(combination, gathered([s.counts for s in seen]), left_out=len(refused), telling=told)


def gathered(counts: Sequence[Counts]) -> cf.Reliability:
    """Set the counts of all replicates beside each other."""
    names = tuple(dict.fromkeys(name for c in counts for name in c))
    table = np.array([[c.get(name, np.zeros(3)) for name in names] for c in counts])
    return cf.Reliability(names, table[:, :, 0], table[:, :, 1], table[:, :, 2])


def once(c: Combination, size: int, seed: int) -> Seen | None:
    """One population, masked once."""
    data = people(size, seed, c.others)
    sample = () if c.in_file else (cf.Sample(n=round(RELEASED * size)),)
    released = cf.Release(*sample, *c.methods).apply(data, seed=seed)
    rows = np.flatnonzero(_targets(c, data, seed) & (np.isin(np.arange(size), released.parent) | (not c.in_file)))
    if not rows.size:
        return None
    intruder = _intruder(c, data, released, rows, seed)
    try:
        links = [cf.link(released, intruder, cf.Targets.of_rows(rows.tolist()))]
    except cf.IntruderError as error:
        if "known only partly" not in str(error) or c.without:
            raise
        links = _one_by_one(c, data, released, intruder, rows[:ONE_BY_ONE])
    return _counts(c, released, links, data)


def _targets(c: Combination, data: cf.Microdata, seed: int) -> np.ndarray:
    """Whom the intruder's knowledge is true of: it is the same for all of them, and says no more than it seems to."""
    wanted = members(data.n, seed) if c.others.variables else np.ones(data.n, dtype=bool)
    for name in c.variables:
        values = np.array(data.column(name).values(), dtype=object)
        if c.kind is cf.Between:
            low, high = middle(name)
            wanted &= (values >= low) & (values <= high)
        if c.kind is cf.OneOf and isinstance(VARIABLES[name], Finite):
            wanted &= np.isin(values, list(examples.item(cf.OneOf, name).levels))
        if c.kind is cf.Distributed or (c.unavailable and c.kind not in OF_EACH):
            wanted &= np.array(data.column("area").values()) == examples.FIRST_AREA
    return wanted


def _intruder(c: Combination, data: cf.Microdata, released: cf.Released, rows: np.ndarray, seed: int) -> cf.Intruder:
    """The intruder of a combination: knows the area and, somehow, what is masked."""
    swapped = any("area" in m.variables for m in c.methods)
    how: dict[str, Any] = {"knows": ["area", *([] if c.unavailable else [_item(c, v) for v in c.variables])]}
    if c.unavailable:
        how["unavailable"] = _unavailable(c, data, released, rows, seed)
    if not c.in_file:
        how["population"] = _population(c, data)
    if c.without:
        how["matching"] = cf.WithoutReplacement()
    names = ["area", *c.variables]
    spoken = names if c.population == "chance" else c.variables if c.unavailable or c.kind in OF_BELIEF else []
    perturbed = [n for n in names if n in released.perturbed or n in spoken]
    if perturbed and not c.fitted and not any(isinstance(m, cf.CorrelatedNoise) for m in c.methods):
        exact = [] if c.kind is not cf.Exactly else [n for n in names if n not in perturbed]
        exact = dict.fromkeys(exact if swapped else ["area", *exact])
        seen = [n for n in exact if n in released.data.columns and n not in perturbed]
        # who competes with all members has strangers who are none
        share = MEMBERS if c.others.variables and not c.without else 0.0
        how["beliefs"] = true_beliefs(released, seen, perturbed, c.others, share)
    return cf.Intruder(target_in_file=c.in_file, **how)


def _population(c: Combination, data: cf.Microdata) -> Any:
    """Where the number of people like the target comes from."""
    if c.population == "table":
        return cf.PopulationTable(data.with_columns({"count": data.column("wt")}))
    told = {"weights": cf.FromWeights(), "at least": cf.AtLeast(data.n // 4), "chance": cf.KnownChance(RELEASED)}
    return told[c.population]


def _unavailable(c: Combination, data: cf.Microdata, released: cf.Released, rows: np.ndarray, seed: int) -> Any:
    """What is believed of variables that are not known."""
    if c.kind is cf.Regression:
        return {v: cf.Regression() for v in c.variables}
    if c.kind is cf.AboutTargets:
        return cf.AboutTargets(heard(data, rows, c.variables, seed))
    if c.kind not in OF_EACH:
        return {v: examples.belief(v, mixture=c.kind is cf.Mixture, others=c.others) for v in c.variables}
    atoms = {a: [cf.Atom(p, v) for p, v in all_possibilities(k, c.variables, c.others)] for k, a in enumerate(AREAS)}
    return c.kind([atoms[a] for a in released.data.columns["area"].values()])


def _item(c: Combination, name: str) -> Any:
    """What is known of a variable."""
    return name if c.kind is cf.Exactly else examples.item(c.kind, name)


def _one_by_one(
    c: Combination, data: cf.Microdata, released: cf.Released, intruder: cf.Intruder, rows: np.ndarray
) -> list[cf.Links]:
    """Tell the number of people like each target: those who would be released so that they fit."""
    whole = cf.Release(*(m for m in c.methods if m.variables)).apply(data, seed=0)
    sure = intruder.but(target_in_file=True, population=None, beliefs=cf.FittedBeliefs(), models_others=False)
    like = cf.link(whole, sure, cf.Targets.of_rows(rows.tolist())).sample_matches
    found = []
    for row, n in zip(rows.tolist(), like.tolist(), strict=True):
        told = intruder.but(population=cf.Constant(max(n, 1)))
        found.append(cf.link(released, told, cf.Targets.of_rows([row])))
    return found


def _counts(c: Combination, released: cf.Released, links: Sequence[cf.Links], data: cf.Microdata) -> Seen:
    """Compare every pair of a target and a record, and the null link, by bins."""
    p = np.concatenate([dense(one) for one in links])
    own = np.concatenate([one.evidence.own_records for one in links])
    null = np.concatenate([one.null for one in links])
    true = np.zeros_like(p)
    inside = np.flatnonzero(own >= 0)
    true[inside, own[inside]] = 1.0
    counts = {f"p {n}": x for n, x in zip(bin_names(), binned(p.ravel(), true.ravel()).T, strict=True) if x[0]}
    if not c.in_file:
        nulls = zip(bin_names(), binned(null, (own < 0).astype(float)).T, strict=True)
        counts |= {f"null {n}": x for n, x in nulls if x[0]}
    for name in c.variables:
        if name in released.data.columns:
            group = np.array(_groups(name, released.data.columns[name]))
            area = np.array(data.column("area").values())[np.concatenate([one.evidence.target_rows for one in links])]
            for a, g in itertools.product(np.unique(area).tolist(), np.unique(group).tolist()):
                at = np.ix_(area == a, group == g)
                counts[f"area {a}, {name} {g}"] = np.array([p[at].size, p[at].sum(), true[at].sum()])
    return Seen(counts, len(own), told(p, released.data.columns.get("area")))


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
    """Put released values into a few groups."""
    if not examples.is_number(name) or name not in VARIABLES:
        return [str(v) for v in column.values()]
    cuts = middle(name)
    words = ("low", "middle", "high")
    place = np.searchsorted(cuts, np.nan_to_num(column.numbers))
    return [
        str(v) if not number else "zero" if x == 0 else words[k]
        for v, number, x, k in zip(column.values(), column.is_number, column.numbers, place, strict=True)
    ]
