"""What a count needs of a file: its records, its keys, its weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import DataError, DeclarationError, raise_all, unknown
from confide.release.released import Released
from confide.typing import FloatArray

File: TypeAlias = Microdata | Released
Keys: TypeAlias = str | Sequence[str] | None


def records_of_file(data: File) -> Microdata:
    """Give the records of a file, source or released; raise where there are none."""
    file = data.data if isinstance(data, Released) else data
    if file.n == 0:
        raise DataError(f"{file.name!r} has no records; there is nothing to count")
    return file


def key_names(file: Microdata, keys: Keys) -> tuple[str, ...]:
    """Give the names of the keys: those asked for, or those declared.

    >>> key_names(Microdata.from_dict({"age": [1], "job": ["a"]}).declare(key=["age", "job"]), None)
    ('age', 'job')
    """
    if keys is None:
        names = file.with_role(Role.KEY)
        if not names:
            raise DeclarationError(f"{file.name!r} declares no keys; give keys=[...] or declare(key=[...])")
        return names
    names = (keys,) if isinstance(keys, str) else tuple(keys)
    if not names:
        raise DeclarationError("keys is empty; name at least one variable that an intruder knows")
    faults = [unknown("variable", name, file.names) for name in names if name not in file.columns]
    faults += [f"keys names {name!r} twice" for i, name in enumerate(names) if name in names[:i]]
    raise_all(faults, DeclarationError)
    return names


def survey_weights(file: Microdata) -> FloatArray:
    """Give the survey weights; raise where there are none or where they are no weights."""
    w = file.weights
    if w is None:
        raise DeclarationError(f"{file.name!r} has no survey weight; declare(weight=...) names it")
    bad = int(np.sum(~(np.isfinite(w) & (w >= 0))))
    if bad:
        raise DeclarationError(f"the survey weight is missing, infinite or negative for {bad:,} of {w.size:,} records")
    return w


def sensitive_name(file: Microdata, name: str, keys: Sequence[str]) -> str:
    """Check the name of a sensitive variable."""
    file.column(name)
    if name in keys:
        raise DeclarationError(f"variable {name!r} cannot be both a key and what is protected; leave it out of keys")
    return name
