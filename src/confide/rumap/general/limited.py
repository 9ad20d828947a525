"""What limits of a map are held against, and what is to be noted of its figures: as in an assessment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from confide.assessment.assessment import Scenario
from confide.assessment.held import Held, broken, held, why_not_held
from confide.assessment.notes import chance_note, few_by_weights, fit_notes, weights_note
from confide.intruder.intruder import Intruder
from confide.intruder.population import KnownChance
from confide.risk.measure import Measure
from confide.rumap.general.risks import RiskAxis, WorstGroup
from confide.rumap.general.store import Figures

COUNTED, SURELY = "limit takes", "limit surely takes"
WEAK, BROKEN, TARGETS, SAID = "note weak targets", "note broken targets", "note targets", "note said: "
SHOWN = 4
"""So many notes of a model's fit are shown."""


class Limited(NamedTuple):
    """The two figures a limit is held against: one that it must keep to, and one that it must keep to surely."""

    counted: float | None
    """With targets linked rightly who fit no record, or not their own; None: undefined."""
    surely: float | None
    """With those linked rightly, too, whose N_t is weak."""

    def figures(self, name: str) -> Figures:
        """Give them as figures of an axis."""
        return {COUNTED + name: self.counted, SURELY + name: self.surely}

    @classmethod
    def of_figures(cls, figures: Mapping[str, float | None], name: str) -> Limited:
        """Read them from the figures of an axis."""
        return cls(figures.get(COUNTED + name), figures.get(SURELY + name))


class Noted(Protocol):
    """An evaluated setting."""

    def notes(self, intruder: int) -> Figures:
        """Give what is to be noted of an intruder."""


def limited(axis: RiskAxis, scenarios: Sequence[Scenario]) -> Limited:
    """Give the figures of an axis that limits are held against; the riskiest of several readings."""
    found = [_limited(axis, scenario) for scenario in scenarios]
    riskiest = max if axis.larger_is_riskier else min
    parts = ([x.counted for x in found], [x.surely for x in found])
    told = ([x for x in part if x is not None] for part in parts)
    return Limited(*(riskiest(some) if len(some) == len(found) else None for some in told))


def _limited(axis: RiskAxis, scenario: Scenario) -> Limited:
    """Give the figures of one reading."""
    declared = axis.declared
    if isinstance(declared, WorstGroup):
        names, member = scenario.groups(declared.by, smallest=declared.smallest)
        groups = [member == g for g in range(len(names))]
        parts = [_per_target(declared.measure, held(scenario, declared.measure, who), int(who.sum())) for who in groups]
        riskiest = max if axis.larger_is_riskier else min
        counted, surely = ([x for x in part if x is not None] for part in zip(*parts, strict=True))
        return Limited(*(riskiest(some) if len(some) == len(parts) else None for some in (counted, surely)))
    if isinstance(declared, Measure):
        return _per_target(declared, held(scenario, declared), scenario.summary.n)
    value = None if why_not_held(scenario) else axis.of(scenario)
    return Limited(value, value)


def _per_target(measure: Measure, found: Held, n: int) -> Limited:
    """Divide counts by the number of targets."""
    size = n if measure.is_count else 1
    return Limited(*(None if x is None else x / size for x in (found.value, found.surely)))


def noted(scenarios: Sequence[Scenario]) -> Figures:
    """Count the targets that an assessment's notes are about; what a model says of its fit is kept by its words."""
    found: Figures = {
        WEAK: float(max(few_by_weights(s) for s in scenarios)),
        BROKEN: float(max(int(np.sum(broken(s))) for s in scenarios)),
        TARGETS: float(scenarios[0].summary.n),
    }
    return found | {SAID + note: 1.0 for s in scenarios for note in fit_notes(s)}


def is_note(name: str) -> bool:
    """Say whether a figure is what is noted, and no risk."""
    return name in (WEAK, BROKEN, TARGETS) or name.startswith(SAID)


def counts_of(notes: Figures) -> dict[str, int | None]:
    """Give the counts as columns of a frame: null where nothing was linked."""
    columns = (("weak_targets", WEAK), ("contradicted_or_ruled_out", BROKEN))
    return {name: None if (found := notes.get(key)) is None else int(found) for name, key in columns}


def notes_of(intruders: Sequence[Intruder], rows: Iterable[Noted]) -> tuple[str, ...]:
    """Write the notes of all settings: those with most targets of each intruder, and each thing said once."""
    settings = list(rows)
    lines: list[str] = []
    for k, intruder in enumerate(intruders):
        notes = [row.notes(k) for row in settings]
        weak, wrong = (max(((x.get(key) or 0.0) for x in notes), default=0.0) for key in (WEAK, BROKEN))
        n = max(((x.get(TARGETS) or 0.0) for x in notes), default=0.0)
        most = "up to " if len(settings) > 1 else ""
        if weak:
            targets, population = f"{most}{weak:,.0f} of {n:,.0f} targets", intruder.population
            note = chance_note(targets, population.chance) if isinstance(population, KnownChance) else weights_note(targets)
            lines.append(f"{intruder.title}: {note}.")
        if wrong:
            lines.append(
                f"{intruder.title}: {most}{wrong:,.0f} of {n:,.0f} targets fit no released record, or not their own; a "
                "limit must also hold with each of them linked rightly."
            )
        said = list(dict.fromkeys(name.removeprefix(SAID) for x in notes for name in x if name.startswith(SAID)))
        lines += [f"{intruder.title}: {note}." for note in said[:SHOWN]]
        lines += [f"{intruder.title}: {len(said) - SHOWN} more notes on fits, see the settings' assessments."] * (
            len(said) > SHOWN
        )
    return tuple(lines)
