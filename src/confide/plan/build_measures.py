"""Make classical measures of their tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import unknown
from confide.linking.distance.linkage import distance_linkage
from confide.linking.probabilistic.linkage import probabilistic_linkage
from confide.plan.faults import Faults
from confide.plan.schema_measures import MEASURES, MeasureTable
from confide.risk.file_measure import FileMeasure
from confide.risk.frequency.attackers import journalist_risk, k_map, marketer_risk, prosecutor_risk
from confide.risk.frequency.closeness import t_closeness
from confide.risk.frequency.counts import k_anonymity
from confide.risk.frequency.diversity import DistinctDiversity, EntropyDiversity, RecursiveDiversity, l_diversity
from confide.risk.frequency.individual import individual_risk
from confide.risk.frequency.missing import MissingAsLevel, MissingAsWildcard
from confide.risk.interval.around import RankHalfWidth, RankWidth, SdWidth
from confide.risk.interval.disclosure import interval_disclosure
from confide.risk.population.dankar import DankarRule
from confide.risk.population.ewens import Ewens
from confide.risk.population.loglinear.risk import loglinear_risk
from confide.risk.population.loglinear.terms import AllTwoWay, ForwardSelection, MainEffects
from confide.risk.population.pitman import Pitman
from confide.risk.population.slide import SlideNegativeBinomial
from confide.risk.population.uniques import population_uniques
from confide.risk.population.zayatz import Zayatz
from confide.risk.uniques.dis import dis_suda
from confide.risk.uniques.special import sample_uniques, special_uniques
from confide.risk.uniques.suda import suda

FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        k_anonymity, l_diversity, t_closeness, k_map, prosecutor_risk, journalist_risk, marketer_risk, individual_risk,
        sample_uniques, special_uniques, suda, dis_suda, population_uniques, loglinear_risk, distance_linkage,
        probabilistic_linkage, interval_disclosure,
    )
}  # fmt: skip
"""The functions by their names."""
CHOICES: dict[str, Callable[[], Any]] = {
    c.__name__: c
    for c in (Pitman, Ewens, Zayatz, SlideNegativeBinomial, DankarRule, MainEffects, AllTwoWay, ForwardSelection)
}
"""Models and terms by their names."""


def build_measure(table: MeasureTable, source: Microdata | None, faults: Faults, where: str) -> FileMeasure | None:
    """Make a classical measure and hold its names against the data."""
    before = len(faults.found)
    named = [("keys", table.keys or ()), ("block", table.block or ()), ("sensitive", [table.sensitive])]
    for what, name in [(what, name) for what, names in named for name in names]:
        if source is not None and name is not None and name not in source.names:
            faults.add(where, f"{what}: {unknown('variable', name, source.names)}")
    if table.sensitive is not None and table.sensitive in (table.keys or ()):
        faults.add(where, f"{table.sensitive!r} cannot be both a key and what is protected; leave it out of keys")
    if len(faults.found) > before:
        return None
    with faults.at(where):
        return FileMeasure(FUNCTIONS[table.measure], table.keys, name=table.name, **_options(table))
    return None


def _options(table: MeasureTable) -> dict[str, Any]:
    """Give what the function is told beside the keys."""
    given: dict[str, Any] = {k: getattr(table, k) for k in MEASURES[table.measure] if getattr(table, k) is not None}
    if "missing" in given:
        given["missing"] = MissingAsWildcard() if table.missing == "wildcard" else MissingAsLevel()
    for key in ("model", "terms"):
        if key in given:
            given[key] = CHOICES[given[key]]()
    c = given.pop("c", None)
    if table.diversity is not None:
        plain = EntropyDiversity() if table.diversity == "entropy" else DistinctDiversity()
        given["diversity"] = plain if c is None else RecursiveDiversity(c)
    for key, around in (("percent", RankWidth), ("half_percent", RankHalfWidth), ("sd", SdWidth)):
        if key in given:
            given["around"] = around(given.pop(key))
    return given
