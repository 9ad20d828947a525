"""Leave cells blank by a declared rule, and tell the intruder the rule, or not."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
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
        return cf.NotTold() if self.rule is None else made(self.rule, dict.fromkeys(names, self.chances))


def public_rules() -> list[type]:
    """Every public class that says how blanks are read."""
    found = [x for x in (getattr(cf, name) for name in dir(cf)) if isinstance(x, type)]
    return [c for c in found if is_dataclass(c) and all(hasattr(c, x) for x in ("variables", "rule", "describe"))]


def made(cls: type, chances: dict[str, Any]) -> Any:
    """Make a rule: of chances for each variable, or of other rules."""
    names = [f.name for f in fields(cls)]
    if names == ["rules"]:
        return cls([cf.BlankedByValue({name: chance}) for name, chance in chances.items()])
    assert names == ["chances"], f"no example of {cls.__name__} could be made; add one to tests/calibration/blanked.py: made"
    return cls(chances)


def rules() -> list[Blanked]:
    """Every public rule, with one chance for all values, and those of one rule for each value, too."""
    found = []
    for cls in public_rules():
        if not fields(cls):
            found.append(Blanked("blanks at random, not told", CHANCE, None))
            continue
        masked = "masked" in made(cls, {"kind": CHANCE}).describe()
        told = "told" if cls is cf.BlankedByValue else f"told by {cls.__name__}"
        found.append(Blanked(f"blanks at random, {told}", CHANCE, cls, masked))
        if [f.name for f in fields(cls)] == ["chances"]:
            of_value = TITLES.get(cls, f"blanks by value, {told}")
            found.append(Blanked(of_value, BY_VALUE, cls, masked))
    return found


TITLES = {cf.BlankedByValue: "blanks by value, told", cf.BlankedByReleased: "blanks by masked value, told"}
"""What rules that look at values are called."""
RULES = tuple(rules())
