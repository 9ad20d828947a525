"""Hold an assessment against the limits of a plan."""

from __future__ import annotations

from dataclasses import dataclass

from confide.assessment.assessment import Assessment, Scenario
from confide.assessment.held import Held, held_probability, why_not_held
from confide.calibration.readings import base_name
from confide.harm.told import FEW
from confide.plan.plan import Limits


@dataclass(frozen=True, slots=True)
class Judged:
    """One limit, held against one figure."""

    what: str
    """What is limited, in words."""
    release: str
    """The release."""
    whom: str
    """The intruder, or the keys of a classical measure."""
    figure: float | None
    """The figure; None where it is undefined."""
    limit: float
    """The limit."""
    kept: bool
    """Whether the figure keeps to the limit; an undefined one does not (unknown is never safe)."""
    fault: str
    """What is wrong, in words; empty where it is kept."""
    of_risk: bool = True
    """Whether it limits a risk; harm is a loss."""


def judged(limits: Limits, assessment: Assessment) -> tuple[Judged, ...]:
    """Hold every figure against every limit that is for it."""
    found: list[Judged] = []
    for scenario in assessment.scenarios:
        release, intruder = scenario.released.name, scenario.intruder.title
        if limits.releases is not None and release not in limits.releases:
            continue
        if limits.intruders is not None and base_name(scenario.intruder) not in limits.intruders:
            continue
        where = f"(release {release!r}, intruder {intruder!r})"
        for name, largest in limits.largest:
            held = held_probability(scenario) if name == "probability" else scenario.held(name)
            what = name.replace("_", " ")
            fault = _fault(what, held, largest, where)
            found.append(Judged(what, release, intruder, held.value, largest, not fault, fault))
        for name, largest in limits.harms:
            fault, total = _harm(scenario, name, largest, where), scenario.harm(name).total
            found.append(Judged(f"harm {name!r}", release, intruder, total, largest, not fault, fault, of_risk=False))
        found += _classical(limits, scenario)
    return tuple(found)


def _harm(scenario: Scenario, name: str, largest: float, where: str) -> str:
    """Say that a harm exceeds its limit, or is undefined; the limit holds for the exact total, which is not told."""
    found = scenario.harm(name)
    why = found.reason if found.total is None else why_not_held(scenario)
    if found.total is None or why:
        return _fault(f"harm {name!r}", Held(None, why, None), largest, where)
    if found.total <= largest:
        return ""
    told = found.told
    about = FEW if told.total is None else f"{told.total:,.12g} when rounded upwards to steps of {told.step:,.12g}"
    return f"harm {name!r} is above the {largest:g} that is allowed, {about} {where}"


def exceeded(limits: Limits, assessment: Assessment) -> tuple[str, ...]:
    """Say which limits are exceeded, and where; a limit on an undefined figure does not hold (unknown is never safe)."""
    found = judged(limits, assessment)
    if not found and (limits.largest or limits.harms or limits.measures):
        return ("limits are set, and no release and intruder they are for was assessed, so that they cannot be held",)
    return tuple(one.fault for one in found if not one.kept)


def _fault(what: str, found: Held, largest: float, where: str) -> str:
    """Say by what a figure exceeds its limit, or that it is undefined; nothing where the limit holds."""
    reason = found.excess_reason(largest)
    if reason is None:
        return ""
    if reason:
        return f"{what} is undefined, so that its limit cannot be held: {reason} {where}"
    counts = f": {found.why}" if found.why else ""
    return f"{what} is {found.value:.6g}, at most {largest:g} is allowed{counts} {where}"


def _classical(limits: Limits, scenario: Scenario) -> list[Judged]:
    """Judge the classical measures; a measure without a figure exceeds its limit."""
    lines = []
    for name, limit in limits.measures:
        found = scenario.file_measure(name)
        keys, what, fault = ", ".join(found.keys), name.replace("_", " "), ""
        where = f"(release {scenario.released.name!r}, keys {keys})"
        if found.result is None:
            fault = f"{what} has no figure, so that its limit cannot be held: {found.reason} {where}"
        elif found.exceeds(limit):
            allowed = "at most" if found.result.larger_is_riskier else "at least"
            fault = f"{what} is {found.result.value:.6g}, {allowed} {limit:g} is allowed {where}"
        lines.append(Judged(what, scenario.released.name, f"keys {keys}", found.value, limit, not fault, fault))
    return lines
