"""Link targets to a released file."""

from __future__ import annotations

from confide.intruder.intruder import Intruder
from confide.intruder.matching import WithoutReplacement
from confide.intruder.targets import Targets
from confide.linking.evidence import gather
from confide.linking.links import Links
from confide.linking.parallel import Progress, phase_of, silent
from confide.linking.posterior.independent import independent
from confide.linking.posterior.without import without_replacement
from confide.linking.supposed import refuse_contradicted, refuse_nobody
from confide.release.released import Released


def link(released: Released, intruder: Intruder, targets: Targets | None = None, *, progress: Progress = silent) -> Links:
    """Give the probability that each released record is a target's.

    Each target is matched on its own (Reiter 2005, eq. 1), or all records compete for all targets
    (Duncan and Lambert 1987, eq. 4.1), as the intruder's `matching` says.

    Args:
        released: the released file.
        intruder: what is known, believed and understood.
        targets: whom the intruder looks for; None: every respondent of the source file.
        progress: called with how much of how much is done.

    >>> import confide as cf
    >>> source = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "race": ["w", "w", "w"]})
    >>> links = cf.link(cf.Release().apply(source, seed=1), cf.Intruder(knows=["sex", "race"]))
    >>> links.own.tolist()
    [1.0, 0.5, 0.5]
    """
    group = targets or Targets.all()
    people, rows = group.resolve(released.source)
    if group.knows is not None:
        intruder = intruder.but(knows=tuple(group.knows))
    evidence = gather(released, intruder, people, rows, progress=phase_of(progress, 0, 2))
    refuse_nobody(evidence)
    last = phase_of(progress, 1, 2)
    if isinstance(intruder.matching, WithoutReplacement):
        links = without_replacement(evidence, intruder.matching, progress=last)
    else:
        links = independent(evidence, progress=last)
    refuse_contradicted(links)
    return links
