"""Mask a file many times, ask the intruder, and compare what is stated with what is true."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.calibration.readings import readings
from confide.calibration.reasons import failing_assumptions
from confide.calibration.reliability import Reliability, bin_names
from confide.calibration.result import Calibrated, Calibration
from confide.calibration.tally import Tally, tally
from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import IntruderError, ReleaseError, unknown
from confide.intruder.blanks import NotTold
from confide.intruder.intruder import Intruder
from confide.intruder.targets import Targets
from confide.linking.link import link
from confide.linking.parallel import Progress, phase_of, silent
from confide.release.release import Release
from confide.release.released import Released
from confide.risk.groups import grouped
from confide.seeds import Stream
from confide.typing import FloatArray, IntArray

MOST_VARIABLES = 4
"""How many variables give groups when none are asked for."""


def calibrate(
    data: Microdata,
    release: Release,
    intruders: Intruder | Sequence[Intruder],
    times: int = 20,
    *,
    targets: Targets | None = None,
    by: Sequence[str] | None = None,
    everyone: bool = False,
    pairs_of: int = 300,
    seed: int = 0,
    progress: Progress = silent,
) -> Calibration:
    """Say how far the intruder's probabilities come true on a file.

    The file is masked `times` times with fresh seeds. Each time the intruder states a probability for every record,
    and the agency knows which record is whose. Where p is stated, the share p should come true. The source file stays
    as it is: what varies is the masking, and what is averaged over are the targets. Of an intruder who knows a rule behind
    blanks, the same one who does not is compared as well, as in an assessment.

    Args:
        data: the source file.
        release: how it is masked.
        intruders: one or several intruders.
        times: how often the file is masked; the errors are those between the times.
        targets: whom the intruder looks for; None: every respondent.
        by: variables of the source file by which to look for the worst group; None: up to four that are known.
        everyone: whether the source file holds all people the intruder could mean. Only then can the null link be
            compared; otherwise targets without a record do not count, and p is taken given that there is one.
        pairs_of: of how many targets, drawn anew each time, all pairs with records are compared.
        seed: where the fresh seeds come from.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f"] * 40, "race": ["w", "w", "b", "w"] * 20})
    >>> found = cf.calibrate(source, cf.Release(cf.Swap("race", rate=0.5)), cf.Intruder(knows=["sex", "race"]), times=10)
    >>> found.intruders[0].matches.agrees
    True
    """
    asked = [intruders] if isinstance(intruders, Intruder) else list(intruders)
    _check(data, release, asked, times, pairs_of)
    group = targets or Targets.all()
    seeds = [int(w >> np.uint64(2)) for w in Stream(seed, "masked again").words(np.arange(times, dtype=np.int64))]
    people = [one for person in asked for one in _readings(data, release, person, seeds)]
    rows = _resolved(group, data)
    members = [_members(rows, data, _variables(by, person, rows)) for person in people]
    tallies: list[list[Tally]] = [[] for _ in people]
    for k, fresh in enumerate(seeds):
        released = release.apply(data, seed=fresh)
        for i, person in enumerate(people):
            links = link(released, person, group, progress=phase_of(progress, k * len(people) + i, times * len(people)))
            sizes = [(len(names), member) for names, member in members[i].values()]
            tallies[i].append(tally(links, sizes, everyone=everyone, drawn=pairs_of, seed=fresh))
    progress(1000, 1000)
    found = [
        _calibrated(p, released, t, {v: n for v, (n, _) in m.items()}, everyone=everyone)
        for p, t, m in zip(people, tallies, members, strict=True)
    ]
    return Calibration(release.name, times, seed, pairs_of, tuple(found))


def _readings(data: Microdata, release: Release, person: Intruder, seeds: Sequence[int]) -> tuple[Intruder, ...]:
    """Give the intruder, and the same one who reads blanks as not told where any of the releases holds blanks."""
    if isinstance(person.blanks, NotTold):
        return (person,)
    found = (readings(release.apply(data, seed=fresh), person) for fresh in seeds)
    return next((both for both in found if len(both) > 1), (person,))


def _check(data: Microdata, release: Release, people: Sequence[Intruder], times: int, pairs_of: int) -> None:
    """Raise where there is nothing to compare."""
    if not isinstance(release, Release):
        raise ReleaseError(
            f"calibrate masks the file again, so it needs the Release itself, found {type(release).__name__}; "
            "a file masked elsewhere cannot be calibrated"
        )
    if not isinstance(data, Microdata) or data.n == 0:
        raise ReleaseError("calibrate needs a source file with records")
    if not people or not all(isinstance(p, Intruder) for p in people):
        raise IntruderError("calibrate needs one Intruder or a list of them")
    if isinstance(times, bool) or not isinstance(times, int) or times < 2:
        raise IntruderError(f"times must be a whole number of 2 or more, as errors are those between times; found {times!r}")
    if pairs_of < 1:
        raise IntruderError(f"pairs_of must be 1 or more, found {pairs_of}")


def _resolved(group: Targets, data: Microdata) -> Microdata:
    """Give the targets, who must be respondents: nobody knows the records of people from elsewhere."""
    if group.records is not None:
        raise IntruderError("calibrate needs targets of the source file, whose records are known; use Targets.where(...)")
    return group.resolve(data)[0]


def _variables(by: Sequence[str] | None, intruder: Intruder, targets: Microdata) -> list[str]:
    """Give the variables asked for, or up to four that are known."""
    if by is not None:
        wanted = [by] if isinstance(by, str) else list(by)
        for name in wanted:
            if name not in targets.columns:
                raise IntruderError(f"by: {unknown('variable', name, targets.names)}")
        return wanted
    known = [v for v in intruder.variables if v in targets.columns]
    return [v for v in known if targets.variables[v].role is not Role.IDENTIFIER][:MOST_VARIABLES]


def _members(targets: Microdata, data: Microdata, names: Sequence[str]) -> dict[str, tuple[list[str], IntArray]]:
    """Put the targets into groups, by each variable."""
    return {v: grouped(targets.columns[v], 10, dict(data.variables[v].labels)) for v in names}


def _calibrated(
    intruder: Intruder, released: Released, tallies: Sequence[Tally], names: dict[str, list[str]], *, everyone: bool
) -> Calibrated:
    """Gather what was counted each time."""
    nulls = [t.null for t in tallies if t.null is not None]
    return Calibrated(
        intruder=intruder,
        best=_reliability(bin_names(), [t.best for t in tallies]),
        pairs=_reliability(bin_names(), [t.pairs for t in tallies]),
        null=_reliability(bin_names(), nulls) if nulls else None,
        groups={v: _reliability(tuple(g), [t.groups[i] for t in tallies]) for i, (v, g) in enumerate(names.items())},
        given_in_file=not everyone and not intruder.target_in_file,
        assumptions=failing_assumptions(intruder, released),
        broken=float(np.mean([t.broken for t in tallies])),
    )


def _reliability(names: tuple[str, ...], rows: Sequence[FloatArray]) -> Reliability:
    """Set the counts of all times below each other."""
    table = np.stack(rows, axis=1)
    return Reliability(names, table[0], table[1], table[2])
