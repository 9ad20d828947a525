"""What answering eq. (4.1) gives: probabilities, their errors, and how they were found."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import sparse

from confide.typing import FloatArray

APPROXIMATE = "cluster-corrected propagation"
SAMPLED = "propagation and two chains"


@dataclass(frozen=True, slots=True)
class Diagnostics:
    """How far to trust the components that were not answered exactly."""

    rms: float = 0.0
    """The root mean square error over pairs with p above .05, by the answer's own account; 0 where all is exact."""
    agreement: float | None = None
    """The root mean square difference between the two chains over these pairs; None where none were run."""
    sweeps: int = 0
    """How many sweeps each chain made."""
    residual: float = 0.0
    """How far the furthest total of a record or a respondent is from what it must be."""
    tolerance: float | None = None
    """What was asked for; None where nothing was."""
    tolerance_met: bool = True
    """Whether `rms` is within it."""
    interrupted: bool = False
    """Whether someone stopped the chains; the answer is then the best so far."""
    dropped: FloatArray | None = field(default=None, repr=False, compare=False)
    """For each record, an estimate of the share of probability left out with unlikely candidates; None: nothing was."""


@dataclass(frozen=True, slots=True, eq=False)
class JointLinks:
    """Link probabilities of all records and all respondents at once."""

    p: Any
    """P(record j is respondent i's), records by respondents; dense for dense densities, else CSR."""
    null: FloatArray
    """The probability that each respondent was not released: the null link."""
    error: Any
    """The error of every entry: rounding for exact answers, else an estimate that held for at least 98
    per cent of records where the truth is known. Arranged as `p`."""
    methods: tuple[tuple[str, int], ...]
    """How many components each method answered."""
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
    """How far to trust what is not exact."""

    @property
    def largest(self) -> FloatArray:
        """The largest probability of each respondent: the perceived risk."""
        top = self.p.max(axis=0)
        return np.asarray(top.todense() if sparse.issparse(top) else top, dtype=np.float64).ravel()

    @property
    def largest_error(self) -> float:
        """The largest error of any entry."""
        return float(self.error.max())

    @property
    def is_exact(self) -> bool:
        """Whether every component was answered exactly."""
        return all(name not in (APPROXIMATE, SAMPLED) for name, _ in self.methods)

    @property
    def tolerance_met(self) -> bool:
        """Whether the answer is as certain as asked; exact answers always are."""
        return self.diagnostics.tolerance_met

    def __repr__(self) -> str:
        """Say how large it is, how it was answered and how far to trust it."""
        n, wide = self.p.shape
        how = ", ".join(f"{count:,} by {name}" for name, count in self.methods)
        text = f"JointLinks({n:,} records, {wide:,} respondents; components: {how}"
        d = self.diagnostics
        if self.is_exact:
            return text + f"; error at most {self.largest_error:.3g})"
        text += f"; root mean square error {d.rms:.2g}, largest error {self.largest_error:.2g}"
        if d.tolerance is not None:
            text += f"; tolerance {d.tolerance:g} {'met' if d.tolerance_met else 'NOT met'}"
        return text + ("; interrupted)" if d.interrupted else ")")
