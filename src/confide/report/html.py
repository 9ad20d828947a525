"""One self-contained page: the answer, the table, the pictures, and what was assumed."""

from __future__ import annotations

import datetime as dt
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from markupsafe import Markup

from confide.assessment.assessment import Assessment, Scenario
from confide.calibration.result import Calibration
from confide.data.codebook import Role
from confide.errors import IntruderError
from confide.report import charts, info, words
from confide.report.axes import axis
from confide.report.calibration_section import calibration_section
from confide.report.classical_section import classical_section
from confide.report.grid import Grid
from confide.report.harm_section import harm_section
from confide.report.harm_words import harms_stated
from confide.report.keys import intruder_keys, number_keys, scenario_keys
from confide.report.record import record
from confide.report.table import tables
from confide.report.templates import template, write_html
from confide.risk.measure import meanings

MOST_VARIABLES = 4
"""How many variables are shown when none are asked for."""
MOST_RELEASES = 12
"""How many releases get a picture of their probabilities."""
ALMOST_ALL = 0.98
"""Curves are drawn from where they hold this share of the targets."""


def write_report(
    assessment: Assessment,
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    by: Sequence[str] = (),
    overwrite: bool = False,
    date: dt.date | None = None,
    plan_sha256: str | None = None,
    likelihoods: Mapping[str, float] | None = None,
    calibrations: Sequence[Calibration] = (),
) -> Path:
    """Write a report that one file holds: no script, no network, no respondent's values.

    The file appears whole or not at all, and only its owner can read it. A folder that is missing
    is made.

    Args:
        assessment: what to report.
        path: where to write the page.
        title: the heading; None: the name of the source file.
        by: variables of the source file by which to say who is at risk; none: up to four that
            every intruder knows.
        overwrite: replace a file that is there.
        date: when the assessment was run; None: now.
        plan_sha256: the checksum of the plan, where there was one.
        likelihoods: how likely each intruder is to look at the file, by name, for the harm over all of them; what is
            left to one is that nobody tries. None: the harm of each intruder alone.
        calibrations: what `calibrate` found, one for each release that was masked again.
    """
    page = render(
        assessment,
        title=title,
        by=by,
        date=date,
        plan_sha256=plan_sha256,
        likelihoods=likelihoods,
        calibrations=calibrations,
    )
    return write_html(page, path, overwrite=overwrite)


def render(
    assessment: Assessment,
    *,
    title: str | None = None,
    by: Sequence[str] = (),
    date: dt.date | None = None,
    plan_sha256: str | None = None,
    likelihoods: Mapping[str, float] | None = None,
    calibrations: Sequence[Calibration] = (),
) -> str:
    """Give the report as text; see `write_report`."""
    if not assessment.scenarios:
        raise IntruderError("the assessment holds no scenario; there is nothing to report")
    grid = Grid.of(assessment)
    source = assessment.scenarios[0].released.source
    compared = _compared(grid)
    variables = _variables(assessment, by)
    panels = [info.groups(grid, v, compared) for v in variables]
    harm = harm_section(grid, variables, likelihoods)
    return template("template.html.j2").render(
        title=title or f"Identification risk: {source.name if source is not None else 'released file'}",
        banner=words.banner_of(grid),
        source=source,
        grid=grid,
        answer=words.answer(grid),
        tiles=words.tiles(grid),
        tables=tables(assessment),
        targets=_targets(assessment),
        scenario_charts=_scenario_charts(grid),
        intruder_keys=intruder_keys(grid.intruders),
        distribution_charts=_distribution_charts(grid),
        releases_left_out=max(0, len(grid.releases) - MOST_RELEASES),
        group_charts=_group_charts(panels),
        group_guess=next((f"{g.guess:,g}" for g in panels if g is not None), ""),
        compared=len(compared),
        group_keys=scenario_keys([" / ".join(grid.names(s)) for s in compared]),
        group_notes=_group_notes(variables, panels, unknown=bool(compared[0].summary.why_unknown)),
        meanings=meanings(compared[0].measures),
        undefined=words.undefined(grid),
        smallest_group=info.SMALLEST_GROUP,
        smallest_step=info.SMALLEST_STEP,
        harm=harm,
        classical=classical_section(grid),
        calibration=calibration_section(calibrations),
        harms_stated=harms_stated([part.found for part in harm.parts]) if harm else (),
        release_keys=number_keys(grid.releases),
        noticed=words.noticed(grid),
        intruders=words.intruders_stated(grid),
        attacker=words.attacker_stated(grid),
        matched=words.matched_stated(grid),
        releases=words.releases_stated(grid),
        record=record(assessment, date=date, plan_sha256=plan_sha256),
    )


def _compared(grid: Grid) -> list[Scenario]:
    """Give the riskiest scenario, and that of the most protective release where both have the same targets."""
    worst, best = grid.riskiest(), grid.most_protective()
    same = best.targets == worst.targets or all(a is b for a, b in zip(best.targets, worst.targets, strict=False))
    several = grid.names(best)[0] != grid.names(worst)[0]
    return [worst, best] if several and same and best.summary.n == worst.summary.n else [worst]


def _variables(assessment: Assessment, by: Sequence[str]) -> list[str]:
    """Give the variables asked for, or up to four that every intruder knows and every target has."""
    if isinstance(by, str):
        by = (by,)
    everywhere = [links.evidence.targets for s in assessment.scenarios for links in s.links]
    if by:
        return list(dict.fromkeys(by))
    known = [
        name
        for name in assessment.scenarios[0].intruder.variables
        if all(name in s.intruder.variables for s in assessment.scenarios)
        and all(name in t.columns and t.variables[name].role is not Role.IDENTIFIER for t in everywhere)
    ]
    return known[:MOST_VARIABLES]


def _targets(assessment: Assessment) -> str:
    """Say how many targets there are."""
    sizes = sorted({s.summary.n for s in assessment.scenarios})
    return f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"


def _scenario_charts(grid: Grid) -> list[Markup]:
    """Draw the measures on axes of the same extent."""
    found = info.figures(grid)
    extent = [x for f in found for x in f.extent]
    scale = axis(extent, logarithmic=info.wide(extent))
    return [Markup(charts.figures_chart(f, f"m{i}", scale)) for i, f in enumerate(found)]  # noqa: S704


def _distribution_charts(grid: Grid) -> list[Markup]:
    """Draw the probabilities in each release on axes of the same extent; none with too few targets."""
    found = info.distributions(grid)[:MOST_RELEASES]
    tails = [t for d in found for t in (*d.own, *d.best) if t is not None and t.p]
    if not tails:
        return []
    starts = [next((p for p, share in zip(t.p, t.share, strict=True) if share >= ALMOST_ALL), t.p[-1]) for t in tails]
    lowest = min(0.1, *starts), min(0.1, *(t.share[0] for t in tails))
    return [Markup(charts.distribution_chart(d, f"d{i}", lowest)) for i, d in enumerate(found)]  # noqa: S704


def _group_charts(panels: Sequence[info.Groups | None]) -> list[Markup]:
    """Draw who is at risk, on axes of the same extent."""
    found = [g for g in panels if g is not None]
    extent = [x for g in found for x in g.extent]
    scale = axis(extent, logarithmic=info.wide(extent))
    return [Markup(charts.groups_chart(g, f"g{i}", scale)) for i, g in enumerate(found)]  # noqa: S704


def _group_notes(variables: Sequence[str], panels: Sequence[info.Groups | None], *, unknown: bool) -> list[str]:
    """Say what the pictures of groups leave out."""
    notes = []
    if unknown:
        return ["Who is at risk is not known where it is not known which record is whose."]
    for name, panel in zip(variables, panels, strict=True):
        if panel is None:
            notes.append(f"{name}: every group has fewer than {info.SMALLEST_GROUP} targets, so none is shown.")
        elif panel.left_out:
            notes.append(f"{name}: the {len(panel.names)} riskiest groups are shown, {panel.left_out:,} are not.")
    return notes
