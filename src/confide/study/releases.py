"""Hold released files, and make them again."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from confide.data.readers.write import write
from confide.kit.files import written_whole
from confide.plan.holding import Holding, stem_of
from confide.plan.limits import Judged
from confide.plan.plan import Plan
from confide.release.released import Released
from confide.study.folder import Study
from confide.study.hold import hold, origin
from confide.study.manifest import NOT_RANDOM, REPRODUCIBLE, THEIRS, Manifest, Verdict, verdicts
from confide.typing import Label

RELEASE, CHOSEN, OTHERS = "release", "chosen release", "release of someone else"
"""What a folder may hold; tables come on top."""
FROM_SEED = "made with a seed that anyone can guess, who then takes the masking away: leave the seed out, make it anew"


def made_with(released: Released) -> str:
    """Say what the randomness of a released file hangs on."""
    if released.seed is not None:
        return REPRODUCIBLE
    return released.fingerprint or (NOT_RANDOM if released.made_here else THEIRS)


def in_order(released: Released) -> bool:
    """Say whether the records stand in the order of the source file, which tells whose they are."""
    if released.made_here:
        return released.kept_order
    rows = released.parent[released.parent >= 0]
    return bool(rows.size > 1 and np.all(np.diff(rows) > 0))


def write_release(released: Released, holding: Holding, folder: Path) -> None:
    """Write a released file into a folder; that of someone else as it is."""
    if holding.theirs is None:
        write(released.data, folder / holding.file)
        return
    with holding.theirs.open("rb") as source, written_whole(folder / holding.file) as file:
        shutil.copyfileobj(source, file, 1 << 20)


def hold_releases(study: Study, plan: Plan, released: Sequence[Released], found: Sequence[Judged]) -> list[Path]:
    """Hold all releases of a plan.

    Args:
        study: the study.
        plan: the plan.
        released: the released files, in the order of the plan.
        found: the limits that were held against them.
    """
    known = origin(study, plan.path, plan.reads)
    written: list[Path] = []
    for file, holding in zip(released, plan.holdings, strict=True):
        verdict = verdicts(one for one in found if one.release == file.name)
        manifest = replace(manifest_of(file, holding, verdict), **known)
        written += hold(study, holding.stem, manifest, partial(write_release, file, holding))
    return written


def manifest_of(
    file: Released, holding: Holding, verdict: list[Verdict], settings: Mapping[str, Label | None] | None = None
) -> Manifest:
    """Write down what is known of a released file, but for the checksums.

    Args:
        file: the released file.
        holding: where it is held.
        verdict: the limits that were held against it.
        settings: of a chosen release, a value for each axis.
    """
    kind = CHOSEN if settings is not None else RELEASE if file.made_here else OTHERS
    methods = [m.describe() for m in file.methods] or ["nothing is masked" if file.made_here else THEIRS]
    own = None if settings is None else dict(settings)
    return Manifest(
        kind, holding.name, holding.edition, made_with(file), methods=methods, settings=own, verdict=verdict
    )


def chosen_holding(plan: Plan, settings: Mapping[str, Label]) -> Holding:
    """Say where a chosen release is held.

    Args:
        plan: the plan, which has a map.
        settings: a value for each axis.
    """
    assert plan.map is not None
    name = plan.map.family.at(settings).name
    edition = next((h.edition for h in plan.holdings if h.name == plan.map.family.name), 1)
    stem = stem_of(name, edition)
    return Holding(name, edition, stem, f"{stem}.csv")


def chosen_release(plan: Plan, settings: Mapping[str, Label]) -> Released:
    """Mask the file as was chosen.

    Args:
        plan: the plan, which has a map.
        settings: a value for each axis.
    """
    assert plan.map is not None
    return plan.masked(plan.map.family.at(settings), plan.the_secret(), chosen_holding(plan, settings).edition)


def hold_chosen(study: Study, plan: Plan, settings: Mapping[str, Label], found: Sequence[Verdict]) -> list[Path]:
    """Hold a chosen release.

    Args:
        study: the study.
        plan: the plan, which has a map.
        settings: a value for each axis.
        found: what was found with fresh seeds.
    """
    file, holding = chosen_release(plan, settings), chosen_holding(plan, settings)
    manifest = replace(manifest_of(file, holding, list(found), settings), **origin(study, plan.path, plan.reads))
    return hold(study, holding.stem, manifest, partial(write_release, file, holding))
