"""What an intruder knows of people, made ready to look them up among released records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.codebook import Kind
from confide.data.microdata import Microdata
from confide.errors import IntruderError
from confide.linking.distance.encode import distances_for, encode
from confide.linking.distance.neighbours import Search
from confide.linking.distance.nominal import NominalDistance
from confide.linking.distance.numeric import NumericDistance
from confide.linking.distance.part import VariableDistance
from confide.linking.distance.scale import BySd, Scale, Unscaled
from confide.release.coding import read_back
from confide.release.released import UNKNOWN, Released
from confide.risk.attacks.people import Channels

Known = Sequence[str | VariableDistance]
"""What an intruder knows: names, which stand for the distance of the variable's kind, or distances."""


def names_of(known: Known) -> tuple[str, ...]:
    """Give the names of the variables known."""
    return tuple(n for v in known for n in ((v,) if isinstance(v, str) else v.variables))


def search_for(people: Microdata, released: Microdata, known: Known, channels: Channels) -> Search:
    """Make ready to look people up among released records.

    Numbers are divided by their standard deviation in the released file, which the intruder has.
    """
    names = names_of(known)
    files = [_placed(f, names, channels) for f in (people, released)]
    both = Released(files[0], files[1], np.full(files[0].n, UNKNOWN, dtype=np.int64))
    chosen = [_default(v, *files) if isinstance(v, str) else v for v in known]
    return Search(encode(both, distances_for(both, chosen)))


def _default(name: str, people: Microdata, released: Microdata) -> str | VariableDistance:
    """Give the distance of a variable's kind, one that constant variables and unseen levels do not stop."""
    kind, theirs, ours = released.variables[name].kind, people.columns[name], released.columns[name]
    if kind.is_numeric:
        x, y = (c.numbers[c.is_number] for c in (theirs, ours))
        scales: tuple[Scale, ...] = (BySd(), BySd(both=True))
        return NumericDistance(name, scale=next((s for s in scales if s.of(y, x) > 0), Unscaled()))
    if kind is Kind.ORDINAL:
        seen = {theirs.labels[c] for c in np.unique(theirs.codes[theirs.codes >= 0])}
        if not seen <= set(ours.labels) or (ours.labels and bool(ours.is_number.any() or theirs.is_number.any())):
            return NominalDistance(name)
    return name


def _placed(file: Microdata, names: Sequence[str], channels: Channels) -> Microdata:
    """Put categories among numbers, such as that of a topcode, at the end of the numbers they stand for."""
    columns = {}
    for name in names:
        column = file.columns[name]
        if not file.variables[name].kind.is_numeric or not bool(np.any(column.codes >= 0)):
            continue
        for channel in channels.get(name, []):
            column = read_back(column, channel)
        left = int(np.sum(column.codes >= 0))
        if left:
            raise IntruderError(
                f"{name!r} holds categories among its numbers in {left:,} of {column.size:,} records, and what they stand "
                f"for is not known; declare(kinds={{{name!r}: 'nominal'}}) in all files, or leave it out"
            )
        columns[name] = column
    return file.with_columns(columns)

