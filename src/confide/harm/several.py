"""Several intruders: how likely each is, the worst of them, and the harm to be expected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from confide.errors import HarmError, raise_all
from confide.harm.bearers import Bearers
from confide.harm.result import Harmed
from confide.harm.told import FEW, untold
from confide.kit.telling import on_step, step_for
from confide.typing import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class HarmOverIntruders:
    """The harm of one release when it is not known who will look at it."""

    weights: Mapping[str, float]
    """How likely each intruder is; what is left to one is that nobody tries."""
    totals: Mapping[str, float]
    """The total harm each would do."""
    expected_per_target: FloatArray
    """The harm to each target, averaged over intruders."""
    worst_per_target: FloatArray
    """The harm to each target from the intruder who is worst for it."""

    @property
    def expected(self) -> float:
        """The total harm to be expected over the mixture."""
        return float(self.expected_per_target.sum())

    @property
    def worst(self) -> str:
        """The intruder who does the largest total harm; the first of several."""
        return max(self.totals, key=lambda name: self.totals[name])

    @property
    def worst_total(self) -> float:
        """The total harm of the worst intruder."""
        return self.totals[self.worst]

    @property
    def worst_for_each(self) -> float:
        """The total harm if each target met the intruder who is worst for it: no mixture does more."""
        return float(self.worst_per_target.sum())

    def told(self, total: float) -> float:
        """Give one of the sums as it is told: upwards on a step of at least twice the largest harm to anyone."""
        return on_step(total, step_for(self.worst_per_target), up=True)

    @property
    def bearers(self) -> Bearers:
        """Who bears the expected harm."""
        return Bearers.of(self.expected_per_target)

    def __repr__(self) -> str:
        """Show each intruder, the mixture and the worst case, on a step; nothing of fewer than ten targets."""
        if untold(self.expected_per_target):
            return f"harm over {len(self.totals)} intruder(s): {FEW}"
        lines = [f"{'intruder':<40} {'likelihood':>10} {'harm':>14}"]
        lines += [
            f"{name[:40]:<40} {self.weights[name]:>10.3g} {self.told(total):>14,.6g}" for name, total in self.totals.items()
        ]
        nobody = 1 - sum(self.weights.values())
        if nobody > 1e-9:
            lines.append(f"{'nobody tries':<40} {nobody:>10.3g} {0:>14,.6g}")
        lines.append(f"{'expected':<51} {self.told(self.expected):>14,.6g}")
        lines.append(f"{f'worst case: {self.worst}'[:51]:<51} {self.told(self.worst_total):>14,.6g}")
        return "\n".join(lines)


def over_intruders(harms: Mapping[str, Harmed | FloatArray], weights: Mapping[str, float]) -> HarmOverIntruders:
    """Average the harm of a release over the intruders who may look at it.

    Args:
        harms: the harm of each intruder to the same targets, by the intruder's name.
        weights: how likely each intruder is; they sum to one at most, the rest being that nobody tries.

    >>> over_intruders({"a": np.array([1.0, 0.0]), "b": np.array([0.0, 4.0])}, {"a": 0.5, "b": 0.25}).expected
    1.5
    """
    undefined = [f"{name}: {h.reason}" for name, h in harms.items() if isinstance(h, Harmed) and not h.is_defined]
    raise_all([f"the harm is undefined, {x}" for x in undefined], HarmError)
    arrays = {name: h.per_target if isinstance(h, Harmed) else np.asarray(h, dtype=np.float64) for name, h in harms.items()}
    faults = []
    if not arrays:
        faults.append("there is no intruder")
    if set(weights) != set(arrays):
        faults.append(f"weights are given for {sorted(weights)}, harms for {sorted(arrays)}; give one for each intruder")
    values = np.array(list(weights.values()), dtype=np.float64)
    if not bool(np.all(np.isfinite(values) & (values >= 0))) or float(values.sum()) > 1 + 1e-9:
        faults.append(f"weights are probabilities that sum to one at most; found a sum of {values.sum():g}")
    sizes = {a.size for a in arrays.values()}
    if len(sizes) > 1:
        faults.append(f"the intruders look for different numbers of targets: {sorted(sizes)}")
    if faults:
        raise HarmError("over_intruders: " + "; ".join(faults))
    names = list(arrays)
    table = np.stack([arrays[n] for n in names])
    ordered = {n: float(weights[n]) for n in names}
    return HarmOverIntruders(
        ordered,
        {n: float(a.sum()) for n, a in arrays.items()},
        np.array([ordered[n] for n in names]) @ table,
        table.max(axis=0),
    )
