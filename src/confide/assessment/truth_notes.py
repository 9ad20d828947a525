"""What is known about who is who, where it is so little that it is likely to be a mistake."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from confide.assessment.doubt import doubts_of
from confide.release.released import UNKNOWN

if TYPE_CHECKING:
    from confide.assessment.assessment import Scenario


def truth_notes(scenario: Scenario) -> tuple[str, ...]:
    """Say where not all of the targets' ids, or fewer than half of the released records, are found in the source file."""
    notes = []
    for group, links in zip(scenario.targets, scenario.links, strict=True):
        rows = links.evidence.target_rows
        found = int(np.sum(rows >= 0))
        if group.id is not None and found < rows.size:
            notes.append(_found(group.id, found, int(np.sum(rows == UNKNOWN)), rows.size))
    released = scenario.released
    owned, open_ = int(np.sum(released.parent >= 0)), int(np.sum(released.parent == UNKNOWN))
    if released.source is not None and open_:
        notes.append(
            f"it is not known whose {open_:,} of {released.parent.size:,} released records are, and true matches are "
            "undefined. Give parent, or same_order where the order of the source file was kept"
        )
    elif released.source is not None and not released.methods and 2 * owned < released.parent.size:
        notes.append(
            f"only {owned:,} of {released.parent.size:,} released records have a row in the source file (parent); the "
            "others are taken as nobody's, and no link to them counts as right. Check parent"
        )
    doubts = doubts_of(scenario)
    return (*notes, *((doubts,) if doubts else ()))


def _found(name: str, found: int, alike: int, n: int) -> str:
    """Say how many ids of targets were found, and what is made of the others."""
    few = "only " if 2 * found < n else ""
    what = f"{few}{found:,} of {n:,} targets from elsewhere have an id ({name}) that the source file has, too; "
    if alike:
        what += f"{alike:,} would without leading zeros, blanks and capitals, so that true matches are undefined; "
    if n - found - alike:
        what += "the others are taken as known not to be in it, and no link of theirs counts as right. "
    return f"{what.rstrip('; .')}. Check that ids are written alike in both files"


def truth_notes_of_all(scenarios: Sequence[Scenario]) -> tuple[str, ...]:
    """Say it of all scenarios, each note once, with the releases it is about where there are several."""
    releases = dict.fromkeys(s.released.name for s in scenarios)
    where: dict[str, dict[str, None]] = {}
    for s in scenarios:
        for note in truth_notes(s):
            where.setdefault(note, {})[s.released.name] = None
    return tuple(
        (f"{', '.join(names)}: {note}." if len(names) < len(releases) else f"{note[:1].upper()}{note[1:]}.")
        for note, names in where.items()
    )
