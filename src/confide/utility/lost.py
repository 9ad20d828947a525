"""What a release does not tell any more: variables that are gone, and cells that are blank.

What was asked for and is not there is lost; it is never left out of a comparison as if it had been kept.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.typing import BoolArray, FloatArray
from confide.utility.files import Files
from confide.utility.leaves import Leaves


def gone(files: Files, name: str) -> str | None:
    """Say why the release tells nothing of a variable: it is not there, or wholly blank; None: it tells something.

    >>> import confide as cf
    >>> from confide.utility.files import files_of
    >>> data = cf.Microdata.from_dict({"x": [1.5, 2.5], "s": ["a", "b"]})
    >>> found = files_of(cf.Release(cf.Drop("x")).apply(data, seed=1), "a measure", weights=True)
    >>> gone(found, "x"), gone(found, "s")
    ("'x' is not in the release", None)
    """
    if name not in files.released.columns:
        return f"{name!r} is not in the release"
    if _known(files.released, [name], files.released_weights).any():
        return None
    if not _known(files.source, [name], files.source_weights).any():
        return None
    return f"{name!r} is blank in all records of the release"


def merged(name: str, leaves: Leaves | None) -> str | None:
    """Say that all values of a variable were recoded into one, which tells no more than none at all; None: no."""
    if leaves is not None and leaves.groups == 1 < leaves.group.size:
        return f"all values of {name!r} are released as one"
    return None


def still_known(files: Files, names: Sequence[str]) -> float:
    """Give the share of what the source tells of all these variables at once that the release still tells.

    It is the share of released records without a blank, relative to that of the source, and at most 1.

    >>> import confide as cf
    >>> from confide.utility.files import files_of
    >>> source, masked = (cf.Microdata.from_dict({"x": x}) for x in ([1.5, 2.5, 3.5, None], [1.5, None, 3.5, None]))
    >>> files = files_of(cf.Released.from_files(source, masked, same_order=True), "a measure", weights=True)
    >>> round(still_known(files, ["x"]), 4)
    0.6667
    """
    if any(name not in files.released.columns for name in names):
        return 0.0
    own = share_of(_known(files.source, names, files.source_weights), files.source_weights)
    other = share_of(_known(files.released, names, files.released_weights), files.released_weights)
    return ratio(own, other)


def share_of(known: BoolArray, w: FloatArray) -> float:
    """Give the weighted share of records that are known; 0 without any."""
    total = float(w.sum())
    return float(w[known].sum()) / total if total > 0 else 0.0


def ratio(own: float, other: float) -> float:
    """Give the share that is left of a share, at most 1; 1 where there was none.

    >>> ratio(0.8, 0.4), ratio(0.5, 0.9), ratio(0.0, 0.0)
    (0.5, 1.0, 1.0)
    """
    # the same share of other records may differ by rounding
    return 1.0 if other >= own * (1 - 1e-12) else other / own


def blank(own: Column, other: Column) -> BoolArray:
    """Mark the cells that the source tells and the release does not, record by record."""
    return np.asarray(other.is_missing & ~own.is_missing)


def _known(data: Microdata, names: Sequence[str], w: FloatArray) -> BoolArray:
    """Mark the records that count and have none of the variables blank."""
    found = w > 0
    for name in names:
        found = found & ~data.columns[name].is_missing
    return np.asarray(found)
