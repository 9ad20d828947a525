"""Hold an assessment against the limits of a plan."""

from __future__ import annotations

from confide.assessment.assessment import Assessment, Scenario
from confide.assessment.held import Held, held_probability, why_not_held
from confide.calibration.readings import base_name
from confide.plan.plan import Limits


def exceeded(limits: Limits, assessment: Assessment) -> tuple[str, ...]:
    """Say which limits are exceeded, and where; a limit on an undefined figure does not hold (unknown is never safe)."""
    lines: list[str] = []
    held = 0
    for scenario in assessment.scenarios:
        release, intruder = scenario.released.name, scenario.intruder.title
        if limits.releases is not None and release not in limits.releases:
            continue
        if limits.intruders is not None and base_name(scenario.intruder) not in limits.intruders:
            continue
        held += 1
        for name, largest in limits.largest:
            found = held_probability(scenario) if name == "probability" else scenario.held(name)
            lines += _fault(name.replace("_", " "), found, largest, f"(release {release!r}, intruder {intruder!r})")
        lines += _harms(limits, scenario)
        lines += _classical(limits, scenario)
    if not held and (limits.largest or limits.harms or limits.measures):
        lines.append("limits are set, and no release and intruder they are for was assessed, so that they cannot be held")
    return tuple(lines)


def _harms(limits: Limits, scenario: Scenario) -> list[str]:
    """Say which limits of harm a scenario exceeds."""
    lines = []
    for name, largest in limits.harms:
        found = scenario.harm(name)
        where = f"(release {scenario.released.name!r}, intruder {scenario.intruder.title!r})"
        why = found.reason if found.total is None else why_not_held(scenario)
        total = None if why else found.total
        lines += _fault(f"harm {name!r}", Held(total, why, total), largest, where)
    return lines


def _fault(what: str, found: Held, largest: float, where: str) -> list[str]:
    """Say by what a figure exceeds its limit, or that it is undefined; nothing where the limit holds."""
    reason = found.excess_reason(largest)
    if reason is None:
        return []
    if reason:
        return [f"{what} is undefined, so that its limit cannot be held: {reason} {where}"]
    counts = f": {found.why}" if found.why else ""
    return [f"{what} is {found.value:.6g}, at most {largest:g} is allowed{counts} {where}"]


def _classical(limits: Limits, scenario: Scenario) -> list[str]:
    """Say which limits of classical measures a scenario exceeds; a measure without a figure exceeds its limit."""
    lines = []
    for name, limit in limits.measures:
        found = scenario.file_measure(name)
        where = f"(release {scenario.released.name!r}, keys {', '.join(found.keys)})"
        if found.result is None:
            what = name.replace("_", " ")
            lines.append(f"{what} has no figure, so that its limit cannot be held: {found.reason} {where}")
        elif found.exceeds(limit):
            allowed = "at most" if found.result.larger_is_riskier else "at least"
            lines.append(f"{name.replace('_', ' ')} is {found.result.value:.6g}, {allowed} {limit:g} is allowed {where}")
    return lines
