"""Which variables rule out what happened: the records of targets whose own record is known, or all records."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.codebook import Kind
from confide.data.microdata import Microdata
from confide.linking.evidence import Evidence
from confide.linking.pieces import BeliefPiece, JointPiece, Piece
from confide.linking.row import piece_scores
from confide.typing import BoolArray, IntArray

LOOKED_AT = 20
"""So many targets are looked at to find the variables."""


def ruling_out(evidence: Evidence, targets: IntArray) -> tuple[list[str], bool]:
    """Name the variables that rule out the targets' own records, or all records where it is not known which is whose.

    Args:
        evidence: what is held against the targets.
        targets: their places; the first few are looked at.

    Returns:
        The variables that do so for most targets; and whether a belief does, rather than what is known.
    """
    counts: dict[tuple[str, ...], int] = {}
    believed: dict[tuple[str, ...], bool] = {}
    for t in targets[:LOOKED_AT].tolist():
        own = int(evidence.own_records[t])
        for piece, score in piece_scores(evidence, t):
            possible = np.isfinite(score)
            if not (possible[own] if own >= 0 else possible.any()):
                names = _names(piece)
                counts[names] = counts.get(names, 0) + 1
                believed[names] = isinstance(piece, BeliefPiece)
    most = [names for names, count in counts.items() if count == max(counts.values())]
    return list(dict.fromkeys(name for names in most for name in names)), any(believed[names] for names in most)


def _names(piece: Piece) -> tuple[str, ...]:
    """Name the variables of a piece of evidence."""
    if isinstance(piece, JointPiece):
        return piece.names
    found = [p.name for p in piece.parts] if isinstance(piece, BeliefPiece) else [piece.name]
    return tuple(dict.fromkeys(name.removesuffix(" (class)") for name in found))


def coded_otherwise(evidence: Evidence, who: BoolArray) -> list[str]:
    """Name known variables that nothing was done to and of which no released value is a true one.

    Nobody recognises anybody by them. That says nothing of the file: one of both files is coded otherwise. Amounts are left
    out, since others may have added noise to them.

    Args:
        evidence: what is held against the targets.
        who: the targets who matter.
    """
    released = evidence.released
    methods = [*released.methods, *(evidence.intruder.supposes.methods if evidence.intruder.supposes is not None else ())]
    touched = {n for m in methods for n in m.variables} | {n for step in released.steps for n in step.channels}
    from_source = released.source is not None and bool(np.all(evidence.target_rows[who] >= 0))
    people = released.source if from_source and released.source is not None else evidence.targets
    names = [n for n in evidence.intruder.variables if n in released.data.columns and n in people.columns]
    return [n for n in names if n not in touched and _apart(released.data, people, n)]


def _apart(released: Microdata, people: Microdata, name: str) -> bool:
    """Say whether two files hold no value of a variable in common; amounts are taken to have some."""
    a, b = released.columns[name], people.columns[name]
    labels = [{c.labels[k] for k in np.unique(c.codes[c.codes >= 0])} for c in (a, b)]
    numbers = [np.unique(c.numbers[c.is_number]) for c in (a, b)]
    amounts = people.variables[name].kind is Kind.CONTINUOUS and all(x.size for x in numbers)
    told = all(x or y.size for x, y in zip(labels, numbers, strict=True))
    return told and not amounts and not labels[0] & labels[1] and not np.isin(numbers[0], numbers[1]).any()


def listed(parts: Sequence[str]) -> str:
    """Join as in a sentence.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)
