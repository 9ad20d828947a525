"""How far an intruder's probabilities come true."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from confide.calibration.reliability import Reliability
from confide.errors import IntruderError, unknown
from confide.intruder.intruder import Intruder
from confide.release.marks import banner

if TYPE_CHECKING:
    import polars as pl


class Compared(NamedTuple):
    """What was stated and what is true, per release, with an interval of the difference."""

    stated: float
    """The sum of the probabilities."""
    true: float
    """How many came true."""
    low: float
    """The lower end of the interval of true minus stated; nan: nothing varied."""
    high: float
    """The upper end."""

    @property
    def difference(self) -> float:
        """True minus stated; positive: the risk is understated."""
        return self.true - self.stated

    @property
    def varied(self) -> bool:
        """Whether true minus stated differed between the times; otherwise the release leaves nothing to chance."""
        return not math.isnan(self.low)

    @property
    def agrees(self) -> bool:
        """Whether the interval holds zero; where nothing varied there is none, and nothing was shown."""
        return self.varied and self.low <= 0 <= self.high


class FurthestGroup(NamedTuple):
    """The group of targets for whom stated and true are furthest apart."""

    variable: str
    """What the groups are groups of."""
    group: str
    """The group."""
    targets: float
    """How many targets it holds."""
    matches: Compared
    """Stated and true matches; the intervals of all groups of all variables hold at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Calibrated:
    """What one intruder states, against the truth, over all times the file was masked."""

    intruder: Intruder
    """Who looks for the targets."""
    best: Reliability
    """By bins of the largest probability: how often the record that fits best is the target's."""
    pairs: Reliability
    """By bins of the probability: how often a record is the target's, over pairs with the targets drawn."""
    null: Reliability | None
    """By bins of the null link: how often the target has no record; None: the file cannot tell."""
    groups: Mapping[str, Reliability]
    """As `best`, by groups of targets, for each variable."""
    given_in_file: bool
    """Whether probabilities are those given that the target has a record."""
    assumptions: tuple[str, ...]
    """Assumptions that are known to fail; empty: none is."""
    broken: float = 0.0
    """How many targets fit no record, or not their own, on average: 0 is stated, and 0 true, of them."""

    @property
    def matches(self) -> Compared:
        """Stated and true matches of an intruder who links every target with the record that fits best."""
        b = self.best
        whole = Reliability(("all",), *(x.sum(axis=1, keepdims=True) for x in (b.count, b.stated, b.true)))
        return _compared(whole, 0, whole.half_width())

    @property
    def worst_group(self) -> FurthestGroup | None:
        """The group furthest from what was stated, in standard errors; None: there are no groups."""
        every = [(v, r, g) for v, r in self.groups.items() for g in range(len(r.names))]
        if not every:
            return None
        level = 1 - 0.05 / len(every)
        variable, found, g = max(every, key=lambda e: (abs(float(e[1].z[e[2]])), abs(float(e[1].difference[e[2]]))))
        matches = _compared(found, g, found.half_width(level))
        return FurthestGroup(variable, found.names[g], float(found.count[:, g].mean()), matches)

    def group(self, variable: str) -> Reliability:
        """Give stated and true matches by the groups of a variable."""
        if variable not in self.groups:
            raise IntruderError(unknown("variable", variable, self.groups))
        return self.groups[variable]


def _told(m: Compared) -> dict[str, float | bool | None]:
    """Give the figures for JSON, which knows no nan."""
    ends = {k: x if m.varied else None for k, x in (("low", m.low), ("high", m.high))}
    return m._asdict() | ends | {"varied": m.varied, "agrees": m.agrees}


def _compared(found: Reliability, bin_: int, half: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> Compared:
    """Read one bin."""
    d = float(found.difference[bin_])
    means = float(found.stated[:, bin_].mean()), float(found.true[:, bin_].mean())
    return Compared(*means, d - float(half[bin_]), d + float(half[bin_]))


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """Stated probabilities against the truth, for one release and several intruders."""

    release: str
    """What the release is called."""
    times: int
    """How often the file was masked afresh."""
    seed: int
    """The seed of the fresh seeds."""
    drawn: int
    """Of at most how many targets the pairs were written out, each time."""
    intruders: tuple[Calibrated, ...]
    """What each intruder states, against the truth."""
    given_seed: int | None = None
    """The seed of the plan, for tests and studies, that the masked files hang on; None: a secret, or trials alone."""

    @property
    def banner(self) -> str:
        """What stands first wherever it is shown, if the plan has a seed; empty otherwise."""
        return banner(self.given_seed)

    def of(self, title: str) -> Calibrated:
        """Give one intruder's by the intruder's name."""
        for found in self.intruders:
            if found.intruder.title == title:
                return found
        raise IntruderError(unknown("intruder", title, [c.intruder.title for c in self.intruders]))

    def to_frame(self) -> pl.DataFrame:
        """Give one row per intruder and bin: cases, stated, true and the interval of their difference."""
        import polars as pl

        parts = []
        for found in self.intruders:
            kinds = {"best": found.best, "pairs": found.pairs, "null": found.null}
            kinds |= {f"best by {v}": r for v, r in found.groups.items()}
            for kind, reliability in kinds.items():
                if reliability is not None:
                    frame = reliability.to_frame()
                    names = pl.lit(self.release).alias("release"), pl.lit(found.intruder.title).alias("intruder")
                    parts.append(frame.select(*names, pl.lit(kind).alias("of"), pl.all()))
        return pl.concat(parts)

    def to_json(self) -> str:
        """Give the figures and what was assumed as JSON; it holds no values of respondents."""
        rows = self.to_frame().to_dicts()
        about = [
            {
                "intruder": c.intruder.title,
                "matches": _told(c.matches),
                "given_in_file": c.given_in_file,
                "null_link_compared": c.null is not None,
                "contradicted_or_ruled_out": c.broken,
                "failing_assumptions": list(c.assumptions),
                "assumptions": list(c.intruder.describe()),
            }
            for c in self.intruders
        ]
        head: dict[str, object] = {"release": self.release, "times": self.times, "seed": self.seed}
        head |= {"targets_drawn_for_pairs": self.drawn}
        head |= {"marks": [self.banner]} if self.banner else {}
        return json.dumps(head | {"intruders": about, "bins": rows}, indent=2)

    def plot(self, path: str | os.PathLike[str]) -> Path:
        """Draw a reliability diagram for each intruder, as SVG, PNG or PDF."""
        from confide.calibration.chart import draw

        return draw(self, Path(path))

    def __repr__(self) -> str:
        """Show the figures as text."""
        from confide.calibration.show import show

        return show(self)
