"""The map itself: risk against utility over a family of releases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from confide.assessment.assess import assess
from confide.assessment.assessment import Assessment
from confide.errors import MapError, unknown
from confide.harm.harm import Harm
from confide.release.marks import banner, with_mark
from confide.risk.file_measure import FileMeasure
from confide.rumap.frontier import frontier
from confide.rumap.general.crossing import crossings
from confide.rumap.general.evaluate import Question
from confide.rumap.general.fingerprint import fingerprint
from confide.rumap.general.limited import counts_of, notes_of
from confide.rumap.general.risks import RiskAxis
from confide.rumap.general.rows import Estimate, Row
from confide.rumap.general.store import Store
from confide.rumap.general.words import told
from confide.rumap.point import Point
from confide.typing import BoolArray, Label
from confide.utility.measure import UtilityMeasure, efficiency

if TYPE_CHECKING:
    import polars as pl

    from confide.rumap.general.choose import Choice


@dataclass(frozen=True, slots=True, eq=False)
class RUMap:
    """Risk and utility of every release of a family, for every intruder (Duncan, Keller-McNulty and Stokes)."""

    question: Question
    """What was asked."""
    rows: tuple[Row, ...]
    """The settings that were evaluated."""
    replicates: int
    """How often each was masked, with seeds of its own."""
    unmasked: Mapping[str, float]
    """The utilities of the file as it is."""
    risk: RiskAxis
    """The axis of risk."""
    utility: UtilityMeasure
    """The axis of utility."""
    store: Store
    """What was evaluated."""
    complete: bool = True
    """Whether everything asked was evaluated, or the work was interrupted."""
    given_seed: int | None = None
    """The seed of the plan, for tests and studies, that the masked files hang on; None: a secret, or trials alone."""

    @property
    def banner(self) -> str:
        """What stands first wherever it is shown, if the plan has a seed; empty otherwise."""
        return banner(self.given_seed)

    @property
    def intruders(self) -> tuple[str, ...]:
        """The names of the intruders."""
        return tuple(i.title for i in self.question.intruders)

    @property
    def notes(self) -> tuple[str, ...]:
        """What should make a reader careful about the figures of risk, in the settings where most targets are concerned."""
        return notes_of(self.question.intruders, self.rows)

    def on(self, risk: str | None = None, utility: str | None = None) -> RUMap:
        """Give the same map with other figures on its axes, by their names."""
        risks = {axis.name: axis for axis in self.question.risks}
        uses = {measure.name: measure for measure in self.question.utilities}
        if risk is not None and risk not in risks:
            raise MapError(unknown("risk", risk, risks))
        if utility is not None and utility not in uses:
            raise MapError(unknown("utility", utility, uses))
        return replace(
            self,
            risk=self.risk if risk is None else risks[risk],
            utility=self.utility if utility is None else uses[utility],
        )

    def place(self, intruder: str) -> int:
        """Give the place of an intruder by its name."""
        if intruder not in self.intruders:
            raise MapError(unknown("intruder", intruder, self.intruders))
        return self.intruders.index(intruder)

    def points(self, intruder: str | None = None) -> tuple[Point, ...]:
        """Give the points of one intruder, or of the worst one at each setting; settings without a figure are left out.

        Args:
            intruder: the name; None: whoever is most dangerous at each setting.
        """
        people = range(len(self.intruders)) if intruder is None else [self.place(intruder)]
        found = []
        for row in self.rows:
            risks = [row.risk(k, self.risk.name) for k in people]
            useful = row.utility(self.utility.name)
            known = [r for r in risks if r is not None]
            if useful is None or len(known) < len(risks):
                continue
            worst = (max if self.risk.larger_is_riskier else min)(known, key=lambda r: r.mean)
            found.append(Point(dict(row.settings), worst.mean, useful.mean, worst.se, useful.se))
        return tuple(found)

    def on_frontier(self, points: Sequence[Point]) -> BoolArray:
        """Mark the points that no other point beats."""
        return frontier(
            [p.risk for p in points],
            [p.utility for p in points],
            smaller_risk=self.risk.larger_is_riskier,
            larger_utility=self.utility.larger_is_better,
        )

    def frontier(self, intruder: str | None = None) -> tuple[Point, ...]:
        """Give the points that no other point beats, from the least risk to the most.

        Args:
            intruder: the name; None: whoever is most dangerous at each setting.
        """
        points = self.points(intruder)
        kept = [p for p, best in zip(points, self.on_frontier(points), strict=True) if best]
        return tuple(sorted(kept, key=lambda p: p.risk if self.risk.larger_is_riskier else -p.risk))

    def efficiency(self, point: Point) -> float | None:
        """Give the utility of a point relative to that of the file as it is; None where that is undefined."""
        return efficiency(self.utility, point.utility, self.unmasked[self.utility.name])

    def crossings(self, first: str, second: str) -> tuple[tuple[float, float], ...]:
        """Give the risks and utilities at which the frontiers of two intruders cross."""
        return crossings(self.frontier(first), self.frontier(second))

    def undefined(self, settings: Mapping[str, Label]) -> dict[str, str]:
        """Say why utilities are undefined at a setting, by their names; such a setting has no point and is never chosen.

        Args:
            settings: a value for each axis.
        """
        return self.question.undefined(settings, self.store, fingerprint(self.question.source))

    def assessment(self, settings: Mapping[str, Label]) -> Assessment:
        """Open the full assessment of a setting: every intruder, every measure, with links, harm and groups.

        Args:
            settings: a value for each axis, such as `point.settings`.
        """
        question = self.question
        released = question.family.at(settings).apply(question.source, seed=question.seed)
        declared = [axis.declared for axis in question.risks]
        return assess(
            released,
            question.intruders,
            question.targets,
            harms=[d for d in declared if isinstance(d, Harm)],
            file_measures=[d for d in declared if isinstance(d, FileMeasure)],
        )

    def choose(
        self,
        max_risk: float | None = None,
        *,
        limits: Mapping[str, float | Mapping[str, float]] | None = None,
        surely: bool = False,
    ) -> Choice:
        """Give the most useful release within the limits; see `Choice`.

        Args:
            max_risk: the most risk, on the axis of risk, for every intruder; the least where less is riskier.
            limits: further limits by the name of a risk: one number, or one for each intruder by name.
            surely: whether the risk must be within the limits by two standard errors, too.
        """
        from confide.rumap.general.choose import choose

        return choose(self, max_risk, limits=limits, surely=surely)

    def to_frame(self) -> pl.DataFrame:
        """Give one row for each setting and intruder: settings, all figures and errors, and who is on the frontier."""
        import polars as pl

        rows = []
        for k, name in enumerate(self.intruders):
            points = self.points(name)
            best = {_frozen(p.settings) for p, top in zip(points, self.on_frontier(points), strict=True) if top}
            for row in self.rows:
                line: dict[str, Any] = {**row.settings, "intruder": name}
                for axis in self.question.risks:
                    _add(line, axis.name, row.risk(k, axis.name))
                for measure in self.question.utilities:
                    _add(line, measure.name, row.utility(measure.name))
                line |= counts_of(row.notes(k))
                line["on_frontier"] = _frozen(row.settings) in best
                rows.append(line)
        return with_mark(pl.DataFrame(rows, infer_schema_length=None), self.given_seed)

    def plot(
        self,
        path: str | PathLike[str],
        *,
        max_risk: float | None = None,
        by: str | None = None,
        intruder: str | None = None,
        overwrite: bool = False,
    ) -> Path:
        """Draw the map: SVG, PNG or PDF by the suffix, or one page to look around in for `.html`.

        Args:
            path: where to draw it.
            max_risk: a line at a limit.
            by: an axis of the release, such as "method": one curve for each of its values instead of each intruder.
            intruder: draw this one alone; None: all, and with `by` whoever is most dangerous at each setting.
            overwrite: replace a file that is there.
        """
        from confide.rumap.general.chart import draw
        from confide.rumap.general.curves import Shown
        from confide.rumap.general.page import write_page

        shown = Shown(max_risk, by, intruder)
        write = write_page if Path(path).suffix.lower() == ".html" else draw
        return write(self, path, shown, overwrite=overwrite)

    def __repr__(self) -> str:
        """Say what was mapped, and the ends of the frontier."""
        done = "" if self.complete else ", interrupted"
        head = f"{self.banner}\n" if self.banner else ""
        head += (
            f"RUMap({len(self.rows):,} settings, {len(self.intruders)} intruders, {self.replicates} replicates{done}: "
            f"{self.risk.title} against {self.utility.title})"
        )
        best = self.frontier() if self.rows else ()
        left_out = len(self.rows) - len(self.points())
        head += f"\n{self.risk.meaning}" if self.risk.meaning else ""
        head += f"\nwithout a figure, and left out: {left_out:,} settings" if left_out else ""
        lines = [f"  risk {p.risk:.4g}, utility {p.utility:.4g} at {told(p.settings)}" for p in _ends(best)]
        return "\n".join([head, f"on the frontier: {len(best)}", *lines, *self.notes])


def _ends(points: Sequence[Point], most: int = 6) -> list[Point]:
    """Give a few points from one end to the other."""
    if not points:
        return []
    places = np.unique(np.linspace(0, len(points) - 1, min(most, len(points))).round().astype(np.int64))
    return [points[int(i)] for i in places]


def _frozen(settings: Mapping[str, object]) -> tuple[tuple[str, object], ...]:
    """Give settings as something to look up."""
    return tuple(sorted(settings.items()))


def _add(line: dict[str, Any], name: str, found: Estimate | None) -> None:
    """Add a figure and its standard error."""
    line[name] = None if found is None else found.mean
    if found is not None and found.se is not None:
        line[f"{name}_se"] = found.se
