"""Print an assessment as a small table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from confide.assessment.notes import SHOWN, notes_of_all
from confide.assessment.noticed import contradicted_note
from confide.assessment.truth_notes import truth_notes_of_all
from confide.calibration.reasons import WEIGHTS
from confide.harm.told import number as told
from confide.kit.shown import shown
from confide.linking.summary import Summary
from confide.release.marks import marked
from confide.risk.measure import Measure, figure, meanings, why_undefined
from confide.risk.measures.expected import ExpectedMatches

if TYPE_CHECKING:
    from confide.assessment.assessment import Assessment, Scenario

STEPS = "A loss may tell a value: totals are rounded upwards to steps of twice the largest loss or more ('none above')."
"""Why totals of harm are not exact."""


def show(assessment: Assessment) -> str:
    """Give the table of scenarios as text, with a line on how far to trust it."""
    first = assessment.scenarios[0]
    head = ["release", "intruder", "targets", *(m.title for m in first.measures)]
    rows = []
    for s in assessment.scenarios:
        summary = s.summary
        figures = [number(figure(m, summary), is_count=m.is_count) for m in s.measures]
        rows.append([s.released.name, s.intruder.title, f"{summary.n:,}", *figures])
    guess = ["", "random guess", "", *(_guess(assessment, m) for m in first.measures)]
    lines = aligned([head, *rows, guess])
    lines.insert(-1, "-" * len(lines[0]))
    lines += meanings(first.measures) + _undefined(assessment)
    lines += marked(list(dict.fromkeys(s.released for s in assessment.scenarios)))
    wrong = contradicted_note(assessment.scenarios)
    lines += [wrong] if wrong else []
    lines += truth_notes_of_all(assessment.scenarios)
    weak = [s for s in assessment.scenarios if no_better_than_chance(s.summary)]
    if weak:
        lines.append(f"{len(weak)} scenario(s) do no better than twice a random guess.")
    lines += notes_of_all(assessment.scenarios)
    lines += _uncalibrated(assessment)
    lines += _matched(assessment)
    lines += _classical(assessment)
    lines += _harms(assessment)
    return "\n".join(lines)


def _undefined(assessment: Assessment) -> list[str]:
    """Say why figures are undefined: one line for each reason, with the measures and the number of scenarios."""
    found: dict[str, tuple[dict[str, None], set[int]]] = {}
    for i, s in enumerate(assessment.scenarios):
        for title, why in undefined_in(s).items():
            titles, where = found.setdefault(why, ({}, set()))
            titles[title] = None
            where.add(i)
    return [f"A dash in {len(where)} scenario(s), {', '.join(titles)}: {why}." for why, (titles, where) in found.items()]


def undefined_in(scenario: Scenario) -> dict[str, str]:
    """Give the titles of the measures that have no figure, each with the reason."""
    summary = scenario.summary
    return {m.title: why for m in scenario.measures if (why := why_undefined(m, summary))}


def _classical(assessment: Assessment) -> list[str]:
    """Set the classical measures in a table of their own, one row for each file and set of keys."""
    rows = [["release", "keys", "measure", "figure", "riskiest record", "records as risky"]]
    reasons, seen = [], set()
    for s in assessment.scenarios:
        for m in s.measured:
            if (s.released.name, m.keys, m.name) in seen:
                continue
            seen.add((s.released.name, m.keys, m.name))
            worst = ("-", "-") if m.worst is None else (f"{m.worst[0]:,.4g}", f"{m.worst[1]:,}")
            figure = "-" if m.value is None else f"{m.value:,.6g}"
            rows.append([s.released.name, ", ".join(m.keys), m.title, figure, *worst])
            if m.reason:
                reasons.append(f"{m.title} of {s.released.name!r} has no figure: {m.reason}")
    return ["", *aligned(rows, left=3), *reasons] if len(rows) > 1 else []


def _harms(assessment: Assessment) -> list[str]:
    """Set the harms in a table of their own: losses, not probabilities or counts."""
    if not any(s.harms for s in assessment.scenarios):
        return []
    rows = [["release", "intruder", "harm (a loss)", "total", "per target", "none above", "harmed", "half borne by"]]
    reasons: dict[str, None] = {}
    for s in assessment.scenarios:
        for h in s.harms:
            t = h.told
            if t.total is None:
                reasons[f"A dash, {h.harm.title}: {h.why_untold}."] = None
            figures = [told(t.total), told(t.mean), told(t.step), told(t.harmed, ","), told(t.half, ",")]
            rows.append([s.released.name, s.intruder.title, h.harm.title, *figures])
    return ["", *aligned(rows), STEPS, *reasons]


def _uncalibrated(assessment: Assessment) -> list[str]:
    """Name the assumptions for which probabilities do not come true as often as stated."""
    # of weights, the notes on the population say more
    told = {WEIGHTS} if notes_of_all(assessment.scenarios) else set()
    found: dict[str, list[str]] = {}
    for s in assessment.scenarios:
        for reason in s.failing_assumptions:
            if reason not in told:
                found.setdefault(reason, []).append(f"{s.released.name} / {s.intruder.title}")
    whole = len(assessment.scenarios)
    return [f"{len(x)} scenario(s) do not calibrate: {reason}{_which(x, whole)}." for reason, x in found.items()]


def _which(names: list[str], whole: int) -> str:
    """Name scenarios where they are not all."""
    if len(names) == whole:
        return ""
    more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
    return f" ({', '.join(names[:SHOWN])}{more})"


def _matched(assessment: Assessment) -> list[str]:
    """Say which scenarios were matched without replacement, and how far to trust them."""
    joint = [s for s in assessment.scenarios if s.matched]
    if not joint:
        return []
    errors = [e for e in (s.matching_error for s in joint) if e is not None]
    unmet = sum(links.matched.tolerance_met is False for s in joint for links in s.links if links.matched is not None)
    exact = all(links.matched.is_exact for s in joint for links in s.links if links.matched is not None)
    text = "exact" if exact else f"a probability may be off by {max(errors):.2g} (estimated)"
    lines = [f"{len(joint)} scenario(s) matched without replacement: {text}."]
    return lines + ([f"In {unmet} of them the tolerance was not met."] if unmet else [])


def _guess(assessment: Assessment, measure: Measure) -> str:
    """Write the figure of random guesses, or its range where releases differ in size."""
    found = [measure.baseline(s.summary) for s in assessment.scenarios]
    texts = [number(x, is_count=measure.is_count) for x in found if x is not None]
    if not texts:
        return "-"
    values = [x for x in found if x is not None]
    low, high = texts[values.index(min(values))], texts[values.index(max(values))]
    return low if low == high else f"{low} to {high}"


def no_better_than_chance(summary: Summary) -> bool:
    """Say whether the expected matches are known to be at most twice those of random guesses."""
    matches, guess = ExpectedMatches().value(summary), ExpectedMatches().baseline(summary)
    return matches is not None and guess is not None and matches <= 2 * guess


def number(value: float | None, *, is_count: bool) -> str:
    """Write a figure; a dash where it is undefined.

    >>> number(1307.4, is_count=True), number(None, is_count=False), number(0.97436, is_count=False)
    ('1,307.4', '-', '0.9744')
    """
    if value is None:
        return "-"
    if is_count:
        return f"{value:,.0f}" if abs(value - round(value)) < 5e-7 else f"{value:,.1f}" if value >= 1 else f"{value:.3g}"
    return f"{value:.4g}"


def aligned(rows: list[list[str]], left: int = 2) -> list[str]:
    """Pad cells to columns: text to the left, figures to the right."""
    rows = [[shown(cell) for cell in row] for row in rows]
    widths = [max(len(r[c]) for r in rows) for c in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(w) if c < left else cell.rjust(w) for c, (cell, w) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
