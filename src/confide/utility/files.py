"""What a measure needs of both files: their variables, numbers and weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

import numpy as np

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.errors import UtilityError, raise_all, unknown
from confide.linking.distance.encode import NOT_KEYS
from confide.release.released import Released
from confide.typing import FloatArray, IntArray
from confide.utility.reading import as_read

SOURCE, RELEASED = "source file", "released file"
Names: TypeAlias = str | Sequence[str] | None


@dataclass(frozen=True, slots=True, eq=False)
class Files:
    """The source and the released file, as they are compared."""

    source: Microdata
    """The source file."""
    released: Microdata
    """The released file; intervals are read as numbers."""
    parent: IntArray
    """The source row of each released record; negative where there is none."""
    source_weights: FloatArray
    """What each source record counts."""
    released_weights: FloatArray
    """What each released record counts."""
    weighted: bool
    """Whether records count by survey weights."""
    notes: tuple[str, ...]
    """How values were read, by the variable's name in quotes."""
    release: Released
    """The release with categories as they are."""

    def notes_on(self, names: Sequence[str]) -> tuple[str, ...]:
        """Give the notes on some variables."""
        return tuple(note for note in self.notes if any(note.startswith(f"{name!r} ") for name in names))


def files_of(released: Released, measure: str, *, weights: bool) -> Files:
    """Take both files of a release.

    Args:
        released: the release, with its source.
        measure: what the measure is called in messages.
        weights: whether records count by their survey weights, where the files have any.
    """
    if not isinstance(released, Released):
        raise UtilityError(
            f"{measure} is taken of a released file, found {type(released).__name__}; use Release(...).apply(data, seed=1) "
            "or Released.from_files(source, released)"
        )
    if released.source is None:
        raise UtilityError(
            f"{measure}: the release came without its source, so that nothing can be compared; use "
            "Released.from_files(source, released)"
        )
    read, notes = as_read(released)
    source, data = _codes_as_numbers(released.source, read.data), read.data
    weighted = weights and _both_have_weights(source, data, measure)
    own, other = (_weights(x, file, measure, weighted=weighted) for x, file in ((source, SOURCE), (data, RELEASED)))
    return Files(source, data, released.parent, own, other, weighted, notes, released)


def _codes_as_numbers(source: Microdata, data: Microdata) -> Microdata:
    """Take codes of the source that are numbers as numbers where the release holds numbers."""
    coded = [n for n, c in source.columns.items() if c.labels and n in data.columns and not data.columns[n].labels]
    columns = {n: source.columns[n].as_numbers() for n in coded if bool(data.columns[n].is_number.any())}
    changed = {n: c for n, c in columns.items() if c is not source.columns[n]}
    return source.with_columns(changed, dict.fromkeys(changed, Kind.CONTINUOUS)) if changed else source


def _both_have_weights(source: Microdata, data: Microdata, measure: str) -> bool:
    """Say whether the files have weights; raise where only one has."""
    have = source.weights is not None, data.weights is not None
    if have[0] != have[1]:
        one, other = (SOURCE, RELEASED) if have[0] else (RELEASED, SOURCE)
        raise UtilityError(
            f"{measure}: the {one} has a survey weight and the {other} has none; declare(weight=...) in both, "
            "or give weights=False"
        )
    return have[0]


def _weights(data: Microdata, file: str, measure: str, *, weighted: bool) -> FloatArray:
    """Give what each record counts."""
    w = data.weights
    if not weighted or w is None:
        return np.ones(data.n)
    bad = int(np.sum(~(np.isfinite(w) & (w >= 0))))
    if bad:
        raise UtilityError(
            f"{measure}: the survey weight of the {file} is missing, infinite or negative for {bad:,} of {w.size:,} "
            "records; mend it, or give weights=False"
        )
    if not float(w.sum()) > 0:
        raise UtilityError(f"{measure}: the survey weights of the {file} are all zero; mend them, or give weights=False")
    return w


def chosen(files: Files, names: Names, measure: str, *, numeric: bool, at_least: int = 1) -> tuple[str, ...]:
    """Give the variables asked for, or all that fit; raise where one is unknown, or where there are too few.

    Args:
        files: both files.
        names: the variables asked for; None: all numeric ones, or all but free text; neither identifiers, weights,
            households nor strata.
        measure: what the measure is called in messages.
        numeric: whether numbers are needed.
        at_least: how many variables the measure needs.
    """
    source = files.source
    if names is None:
        wanted = [v for v in source.variables.values() if v.role not in NOT_KEYS]
        found = tuple(v.name for v in wanted if (v.kind.is_numeric if numeric else v.kind is not Kind.TEXT))
    else:
        found = (names,) if isinstance(names, str) else tuple(names)
        faults = [f"{measure}: {unknown('variable', n, source.names)}" for n in found if n not in source.columns]
        faults += [f"{measure}: {n!r} is named twice" for i, n in enumerate(found) if n in found[:i]]
        raise_all(faults, UtilityError)
    if len(found) < at_least:
        kind = "numeric variable" if numeric else "variable"
        raise UtilityError(
            f"{measure} needs {at_least} {kind}{'s' if at_least > 1 else ''} or more, found {len(found)}; name them with "
            "variables=[...], or declare(kinds={...: 'continuous'})"
        )
    return found


def numbers(files: Files, name: str, measure: str) -> tuple[FloatArray, FloatArray | None]:
    """Give the numbers of a variable in both files, NaN where missing; None where it is not released."""
    own = _numbers(files.source.columns[name], name, SOURCE, measure)
    if name not in files.released.columns:
        return own, None
    return own, _numbers(files.released.columns[name], name, RELEASED, measure)


def _numbers(column: Column, name: str, file: str, measure: str) -> FloatArray:
    """Give the numbers of a column; raise where it holds categories or infinite numbers."""
    column = column.as_numbers()
    coded = int(np.sum(column.codes >= 0))
    if coded:
        raise UtilityError(
            f"{measure}: {name!r} holds categories in {coded:,} of {column.size:,} records of the {file}, and it is not "
            f"known which numbers they stand for. Leave {name!r} out with variables=[...]; or release numbers: "
            f"Topcode(..., replacement='mean'), or the middle of each interval"
        )
    bad = int(np.sum(np.isinf(column.numbers)))
    if bad:
        raise UtilityError(f"{measure}: {name!r} is infinite for {bad:,} records of the {file}; set these values missing")
    return np.asarray(column.numbers, dtype=np.float64)


class Paired(NamedTuple):
    """Released records beside the source records that they come from."""

    rows: IntArray
    """The released records that come from a source record."""
    parents: IntArray
    """Their source records."""
    absent: IntArray
    """The source records that no released record comes from."""
    notes: tuple[str, ...]
    """How many records are without the other."""


def paired(files: Files, measure: str) -> Paired:
    """Give the released records whose parent is known, their parents, and the source records without a released one."""
    rows = np.flatnonzero(files.parent >= 0)
    if not rows.size:
        raise UtilityError(
            f"{measure} compares each released record with its own source record, and no released record has one; "
            "give parent=[...] or same_order=True in Released.from_files, or use a measure of whole files such as "
            "Hellinger()"
        )
    alone = files.released.n - rows.size
    parents = files.parent[rows]
    absent = np.setdiff1d(np.arange(files.source.n, dtype=np.int64), parents)
    notes = [f"{alone:,} of {files.released.n:,} released records have no source record and are left out"] if alone else []
    if absent.size:
        notes.append(
            f"{absent.size:,} of {files.source.n:,} source records are not released, and their values count as lost"
        )
    return Paired(rows, parents, absent, tuple(notes))
