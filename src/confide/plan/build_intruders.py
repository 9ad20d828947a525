"""Make intruders and targets of their tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import IntruderError, unknown
from confide.intruder.beliefs.fitted import FittedBeliefs
from confide.intruder.blanks import BlankedByReleased, BlankedByValue, BlankRules, Blanks, NotTold
from confide.intruder.distribution import Belief, Distribution, Lognormal, Mixture, Normal, Uniform, possibilities
from confide.intruder.intruder import Intruder, Regression
from confide.intruder.knowledge import Between, Bracket, Distributed, Exactly, Knowledge, OneOf, Roughly, Within
from confide.intruder.matching import Matching, WithoutReplacement, WithReplacement
from confide.intruder.population import Population
from confide.intruder.targets import Targets
from confide.plan.build_data import read_beside
from confide.plan.build_methods import build_methods
from confide.plan.build_population import build_population, needs_weights
from confide.plan.faults import Faults
from confide.plan.schema import DataTable
from confide.plan.schema_intruder import (
    MATCHINGS,
    BlanksTable,
    DistributionTable,
    IntruderTable,
    KnowsTable,
    MatchingTable,
    PartTable,
    TargetsTable,
)
from confide.release.release import Release
from confide.typing import Label

Context = tuple[DataTable, Microdata | None, Path]
"""How files are read, the source file if it could be read, and the plan's folder."""


def build_intruder(table: IntruderTable, context: Context, faults: Faults, where: str) -> Intruder | None:
    """Make an intruder and hold it against the data."""
    data, source, folder = context
    before = len(faults.found)
    knows = build_knows(table.knows, source, faults, where)
    supposes = None
    if table.supposes is not None:
        methods = build_methods(table.supposes, folder, faults, where, "supposes")
        _known_names([n for m in methods if m for n in m.variables], source, faults, f"{where}.supposes")
        supposes = [m for m in methods if m is not None]
    population: Population | None = None
    with faults.at(where):
        population = None if table.population is None else build_population(table.population, data, source, folder)
    if needs_weights(population) and source is not None and source.weights is None:
        said = "weights" if table.population is None or table.population.model is None else table.population.model
        what = f'population is "{said}" but no weight is declared; declare weight in [data.roles]'
        what += " or say how many people are like a target: { table = ... }, { at_least = ... } or "
        what += '{ model = "log-linear", fraction = ... }'
        faults.add(where, what)
    unavailable = _unavailable(table, source, faults, where)
    matching: Matching = WithReplacement()
    with faults.at(f"{where}.matching", strip="WithoutReplacement"):
        matching = _matching(table.matching)
    blanks: Blanks = NotTold()
    with faults.at(f"{where}.blanks"):
        blanks = _blanks(table.blanks)
        if not isinstance(blanks, NotTold):
            _known_names(list(blanks.variables), source, faults, f"{where}.blanks")
    with faults.at(where):
        intruder = Intruder(
            knows=knows,
            target_in_file=table.target_in_file,
            population=population,
            understands_masking=table.understands_masking,
            supposes=None if supposes is None else Release(*supposes),
            models_others=table.models_others,
            unavailable=unavailable,
            beliefs=FittedBeliefs(product_of_dot_products=table.product_of_dot_products),
            matching=matching,
            blanks=blanks,
            name=table.name,
        )
        return intruder if len(faults.found) == before else None
    return None


def build_targets(table: TargetsTable, context: Context, faults: Faults, where: str) -> Targets | None:
    """Make a group of targets and hold it against the data."""
    data, source, folder = context
    knows = None if table.knows is None else build_knows(table.knows, source, faults, where)
    with faults.at(where):
        if knows == ():
            raise IntruderError("knows is empty; leave it out where the targets are known as the intruder says")
        if table.file is not None:
            targets = Targets.of_records(read_beside(data, table.file, folder), id=table.id, knows=knows)
            if source is not None and table.id is not None:
                targets.resolve(source)
            return targets
        rows = None if table.rows is None else tuple(table.rows)
        targets = Targets(rows=rows, condition=tuple((table.where or {}).items()), knows=knows)
        if source is not None:
            targets.resolve(source)
        return targets
    return None


def build_knows(tables: Sequence[KnowsTable], source: Microdata | None, faults: Faults, where: str) -> tuple[Knowledge, ...]:
    """Make what is known of its tables; items with a fault are noted and stand as exact."""
    items: list[Knowledge] = []
    for i, table in enumerate(tables, 1):
        item: Knowledge = Exactly(table.variable)
        with faults.at(f"{where}.knows[{i}]"):
            item = _knowledge(table)
            if source is not None and table.variable not in source.names:
                raise IntruderError(unknown("variable", table.variable, source.names))
            numeric = isinstance(item, Within | Between | Bracket | Roughly) or _is_of_numbers(item)
            if source is not None and numeric and not source.columns[table.variable].is_number.any():
                raise IntruderError(
                    f"{table.variable!r} is {source.variables[table.variable].kind.value} and holds no numbers; "
                    'know it exactly or with one_of, or declare its kind "integer" or "continuous"'
                )
        items.append(item)
    return tuple(items)


def _knowledge(table: KnowsTable) -> Knowledge:
    """Make one item of knowledge."""
    name = table.variable
    if table.within_percent is not None:
        return Within(name, table.within_percent)
    if table.low is not None or table.high is not None:
        return Between(name, table.low, table.high)
    if table.breaks is not None:
        return Bracket(name, tuple(table.breaks))
    if table.sd is not None:
        return Roughly(name, table.sd, table.relative)
    if table.one_of is not None:
        return OneOf(name, tuple(table.one_of), None if table.prior is None else tuple(table.prior))
    belief = _belief(table)
    return Exactly(name) if belief is None else Distributed(name, belief)


def _is_of_numbers(item: Knowledge) -> bool:
    """Say whether what is known is a distribution of numbers."""
    return isinstance(item, Distributed) and any(
        isinstance(x, Normal | Lognormal | Uniform) for _, x in possibilities(item.distribution)
    )


def _belief(table: KnowsTable | DistributionTable) -> Belief | None:
    """Make a belief about a value, if there is one."""
    if table.mixture is not None:
        return Mixture(tuple((part.weight, _distribution(part) or _value(part)) for part in table.mixture))
    if isinstance(table, DistributionTable) and table.value is not None:
        return table.value
    return _distribution(table)


def _value(table: PartTable) -> Label:
    """Give the value of a possibility; the table holds one."""
    assert table.value is not None
    return table.value


def _blanks(table: BlanksTable | None) -> Blanks:
    """Make how blanks are read."""
    rules: list[BlankedByValue | BlankedByReleased] = []
    if table is not None and table.value is not None:
        rules.append(BlankedByValue({**table.value}))
    if table is not None and table.released is not None:
        rules.append(BlankedByReleased({**table.released}))
    return BlankRules(rules) if len(rules) > 1 else rules[0] if rules else NotTold()


def _distribution(table: KnowsTable | DistributionTable | PartTable) -> Distribution | None:
    """Make a distribution, if there is one."""
    if table.normal is not None:
        return Normal(*table.normal)
    if table.lognormal is not None:
        return Lognormal(*table.lognormal)
    return None if table.uniform is None else Uniform(*table.uniform)


def _matching(table: MatchingTable | None) -> Matching:
    """Make how the intruder matches."""
    if table is None or table.how == MATCHINGS[0]:
        return WithReplacement()
    return WithoutReplacement(table.tolerance, table.seconds, table.seed)


def _unavailable(table: IntruderTable, source: Microdata | None, faults: Faults, where: str) -> Any:
    """Make the models of altered variables that are not known."""
    if table.unavailable is None:
        return None
    if not isinstance(table.unavailable, dict):
        return Regression()
    _known_names(list(table.unavailable), source, faults, f"{where}.unavailable")
    models: dict[str, Belief | Regression] = {}
    for name, choice in table.unavailable.items():
        with faults.at(f"{where}.unavailable.{name}"):
            made = _belief(choice) if isinstance(choice, DistributionTable) else None
            models[name] = Regression() if made is None else made
    return models


def _known_names(names: Sequence[str], source: Microdata | None, faults: Faults, where: str) -> None:
    """Note variables that the source file does not have."""
    for name in names:
        if source is not None and name not in source.names:
            faults.add(where, unknown("variable", name, source.names))
