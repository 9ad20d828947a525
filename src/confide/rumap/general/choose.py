"""The most useful release within the limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

from confide.assessment.held import ACCEPT
from confide.data.readers.write import write
from confide.errors import MapError, raise_all, unknown
from confide.kit.secret import Secret
from confide.linking.summary import NEED_ID
from confide.release.release import Release
from confide.release.released import Released
from confide.rumap.general.limited import WEAK, notes_of
from confide.rumap.general.map import RUMap
from confide.rumap.general.risks import RiskAxis
from confide.rumap.general.rows import Estimate, Row, evaluate_rows
from confide.rumap.general.words import told
from confide.typing import Label

SURELY = 2.0
"""Standard errors on the safe side."""


@dataclass(frozen=True, slots=True)
class Limit:
    """A limit on one risk of one intruder."""

    axis: RiskAxis
    """The risk."""
    intruder: int
    """The place of the intruder."""
    at: float
    """The most that is allowed; the least where less is riskier."""

    def __post_init__(self) -> None:
        """Refuse a limit that no figure, or every one, would keep to."""
        raise_all(self.axis.limit_faults(self.at), MapError)

    def exceeded_by(self, row: Row, errors: float) -> float | None:
        """Say by how much a setting exceeds the limit, with so many standard errors on the safe side; None: undefined.

        It is held against the larger risk where targets fit no record, or not their own; and it is undefined where it would
        not hold with those linked rightly whose N_t rests on one or two weights.
        """
        counted, surely = (self.excess(found, errors) for found in row.limited(self.intruder, self.axis.name))
        if counted is None or counted > 0:
            return counted
        return counted if surely is not None and surely <= 0 else None

    def excess(self, found: Estimate | None, errors: float) -> float | None:
        """Say by how much a figure exceeds the limit, with so many standard errors on the safe side; None: undefined."""
        if found is None:
            return None
        sign = 1.0 if self.axis.larger_is_riskier else -1.0
        excess = sign * (found.mean - self.at) + errors * (found.se or 0.0)
        return None if math.isnan(excess) else excess


@dataclass(frozen=True, slots=True, eq=False)
class Choice:
    """The most useful release within the limits."""

    map: RUMap
    """Where it was chosen from."""
    row: Row
    """The settings with their figures."""
    limits: tuple[Limit, ...]
    """What it had to keep to."""
    within: int
    """How many settings keep to the limits."""

    @property
    def settings(self) -> dict[str, Label]:
        """A value for each axis."""
        return dict(self.row.settings)

    @property
    def release(self) -> Release:
        """The release."""
        return self.map.question.family.at(self.row.settings)

    @property
    def utility(self) -> Estimate:
        """Its utility, on the map's axis."""
        found = self.row.utility(self.map.utility.name)
        assert found is not None
        return found

    def risk(self, intruder: str) -> Estimate | None:
        """Give its risk for an intruder, on the map's axis."""
        return self.row.risk(self.map.place(intruder), self.map.risk.name)

    def released(self, secret: Secret | None = None) -> Released:
        """Mask the file.

        Args:
            secret: what is published hangs on; None: the file that was evaluated, with the map's seed, which is a trial
                and not for publication.
        """
        question = self.map.question
        if secret is not None:
            return self.release.apply(question.source, secret=secret)
        return self.release.apply(question.source, seed=question.seed)

    def write(self, path: str | PathLike[str], *, overwrite: bool = False, secret: Secret | None = None) -> Path:
        """Write the released file.

        Args:
            path: where to; the suffix says how.
            overwrite: replace a file that is there.
            secret: what is published hangs on, see `released`.
        """
        return write(self.released(secret).data, path, overwrite=overwrite)

    def verify(self, seeds: int = 5) -> Verified:
        """Evaluate the chosen release again with fresh seeds, so that the choice is not luck.

        Args:
            seeds: how many.
        """
        if seeds < 2:
            raise MapError(f"verify needs two seeds or more to say how much they differ, found {seeds}")
        first = self.map.replicates
        rows, _ = evaluate_rows(self.map.question, [self.row.settings], range(first, first + seeds), self.map.store)
        if not rows:
            raise KeyboardInterrupt("the verification was interrupted")
        return Verified(self, rows[0], seeds)

    def __repr__(self) -> str:
        """Say what was chosen, and why."""
        found = self.map
        lines = [found.banner] if found.banner else []
        lines += [f"Choice: {told(self.row.settings)}, of {self.within:,} of {len(found.rows):,} settings within the limits"]
        share = found.efficiency(next(p for p in found.points() if p.settings == self.row.settings))
        kept = "" if share is None else f", {100 * share:.4g} % of the file as it is"
        lines.append(f"  {found.utility.title}: {_written(self.utility)}{kept}")
        for limit in self.limits:
            text = _written(self.row.risk(limit.intruder, limit.axis.name))
            allowed = "at most" if limit.axis.larger_is_riskier else "at least"
            lines.append(f"  {limit.axis.title}, {found.intruders[limit.intruder]}: {text} ({allowed} {limit.at:g})")
        return "\n".join([*lines, *notes_of(found.question.intruders, [self.row])])


@dataclass(frozen=True, slots=True, eq=False)
class Verified:
    """A choice, evaluated again with fresh seeds."""

    choice: Choice
    """What was chosen."""
    row: Row
    """Its figures with the fresh seeds."""
    seeds: int
    """How many."""

    @property
    def holds(self) -> bool:
        """Whether utility is defined, and every limit holds on average, over the fresh seeds."""
        found = [limit.exceeded_by(self.row, 0.0) for limit in self.choice.limits]
        return self.utility is not None and all(x is not None and x <= 0 for x in found)

    @property
    def utility(self) -> Estimate | None:
        """The utility with the fresh seeds; None where one of them leaves it undefined."""
        return self.row.utility(self.choice.map.utility.name)

    def risk(self, intruder: str) -> Estimate | None:
        """Give the risk for an intruder with the fresh seeds, on the map's axis."""
        return self.row.risk(self.choice.map.place(intruder), self.choice.map.risk.name)

    def __repr__(self) -> str:
        """Say whether the limits hold."""
        lines = [f"with {self.seeds} fresh seeds the limits {'hold' if self.holds else 'do not hold'} on average"]
        lines.append(f"  {self.choice.map.utility.title}: {_written(self.utility)}")
        for limit in self.choice.limits:
            text = _written(self.row.risk(limit.intruder, limit.axis.name))
            lines.append(f"  {limit.axis.title}, {self.choice.map.intruders[limit.intruder]}: {text} (limit {limit.at:g})")
        return "\n".join([*lines, *notes_of(self.choice.map.question.intruders, [self.row])])


def choose(
    found: RUMap,
    max_risk: float | None = None,
    *,
    limits: Mapping[str, float | Mapping[str, float]] | None = None,
    surely: bool = False,
) -> Choice:
    """Give the most useful setting within the limits; of equally useful ones the least risky. See `RUMap.choose`."""
    held = _limits(found, max_risk, limits or {})
    errors = SURELY if surely else 0.0
    if surely and found.replicates < 2:
        raise MapError("surely needs standard errors; make the map with replicates=2 or more")
    sign = 1.0 if found.utility.larger_is_better else -1.0
    within, nearest = [], []
    for row in found.rows:
        useful = row.utility(found.utility.name)
        excess = [limit.exceeded_by(row, errors) for limit in held]
        known = [x for x in excess if x is not None]
        if useful is None or len(known) < len(excess):
            continue
        worst = max(known)
        nearest.append((worst, row))
        if worst <= 0:
            within.append((-sign * useful.mean, worst, row))
    if not within:
        if not nearest:
            raise MapError(
                f"no setting has all figures that the limits are about; nothing can be chosen{_truth(found)}{_why(found)}"
                + "".join(f". {note}" for note in found.notes)
                + _accepted(found)
            )
        worst, row = min(nearest, key=lambda x: x[0])
        raise MapError(
            f"none of {len(found.rows):,} settings keeps to the limits; the nearest is {told(row.settings)}, which exceeds "
            f"one by {worst:.3g}. Raise the limit, or let the release mask more"
        )
    best = min(within, key=lambda x: (x[0], x[1]))
    return Choice(found, best[2], tuple(held), len(within))


def _limits(found: RUMap, max_risk: float | None, limits: Mapping[str, float | Mapping[str, float]]) -> list[Limit]:
    """Write all limits out, one for each risk and intruder."""
    axes = {axis.name: axis for axis in found.question.risks}
    held = []
    if max_risk is not None:
        held += [Limit(found.risk, k, max_risk) for k in range(len(found.intruders))]
    for name, limit in limits.items():
        if name not in axes:
            raise MapError(unknown("risk", name, axes))
        if isinstance(limit, Mapping) and not limit:
            raise MapError(f"the limit on {name!r} is for no intruder; give a number for all, or one for each")
        if isinstance(limit, Mapping):
            held += [Limit(axes[name], found.place(person), x) for person, x in limit.items()]
        else:
            held += [Limit(axes[name], k, limit) for k in range(len(found.intruders))]
    if not held:
        raise MapError("choose needs a limit: max_risk=..., or limits={name of a risk: ...}")
    return held


def _truth(found: RUMap) -> str:
    """Say what to do where the truth about targets is not known."""
    unnamed = any(t.records is not None and t.id is None for t in found.question.targets)
    return f": the right records of targets from elsewhere are not known; {NEED_ID}" if unnamed else ""


def _accepted(found: RUMap) -> str:
    """Say how a limit on what rests on one or two weights can be held."""
    by_default = any(x.population is None for x in found.question.intruders)
    weak = any((row.notes(k).get(WEAK) or 0) > 0 for row in found.rows for k in range(len(found.intruders)))
    return f" A limit on what rests on so few weights is undefined; {ACCEPT}" if by_default and weak else ""


def _why(found: RUMap) -> str:
    """Say why the utility of a setting is undefined, where it is."""
    for row in found.rows:
        if row.utility(found.utility.name) is None:
            why = found.undefined(row.settings).get(found.utility.name)
            return f". At {told(row.settings)}: {why}" if why else ""
    return ""


def _written(figure: Estimate | None) -> str:
    """Write a figure with its standard error."""
    if figure is None:
        return "undefined"
    return f"{figure.mean:.4g}" + ("" if figure.se is None else f" (se {figure.se:.2g})")
