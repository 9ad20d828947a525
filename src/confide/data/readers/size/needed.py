"""What reading a file would take, and the refusal when that is too much."""

from __future__ import annotations

from dataclasses import dataclass

from confide.kit import memory

CELL, RECORD, DATE = 32, 60, 130
"""Bytes of a value while kinds are settled, of a record in the work on one variable, and more for a date, which
becomes text."""


@dataclass(frozen=True, slots=True)
class Needed:
    """What reading a file would take.

    >>> Needed(2**34, 10**8, 3).shape
    'about 100,000,000 records of 3 variables'
    """

    size: float
    """Bytes at the peak."""
    records: int
    """How many records there are."""
    variables: int
    """How many variables there are."""

    @property
    def shape(self) -> str:
        """Say how large the file is."""
        rounded = int(float(f"{self.records:.3g}"))
        return f"about {rounded:,} record{'s' * (rounded != 1)} of {self.variables:,} variable{'s' * (self.variables != 1)}"


def refuse_what_does_not_fit(needed: Needed | None, name: str, instead: str) -> None:
    """Raise when reading a file would take more than there is.

    Args:
        needed: what it would take; None where the file does not tell, being damaged.
        name: the name of the file.
        instead: how to read less of it.
    """
    if needed is not None:
        memory.needs(needed.size, f"reading {name!r}, {needed.shape},", instead=f"{instead}, or take a larger machine")
