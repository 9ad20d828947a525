"""Make what is held again from plan, source and secret, compare it byte by byte, and judge it."""

from __future__ import annotations

import datetime as dt
import filecmp
from dataclasses import dataclass
from pathlib import Path

from confide import __version__
from confide.assessment.assess import assess
from confide.harm.harm import Harm
from confide.kit.folders import scratch_folder
from confide.linking.parallel import Progress, silent
from confide.plan.holding import Holding
from confide.plan.limits import Judged, judged
from confide.plan.load import load_plan, load_tables
from confide.plan.plan import Plan
from confide.release.marks import IN_ORDER, marks
from confide.release.released import Released
from confide.release.unique import unique_columns
from confide.rumap.general.choose import Limit
from confide.rumap.general.risks import RiskAxis
from confide.rumap.general.rows import Estimate
from confide.study.folder import Draft
from confide.study.manifest import Manifest, Verdict, verdicts
from confide.study.releases import CHOSEN, OTHERS, chosen_holding, chosen_release, in_order, manifest_of, write_release
from confide.study.tables import TABLE, table_manifest, table_verdict, write_public

NO_LIMIT = "no limit on a risk is set for it, so that nothing says it may go out; add [limits] to the plan"
ORDER = f"{IN_ORDER}; leave it to chance, or say that it is meant so: --keep-order"

UNIQUE = (
    "no value of {0!r} stands twice, and no step masks it: if it numbers persons or rows, it undoes the random order; "
    "declare it an identifier, or say that it names nobody: [output] unique = [{0!r}]"
)


@dataclass(frozen=True, slots=True)
class Again:
    """What making it again showed."""

    reasons: tuple[str, ...]
    """Why it cannot be signed."""
    verdict: tuple[Verdict, ...] = ()
    """Every limit and what was found."""
    notes: tuple[str, ...] = ()
    """What a reader should know."""
    released: Released | None = None
    """The released file; None for tables."""


def made_again(
    path: Path, draft: Draft, *, study: Path | None, keep_order: bool, progress: Progress = silent
) -> Again:
    """Make it again, compare and judge it.

    Args:
        path: the plan file.
        draft: what is held.
        study: the folder of the study, where it is not that of the plan.
        keep_order: whether records may stand in the order of the source file.
        progress: called with how much of how much is done.
    """
    if draft.manifest.kind == TABLE:
        return _table_again(path, study, draft, progress)
    plan = load_plan(path)
    found = _release_again(plan, draft)
    if found is None:
        return Again((f"the plan has no release {draft.manifest.title!r} any more",))
    released, holding = found
    reasons = []
    with scratch_folder(draft.folder.parent) as new:
        write_release(released, holding, new)
        reasons += differences(new, draft)
    told = [mark for mark in marks(released) if mark != IN_ORDER and released.seed is None]
    ordered = in_order(released) and released.seed is None
    told += [ORDER] if ordered and not keep_order else []
    lines, faults = _judged(plan, draft, released, progress)
    told += [UNIQUE.format(name) for name in unique_columns(released) if name not in plan.outputs.unique]
    settings = draft.manifest.settings if draft.manifest.kind == CHOSEN else None
    reasons += not_the_same(draft.manifest, manifest_of(released, holding, lines, settings))
    notes = [f"{IN_ORDER}; that was asked for"] if ordered else []
    if draft.manifest.kind == OTHERS:
        notes.append("someone else made the file: there is nothing to make again, and what was done to it is not known here")
    return Again((*reasons, *told, *faults), tuple(lines), tuple(notes), released)


def _release_again(plan: Plan, draft: Draft) -> tuple[Released, Holding] | None:
    """Mask the file again; None where the plan does not say how."""
    manifest = draft.manifest
    if manifest.kind == CHOSEN:
        settings = {k: v for k, v in (manifest.settings or {}).items() if v is not None}
        if plan.map is None:
            return None
        return chosen_release(plan, settings), chosen_holding(plan, settings)
    for i, (release, holding) in enumerate(zip(plan.releases, plan.holdings, strict=True)):
        if (holding.name, holding.edition) == (manifest.release, manifest.edition):
            made = release if isinstance(release, Released) else plan.masked(release, plan.the_secret(), plan.edition(i))
            return made, holding
    return None


def _judged(plan: Plan, draft: Draft, released: Released, progress: Progress) -> tuple[list[Verdict], list[str]]:
    """Hold a released file against the limits of its plan, those of the map too where it was chosen there."""
    found = assess(
        released, plan.intruders, plan.targets, threshold=plan.threshold, harms=plan.harms, file_measures=plan.file_measures,
        progress=progress,
    )  # fmt: skip
    held: list[Judged] = list(judged(plan.limits, found))
    if draft.manifest.kind == CHOSEN and plan.map is not None:
        axes = [RiskAxis(r) for r in plan.map.risks]
        limits = [(axes[0], plan.map.max_risk)] if plan.map.max_risk is not None else []
        limits += [(a, at) for name, at in plan.map.limits for a in axes if a.name == name]
        # what was asked for when it was chosen holds, too: --max-risk stands in no plan
        asked = [(a, v.limit) for v in draft.manifest.verdict for a in axes if a.title == v.what]
        limits = list(dict.fromkeys([*limits, *asked]))
        for axis, at in limits:
            for k, scenario in enumerate(found.scenarios):
                value = axis.of(scenario)
                excess = Limit(axis, k, at).excess(None if value is None else Estimate(value, None), 0.0)
                kept, whom = excess is not None and excess <= 0, scenario.intruder.title
                told = "undefined" if value is None else f"{value:.6g}"
                allowed = "at most" if axis.larger_is_riskier else "at least"
                fault = f"{axis.title} is {told}, {allowed} {at:g} is allowed (intruder {whom!r}, limit of the map)"
                of_risk = not isinstance(axis.declared, Harm)
                held.append(Judged(axis.title, released.name, whom, value, at, kept, "" if kept else fault, of_risk))
    faults = [one.fault for one in held if not one.kept]
    if not any(one.of_risk for one in held):
        faults.append(NO_LIMIT)
    return verdicts(held), faults


def _table_again(path: Path, study: Path | None, draft: Draft, progress: Progress) -> Again:
    """Protect a table again, compare and judge it."""
    manifest = draft.manifest
    plan = load_tables(path, out=study)
    for group in plan.groups:
        for i, declared in enumerate(group.tables):
            if (declared.name, declared.edition) != (manifest.release, manifest.edition):
                continue
            one = group.protect(progress)[i]
            reasons = not_the_same(manifest, table_manifest(plan, declared, one))
            with scratch_folder(draft.folder.parent) as new:
                write_public(declared, one, new, dt.date.fromisoformat(manifest.made or "2000-01-01"))
                reasons += differences(new, draft)
            verdict = table_verdict(one)
            if not one.judged:
                reasons.append("what can be deduced from it was not judged; set judge = true in its method")
            elif not verdict.kept:
                reasons.append(f"{verdict.figure:,.0f} sensitive cell(s) are exposed")
            notes = ["it was protected together with other tables"] if len(group.tables) > 1 else []
            notes += [f"warning: {text}" for text in one.told_by_pattern]
            return Again(tuple(reasons), (verdict,), tuple(notes))
    return Again((f"the plan has no table {manifest.title!r} any more",))


def not_the_same(held: Manifest, made: Manifest) -> list[str]:
    """Say what a manifest tells that is not so when everything is made again.

    What a chosen release was found to risk with fresh seeds is not found again: there, the limits are judged anew.

    Args:
        held: the manifest that lies beside the files.
        made: what is known of what was made again.
    """
    reasons = []
    if held.made_with != made.made_with:
        reasons.append(f"it was made with {held.made_with}, the plan now makes it with {made.made_with}")
    told = ["kind", "release", "edition", "methods", "settings"] + (["verdict"] if made.kind != CHOSEN else [])
    if other := [name for name in told if getattr(held, name) != getattr(made, name)]:
        reasons.append(f"its manifest tells of {', '.join(other)} what is not so when it is made again; make it anew")
    if held.confide != __version__:
        reasons.append(f"its manifest says that confide {held.confide!r} made it, this is {__version__!r}; make it anew")
    return reasons


def differences(new: Path, draft: Draft) -> list[str]:
    """Say in which files what was made again differs from what is held.

    Args:
        new: the folder it was made in.
        draft: what is held.
    """
    reasons = []
    made = {p.name for p in new.iterdir()}
    for name in sorted(made | set(draft.manifest.files)):
        held = draft.folder / name
        if name not in made or name not in draft.manifest.files:
            reasons.append(f"{name!r} is {'made, and not held' if name in made else 'held, and the plan does not make it'}")
        elif held.is_file() and not filecmp.cmp(held, new / name, shallow=False):
            where = _first_line(held, new / name)
            reasons.append(f"{name!r} is not what plan, source and secret make, byte by byte: {where}")
    return reasons


def _first_line(held: Path, made: Path) -> str:
    """Say where two files differ first, without what stands there."""
    count = 0
    with held.open("rb") as one, made.open("rb") as other:
        for count, (a, b) in enumerate(zip(one, other, strict=False), 1):
            if a != b:
                return f"line {count:,} differs"
    return f"one of them ends after line {count:,}"
