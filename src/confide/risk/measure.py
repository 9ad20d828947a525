"""The protocol every risk measure follows."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from confide.linking.summary import Summary
from confide.typing import FloatArray


@runtime_checkable
class Measure(Protocol):
    """A figure of the whole file, made of figures of single targets.

    Risk is a probability or a count.
    """

    @property
    def name(self) -> str:
        """The name in frames and plans."""
        ...

    @property
    def title(self) -> str:
        """The name in printed tables."""
        ...

    @property
    def is_count(self) -> bool:
        """Whether the figure counts targets; otherwise it is a share."""
        ...

    @property
    def larger_is_riskier(self) -> bool:
        """Whether a larger figure means more risk."""
        ...

    def per_target(self, summary: Summary) -> FloatArray:
        """Give each target's contribution."""
        ...

    def value(self, summary: Summary) -> float | None:
        """Give the figure; None where it is undefined."""
        ...

    def baseline(self, summary: Summary) -> float | None:
        """Give the figure of someone who picks a released record at random."""
        ...
