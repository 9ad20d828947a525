"""One variable from all sides."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

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
    partly: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The levels, as text, that are possible of variables known to be one of several."""

    @property
    def name(self) -> str:
        """The variable."""
        return self.composite.variable
