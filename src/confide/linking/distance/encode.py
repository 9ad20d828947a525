"""Both files as rows of numbers, with the rules by which rows are compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from confide.data.codebook import Kind, Role
from confide.data.microdata import Microdata
from confide.errors import IntruderError, repeated, unknown
from confide.linking.distance.alike import coded_alike
from confide.linking.distance.missing import IgnoreMissing, MissingCosts
from confide.linking.distance.nominal import NominalDistance
from confide.linking.distance.numeric import NumericDistance
from confide.linking.distance.ordinal import OrdinalDistance
from confide.linking.distance.part import Part, VariableDistance
from confide.linking.distance.tree.costs import COORDINATE, Rules
from confide.release.released import Released
from confide.typing import FloatArray, IntArray

NOT_KEYS = (Role.IDENTIFIER, Role.WEIGHT, Role.HOUSEHOLD, Role.STRATUM)


class Encoded(NamedTuple):
    """Both files as rows of numbers."""

    released: FloatArray
    """One row for each released record."""
    source: FloatArray
    """One row for each source record."""
    rules: Rules
    """How columns are compared."""

    @property
    def plain(self) -> bool:
        """Whether all columns are coordinates without offset and no value is missing."""
        simple = bool(np.all(self.rules.kind == COORDINATE) and np.all(self.rules.offset == 0))
        return simple and not (np.isnan(self.source).any() or np.isnan(self.released).any())

    @property
    def size(self) -> FloatArray:
        """How large the coordinates of each released record are, which is what rounding is relative to."""
        total = np.zeros(self.released.shape[0])
        for j in np.flatnonzero(self.rules.kind == COORDINATE):
            total += np.nan_to_num(np.abs(self.released[:, j]))
        return total


def distances_for(
    released: Released, variables: Sequence[str | VariableDistance] | str | None
) -> tuple[VariableDistance, ...]:
    """Give a distance for every name; names stand for the distance of the variable's kind.

    Args:
        released: the released file.
        variables: names, distances, or both; None: all variables that both files have, but identifiers, weights,
            households and strata.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["m", "f"], "age": [30, 40]}).declare(kinds={"age": "integer"})
    >>> [type(d).__name__ for d in distances_for(cf.Release().apply(data, seed=1), None)]
    ['NominalDistance', 'NumericDistance']
    """
    source = coded_alike(released).source
    if variables is None:
        left_out = source.with_role(*NOT_KEYS)
        variables = [n for n in source.names if n in released.data.columns and n not in left_out]
    elif isinstance(variables, str):
        variables = [variables]
    found = tuple(_default(v, source) if isinstance(v, str) else v for v in variables)
    twice = repeated(n for d in found for n in d.variables)
    if twice or not found:
        raise IntruderError(
            f"{', '.join(twice)}: name a variable once" if twice else "name at least one variable to link by"
        )
    return found


def _default(name: str, source: Microdata) -> VariableDistance:
    """Give the distance of a variable's kind."""
    if name not in source.variables:
        raise IntruderError(unknown("variable", name, source.names))
    kind = source.variables[name].kind
    if kind.is_numeric:
        return NumericDistance(name)
    return OrdinalDistance(name) if kind is Kind.ORDINAL else NominalDistance(name)


def encode(released: Released, distances: Sequence[VariableDistance]) -> Encoded:
    """Write both files as rows of numbers."""
    alike = coded_alike(released)
    parts = [d.part(alike.source, alike.released) for d in distances]
    columns = [_columns(d, p) for d, p in zip(distances, parts, strict=True)]
    joined = [np.concatenate([c[k] for c in columns]) for k in range(7)]
    start, width, least, tables = _tables(parts)
    rules = Rules(
        joined[0].astype(np.int64), joined[1], joined[2], joined[3], joined[4], joined[5].astype(np.bool_), joined[6],
        start, width, least, tables,
    )  # fmt: skip
    files = [np.column_stack(x) for x in ([p.released for p in parts], [p.source for p in parts])]
    return Encoded(files[0], files[1], rules)


def _columns(distance: VariableDistance, part: Part) -> tuple[FloatArray, ...]:
    """Give kind, weight, offset, one, both, ignored and share of the columns of one distance."""
    p, rule, w = part.source.shape[1], distance.missing, distance.weight
    first = np.zeros(p)
    first[0] = 1.0  # a group counts once
    costs = rule if isinstance(rule, MissingCosts) else MissingCosts(0.0, 0.0)
    ignored = np.full(p, float(isinstance(rule, IgnoreMissing)))
    return (
        np.full(p, float(part.kind)), np.full(p, w), np.full(p, part.offset), first * w * costs.one**2,
        first * w * costs.both**2, ignored, first * w,
    )  # fmt: skip


def _tables(parts: Sequence[Part]) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Lay all tables in one array, each with the least cost of every released code."""
    start: list[int] = []
    width: list[int] = []
    least: list[int] = []
    held: list[FloatArray] = []
    at = 0
    for part in parts:
        columns = part.source.shape[1]
        if part.table is None:
            start, width, least = start + [0] * columns, width + [0] * columns, least + [0] * columns
            continue
        rows, wide = part.table.shape
        start, width, least = [*start, at], [*width, wide], [*least, at + rows * wide]
        lowest = part.table.min(axis=1) if wide else np.full(rows, np.inf)
        held += [part.table.ravel(), lowest]
        at += rows * (wide + 1)
    found = np.concatenate(held) if held else np.zeros(0)
    return *(np.array(x, dtype=np.int64) for x in (start, width, least)), found  # type: ignore[return-value]
