"""Numeric variables of both files as columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from confide.errors import UtilityError
from confide.typing import FloatArray
from confide.utility.files import Files, numbers
from confide.utility.lost import still_known


class Correlations(NamedTuple):
    """The correlations of both files."""

    source: FloatArray
    """Those of complete records of the source."""
    released: FloatArray
    """Those of complete records of the release."""
    known: float
    """The share of the complete records that blanks in the release leave."""
    notes: tuple[str, ...]
    """How values were read, and which records are incomplete."""


def correlations(files: Files, names: Sequence[str], measure: str) -> Correlations:
    """Give the weighted correlations of complete records in both files, and notes on incomplete ones.

    Args:
        files: both files.
        names: numeric variables, all of them released.
        measure: what the measure is called in messages.
    """
    found, notes = [], list(files.notes_on(names))
    values = [both_numbers(files, name, measure) for name in names]
    for k, (what, w) in enumerate((("source", files.source_weights), ("released", files.released_weights))):
        x = np.column_stack([v[k] for v in values])
        complete = ~np.isnan(x).any(axis=1) & (w > 0)
        left = int(x.shape[0] - complete.sum())
        if left:
            notes.append(f"{left:,} of {x.shape[0]:,} {what} records are incomplete, or have no weight, and are left out")
            x, w = x[complete], w[complete]  # noqa: PLW2901
        found.append(_correlation(x, w, names, f"{what} file", measure))
    return Correlations(found[0], found[1], still_known(files, names), tuple(notes))


def both_numbers(files: Files, name: str, measure: str) -> tuple[FloatArray, FloatArray]:
    """Give the numbers of a variable in both files; raise where it is not released."""
    own, other = numbers(files, name, measure)
    if other is None:
        raise UtilityError(f"{measure}: {name!r} is not in the release; leave it out with variables=[...]")
    return own, other


def _correlation(x: FloatArray, w: FloatArray, names: Sequence[str], file: str, measure: str) -> FloatArray:
    """Give the correlations of columns; raise where there are none."""
    if x.shape[0] < 2:
        raise UtilityError(f"{measure} needs two complete records or more, found {x.shape[0]} in the {file}")
    share = w / w.sum()
    mean = share @ x
    centred = x - mean
    spread = np.sqrt(share @ np.square(centred))
    flat = [names[j] for j in np.flatnonzero(spread <= 1e-12 * np.abs(mean)).tolist()]
    if flat:
        raise UtilityError(
            f"{measure}: {', '.join(map(repr, flat[:5]))} is constant in the {file}, so it has no correlation; leave it out "
            "with variables=[...]"
        )
    centred /= spread
    return np.asarray((centred * share[:, None]).T @ centred, dtype=np.float64)
