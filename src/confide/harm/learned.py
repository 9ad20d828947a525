"""What was known before a release, and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from confide.errors import HarmError
from confide.intruder.exceeds import exceeds, reaches
from confide.kit.telling import SMALLEST
from confide.typing import BoolArray, FloatArray


class Learned(NamedTuple):
    """What is believed about every target's value."""

    right: FloatArray
    """The probability given to the true category, or to amounts close to the true one; NaN: there is no true value."""
    spread: FloatArray
    """The entropy in bits of a category, or the standard deviation of an amount."""
    error: FloatArray | None
    """The distance of the best guess from the true amount; None for categories."""


@dataclass(frozen=True, slots=True, eq=False)
class InferentialDisclosure:
    """How much more accurately the values of respondents are known with the release than without."""

    attribute: str
    """The attribute."""
    without: Learned
    """What is believed without the release."""
    with_release: Learned
    """What is believed with it."""
    best: FloatArray
    """The largest link probability of each target."""
    close: float | None
    """How close, as a share, an amount counts as known; None for categories."""
    without_own: bool
    """Whether the target's own record was left out."""

    @property
    def before(self) -> FloatArray:
        """The probability of the truth before the release."""
        return self.without.right

    @property
    def after(self) -> FloatArray:
        """The probability of the truth after it."""
        return self.with_release.right

    @property
    def gain(self) -> FloatArray:
        """How much more probable the truth has become; NaN: there is no true value."""
        return self.after - self.before

    @property
    def mean_before(self) -> float:
        """The probability of the truth before, on average over targets with a true value."""
        return self._mean(self.before)

    @property
    def mean_after(self) -> float:
        """The probability of the truth after, on average over targets with a true value."""
        return self._mean(self.after)

    @property
    def rms_error(self) -> tuple[float, float] | None:
        """The root mean square error of the best guess of an amount, before and after; None for categories."""
        if self.without.error is None or self.with_release.error is None:
            return None
        return tuple(float(np.sqrt(self._mean(e**2))) for e in (self.without.error, self.with_release.error))  # type: ignore[return-value]

    def disclosed(self, sure: float = 0.9) -> BoolArray:
        """Say whose value is known with some certainty after the release, and was not before.

        Args:
            sure: the probability of the truth from which it counts as known.
        """
        if not 0 < sure <= 1:
            raise HarmError(f"sure is a probability above 0, found {sure}")
        return np.asarray(reaches(self.after, sure) & ~reaches(self.before, sure), dtype=np.bool_)

    def without_identification(self, sure: float = 0.9, threshold: float = 0.2) -> BoolArray:
        """Say whose value is disclosed although no record is linked: the plumbers of Chicago.

        Args:
            sure: the probability of the truth from which it counts as known.
            threshold: the link probability above which an identification is perceived.
        """
        return self.disclosed(sure) & ~exceeds(self.best, threshold)

    def _mean(self, values: FloatArray) -> float:
        known = values[~np.isnan(values)]
        if not known.size:
            raise HarmError(f"no target has a true value of {self.attribute!r}, so nothing can be learned about it")
        return float(known.mean())

    def __repr__(self) -> str:
        """Say what is known before and after, and about how many."""
        what = "the true category" if self.close is None else f"amounts within {self.close:.0%} of the true one"
        known, silent = self.disclosed(), self.without_identification()
        lines = [
            f"inferential disclosure of {self.attribute}: {what} had probability {self.mean_before:.4g} before, "
            f"{self.mean_after:.4g} after" + (" (own records left out)" if self.without_own else "")
        ]
        if self.rms_error is not None:
            few = known.size < SMALLEST
            both = ["-" if few else f"{float(f'{x:.3g}'):,.6g}" for x in self.rms_error]
            lines.append(f"  root mean square error {both[0]} before, {both[1]} after")
        lines.append(
            f"  {int(known.sum()):,} of {known.size:,} targets became known with probability .9, "
            f"{int(silent.sum()):,} of them without identification"
        )
        lost = int(np.isnan(self.after).sum())
        lines += [f"  {lost:,} targets have no known value; whether it became known cannot be said"] if lost else []
        return "\n".join(lines)
