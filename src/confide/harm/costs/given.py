"""A cost that the user writes down."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.belief.belief import Belief, CostFunction
from confide.harm.costs.cost import pairs, true_amounts
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True)
class GivenCost:
    """Any function of the true and the inferred amount that is finite and never negative.

    Its expectation is computed by quadrature, split where the function bends or jumps. Places that are not told
    are searched for, which takes longer and may miss what is narrow.

    >>> capped = GivenCost(lambda y, x: np.minimum(abs(x - y), 5.0), kinks=lambda y: [y - 5, y + 5])
    >>> capped.at(100.0, [98.0, 120.0]).tolist()
    [2.0, 5.0]
    """

    function: CostFunction
    """c(y, yhat), on arrays of one shape."""
    kinks: Sequence[float] | Callable[[FloatArray], Sequence[FloatArray]] | None = None
    """Where it bends or jumps beside y itself: some amounts, or a function of the true amounts that gives them."""
    name: str = "a given cost"
    """What it is called in messages and reports."""

    def __post_init__(self) -> None:
        """Check the function and the kinks."""
        faults, given = [], cast("object", self.function)
        if not callable(given):
            faults.append(f"GivenCost: give a function of true and inferred amounts; found {type(given).__name__}")
        if self.kinks is not None and not callable(self.kinks):
            places = np.asarray(self.kinks, dtype=np.float64)
            if places.ndim != 1 or not bool(np.isfinite(places).all()):
                faults.append("GivenCost: kinks must be finite amounts, or a function of the true amounts that gives them")
        raise_all(faults, HarmError)

    def at(self, y: Any, estimate: Any) -> FloatArray:
        """Give the loss of each estimate."""
        return self._checked(*pairs(y, estimate))

    def expected(self, y: Any, belief: Belief) -> FloatArray:
        """Give E[c(y, X)] by quadrature.

        >>> from confide.harm.belief.normal import NormalBelief
        >>> GivenCost(lambda y, x: abs(x - y)).expected(0.0, NormalBelief(0.0, 1.0)).round(6).tolist()
        [0.797885]
        """
        true = true_amounts(y, belief)
        return belief.expect(self._checked, true, self._places(true))

    def describe(self) -> str:
        """Say what is costly."""
        return self.name

    def _places(self, true: FloatArray) -> FloatArray:
        """Give the kinks of each pair, pairs by places."""
        told = self.kinks(true) if callable(self.kinks) else ([] if self.kinks is None else self.kinks)
        try:
            table = np.stack([true, *(np.broadcast_to(np.asarray(k, dtype=np.float64), true.shape) for k in told)], axis=1)
        except (TypeError, ValueError):
            raise HarmError(f"{self.name}: kinks must give one place for each of the {true.size:,} true amounts") from None
        if bool(np.isnan(table).any()):
            raise HarmError(f"{self.name}: kinks gives places that are missing")
        return table

    def _checked(self, y: FloatArray, x: FloatArray) -> FloatArray:
        """Give the losses; raise unless they are finite, not negative and one for each pair."""
        found = np.asarray(self.function(y, x), dtype=np.float64)
        if found.shape != x.shape:
            raise HarmError(
                f"{self.name}: the function must give one loss for each pair, of shape {x.shape}; found {found.shape}"
            )
        if bool(np.all((found >= 0) & (found < np.inf))):
            return found
        counts = {"missing": np.isnan(found), "infinite": np.isinf(found), "negative": (found < 0) & np.isfinite(found)}
        told = ", ".join(f"{int(k.sum()):,} {name}" for name, k in counts.items() if bool(k.any()))
        raise HarmError(f"{self.name}: a loss must be finite and 0 or more; found {told} of {found.size:,}")
