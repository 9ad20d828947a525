"""One variable from all sides."""

from __future__ import annotations

from dataclasses import dataclass

from confide.data.column import Column
from confide.data.microdata import Microdata
from confide.linking.compose import Composite


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One variable as released, as it is for the targets, and as it is in the source file."""

    composite: Composite
    released: Column
    target: Column
    source: Column | None
    records: Microdata
    """The released file, for strata."""
    known: frozenset[str] = frozenset()
    """The variables that are known exactly of every target."""
    kept: frozenset[str] = frozenset()
    """Those of them that are released as they are."""

    @property
    def name(self) -> str:
        """The variable."""
        return self.composite.variable
