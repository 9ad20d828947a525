"""The distance of Mahalanobis for a group of numeric variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.missing import MissingCosts, MissingRule
from confide.linking.distance.part import Part, both_columns, check_weight, numbers_of
from confide.linking.distance.tree.costs import COORDINATE
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class MahalanobisDistance:
    """The distance of correlated numbers, sqrt((a - b)' S^-1 (a - b)).

    A record with one of the numbers missing counts as missing in the group.

    >>> MahalanobisDistance(["income", "tax"]).variables
    ('income', 'tax')
    """

    variables: tuple[str, ...]
    """The numeric variables of the group."""
    covariance: Any = None
    """S, one row and column for each variable; None: that of the source file (n - 1)."""
    weight: float = 1.0
    """What the squared distance is multiplied by."""
    missing: MissingRule = field(default_factory=MissingCosts)
    """What a missing value counts for the group."""

    def __init__(
        self,
        variables: Sequence[str],
        covariance: Any = None,
        weight: float = 1.0,
        missing: MissingRule = MissingCosts(),  # noqa: B008  frozen
    ) -> None:
        names = (variables,) if isinstance(variables, str) else tuple(variables)
        if not names or len(set(names)) < len(names):
            raise IntruderError("MahalanobisDistance: name every variable once, and at least one")
        check_weight("MahalanobisDistance", weight)
        for name, value in (("variables", names), ("covariance", covariance), ("weight", weight), ("missing", missing)):
            object.__setattr__(self, name, value)

    def part(self, source: Microdata, released: Microdata) -> Part:
        """Give uncorrelated coordinates of both files, whose plain distance is the one wanted."""
        pairs = [both_columns(v, source, released) for v in self.variables]
        named = list(zip(self.variables, pairs, strict=True))
        y = np.column_stack([numbers_of(v, pair[0], "source") for v, pair in named])
        z = np.column_stack([numbers_of(v, pair[1], "released") for v, pair in named])
        root = self._root(y[~np.isnan(y).any(axis=1)])
        centre = np.nanmean(y, axis=0) if bool((~np.isnan(y)).any(axis=0).all()) else np.zeros(len(self.variables))
        # a missing number makes the whole row missing, as it should
        turned = [np.sqrt(self.weight) * np.linalg.solve(root, (x - centre).T).T for x in (z, y)]
        for table, before in zip(turned, (z, y), strict=True):
            table[np.isnan(before).any(axis=1)] = np.nan
        return Part(np.ascontiguousarray(turned[0]), np.ascontiguousarray(turned[1]), COORDINATE)

    def _root(self, complete: FloatArray) -> FloatArray:
        """Give the Cholesky factor of the covariance."""
        d = len(self.variables)
        if self.covariance is not None:
            s = np.asarray(self.covariance, dtype=np.float64)
            if s.shape != (d, d) or not bool(np.all(np.isfinite(s))):
                raise IntruderError(
                    f"MahalanobisDistance: the covariance must be {d} by {d} finite numbers; found {s.shape}"
                )
        elif complete.shape[0] <= d:
            raise IntruderError(
                f"MahalanobisDistance: {complete.shape[0]} complete records do not tell the covariance of {d} variables; "
                "give covariance=..."
            )
        else:
            s = np.atleast_2d(np.cov(complete, rowvar=False))
        sd = np.sqrt(np.diag(s)) if bool(np.all(np.diag(s) > 0)) else np.zeros(d)
        correlation = s / np.outer(sd, sd) if bool(sd.all()) else np.zeros((d, d))
        if np.linalg.matrix_rank(correlation, hermitian=True) < d or not np.allclose(s, s.T):
            raise IntruderError(
                f"MahalanobisDistance: the covariance of {', '.join(self.variables)} is not positive definite; "
                "leave out variables that are constant or sums of others"
            )
        return np.asarray(np.linalg.cholesky(s), dtype=np.float64)
