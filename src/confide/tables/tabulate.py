"""Make a table from microdata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from confide.data.microdata import Microdata
from confide.data.packing import pack
from confide.errors import DeclarationError, TableError, raise_all, unknown
from confide.risk.frequency.kernels import number_hashed
from confide.risk.frequency.keys import File, records_of_file
from confide.tables.dimension import Dimension
from confide.tables.labels import labelled, numbers_of
from confide.tables.nesting import Nesting, check_named, resolved
from confide.tables.perturb.keys import RecordKeys, cell_keys_of, halves, record_keys
from confide.tables.rollup import Added, Shares, joined, roll_up
from confide.tables.table import EXPOSED, Table
from confide.tables.weighting import AS_COPIES, Weighting, WeightsAsCopies
from confide.typing import BoolArray, FloatArray, IntArray


def tabulate(
    data: File,
    by: str | Sequence[str],
    value: str | None = None,
    *,
    hierarchies: Mapping[str, Nesting | Sequence[Nesting]] | None = None,
    weight: str | None = None,
    weighting: Weighting = AS_COPIES,
    holding: str | None = None,
    waiver: str | None = None,
    request: str | None = None,
    largest: int = 5,
    total: str = "Total",
    missing: str | None = None,
    keys: RecordKeys | str | None = None,
) -> Table:
    """Add records up to a table with all its totals.

    Args:
        data: the records.
        by: the variables that span the table.
        value: what is added up; records are counted when None.
        hierarchies: how the codes of a variable nest, by variable: a `Hierarchy`, `Levels` of the file, `Digits` of the
            codes, a `.hrc` file, or a list of several that need not nest in each other.
        weight: the variable with survey weights; without weights when None.
        weighting: what a weight says about contributions: `WeightsAsCopies()` or `WeightsAsContributions()`.
        holding: the group to which respondents belong; a group is one contributor.
        waiver: who agreed to be disclosed, by 1 or true.
        request: who asked for protection, by 0 for nobody and one code per kind of request.
        largest: how many of the largest contributions are kept for the rules.
        total: what the total of each dimension is called.
        missing: a code for records whose code is missing; when None these are refused.
        keys: `RecordKeys(secret)`, or the column with the keys of records, for a table that `CellKeys` protects.

    >>> import confide as cf
    >>> data = cf.Microdata.from_dict({"area": ["N1", "N2", "S1", "N1"], "turnover": [59, 40, 7, 1]})
    >>> areas = cf.Hierarchy.of({"North": ["N1", "N2"], "South": ["S1"]})
    >>> table = cf.tabulate(data, "area", "turnover", hierarchies={"area": areas}, largest=2)
    >>> table.frame()["turnover"].to_list()
    [107.0, 100.0, 60.0, 40.0, 7.0, 7.0]
    >>> table.largest[table.cell("North")].tolist()
    [59.0, 40.0]
    """
    file = records_of_file(data)
    names = (by,) if isinstance(by, str) else tuple(by)
    _check_names(file, names, [value, weight, holding, waiver, request])
    if largest < 1:
        raise TableError(f"largest counts the contributions kept for the rules and must be 1 or more; found {largest}")
    hierarchies = hierarchies or {}
    check_named(hierarchies, names)
    found = [_coded(file, name, hierarchies.get(name), total, missing) for name in names]
    dimensions = tuple(d for d, _ in found)
    x = np.ones(file.n) if value is None else numbers_of(file, value)
    w = np.ones(file.n) if weight is None else _weights(file, weight)
    copies = isinstance(weighting, WeightsAsCopies)
    if weight is not None and holding is not None and copies:
        raise TableError(
            "a holding cannot stand for several holdings; use weighting=WeightsAsContributions() with a holding"
        )
    holder = np.arange(file.n) if holding is None else _groups(file, holding)
    marks, kinds = _marks(file, waiver, request)
    leaf = np.stack([ids for _, ids in found], axis=1) if found else np.zeros((file.n, 0), dtype=np.int64)
    further = () if keys is None else halves(record_keys(file, keys))
    start = _inner(leaf, dimensions, (x, w, holder, marks), further, copies=copies, several=holding is not None)
    done = roll_up(start, dimensions, 1 + len(kinds), largest)
    return Table(
        dimensions, done.codes, done.values, done.absolute, done.largest[0], done.respondents.astype(np.float64),
        done.active.astype(np.float64), None if weight is None else done.weights, done.contributors,
        {kind: done.largest[k] for k, kind in enumerate(kinds, 1)}, value or "count", None,
        None if keys is None else cell_keys_of(done.further), keys.seed if isinstance(keys, RecordKeys) else None,
    )  # fmt: skip


def _inner(
    leaf: IntArray, dimensions: Sequence[Dimension], held: tuple[FloatArray, FloatArray, IntArray, IntArray],
    further: Sequence[FloatArray], *, copies: bool, several: bool,
) -> Added:  # fmt: skip
    """Add records up to inner cells; the result does not depend on the order of the records."""
    x, w, holder, marks = held
    packed = pack([np.zeros(x.size, dtype=np.int64), *leaf.T], [1, *(max(d.leaves.size, 1) for d in dimensions)])
    ties = (holder, packed) if several else (packed,)
    order = np.lexsort((*ties, marks, -w, x, -np.abs(x)))
    x, w, holder, marks = x[order], w[order], holder[order], marks[order]
    of, size = number_hashed(packed[order])
    first = np.empty(size.size, dtype=np.int64)
    first[of[::-1]] = order[::-1]
    zero = np.zeros(size.size)
    more = [np.bincount(of, weights=v[order], minlength=size.size) for v in further]
    sums = np.stack([*(np.bincount(of, weights=v, minlength=size.size) for v in (w * x, w)), zero, zero, zero, *more])
    signed, weight = (x, w) if copies else (w * x, np.ones(x.size))
    shares = Shares(of, holder, np.abs(signed), signed, weight, marks)
    shares = shares if copies else shares.take(np.argsort(-shares.amount, kind="stable"))
    return Added(leaf[first], sums, joined(shares) if several else shares, several)


def _coded(
    file: Microdata, name: str, given: Nesting | Sequence[Nesting] | None, total: str, missing: str | None
) -> tuple[Dimension, IntArray]:
    """Give the dimension of a variable and the leaf of each record."""
    held = labelled(file.columns[name], file.variables[name])
    lost = held.ids < 0
    if lost.any() and missing is None:
        raise TableError(
            f"{name!r} is missing for {int(lost.sum()):,} of {file.n:,} records; leave them out, or use missing='unknown'"
        )
    labels = (*held.labels, missing) if lost.any() and missing is not None else held.labels
    ids = np.where(lost, len(labels) - 1, held.ids)
    if total in labels:
        raise TableError(f"{name!r} holds the code {total!r}, which names the total; give another name: total='All'")
    hierarchies = resolved(file, name, given)
    dimension = Dimension.of(name, hierarchies, total) if hierarchies else Dimension.flat(name, labels, total)
    return dimension, leaf_places(dimension, labels, np.unique(ids))[ids]


def leaf_places(dimension: Dimension, labels: Sequence[str], used: IntArray) -> IntArray:
    """Find the leaf of each code; raise where records hold codes that are no leaves."""
    at = dict(zip(dimension.codes, dimension.is_leaf.tolist(), strict=True))
    places = np.array([at.get(t, -2) for t in labels], dtype=np.int64)
    wrong = [labels[i] for i in used.tolist() if places[i] < 0]
    if wrong:
        inner = [t for t in wrong if t in at]
        zeros = [t for t in wrong if any(c.lstrip("0") == t for c in dimension.codes)]
        hint = (
            # a code of the hierarchy was declared
            f"; {inner[0]!r} has codes below it, and records must hold one of these" if inner
            else "; leading zeros were lost, use read(..., text=[...])" if zeros
            else "; add it: Hierarchy.with_codes(...)"
        )  # fmt: skip
        raise TableError(
            f"{len(wrong)} code(s) of {dimension.name!r} that records hold are no leaves of its hierarchy{hint}"
        )
    return places


def _weights(file: Microdata, name: str) -> FloatArray:
    """Give survey weights; refuse negative ones."""
    w = numbers_of(file, name)
    if (w < 0).any():
        raise TableError(
            f"weight {name!r} is negative for {int((w < 0).sum()):,} of {file.n:,} records; weights must be 0 or more"
        )
    return w


def _groups(file: Microdata, name: str) -> IntArray:
    """Number the holdings in the order of their codes; records without one are holdings of their own."""
    held = labelled(file.columns[name], file.variables[name])
    lost = np.flatnonzero(held.ids < 0)
    ids = held.ids.copy()
    ids[lost] = len(held.labels) + np.arange(lost.size)
    return ids


def _marks(file: Microdata, waiver: str | None, request: str | None) -> tuple[IntArray, list[str]]:
    """Write the classes of contributors as bits: everyone, those without a waiver, each kind of request."""
    marks = np.ones(file.n, dtype=np.int64)
    kinds: list[str] = []

    def add(kind: str, who: BoolArray) -> None:
        kinds.append(kind)
        np.bitwise_or(marks, np.where(who, 1 << len(kinds), 0), out=marks)

    if waiver is not None:
        held = labelled(file.columns[waiver], file.variables[waiver])
        known = {"0": False, "1": True, "false": False, "true": True, "False": False, "True": True}
        if not set(held.labels) <= set(known):
            raise TableError(
                f"waiver {waiver!r} must hold 0 and 1, or true and false; found {len(held.labels)} different codes"
            )
        given = np.array([known[t] for t in held.labels] + [False], dtype=np.bool_)
        add(EXPOSED, ~given[held.ids])
    if request is not None:
        held = labelled(file.columns[request], file.variables[request])
        asked = [i for i, t in enumerate(held.labels) if t not in {"0", "false", "False"}]
        if len(asked) > 20:
            raise TableError(f"request {request!r} has {len(asked)} kinds; there may be 20 at most")
        for i in asked:
            add(f"request {held.labels[i]}", np.equal(held.ids, i))
    return marks, kinds


def _check_names(file: Microdata, by: Sequence[str], others: Sequence[str | None]) -> None:
    """Collect unknown names and names given twice."""
    faults = [unknown("variable", n, file.names) for n in (*by, *others) if n is not None and n not in file.columns]
    faults += [f"by names {n!r} twice" for i, n in enumerate(by) if n in by[:i]]
    raise_all(faults, DeclarationError)
