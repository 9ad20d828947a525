"""The answer: one row per release and intruder, and what lies behind each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from confide.assessment.held import Held, held
from confide.assessment.notes import population_notes
from confide.assessment.truth_notes import truth_notes
from confide.calibration.reasons import failing_assumptions
from confide.data.column import Column
from confide.errors import HarmError, IntruderError, unknown
from confide.harm.result import Harmed
from confide.harm.several import HarmOverIntruders, over_intruders
from confide.harm.told import Told
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.kit.telling import step_for
from confide.linking.links import Links
from confide.linking.summary import Summary
from confide.release.marks import marks
from confide.release.released import Released
from confide.risk.file_measure import Measured
from confide.risk.groups import grouped
from confide.risk.measure import Measure, defined, figure, why_undefined
from confide.typing import IntArray

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True, eq=False)
class Scenario:
    """One release against one intruder."""

    released: Released
    """The released file."""
    intruder: Intruder
    """Who looks for the targets."""
    targets: tuple[Targets, ...]
    """Whom the intruder looks for."""
    links: tuple[Links, ...]
    """The link probabilities, one per group of targets."""
    measures: tuple[Measure, ...]
    """The file-level measures."""
    harms: tuple[Harmed, ...] = ()
    """The harm to the targets, one for each harm that was declared."""
    measured: tuple[Measured, ...] = ()
    """The classical measures of the released file, on what the intruder knows."""

    @property
    def summary(self) -> Summary:
        """What the measures read."""
        return Summary.joined([links.summary for links in self.links])

    def value(self, name: str) -> float | None:
        """Give the figure of a measure by name; None where it is undefined, and `why_undefined` says why."""
        return figure(self._measure(name), self.summary)

    def why_undefined(self, name: str) -> str:
        """Say why a measure has no figure, by its name; empty where it has one."""
        return why_undefined(self._measure(name), self.summary)

    def held(self, name: str) -> Held:
        """Give the figure of a measure as a limit takes it, by its name: the larger risk where the figure is in doubt."""
        return held(self, self._measure(name))

    def baseline(self, name: str) -> float | None:
        """Give the figure of random guesses for a measure by name."""
        return self._measure(name).baseline(self.summary)

    def _measure(self, name: str) -> Measure:
        """Find a measure."""
        for measure in self.measures:
            if measure.name == name:
                return measure
        raise IntruderError(unknown("measure", name, [m.name for m in self.measures]))

    def harm(self, title: str) -> Harmed:
        """Give the harm to the targets by the name of the harm."""
        for harmed in self.harms:
            if harmed.harm.title == title:
                return harmed
        raise HarmError(unknown("harm", title, [h.harm.title for h in self.harms]))

    def file_measure(self, name: str) -> Measured:
        """Give what a classical measure gave, by its name."""
        for found in self.measured:
            if found.name == name:
                return found
        raise IntruderError(unknown("file measure", name, [m.name for m in self.measured]))

    @property
    def perceived(self) -> float | None:
        """The number of targets with a record above the threshold."""
        return self.value("perceived")

    @property
    def expected_matches(self) -> float | None:
        """The expected number of true matches."""
        return self.value("expected_matches")

    @property
    def right_links(self) -> float | None:
        """The expected number of right links among those acted on."""
        return self.value("right_links")

    @property
    def unique_matches(self) -> float | None:
        """The number of unique true matches."""
        return self.value("unique_matches")

    @property
    def contradicted(self) -> int:
        """How many targets in the file no record can belong to."""
        return sum(links.contradicted for links in self.links)

    @property
    def ruled_out(self) -> int:
        """How many targets have a record in the file that cannot be theirs for the intruder."""
        return sum(links.ruled_out for links in self.links)

    @property
    def population_notes(self) -> tuple[str, ...]:
        """Where the number of people like a target is a poor guess, and what its model says of its fit."""
        return population_notes(self)

    @property
    def truth_notes(self) -> tuple[str, ...]:
        """Where what is known of who is who is little, or likely to be a mistake."""
        return truth_notes(self)

    @property
    def failing_assumptions(self) -> tuple[str, ...]:
        """What keeps the intruder's probabilities from coming true as often as stated; empty: nothing is known to."""
        return failing_assumptions(self.intruder, self.released)

    @property
    def matched(self) -> tuple[str, ...]:
        """How the records were matched, one line per group of targets; empty: with replacement."""
        return tuple(links.matched.describe() for links in self.links if links.matched is not None)

    @property
    def matching_error(self) -> float | None:
        """The largest error of a link probability; None: with replacement, where there is none to speak of."""
        return max((links.matched.largest_error for links in self.links if links.matched is not None), default=None)

    def per_record(self) -> pl.DataFrame:
        """Give one row per target with its probabilities and harms, which may tell values: it is confidential."""
        import polars as pl

        frame = pl.concat([links.to_frame() for links in self.links])
        summary = self.summary
        columns = [pl.Series(m.name, m.per_target(summary)) for m in self.measures if m.is_count]
        columns += [pl.Series(f"harm {h.harm.title}", h.per_target) for h in self.harms]
        return frame.with_columns(c.fill_nan(None) for c in columns)

    def per_released_record(self) -> pl.DataFrame:
        """Give one row per released record with its figures of the classical measures; it is confidential."""
        import polars as pl

        found = {m.name: m.per_record for m in self.measured}
        columns = {name: figures for name, figures in found.items() if figures is not None}
        return pl.DataFrame({"record": range(self.released.data.n)} | columns)

    def by(self, variable: str, *, smallest: int = 10) -> pl.DataFrame:
        """Say who is at risk: the measures by the levels of a variable of the source file.

        Harms are sums on a step, see `Told`; a group of fewer than ten has none.

        Args:
            variable: a variable of the source file; numbers are cut at round values.
            smallest: groups with fewer targets are put together.
        """
        import polars as pl

        names, member = self.groups(variable, smallest=smallest)
        summary = self.summary
        rows = []
        for g, name in enumerate(names):
            part = summary.take(member == g)
            row: dict[str, object] = {variable: name, "targets": part.n}
            row["mean_own_probability"] = defined(float(part.own.mean()))
            row.update({m.name: figure(m, part) for m in self.measures})
            for h in self.harms:
                # one step for all groups, so that none is told by subtracting others
                told = Told.of(h.per_target[member == g], step_for(h.per_target))
                row[f"harm {h.harm.title}"], row[f"mean_harm {h.harm.title}"] = told.total, told.mean
            rows.append(row)
        return pl.DataFrame(rows, infer_schema_length=None)

    def groups(self, variable: str, *, smallest: int = 10) -> tuple[list[str], IntArray]:
        """Name the groups of targets by the levels of a variable, and give each target its group.

        Args:
            variable: a variable of the source file; numbers are cut at round values.
            smallest: groups with fewer targets are put together.
        """
        column = self._target_column(variable)
        return grouped(column, smallest, dict(self.links[0].evidence.targets.variables[variable].labels))

    def _target_column(self, variable: str) -> Column:
        """Give the true values of the targets."""
        parts = [links.evidence.targets for links in self.links]
        if any(variable not in p.columns for p in parts):
            raise IntruderError(f"by: {unknown('variable', variable, parts[0].names)}")
        column = parts[0].columns[variable]
        for part in parts[1:]:
            column = column.append(part.columns[variable])
        return column


def harm_record(harmed: Harmed) -> dict[str, object]:
    """Give what is recorded of a harm: figures of the whole file and what was assumed."""
    told = harmed.told
    return {
        "name": harmed.harm.title,
        "total": told.total,
        "mean": told.mean,
        "rounded_to": told.step,
        "no_loss_above": told.step,
        "harmed": told.harmed,
        "gini": told.gini,
        "borne_by_the_most_harmed_1_percent": told.top_1,
        "half_of_it_on": told.half,
        "outcomes": dict(harmed.outcomes),
        "reason": harmed.reason or harmed.why_untold or None,
        "assumptions": list(harmed.harm.describe()),
    }


def measured_record(found: Measured) -> dict[str, object]:
    """Give what is recorded of a classical measure."""
    worst = found.worst
    return {
        "name": found.name,
        "keys": list(found.keys),
        "value": found.value,
        "larger_is_riskier": None if found.result is None else found.result.larger_is_riskier,
        "riskiest_record": None if worst is None else worst[0],
        "records_as_risky": None if worst is None else worst[1],
        "reason": found.reason or None,
    }


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """The table of all scenarios."""

    scenarios: tuple[Scenario, ...]
    """One per release and intruder, releases first."""

    def row(self, i: int = 0) -> Scenario:
        """Give one scenario by its place in the table."""
        if not 0 <= i < len(self.scenarios):
            raise IntruderError(f"there is no row {i}; the assessment has {len(self.scenarios)}, counted from 0")
        return self.scenarios[i]

    def scenario(self, release: str, intruder: str) -> Scenario:
        """Give one scenario by the names of its release and intruder."""
        for s in self.scenarios:
            if s.released.name == release and s.intruder.title == intruder:
                return s
        have = sorted({f"{s.released.name!r} with {s.intruder.title!r}" for s in self.scenarios})
        raise IntruderError(unknown("scenario", f"{release} with {intruder}", have))

    def over_intruders(self, weights: Mapping[str, float]) -> dict[tuple[str, str], HarmOverIntruders]:
        """Average the harm of every release over intruders, by the names of release and harm; left out where undefined.

        Args:
            weights: how likely each intruder is, by its name; what is left to one is that nobody tries.
        """
        found = {}
        for release in dict.fromkeys(s.released.name for s in self.scenarios):
            mine = [s for s in self.scenarios if s.released.name == release]
            for title in dict.fromkeys(h.harm.title for s in mine for h in s.harms):
                harms = {s.intruder.title: s.harm(title) for s in mine}
                if all(h.is_defined for h in harms.values()):
                    found[release, title] = over_intruders(harms, weights)
        if not any(s.harms for s in self.scenarios):
            raise HarmError("no harm was assessed; give assess(..., harms=[Harm(...)]) first")
        return found

    def to_frame(self) -> pl.DataFrame:
        """Give one row per scenario: the figures, and beside each that of random guesses; harms are sums on a step."""
        import polars as pl

        rows = []
        for s in self.scenarios:
            summary = s.summary
            row: dict[str, object] = {"release": s.released.name, "intruder": s.intruder.title, "targets": summary.n}
            for m in s.measures:
                row[m.name] = figure(m, summary)
                row[f"{m.name}_at_random"] = m.baseline(summary)
            for h in s.harms:
                told = h.told
                row[f"harm {h.harm.title}"], row[f"no_harm_above {h.harm.title}"] = told.total, told.step
            for f in s.measured:
                row[f.name] = f.value
            row["largest_probability"] = float(summary.best.max())
            row["contradicted"] = s.contradicted
            row["ruled_out"] = s.ruled_out
            row["matching"] = s.intruder.matching.title
            row["matching_error"] = s.matching_error
            rows.append(row)
        return pl.DataFrame(rows, infer_schema_length=None)

    def to_json(self) -> str:
        """Give the table and what was assumed as JSON; it holds no values of respondents, and harms are sums on a step."""
        rows = self.to_frame().to_dicts()
        for row, s in zip(rows, self.scenarios, strict=True):
            row["masking"] = list(s.released.describe())
            row["assumptions"] = list(s.intruder.describe())
            row["failing_assumptions"] = list(s.failing_assumptions)
            row["matched"] = list(s.matched)
            row["population_notes"] = list(population_notes(s))
            row["truth_notes"] = list(s.truth_notes)
            row["seed"] = s.released.seed
            row["secret"] = s.released.fingerprint
            row["marks"] = list(marks(s.released))
            row["undefined"] = {m.name: why for m in s.measures if (why := why_undefined(m, s.summary))}
            row["target_groups"] = [t.describe() for t in s.targets]
            row["file_measures"] = [measured_record(m) for m in s.measured]
            row["harms"] = [harm_record(h) for h in s.harms]
        return json.dumps({"scenarios": rows}, indent=2)

    def __repr__(self) -> str:
        """Show the table, with the figures of random guesses below."""
        from confide.assessment.show import show

        return show(self)
