"""Read files of SPSS, Stata and SAS.

Value labels become `Variable.labels`. A variable is nominal when at least half of its distinct
values have a label (ordinal when SPSS says so); a labelled exception such as ``97 = refused`` in
a column of amounts does not make it so. User-missing values and blank text are missing.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import polars as pl

from confide.data.codebook import Kind
from confide.data.column import Column
from confide.data.convert import as_kind
from confide.data.frames import from_frame
from confide.data.microdata import Microdata
from confide.data.readers.size.needed import refuse_what_does_not_fit
from confide.data.readers.size.statistical import few, statistical_needs
from confide.data.readers.trial import fault_of_head
from confide.errors import DataError
from confide.typing import Label

SUFFIXES = (".sav", ".zsav", ".por", ".dta", ".sas7bdat", ".xpt")
"""Suffixes of statistical packages."""
_READERS = {
    ".sav": "read_sav",
    ".zsav": "read_sav",
    ".por": "read_por",
    ".dta": "read_dta",
    ".sas7bdat": "read_sas7bdat",
    ".xpt": "read_xport",
}


def read_statistical(path: Path, suffix: str, *, name: str, encoding: str | None = None) -> Microdata:
    """Read a file of SPSS, Stata or SAS with its value labels.

    Args:
        path: the file.
        suffix: one of `SUFFIXES`.
        name: what the file is called in prints and reports.
        encoding: overrides the encoding the file says it has.
    """
    try:
        import pyreadstat
    except ImportError:
        raise DataError(f"reading {suffix} files needs pyreadstat: pip install 'confide[files]'") from None
    options: dict[str, Any] = {"output_format": "polars"} | ({"encoding": encoding} if encoding else {})
    reader = getattr(pyreadstat, _READERS[suffix])
    if (fault := fault_of_head(path, _READERS[suffix], encoding)) is not None:
        raise DataError(f"{path.name!r} {fault}")
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", message=".*duplicated", category=UserWarning)
            head = reader(str(path), metadataonly=True, **options)[1]
            first = reader(str(path), row_limit=few(head), **options)[0]
            refuse_what_does_not_fit(statistical_needs(path, suffix, head, first), path.name, _fewer(path.name, suffix))
            frame, meta = reader(str(path), **options)
    except DataError:
        raise
    except UserWarning:
        raise DataError(f"{path.name!r} has two variables of the same name; names must differ") from None
    except Exception as error:  # noqa: BLE001 - pyreadstat raises bare exceptions of its own and of its parsers
        hint = "give the encoding, e.g. encoding='latin-1'" if _is_encoding(error) else "copy or export it again"
        raise DataError(f"{path.name!r} is not a {suffix} file or is damaged ({type(error).__name__}); {hint}") from None
    if frame.width == 0 or frame.height == 0:
        raise DataError(f"{path.name!r} has {frame.width} variables and {frame.height} records; there is nothing to read")
    text = pl.col(pl.String)
    data = from_frame(frame.with_columns(pl.when(text.str.strip_chars() != "").then(text)), name=name)
    measures: Mapping[str, str] = getattr(meta, "variable_measure", None) or {}
    for variable, texts in (meta.variable_value_labels or {}).items():
        if variable in data.variables:
            data = _labelled(data, variable, texts, ordered=measures.get(variable) == "ordinal")
    return data


def _fewer(name: str, suffix: str) -> str:
    """Say how to load some of the variables only."""
    call = f"pyreadstat.{_READERS[suffix]}({name!r}, usecols=[...], output_format='polars')[0]"
    return f"save fewer variables or records, or load the variables you need: cf.from_frame({call})"


def _is_encoding(error: Exception) -> bool:
    """Say whether a reader failed on characters."""
    return isinstance(error, UnicodeError) or "convert" in str(error).lower() or "encoding" in str(error).lower()


def _labelled(data: Microdata, name: str, texts: Mapping[Any, str], *, ordered: bool) -> Microdata:
    """Attach value labels, and read the variable as categories when most of its values have one."""
    labels = sorted(((_code(value), str(text)) for value, text in texts.items()), key=_numeric_first)
    variable = replace(data.variables[name], labels=tuple(labels))
    column = data.columns[name]
    if _mostly_labelled(column, {value for value, _ in labels}):
        kind = Kind.ORDINAL if ordered else Kind.NOMINAL
        column = as_kind(column, kind, name)
        variable = replace(variable, kind=kind, inferred=tuple(x for x in variable.inferred if x != "kind"))
    return replace(data, variables={**data.variables, name: variable}, columns={**data.columns, name: column})


def _mostly_labelled(column: Column, labelled: set[Label]) -> bool:
    """Say whether at least half of the distinct values have a label."""
    present = {x for x in column.profile()[1].values() if x is not None}
    return 2 * len(present & labelled) >= len(present)


def _code(value: Any) -> Label:
    """Give a code as the file holds it, whole numbers without a point."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, (str, int, float, bool)) else str(value)


def _numeric_first(item: tuple[Label, str]) -> tuple[bool, float, str]:
    """Sort codes by number, then by text."""
    value = item[0]
    return (True, 0.0, value) if isinstance(value, str) else (False, float(value), "")
