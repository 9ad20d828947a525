"""The protocol every risk measure follows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from confide.linking.summary import Summary
from confide.typing import FloatArray


@runtime_checkable
class Measure(Protocol):
    """A figure of the whole file, made of figures of single targets.

    Risk is a probability or a count. A measure may also say `meaning`, what it is in one line; and `tells_unknown`, that
    it gives None itself where the truth about a target is not known. One that does not say so has no figure there.
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


def defined(value: float | None) -> float | None:
    """Give a figure; None where it is not a number.

    >>> defined(2.0), defined(float("nan")), defined(None)
    (2.0, None, None)
    """
    return None if value is None or math.isnan(value) else float(value)


def figure(measure: Measure, summary: Summary) -> float | None:
    """Give the figure of a measure, None where it is undefined: unknown is never nothing.

    >>> import numpy as np
    >>> class Right:
    ...     name, title, is_count, larger_is_riskier = "right", "Right", True, True
    ...     per_target = lambda self, summary: summary.own_is_best
    ...     value = lambda self, summary: float(summary.own_is_best.sum())
    ...     baseline = lambda self, summary: None
    >>> summary = Summary.of_matrix(np.array([[0.5, 0.5], [0.2, 0.8]]), [0, 1])
    >>> figure(Right(), summary)
    2.0
    """
    if summary.why_unknown and not getattr(measure, "tells_unknown", False):
        return None
    return defined(measure.value(summary))


def why_undefined(measure: Measure, summary: Summary) -> str:
    """Say why a measure has no figure; empty where it has one."""
    if figure(measure, summary) is not None:
        return ""
    return summary.why_unknown or str(getattr(measure, "undefined", "the measure gives none for these targets"))


def meanings(measures: Sequence[Measure]) -> list[str]:
    """Say of each measure that has something to say what it is, a line each."""
    return [f"{m.title}: {m.meaning}" for m in measures if getattr(m, "meaning", "")]  # type: ignore[attr-defined]
