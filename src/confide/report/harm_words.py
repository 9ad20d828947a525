"""What is said about harm, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from confide.report.amounts import amount, amounts
from confide.report.grid import Grid
from confide.report.losses import Dot, Losses, out_of_order
from confide.report.table import written
from confide.report.words import Stated


def harm_answer(grid: Grid, found: Losses) -> Markup:
    """Say where the harm is largest, and which release has the mildest worst case."""
    start = Markup("Harm is a loss and no part of these figures. For <em>{}</em>, ").format(found.title)
    if found.undefined:
        count, of = len(found.undefined), len(found.undefined) + len(found.cells)
        start += Markup("<strong>undefined</strong> in {} of {} scenarios, of the others ").format(count, of)
    if not found.any_harm:
        return start + "nobody is harmed in any scenario."
    largest, mildest = found.largest, found.mildest()
    total, least = amounts([found.cells[largest].total, found.cells[mildest].total])
    if len(found.cells) == 1:
        return start + Markup("the total is <strong>{}</strong>.").format(total)
    text = start + Markup(
        "the total is largest, <strong>{}</strong>, with release <em>{}</em> and intruder <em>{}</em>"
    ).format(total, *grid.names(grid.cells[largest]))
    if mildest[0] == largest[0]:
        return text + "."
    return text + Markup("; the worst case is smallest, <strong>{}</strong>, with release <em>{}</em>.").format(
        least, grid.names(grid.cells[mildest])[0]
    )


def order(grid: Grid, points: Sequence[Dot]) -> str:
    """Say whether risk and harm put the releases in the same order; empty with one release."""
    if len({d.release for d in points}) < 2:
        return ""
    pair = out_of_order(points)
    if pair is None:
        against = "every intruder" if len(grid.intruders) > 1 else "the intruder"
        return f"Here, against {against}, a release with less risk never does more harm. That need not be so."
    less, more = pair
    risks, harms = written([less.risk, more.risk], is_count=True), amounts([less.harm, more.harm])
    return (
        f"The order of the releases by risk is not their order by harm. Against {grid.intruders[less.intruder]}, release "
        f"{grid.releases[less.release]} has fewer expected matches than release {grid.releases[more.release]} ({risks[0]} "
        f"against {risks[1]}) and does more harm ({harms[0]} against {harms[1]})."
    )


def picture(found: Losses, points: Sequence[Dot], said: str) -> str:
    """Say in words what the chart of risk and harm shows."""
    risks, harms = [d.risk for d in points], [d.harm for d in points]
    return (
        f"Expected matches, from {min(risks):,.4g} to {max(risks):,.4g}, against the total harm from {found.title}, from "
        f"{amount(min(harms))} to {amount(max(harms))}; a mark for each release and intruder. {said}"
    ).strip()


def harms_stated(harms: Sequence[Losses]) -> tuple[Stated, ...]:
    """Say what was assumed about each harm."""
    return tuple(Stated(found.title, found.lines) for found in harms)
