"""Hold an assessment against the limits of a plan."""

from __future__ import annotations

from confide.assessment.assessment import Assessment, Scenario
from confide.plan.plan import Limits


def exceeded(limits: Limits, assessment: Assessment) -> tuple[str, ...]:
    """Say which limits are exceeded, and where; an undefined figure exceeds nothing."""
    lines = []
    for scenario in assessment.scenarios:
        release, intruder = scenario.released.name, scenario.intruder.title
        if limits.releases is not None and release not in limits.releases:
            continue
        if limits.intruders is not None and intruder not in limits.intruders:
            continue
        for name, largest in limits.largest:
            value = _value(scenario, name)
            if value is not None and value > largest:
                lines.append(
                    f"{name.replace('_', ' ')} is {value:.6g}, at most {largest:g} is allowed "
                    f"(release {release!r}, intruder {intruder!r})"
                )
        lines += _harms(limits, scenario)
        lines += _classical(limits, scenario)
    return tuple(lines)


def _harms(limits: Limits, scenario: Scenario) -> list[str]:
    """Say which limits of harm a scenario exceeds."""
    lines = []
    for name, largest in limits.harms:
        total = scenario.harm(name).total
        if total > largest:
            lines.append(
                f"harm {name!r} is {total:.6g}, at most {largest:g} is allowed "
                f"(release {scenario.released.name!r}, intruder {scenario.intruder.title!r})"
            )
    return lines


def _classical(limits: Limits, scenario: Scenario) -> list[str]:
    """Say which limits of classical measures a scenario exceeds; a measure without a figure exceeds its limit."""
    lines = []
    for name, limit in limits.measures:
        found = scenario.file_measure(name)
        where = f"(release {scenario.released.name!r}, keys {', '.join(found.keys)})"
        if found.result is None:
            lines.append(f"{name.replace('_', ' ')} has no figure, so that its limit cannot be held {where}")
        elif found.exceeds(limit):
            allowed = "at most" if found.result.larger_is_riskier else "at least"
            lines.append(f"{name.replace('_', ' ')} is {found.result.value:.6g}, {allowed} {limit:g} is allowed {where}")
    return lines


def _value(scenario: Scenario, name: str) -> float | None:
    """Give the figure a limit is about."""
    return float(scenario.summary.own.max()) if name == "probability" else scenario.value(name)
