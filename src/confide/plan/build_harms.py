"""Make harms of their tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from confide.data.microdata import Microdata
from confide.errors import HarmError, raise_all, unknown
from confide.harm.amount_costs import AmountCosts
from confide.harm.assigned import AssignedTo
from confide.harm.belief_costs import BeliefCosts
from confide.harm.by_value import ByTrueValue
from confide.harm.costs.absolute import AbsoluteError
from confide.harm.costs.close import Close
from confide.harm.costs.cost import Cost
from confide.harm.costs.excess import Excess
from confide.harm.costs.over import OverEstimate
from confide.harm.costs.squared import SquaredError
from confide.harm.costs.threshold import Threshold
from confide.harm.harm import Harm
from confide.harm.outcomes import Outcomes
from confide.harm.protocol import CategoryCosts, NumberCosts
from confide.harm.reading.as_released import AsReleased
from confide.harm.reading.measurement_error import MeasurementError
from confide.harm.reading.misrecorded import Misrecorded, ProfiledQ
from confide.harm.reading.reading import Reading
from confide.harm.reading.shrunk import Shrunk
from confide.harm.using import AllCandidates, LinkedRecord
from confide.intruder.acting import Acts, check_acts
from confide.intruder.decision import Losses
from confide.intruder.intruder import Intruder
from confide.intruder.knowledge import Exactly, as_knowledge
from confide.intruder.targets import Targets
from confide.plan.faults import Faults
from confide.plan.schema_harm import AMOUNTS, COSTS, AmountTable, CostsTable, HarmTable, LossesTable, ReadingTable
from confide.typing import Label

CLASSES: dict[str, Callable[..., Any]] = {
    "Outcomes": Outcomes,
    "AssignedTo": AssignedTo,
    "OverEstimate": OverEstimate,
    "Threshold": Threshold,
    "Excess": Excess,
    "AbsoluteError": AbsoluteError,
    "SquaredError": SquaredError,
    "Close": Close,
}


def build_harm(table: HarmTable, source: Microdata | None, threshold: float, faults: Faults, where: str) -> Harm | None:
    """Make a harm and hold it against the data."""
    before = len(faults.found)
    names = [("attribute", table.attribute), ("weight", table.weight)]
    names += [("covariates", c) for c in (table.reading.covariates if table.reading else None) or ()]
    for what, name in names:
        if source is not None and name is not None and name not in source.names:
            faults.add(where, f"{what}: {unknown('variable', name, source.names)}")
    costs: CategoryCosts | NumberCosts | None = None
    with faults.at(f"{where}.costs"):
        costs = build_costs(table.costs, _levels(source, table.attribute))
        costs = costs.only_true() if table.only_true else costs
    reading: Reading = AsReleased()
    with faults.at(f"{where}.reading"):
        reading = _reading(table.reading)
    acts: Acts = threshold
    with faults.at(f"{where}.acts"):
        acts = _acts(table.acts, threshold)
        raise_all(check_acts(acts), HarmError)
    _check_values(table, costs, source, faults, where)
    if costs is None or len(faults.found) > before:
        return None
    using = AllCandidates() if table.using == "AllCandidates" else LinkedRecord()
    with faults.at(where, strip="Harm"):
        return Harm(
            table.attribute,
            costs,
            reading=reading,
            using=using,
            bayesian=table.bayesian,
            acts=acts,
            sure=table.sure,
            weight=table.weight,
            name=table.name,
        )
    return None


def check_known(
    harms: Sequence[Harm | None], intruders: Sequence[Intruder], groups: Sequence[Targets] | None, faults: Faults
) -> None:
    """Note attributes that an intruder knows already, of whom nothing is learned about them."""
    for i, harm in enumerate(harms, 1):
        for intruder in intruders:
            known = [group.knows or intruder.knows for group in groups or (Targets.all(),)]
            if harm is not None and any(as_knowledge(x) == Exactly(harm.attribute) for items in known for x in items):
                faults.add(
                    f"harm[{i}]",
                    f"the intruder {intruder.title!r} knows {harm.attribute!r} already, so nothing is learned about it; "
                    "take it out of knows, or ask for the harm from another attribute",
                )


def _check_values(table: HarmTable, costs: object, source: Microdata | None, faults: Faults, where: str) -> None:
    """Note a weight without numbers, and costs for amounts of an attribute that has none."""
    if source is None:
        return
    column, weight = source.columns.get(table.attribute), source.columns.get(table.weight or "")
    if weight is not None and not bool(weight.is_number.all()):
        faults.add(
            where, f"weight: {table.weight!r} is no number for {int((~weight.is_number).sum())} of {weight.size} records"
        )
    if isinstance(costs, AmountCosts) and column is not None and not bool(column.is_number.any()):
        text = 'give costs for categories, such as { cost = "Outcomes", tt = 1 }'
        faults.add(f"{where}.costs", f"{table.costs.cost} is for amounts, but {table.attribute!r} holds none; {text}")


def build_costs(table: CostsTable, levels: Mapping[str, Label]) -> CategoryCosts | NumberCosts:
    """Make costs of their table; levels are written as keys, so that they are looked up by their text."""
    given = {k: getattr(table, k) for k in COSTS[table.cost] if getattr(table, k) is not None}
    if table.cost in AMOUNTS:
        wrong = _cost(table.incorrect) if isinstance(table.incorrect, AmountTable) else None
        return AmountCosts(_cost(table), wrong, tn=table.tn or 0.0, fn=table.fn or 0.0)
    if table.cost == "ByTrueValue":
        costs = {levels.get(k, k): Outcomes(**v.model_dump()) for k, v in (table.costs or {}).items()}
        return ByTrueValue(costs, Outcomes(**table.otherwise.model_dump()) if table.otherwise else Outcomes())
    if table.cost == "BeliefCosts":
        sides = (table.correct, None if isinstance(table.incorrect, AmountTable) else table.incorrect)
        right, wrong_side = (None if x is None else {levels.get(k, k): v for k, v in x.items()} for x in sides)
        return BeliefCosts(right or {}, wrong_side, tn=table.tn or 0.0, fn=table.fn or 0.0)
    if "level" in given:
        given["level"] = levels.get(str(given["level"]), given["level"])
    found: CategoryCosts = CLASSES[table.cost](**given)
    return found


def _cost(table: CostsTable | AmountTable) -> Cost:
    """Make the cost of an amount."""
    cost: Cost = CLASSES[table.cost](**{k: getattr(table, k) for k in COSTS[table.cost] if getattr(table, k) is not None})
    return cost


def _levels(source: Microdata | None, attribute: str) -> dict[str, Label]:
    """Give the levels of the attribute by their texts; keys of a plan are texts."""
    if source is None or attribute not in source.columns:
        return {}
    column = source.columns[attribute]
    found: dict[str, Label] = {str(label): label for label in column.labels}
    distinct = column.profile()[1]
    if distinct.size <= 1000:
        found.update({str(v): v for v in distinct.values() if v is not None})
    return found


def _reading(table: ReadingTable | None) -> Reading:
    """Make a reading of its table."""
    if table is None or table.reading == "AsReleased":
        return AsReleased()
    if table.reading == "Shrunk":
        return Shrunk(table.weight)
    covariates = None if table.covariates is None else tuple(table.covariates)
    if table.reading == "MeasurementError":
        return MeasurementError(covariates)
    return Misrecorded(covariates, ProfiledQ() if table.q == "estimated" else table.q)


def _acts(acts: float | LossesTable | None, threshold: float) -> Acts:
    """Give the rule by which the intruder acts."""
    if acts is None:
        return threshold
    return Losses(acts.missed, acts.wrong) if isinstance(acts, LossesTable) else acts
