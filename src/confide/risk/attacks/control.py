"""A control group: people like those of the file, who are not in it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from confide.data.codebook import Role
from confide.data.microdata import Microdata
from confide.errors import DataError, IntruderError
from confide.risk.attacks.result import SuccessRate
from confide.risk.frequency.cells import cells_of, coded
from confide.seeds import Stream
from confide.typing import IntArray

SURE = 1 - 1e-8
"""The level at which a control group is said to hold people of the original file; records that are alike come in groups."""


class ControlSplit(NamedTuple):
    """A source file in two parts."""

    train: Microdata
    """What the release is made from."""
    control: Microdata
    """People who stay out of it."""


def split_control(data: Microdata, share: float = 0.5, *, seed: int = 1) -> ControlSplit:
    """Divide a source file at random, before it is masked, into one part to release and a control group.

    Records keep their order. Members of a household stay together. A control group as large as the other part serves every
    attack; singling out needs one that is no smaller.

    Args:
        data: the source file.
        share: about which share of the records becomes the control group.
        seed: the same seed gives the same parts.

    >>> import confide as cf
    >>> parts = cf.split_control(cf.examples.cps(), seed=7)
    >>> parts.train.n == parts.control.n
    True
    """
    if not 0 < share < 1:
        raise IntruderError(f"share must lie between 0 and 1, found {share}; 0.5 makes two parts of equal size")
    unit = _units(data)
    units = int(unit.max(initial=-1)) + 1
    if units < 2:
        raise DataError(f"{data.name!r} has {data.n} records in {units} household(s) or alone; two are needed for two parts")
    order = Stream(seed, "split control").order(np.arange(units, dtype=np.int64))
    size = np.cumsum(np.bincount(unit, minlength=units)[order])
    taken = int(np.clip(np.argmin(np.abs(size - share * data.n)) + 1, 1, units - 1))
    chosen = np.zeros(units, dtype=np.bool_)
    chosen[order[:taken]] = True
    inside = chosen[unit]
    return ControlSplit(data.take(np.flatnonzero(~inside)), data.take(np.flatnonzero(inside)))


def _units(data: Microdata) -> IntArray:
    """Number what must stay together: households, or records; who has no household stands alone."""
    names = data.with_role(Role.HOUSEHOLD)
    alone = np.arange(data.n, dtype=np.int64)
    if not names or not data.n:
        return alone
    ids = coded(data.columns[names[0]])
    unit = np.where(ids.is_missing, ids.width + alone, ids.ids)
    return np.unique(unit, return_inverse=True)[1].astype(np.int64)


def check_control(original: Microdata, control: Microdata, names: tuple[str, ...]) -> None:
    """Raise where the control group can be seen to hold people of the original file.

    Declared identifiers tell. Without them, about as many control records should equal an original record in all variables
    as original records equal another one; where clearly more do, some are people of the file.

    Args:
        original: the original file.
        control: the control group.
        names: the variables compared.
    """
    what = "The control group must be other people: take split_control(data, seed=...) before masking, and release train"
    if control is original:
        raise IntruderError(f"the control group is the original file itself. {what}")
    shared = [n for n in original.with_role(Role.IDENTIFIER) if n in control.with_role(Role.IDENTIFIER)]
    for name in shared:
        both = len(set(_present(original, name)) & set(_present(control, name)))
        if both:
            raise IntruderError(f"{both:,} values of the identifier {name!r} stand in both original and control. {what}")
    pooled = [coded(original.columns[n].append(control.columns[n])) for n in names]
    cell = cells_of(pooled).of
    times = np.bincount(cell[: original.n], minlength=int(cell.max()) + 1)[cell]
    theirs, ours = int(np.sum(times[original.n :] > 0)), int(np.sum(times[: original.n] > 1))
    if SuccessRate.of(theirs, control.n, SURE).above(SuccessRate.of(ours, original.n, SURE)):
        raise IntruderError(
            f"{theirs:,} of {control.n:,} control records equal an original record in all {len(names)} variables, while "
            f"{ours:,} of {original.n:,} original records equal another one: some must be the same people. {what}"
        )


def _present(data: Microdata, name: str) -> list[object]:
    """Give the values that are not missing, as text."""
    return [str(v) for v in data.columns[name].values() if v is not None]
