"""Perturb the cells of a table by cell keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from confide.errors import TableError
from confide.risk.frequency.keys import File
from confide.tables.nesting import Nesting
from confide.tables.perturb.keys import RecordKeys
from confide.tables.perturb.noise import CountNoise, MagnitudeNoise
from confide.tables.perturb.perturbed import Perturbed
from confide.tables.tabulate import tabulate


def perturb_cells(
    data: File,
    by: str | Sequence[str],
    value: str | None = None,
    *,
    noise: CountNoise | MagnitudeNoise,
    keys: RecordKeys | str,
    hierarchies: Mapping[str, Nesting | Sequence[Nesting]] | None = None,
    total: str = "Total",
    missing: str | None = None,
) -> Perturbed:
    """Make a table and add noise to each cell that depends on its records only.

    The key of a cell is the fractional part of the sum of its records' keys, and the noise is looked up by it. So a group
    of records has the same count in every table, and averaging repeated tables finds nothing (Fraser and Wooton 2005;
    Thompson, Broadfoot and Elazar 2013). Published values do not add up. Cells that do not occur stay empty.

    Args:
        data: the records.
        by: the variables that span the table.
        value: what is added up, with `MagnitudeNoise`; records are counted when None, with `CountNoise`.
        noise: `CountNoise(...)` or `MagnitudeNoise(...)`.
        keys: `RecordKeys(secret)`, or the name of a column with keys from 0 to less than 1. They must be the same in every
            table that is published of a file: the noise of fresh keys averages out.
        hierarchies: how the codes of a variable nest, by variable, as in `tabulate`.
        total: what the total of each dimension is called.
        missing: a code for records whose code is missing; when None these are refused.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"sex": ["f", "m", "m"] * 20, "area": ["N", "S"] * 30})
    >>> noise = cf.CountNoise(cf.PerturbationTable.of(3, 2.0))
    >>> keys = cf.RecordKeys(cf.Secret.fresh())
    >>> one, two = (cf.perturb_cells(data, by, noise=noise, keys=keys) for by in ("sex", ["sex", "area"]))
    >>> one.values[one.table.cell(sex="m")] == two.values[two.table.cell(sex="m")]
    np.True_
    """
    if (value is None) != isinstance(noise, CountNoise):
        raise TableError("counts need noise=CountNoise(...) and no value; a value needs noise=MagnitudeNoise(...)")
    table = tabulate(data, by, value, hierarchies=hierarchies, largest=noise.places, total=total, missing=missing, keys=keys)
    return Perturbed.of(table, noise)
