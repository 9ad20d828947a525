"""How many people of the population agree with each record."""

from __future__ import annotations

import numpy as np

from confide.data.convert import as_kind
from confide.data.microdata import Microdata
from confide.errors import DeclarationError, IntruderError
from confide.intruder.population import FromWeights, PopulationTable
from confide.risk.frequency.cells import cells_of, coded
from confide.risk.frequency.counts import frequencies
from confide.risk.frequency.keys import File, Keys, key_names, records_of_file
from confide.risk.frequency.missing import Missing, MissingAsLevel
from confide.risk.frequency.wildcards import wildcard_counts
from confide.typing import AnyArray, FloatArray

Known = FromWeights | PopulationTable
FROM_WEIGHTS = FromWeights()


def population_counts(data: File, keys: Keys, population: Known, missing: Missing) -> tuple[AnyArray, FloatArray]:
    """Give, for each record, how many of the file and how many of the population agree with it.

    From weights it is their sum, never less than the number of records. From a table it is the count of the rows that
    agree; a record that no row agrees with is a contradiction.
    """
    if isinstance(population, FromWeights):
        found = frequencies(data, keys, missing=missing, weights=True)
        assert found.F is not None
        return found.f, np.maximum(found.F, found.f)
    if not isinstance(population, PopulationTable):
        raise IntruderError(
            f"the population must be FromWeights() or PopulationTable(...), found {type(population).__name__}"
        )
    file = records_of_file(data)
    names = key_names(file, keys)
    total = _looked_up(file, names, population, missing)
    f = frequencies(file, names, missing=missing, weights=False).f
    # with wildcards a record may agree with more records than people
    short = int(np.count_nonzero(total < f if isinstance(missing, MissingAsLevel) else total <= 0))
    if short:
        raise IntruderError(
            f"for {short:,} of {file.n:,} records the population table counts fewer people than the file has records; the "
            "file is then no part of this population. Code the keys alike in both"
            + ("" if not _holes(file, names) else ", or take missing=MissingAsWildcard()")
        )
    return f, total


def _looked_up(file: Microdata, names: tuple[str, ...], population: PopulationTable, missing: Missing) -> FloatArray:
    """Count the people of the table who agree with each record."""
    table = population.table
    absent = [name for name in names if name not in table.columns]
    if absent:
        raise IntruderError(
            f"the population table says nothing about {', '.join(absent)}; add it to the table or leave it out of keys"
        )
    columns = []
    for name in names:
        try:
            people = as_kind(table.columns[name], file.variables[name].kind, name)
        except DeclarationError as error:
            raise IntruderError(f"PopulationTable: {error}") from None
        columns.append(coded(file.columns[name].append(people)))
    cells = cells_of(columns)
    total = cells.sums(np.concatenate([np.zeros(file.n), population.counts]))
    if not isinstance(missing, MissingAsLevel) and any(c.has_missing for c in columns):
        _, total = wildcard_counts(columns, cells, total, missing.share)
    return total[cells.of[: file.n]]


def _holes(file: Microdata, names: tuple[str, ...]) -> bool:
    """Say whether a key has missing values."""
    return any(bool(file.columns[name].is_missing.any()) for name in names)
