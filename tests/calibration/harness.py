"""Draw people, mask, ask, and count: what is stated against what is true."""

from __future__ import annotations

import collections
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import stats

import confide as cf
from calibration import examples
from calibration.combination import Combination
from calibration.counting import SAME, Counts, Seen, seen
from calibration.hearsay import heard
from calibration.population import (
    AREAS,
    MEMBERS,
    VARIABLES,
    Finite,
    all_possibilities,
    members,
    middle,
    people,
    true_beliefs,
)
from confide.errors import UserMistake

RELEASED = 0.6
"""The share of the people who are in the file, where the intruder does not know who is."""
OF_BELIEF = {cf.Distributed, cf.Roughly}
"""Knowledge that is held against strangers also where a variable is released as it is."""
OF_EACH = {cf.Regression, cf.AboutTargets, cf.GivenRecords}
"""Beliefs that differ from target to target, or from record to record."""
SOME_AREAS = ["b", "c"]
"""Where a target may live, where that is known in part."""
ONE_BY_ONE = 10
"""How many targets are asked about one by one, where each has a number of people like them that must be told."""
ALL_AT_ONCE = 16
"""How many people there are at most, where all records compete for all targets."""
FEW = 0.03
"""The share of the people who are in the file, where few are."""
MANY = 20
"""How many times as many people there are, where few are released."""
FALSE_ALARM = 0.01
"""How often the whole table may raise an alarm though every probability is right."""

TELLING = 0.1
"""For so many of the targets probabilities must differ, so that a combination proves anything."""


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
    named: tuple[str, ...] = ()
    """Which assumptions the library says fail."""
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
        """Whether true and stated are equal in every bin of every replicate: among equals nothing is left to chance."""
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
    found = [one for one in counts if one is not None]
    named = tuple(dict.fromkeys(why for one in found for why in one.named))
    telling = sum(one.told for one in found) / sum(one.targets for one in found)
    return Row(combination, gathered([one.counts for one in found]), "", len(refused), named, telling)


def gathered(counts: Sequence[Counts]) -> cf.Reliability:
    """Set the counts of all replicates beside each other."""
    names = tuple(dict.fromkeys(name for c in counts for name in c))
    table = np.array([[c.get(name, np.zeros(3)) for name in names] for c in counts])
    return cf.Reliability(names, table[:, :, 0], table[:, :, 1], table[:, :, 2])


def once(c: Combination, size: int, seed: int) -> Seen | None:
    """One population, masked once."""
    size *= MANY if c.few else 1
    data = people(size, seed, c.others, c.more)
    sample = () if c.in_file and not c.few else (cf.Sample(n=round(share(c) * size)),)
    released = cf.Release(*sample, *c.methods).apply(data, seed=seed)
    if c.blanks is not None:
        released = c.blanks.leave(released, c.variables, seed)
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
    return replace(seen(c, released, links, data, intruder), named=cf.failing_assumptions(intruder, released))


def share(c: Combination) -> float:
    """Give the share of the people who are released, where not all are."""
    return FEW if c.few else RELEASED


def _targets(c: Combination, data: cf.Microdata, seed: int) -> np.ndarray:
    """Whom the intruder's knowledge is true of: it is the same for all of them, and says no more than it seems to."""
    wanted = members(data.n, seed) if c.others.variables else np.ones(data.n, dtype=bool)
    if c.area is cf.OneOf:
        wanted &= np.isin(data.column("area").values(), SOME_AREAS)
    for name in c.variables:
        values = np.array(data.column(name).values(), dtype=object)
        if c.kind is cf.Between:
            low, high = middle(name)
            wanted &= (values >= low) & (values <= high)
        if c.kind is cf.OneOf and isinstance(VARIABLES[name], Finite):
            wanted &= np.isin(values, list(examples.item(cf.OneOf, name).levels))
        if c.kind is cf.Distributed or (c.unavailable and c.kind not in {*OF_EACH, cf.OneOf}):
            wanted &= np.array(data.column("area").values()) == examples.FIRST_AREA
    return wanted


def _intruder(c: Combination, data: cf.Microdata, released: cf.Released, rows: np.ndarray, seed: int) -> cf.Intruder:
    """The intruder of a combination: knows the area and, somehow, what is masked."""
    swapped = c.masks("area")
    of_area = {cf.Exactly: ["area"], cf.OneOf: [cf.OneOf("area", SOME_AREAS)], None: []}[c.area]
    how: dict[str, Any] = {"knows": [*of_area, *([] if c.unavailable else [_item(c, v) for v in c.variables]), *c.exactly]}
    if c.unavailable:
        how["unavailable"] = _unavailable(c, data, released, rows, seed)
    if not c.in_file:
        how["population"] = _population(c, data)
    if c.blanks is not None:
        how["blanks"] = c.blanks.told(c.variables)
    if c.without:
        how["matching"] = cf.WithoutReplacement()
    names = [*(["area"] if of_area else []), *c.variables, *c.exactly]
    spoken = names if c.population == "chance" else c.variables if c.unavailable or c.kind in OF_BELIEF else []
    if c.area is cf.OneOf and swapped:
        spoken = [*spoken, "area"]  # weighed with what was swapped within it
    perturbed = [n for n in names if n in released.perturbed or n in spoken]
    if perturbed and not c.fitted and not any(isinstance(m, cf.CorrelatedNoise) for m in c.methods):
        # what is not known exactly of the target does not tell its strangers apart
        of_all = [] if swapped or c.area is not cf.Exactly else ["area"]
        of_own = [*(c.variables if c.kind is cf.Exactly else ()), *c.exactly]
        exact = dict.fromkeys([*of_all, *(n for n in of_own if n not in perturbed)])
        seen = [n for n in exact if n in released.data.columns and n not in perturbed]
        # who competes with all members has strangers who are none
        of_members = MEMBERS if c.others.variables and not c.without else 0.0
        some = SOME_AREAS if c.area is cf.OneOf and not swapped else ()
        how["beliefs"] = true_beliefs(released, seen, perturbed, c.others, of_members, some)
    return cf.Intruder(target_in_file=c.in_file, **how)


def _population(c: Combination, data: cf.Microdata) -> Any:
    """Where the number of people like the target comes from."""
    if c.population == "table":
        return cf.PopulationTable(data.with_columns({"count": data.column("wt")}))
    if c.population == "at least":
        return cf.AtLeast(_fewest(c, data))
    told = {"weights": cf.FromWeights(), "chance": cf.KnownChance(share(c))}
    return told.get(c.population) or examples.model(getattr(cf, c.population), share(c))


def _fewest(c: Combination, data: cf.Microdata) -> int:
    """Say how many people are like the target at least, in what is known and not perturbed."""
    perturbed = {v for m in c.methods if isinstance(m, cf.Noise) for v in m.variables}
    names = [n for n in ("area", *c.variables) if n not in perturbed]
    cells = zip(*(data.column(n).values() for n in names), strict=True)
    return min(collections.Counter(cells).values())


def _unavailable(c: Combination, data: cf.Microdata, released: cf.Released, rows: np.ndarray, seed: int) -> Any:
    """What is believed of variables that are not known."""
    if c.kind is cf.Regression:
        return {v: cf.Regression() for v in c.variables}
    if c.kind is cf.AboutTargets:
        return cf.AboutTargets(heard(data, rows, c.variables, seed))
    if c.kind is cf.OneOf:
        return {v: examples.item(cf.OneOf, v) for v in c.variables}
    if c.kind not in OF_EACH:
        return {v: examples.belief(v, family=c.kind, others=c.others) for v in c.variables}
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
