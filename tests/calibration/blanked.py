"""Leave cells blank by a declared rule, and tell the intruder the rule, or not."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import confide as cf
from confide.data.column import MISSING

CHANCE = 0.3
"""How often a cell is left blank at random."""
BY_VALUE = {"x": 0.05, "y": 0.3, "z": 0.7}
"""How often each value is left blank where the rule looks at values."""


@dataclass(frozen=True)
class Blanked:
    """A rule by which cells of the variables that are asked about are left blank."""

    title: str
    """What it is called."""
    chances: Any
    """The chance of a blank, or that of each value."""
    rule: type | None
    """How the intruder is told; None: not at all."""
    masked: bool = False
    """Whether the masked value decides."""

    def leave(self, released: cf.Released, names: tuple[str, ...], seed: int) -> cf.Released:
        """Leave cells of a released file blank."""
        rng, columns = np.random.default_rng([seed, 13]), {}
        assert released.source is not None
        for name in names:
            shown = released.data.columns[name]
            value = shown if self.masked else released.source.columns[name].take(released.parent)
            blank = rng.random(shown.size) < [self._chance(v) for v in value.values()]
            columns[name] = replace(
                shown, numbers=np.where(blank, np.nan, shown.numbers), codes=np.where(blank, MISSING, shown.codes)
            )
        return replace(released, data=released.data.with_columns(columns))

    def _chance(self, value: Any) -> float:
        return self.chances.get(value, 0.0) if isinstance(self.chances, dict) else self.chances

    def told(self, names: tuple[str, ...]) -> Any:
        """How the intruder reads blanks."""
        return cf.NotTold() if self.rule is None else self.rule(dict.fromkeys(names, self.chances))


RULES = (
    Blanked("blanks at random, not told", CHANCE, None),
    Blanked("blanks at random, told", CHANCE, cf.BlankedByValue),
    Blanked("blanks by value, told", BY_VALUE, cf.BlankedByValue),
    Blanked("blanks by masked value, told", BY_VALUE, cf.BlankedByReleased, masked=True),
)
