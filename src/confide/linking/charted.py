"""Is it known what the masking does to a variable?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from confide.errors import LikelihoodError, ReleaseError
from confide.intruder.intruder import Intruder
from confide.intruder.supposing import supposes_otherwise
from confide.release.method import Method, Step
from confide.release.methods.drop import Drop
from confide.release.release import Release
from confide.release.released import Released


def steps_for(intruder: Intruder, released: Released, names: Iterable[str]) -> Sequence[Step]:
    """Give the steps that the intruder believes were taken; raise where one of them masks a variable in an unknown way.

    Args:
        intruder: who looks. One who takes released values at face value needs no channels.
        released: the released file.
        names: the variables that the intruder weighs.
    """
    if intruder.supposes is None:
        methods: Sequence[Method] = released.methods
        steps: Sequence[Step] = released.steps
    else:
        methods = [m for m in intruder.supposes.methods if not isinstance(m, Drop)]
        steps = _supposed(intruder, intruder.supposes, released)
    if intruder.understands_masking:
        wanted = [n for n in names if n in released.data.columns]
        for method, step in zip(methods, steps, strict=False):
            blank = [n for n in wanted if n in method.variables and n not in step.channels]
            if blank:
                raise LikelihoodError(
                    f"{type(method).__name__} masks {', '.join(map(repr, blank[:5]))} and its step has no channel for it, "
                    "so that nobody can say how probable a released value is. Give the step a channel; or take measures "
                    "that need none, such as FileMeasure(distance_linkage); or let the intruder take released values at "
                    "face value with understands_masking=False"
                )
    return steps


def _supposed(intruder: Intruder, supposes: Release, released: Released) -> Sequence[Step]:
    """Read supposed steps from the released file; where it was coded so that they cannot be, from what was done."""
    try:
        return supposes.bind(released.data)
    except ReleaseError:
        if supposes_otherwise(intruder, released):
            raise
        # nothing to learn about a file that was masked as supposed
        return [s for m, s in zip(released.methods, released.steps, strict=True) if not isinstance(m, Drop)]
