"""Make the methods of a plan that change the values of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from confide.errors import TableError
from confide.plan.schema_tables import ProtectTable, TableTable
from confide.tables.cell_keys import CellKeys
from confide.tables.controlled_rounding import ControlledRounding
from confide.tables.costs import CellCosts, EqualCosts
from confide.tables.method import TableMethod
from confide.tables.perturb.adjust import AdjustmentMethod, BalancedAdjustment, OptimalAdjustment
from confide.tables.perturb.keys import RecordKeys
from confide.tables.perturb.noise import ByLargest, ByMean, ByValue, CountNoise, MagnitudeNoise, NoiseUnit
from confide.tables.perturb.rounding import FamilyRounding, OptimalRounding, RoundingMethod
from confide.tables.perturb.transitions import PerturbationTable
from confide.tables.suppression import Looks
from confide.tables.tabular_adjustment import TabularAdjustment

CHANGING = ("ControlledRounding", "TabularAdjustment", "CellKeys")
"""Methods that change values."""
COUNTS, MAGNITUDES = ("D", "V", "js", "pstay"), ("by", "top", "share", "spread", "least", "steps", "grid")
"""The keys of both kinds of noise."""


def build_changing(
    given: ProtectTable, asked: Sequence[TableTable], costs: Callable[[], CellCosts], attackers: tuple[Looks, ...],
    limit: float | None, keys: RecordKeys | None = None,
) -> TableMethod:  # fmt: skip
    """Make a method that changes values.

    Args:
        given: the method as the plan has it.
        asked: the tables that it protects.
        costs: makes the costs of cells.
        attackers: who looks beside everybody.
        limit: seconds; None: as the plan says.
        keys: what the amounts of an adjustment hang on.
    """
    seconds = given.time_limit if limit is None else limit
    if given.method == "ControlledRounding":
        power = 1.0 if given.power is None else given.power
        return ControlledRounding(given.base or 0.0, _rounding(given), seconds, power, attackers, given.judge)
    if given.method == "TabularAdjustment":
        priced = EqualCosts() if given.costs is None else costs()
        return TabularAdjustment(_adjustment(given), seconds, priced, given.told, attackers, given.judge, keys)
    return CellKeys(_noise(given, counts=asked[0].value is None and asked[0].weight is None), attackers, given.judge)


def _rounding(given: ProtectTable) -> RoundingMethod | None:
    if given.search == "exact":
        return OptimalRounding() if given.gap is None else OptimalRounding(gap=given.gap)
    return None if given.search is None else FamilyRounding()


def _adjustment(given: ProtectTable) -> AdjustmentMethod | None:
    if given.search == "exact":
        return OptimalAdjustment() if given.gap is None else OptimalAdjustment(gap=given.gap)
    return None if given.search is None else BalancedAdjustment()


def _noise(given: ProtectTable, *, counts: bool) -> CountNoise | MagnitudeNoise:
    """Make the noise of counts or of magnitudes, as the table needs it."""
    held = {k: v for k in (*COUNTS, *MAGNITUDES) if (v := getattr(given, k)) is not None}
    wrong = [k for k in held if k in (MAGNITUDES if counts else COUNTS)]
    what, takes = ("counts", COUNTS) if counts else ("values", MAGNITUDES)
    if wrong:
        raise TableError(f"method: CellKeys for {what} takes {', '.join(takes)}; found {', '.join(wrong)}")
    if counts:
        lacking = [k for k in ("D", "V") if k not in held]
        if lacking:
            raise TableError(f"method: CellKeys for counts needs {' and '.join(lacking)}, such as D = 5 and V = 2.0")
        return CountNoise(PerturbationTable.of(**held))
    if "top" in held and held.get("by", "largest") != "largest":
        raise TableError('method: top goes with by = "largest"')
    units: dict[str, NoiseUnit] = {"largest": ByLargest(held.pop("top", 1)), "mean": ByMean(), "value": ByValue()}
    return MagnitudeNoise(by=units[held.pop("by", "largest")], **held)
