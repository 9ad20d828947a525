"""Make the method that protects tables of a plan."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from confide.errors import TableError
from confide.kit.secret import Secret
from confide.plan.build_table_changing import CHANGING, build_changing
from confide.plan.schema_tables import AttackersTable, CostsTable, ProtectTable, TableTable
from confide.tables.costs import CellCosts, EqualCosts, GivenCosts, RespondentCosts, ValueCosts
from confide.tables.insiders import CONTRIBUTORS, SINGLETONS, ContributingInsiders, Insiders, SingletonInsiders
from confide.tables.linked import linked_places
from confide.tables.method import TableMethod
from confide.tables.perturb.keys import RecordKeys
from confide.tables.protect.exact import Exact
from confide.tables.protect.methods import Heuristic
from confide.tables.suppression import NoProtection, PrimaryOnly, Suppression
from confide.tables.table import Table

COSTS: dict[str, CellCosts] = {"value": ValueCosts(), "count": EqualCosts(), "respondents": RespondentCosts()}


def build_method(
    given: ProtectTable, asked: Sequence[TableTable], read: Callable[[TableTable], Table | None], limit: float | None,
    keys: RecordKeys | str | None = None,
) -> TableMethod:  # fmt: skip
    """Make the method of a group of tables.

    Args:
        given: the method as the plan has it.
        asked: the tables of the group as the plan has them.
        read: makes a table of what the plan has.
        limit: seconds; None: as the plan says.
        keys: what is random in the tables hangs on them; None: nothing is.
    """
    if given.method == "NoProtection":
        return NoProtection()
    if given.method in CHANGING:
        drawn = keys if isinstance(keys, RecordKeys) else None
        return build_changing(given, asked, lambda: _costs(given, asked, read), tuple(build_attackers(given)), limit, drawn)
    costs = _costs(given, asked, read)
    attackers = tuple(build_attackers(given))
    if given.method == "PrimaryOnly":
        return PrimaryOnly(costs, attackers)
    exact = Exact() if given.gap is None else Exact(gap=given.gap)
    search = exact if given.search == "exact" else Heuristic()
    return Suppression(search, costs, attackers, given.time_limit if limit is None else limit)


def keys_of(given: ProtectTable, seed: int | None, secret: Path | None) -> RecordKeys | str | None:
    """Say what the random numbers of a method hang on; None: it has none.

    Args:
        given: the method as the plan has it.
        seed: an integer, for tests and studies.
        secret: where the secret is, or will be.
    """
    if given.method not in ("CellKeys", "TabularAdjustment"):
        return None
    if given.keys is not None:
        return given.keys
    return RecordKeys(seed=seed) if seed is not None or secret is None else RecordKeys(Secret.kept(secret))


def build_attackers(given: ProtectTable) -> list[Insiders]:
    """Make the choices of attackers."""
    found: list[Insiders] = []
    for one in given.attackers or ():
        table = AttackersTable(who=one) if isinstance(one, str) else one
        if table.who == "singletons":
            found.append(SingletonInsiders(table.most or SINGLETONS))
        else:
            found.append(ContributingInsiders(table.coalition or 1, table.most or CONTRIBUTORS))
    return found


def _costs(given: ProtectTable, asked: Sequence[TableTable], read: Callable[[TableTable], Table | None]) -> CellCosts:
    """Make the costs of cells."""
    if not isinstance(given.costs, CostsTable):
        return COSTS[given.costs or "value"]
    variable = given.costs.variable
    made = [read(t.model_copy(update={"value": variable})) for t in asked]
    tables = [t for t in made if t is not None]
    places = [np.arange(tables[0].n)] if len(tables) == 1 else linked_places(tables)
    costs = np.zeros(1 + max(int(p.max()) for p in places))
    for table, place in zip(tables, places, strict=True):
        costs[place] = table.values
    if (costs < 0).any():
        raise TableError(f"costs: {variable!r} adds up to less than 0 in {int((costs < 0).sum()):,} cell(s); costs cannot")
    return GivenCosts(costs)
