"""Make the map of a plan: the family of releases, the axes, the limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import ReleaseError, repeated, unknown
from confide.harm.harm import Harm
from confide.plan.faults import Faults
from confide.plan.schema_map import RISKS, MapTable, UtilityTable, VaryTable
from confide.release.method import Method
from confide.release.release import Release
from confide.release.released import Released
from confide.release.vary import Axis, Range, vary, vary_between
from confide.risk.file_measure import FileMeasure
from confide.risk.measure import Measure
from confide.risk.measures.expected import ExpectedMatches
from confide.risk.measures.perceived import PerceivedIdentifications
from confide.risk.measures.rates import FalseMatchRate, TrueMatchRate
from confide.risk.measures.right import RightLinks
from confide.risk.measures.unique import UniqueMatches
from confide.rumap.general.risks import Declared, RiskAxis, WorstGroup
from confide.rumap.general.search import Budget
from confide.rumap.general.varies import check_varies
from confide.utility.measure import UtilityMeasure
from confide.utility.measures.correlations import CorrelationLoss
from confide.utility.measures.covariances import CovariancesKept
from confide.utility.measures.eigenvalues import EigenvalueLoss
from confide.utility.measures.hellinger import Hellinger
from confide.utility.measures.il1 import IL1s
from confide.utility.measures.kullback import KullbackLeibler
from confide.utility.measures.means import MeansKept
from confide.utility.measures.propensity import PropensityScore
from confide.utility.measures.quantiles import QuantilesKept
from confide.utility.measures.regression import RegressionKept
from confide.utility.measures.totals import TotalsKept

USES: dict[str, Any] = {
    c.__name__: c
    for c in (
        MeansKept, TotalsKept, QuantilesKept, CovariancesKept, RegressionKept, PropensityScore, Hellinger, KullbackLeibler,
        IL1s, EigenvalueLoss, CorrelationLoss,
    )
}  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class MapPlan:
    """The map that a plan declares."""

    family: Release
    """The release with what is varied left open."""
    risks: tuple[Declared, ...]
    """What risk is; the first is the axis."""
    utilities: tuple[UtilityMeasure, ...]
    """What utility is; the first is the axis."""
    replicates: int = 1
    """How often each setting is masked."""
    points: int = 5
    """How many values an axis between two ends gets in a grid."""
    budget: Budget | None = None
    """How long to search; None: the grid."""
    population: int = 20
    """How many settings make a generation of a search."""
    max_risk: float | None = None
    """The limit on the axis of risk."""
    limits: tuple[tuple[str, float], ...] = ()
    """Further limits, by the name of a risk."""
    store: Path | None = None
    """A folder that keeps figures from run to run."""
    picture: Path | None = None
    """Where the map is drawn."""
    page: Path | None = None
    """Where the page is written."""
    table: Path | None = None
    """Where the table is written."""
    verify: int = 5
    """With how many fresh seeds a choice is evaluated again."""


def build_map(
    table: MapTable,
    uses: Sequence[UtilityTable],
    source: Microdata | None,
    releases: Sequence[Release | Released],
    harms: Sequence[Harm],
    classical: Sequence[FileMeasure],
    threshold: float,
    folder: Path,
    faults: Faults,
) -> MapPlan | None:
    """Make the map and note what does not fit."""
    before = len(faults.found)
    base = _base(table, releases, faults)
    utilities = [_utility(t, source, faults, f"utility[{i}]") for i, t in enumerate(uses, 1)]
    if not uses:
        faults.add("map", 'a map needs a use of the data; add [[utility]], such as utility = "MeansKept"')
    risks = _risks(table, source, harms, classical, threshold, faults)
    _check_limits(table, risks, faults)
    titles = [u.name for u in utilities if u is not None]
    if table.utility is not None and table.utility not in [t.utility for t in uses]:
        faults.add("map.utility", unknown("utility", table.utility, [t.utility for t in uses]))
    for name in repeated(titles):
        faults.add("utility", f"{titles.count(name)} of them are {name!r}; a map takes each kind once")
    family = None if base is None else _family(base, table.vary, faults)
    if family is None or len(faults.found) > before:
        return None
    ready = [u for u in utilities if u is not None]
    first = next((i for i, t in enumerate(uses) if t.utility == table.utility), 0)
    search = table.search
    if source is not None:
        with faults.at("map"):
            check_varies(source, family, ready[first])

    def at(path: str | None) -> Path | None:
        return None if path is None else folder / path

    return MapPlan(
        family, tuple(risks), (ready[first], *ready[:first], *ready[first + 1 :]), table.replicates, table.points,
        None if search is None else Budget(search.evaluations, search.minutes), 20 if search is None else search.population,
        table.max_risk, tuple(table.limits.items()), at(table.store), at(table.picture), at(table.page), at(table.table),
        table.verify,
    )  # fmt: skip


def _check_limits(table: MapTable, risks: Sequence[Declared], faults: Faults) -> None:
    """Note limits on risks that are not taken, and those that every release keeps to."""
    axes = {RiskAxis(r).name: RiskAxis(r) for r in risks}
    for name, at in table.limits.items():
        if axes and name not in axes:
            faults.add("map.limits", unknown("risk", name, axes))
        for fault in axes[name].limit_faults(at) if name in axes else []:
            faults.add("map.limits", fault)
    if risks and table.max_risk is not None:
        for fault in RiskAxis(risks[0]).limit_faults(table.max_risk):
            faults.add("map.max_risk", fault)


def _base(table: MapTable, releases: Sequence[Release | Released], faults: Faults) -> Release | None:
    """Find the release that is varied."""
    made = [r for r in releases if isinstance(r, Release)]
    if table.release is not None:
        found = [r for r in made if r.name == table.release]
        if not found:
            faults.add("map.release", unknown("release", table.release, [r.name for r in made]))
        return found[0] if found else None
    able = [r for r in made if r.methods]
    if len(able) != 1:
        names = ", ".join(repr(r.name) for r in able) or "none"
        faults.add("map", f"say which release is varied, release = ...; with methods there are: {names}")
        return None
    return able[0]


def _family(base: Release, axes: Sequence[VaryTable], faults: Faults) -> Release | None:
    """Leave open what is varied."""
    if not axes:
        faults.add("map", "nothing is varied; add [[map.vary]] with name, method, argument and values")
        return None
    parts: list[Any] = list(base.methods)
    for i, method in enumerate(base.methods, 1):
        mine = [a for a in axes if a.method == i]
        with faults.at(f"map.vary ({', '.join(a.name for a in mine)})"):
            opened = {a.argument: _axis(a) for a in mine if a.argument is not None}
            if opened:
                parts[i - 1] = _opened(method, opened)
            for a in mine:
                if a.argument is None:
                    parts[i - 1] = vary(a.name, no=None, yes=parts[i - 1])
    for a in axes:
        if a.method > len(base.methods):
            have = len(base.methods)
            faults.add(f"map.vary ({a.name})", f"release {base.name!r} has {have} methods, there is no {a.method}")
    with faults.at("map.vary"):
        return Release(*parts, name=base.name)
    return None


def _axis(table: VaryTable) -> Axis | Range:
    """Make an axis."""
    if table.between is not None:
        found: Axis | Range = vary_between(table.name, table.between[0], table.between[1], log=table.log)
    else:
        found = vary(table.name, *(table.values or ()))
    return found


def _opened(method: Method, opened: Mapping[str, Axis | Range]) -> Any:
    """Leave arguments of a method open, and try every value of each."""
    given = {f.name: getattr(method, f.name) for f in fields(method)}  # type: ignore[arg-type]
    absent = [name for name in opened if name not in given]
    if absent:
        raise ReleaseError(unknown(f"argument of {type(method).__name__}", absent[0], given))
    varied = type(method)(**{**given, **opened})
    for name, axis in opened.items():
        for label in axis.points(2):
            type(method)(**{**given, name: axis.value(label)})
    return varied


def _utility(table: UtilityTable, source: Microdata | None, faults: Faults, where: str) -> UtilityMeasure | None:
    """Make a use of the data."""
    wrong = [v for v in table.variables or () if source is not None and v not in source.names]
    for name in wrong:
        faults.add(where, f"variables: {unknown('variable', name, source.names if source is not None else ())}")
    if wrong:
        return None
    with faults.at(where):
        made = USES[table.utility]
        given: Any = table.formula if table.formula is not None else table.variables
        found: UtilityMeasure = made() if given is None else made(given)
        if source is not None:
            found.unmasked(source)
        return found
    return None


def _risks(
    table: MapTable, source: Microdata | None, harms: Sequence[Harm], classical: Sequence[FileMeasure], threshold: float,
    faults: Faults,
) -> list[Declared]:  # fmt: skip
    """Give all risks of the plan, that of the axis first."""
    made: list[Measure] = [
        PerceivedIdentifications(threshold), RightLinks(threshold), ExpectedMatches(), UniqueMatches(), TrueMatchRate(),
        FalseMatchRate(),
    ]  # fmt: skip
    measures = dict(zip(RISKS, made, strict=True))
    found: dict[str, Declared] = dict(measures)
    others: list[Declared] = [*harms, *classical]
    for one in others:
        found[RiskAxis(one).name] = one
    for i, worst in enumerate(table.worst, 1):
        if worst.worst not in measures:
            faults.add(f"map.worst[{i}]", unknown("measure", worst.worst, RISKS))
        elif source is not None and worst.by not in source.names:
            faults.add(f"map.worst[{i}]", unknown("variable", worst.by, source.names))
        else:
            group = WorstGroup(measures[worst.worst], worst.by)
            found[group.name] = group
    if table.risk not in found:
        faults.add("map.risk", unknown("risk", table.risk, found))
        return []
    # a measure that can be undefined, such as the false match rate, is no figure of a map unless it is asked for
    keep = [n for n in found if n != "false_match_rate" or n in (table.risk, *table.limits)]
    return [found[table.risk], *(found[n] for n in keep if n != table.risk)]
