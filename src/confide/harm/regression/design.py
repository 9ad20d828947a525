"""What a regression needs of its covariates and weights: checked, standardised, alike records merged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from confide.errors import HarmError
from confide.typing import FloatArray, IntArray

COLLINEAR = 1e-12
"""Covariates whose correlations have a smaller eigenvalue are taken as collinear."""
GLANCE = 2_000
"""So many records tell whether covariates repeat."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """Covariates in standard units, an intercept first, and how to come back."""

    rows: FloatArray
    """A row of ones, then a row for each covariate, in standard units; records in columns."""
    back: FloatArray
    """The change of coordinates from standard units to the user's: coefficients = back @ standard ones."""
    names: tuple[str, ...]
    """The names of the coefficients, the intercept first."""


def covariates(z: Any, *, width: int | None = None) -> FloatArray:
    """Give covariates as numbers, records by covariates; raise where they are none."""
    try:
        given = np.asarray(z, dtype=np.float64)
    except (TypeError, ValueError):
        raise HarmError(
            "covariates must be numbers; code categories as columns of 0 and 1, leaving one category out"
        ) from None
    if given.ndim != 2:
        raise HarmError(
            f"give covariates as a table, records by covariates; found shape {given.shape}; type Z[:, None] for one"
        )
    if width is not None and given.shape[1] != width:
        raise HarmError(f"the model has {width} covariates; found {given.shape[1]}")
    bad = np.flatnonzero(~np.isfinite(given).all(axis=0))
    if bad.size:
        raise HarmError(
            f"covariates must be finite and not missing; column{'s' if bad.size > 1 else ''} {_few(bad)} of Z "
            f"{'have' if bad.size > 1 else 'has'} {int((~np.isfinite(given)).sum()):,} entries that are not; "
            "leave these records out, or fill them in"
        )
    return given


def weigh(weights: Any, n: int) -> FloatArray:
    """Give what each record counts; raise where it is no weight."""
    if weights is None:
        return np.ones(n)
    given = np.asarray(weights, dtype=np.float64)
    if given.shape != (n,) or not bool(np.all(np.isfinite(given) & (given >= 0))):
        raise HarmError(f"give one finite weight for each of {n:,} records, none negative; found shape {given.shape}")
    return given


def labels(z: Any, names: Sequence[str] | None) -> tuple[str, ...]:
    """Name the coefficients: as given, as the columns of a frame are, or by their place in Z."""
    width = int(np.shape(z)[1])
    if names is None:
        columns = getattr(z, "columns", None)
        names = [f"Z[:, {j}]" for j in range(width)] if columns is None else [str(c) for c in columns]
    if len(names) != width:
        raise HarmError(f"{len(names)} names for {width} covariates")
    return ("(intercept)", *names)


def design(z: FloatArray, weights: FloatArray, names: tuple[str, ...], *, records: int) -> Design:
    """Centre and scale covariates of so many records; raise where one is constant, or they are collinear."""
    n, width = z.shape
    if records <= width + 1:
        raise HarmError(
            f"{records:,} records are too few for {width + 1} coefficients (the intercept and {width} covariates); "
            "give more records or fewer covariates"
        )
    share = weights / weights.sum()
    mean = share @ z
    rows = np.empty((width + 1, n))
    rows[0] = 1.0
    np.subtract(z.T, mean[:, None], out=rows[1:])
    sd = np.sqrt(np.square(rows[1:]) @ share)
    flat = np.flatnonzero(sd <= 1e-12 * np.abs(z).max(axis=0))
    if flat.size:
        raise HarmError(f"{_named(names, flat)} the same for all records, as the intercept is already; leave it out of Z")
    rows[1:] /= sd[:, None]
    values, vectors = np.linalg.eigh((rows[1:] * share) @ rows[1:].T)
    if width and values[0] < COLLINEAR:
        tied = np.flatnonzero(np.abs(vectors[:, 0]) > 1e-3)
        raise HarmError(f"{_named(names, tied)} collinear: each follows from the others; leave one of them out of Z")
    back = np.zeros((width + 1, width + 1))
    back[0, 0] = 1.0
    back[0, 1:] = -mean / sd
    back[np.arange(1, width + 1), np.arange(1, width + 1)] = 1.0 / sd
    return Design(rows, back, names)


@dataclass(frozen=True, slots=True, eq=False)
class Merged:
    """Records with equal covariates side by side, those that are alike altogether as one."""

    z: FloatArray
    """The distinct rows of covariates."""
    starts: IntArray
    """Where the records of each distinct row start."""
    place: IntArray
    """Where in the file a record like each merged one stands."""
    weights: FloatArray
    """What each merged record counts."""

    @property
    def sums(self) -> FloatArray:
        """What each distinct row of covariates counts."""
        return np.asarray(np.add.reduceat(self.weights, self.starts), dtype=np.float64)


def merge(z: FloatArray, keys: IntArray, weights: FloatArray) -> Merged:
    """Merge records with equal covariates, and among them those with equal keys; numbers that do not repeat stay."""
    n = z.shape[0]
    everyone = np.arange(n, dtype=np.int64)
    glance = z[np.linspace(0, n - 1, min(n, GLANCE)).astype(np.int64)]
    if np.unique(_marks(glance)).size > glance.shape[0] // 2:
        return Merged(z, everyone, everyone, weights)
    _, first, row = np.unique(_marks(z), return_index=True, return_inverse=True)
    if not np.array_equal(z[first][row], z):  # two rows got the same mark
        _, first, row = np.unique(z, axis=0, return_index=True, return_inverse=True)
    width = int(keys.max(initial=0)) + 1
    alike, place, group = np.unique(row.ravel() * width + keys, return_index=True, return_inverse=True)
    starts = np.flatnonzero(np.diff(alike // width, prepend=-1))
    counts = np.bincount(group.ravel(), weights=weights).astype(np.float64)
    return Merged(z[first], starts.astype(np.int64), place.astype(np.int64), counts)


def _marks(z: FloatArray) -> FloatArray:
    """Give a number to each row, the same for equal rows and hardly ever for others."""
    return np.asarray(np.einsum("ij,j->i", z, np.sqrt(2.0 + np.arange(z.shape[1])) % 1.0 + 0.5), dtype=np.float64)


def _few(places: IntArray) -> str:
    """List up to ten places."""
    shown = ", ".join(str(p) for p in places[:10])
    return f"{shown}, ... ({places.size} in all)" if places.size > 10 else shown


def _named(names: tuple[str, ...], places: IntArray) -> str:
    """Name covariates as the subject of a sentence."""
    shown = ", ".join(names[1 + p] for p in places[:10]) + (", ..." if places.size > 10 else "")
    return f"covariate {shown} is" if places.size == 1 else f"covariates {shown} are"
