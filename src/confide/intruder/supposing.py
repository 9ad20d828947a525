"""Is the masking that an intruder supposes the one that was done?"""

from __future__ import annotations

from collections.abc import Sequence

from confide.intruder.intruder import Intruder
from confide.release.method import Method
from confide.release.methods.drop import Drop
from confide.release.released import Released


def supposes_otherwise(intruder: Intruder, released: Released) -> bool:
    """Say whether an intruder supposes another masking than was done; one who supposes none does not.

    What was dropped is seen in the file, and does not count. Of a file that someone else made nobody knows what was done.

    >>> import confide as cf
    >>> release = cf.Release(cf.Swap("sex", rate=0.5))
    >>> file = release.apply(cf.Microdata.from_dict({"sex": ["f", "m"]}), seed=1)
    >>> supposes_otherwise(cf.Intruder(knows=["sex"], supposes=release), file)
    False
    >>> supposes_otherwise(cf.Intruder(knows=["sex"], supposes=cf.Release(cf.Swap("sex", rate=0.1))), file)
    True
    """
    if intruder.supposes is None:
        return False
    if not released.methods and not released.made_here:
        return True
    return not _same(_masking(intruder.supposes.methods), _masking(released.methods))


def _masking(methods: Sequence[Method]) -> list[Method]:
    """Leave out what only drops variables."""
    return [m for m in methods if not isinstance(m, Drop)]


def _same(one: Sequence[Method], other: Sequence[Method]) -> bool:
    """Say whether methods are equal; methods that cannot be compared are not taken for equal."""
    try:
        return len(one) == len(other) and all(a is b or bool(a == b) for a, b in zip(one, other, strict=True))
    except (TypeError, ValueError):
        return False
