"""Values that may be blank: a blank agrees with everybody, and so does a target of whom a value is not known (HELD, E)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from confide.errors import IntruderError
from confide.intruder.blanks import Blanks, chance_of
from confide.linking.category import chances_for
from confide.linking.pieces import ONE_OF, BlockPiece, NumPiece, Piece, SamePiece, joint_codes
from confide.typing import FloatArray, IntArray, Label


def with_blanks(pieces: list[Piece], blanks: Blanks, *, recoded: frozenset[str], face_value: bool) -> list[Piece]:
    """Let variables that hold blanks agree where nothing is told.

    Args:
        pieces: the evidence of each variable.
        blanks: how the intruder reads them.
        recoded: variables whose released values are not the true ones.
        face_value: whether released values are taken at face value, so that blanks decide on consistency and no more.
    """
    found = [p for p in pieces if isinstance(p, BlockPiece) and (p.record.is_missing.any() or p.target.is_missing.any())]
    silent = {p.name for p in found if p.of_class}
    out: list[Piece] = []
    for piece in pieces:
        if isinstance(piece, BlockPiece) and any(piece is p for p in found):
            out.append(_same(piece, blanks, recoded=piece.name in recoded, face_value=face_value))
        elif isinstance(piece, NumPiece) and piece.name in silent:
            still = piece.state == 0
            out.append(replace(piece, a=np.where(still, np.nan, piece.a), b=np.where(still, np.nan, piece.b)))
        else:
            out.append(piece)
    return out


def _same(piece: BlockPiece, blanks: Blanks, *, recoded: bool, face_value: bool) -> SamePiece:
    """Compare values where both are there."""
    n = piece.record.size
    have = piece.record if piece.source is None else piece.record.append(piece.source)
    left, right, size = joint_codes(have, piece.target)
    codes, target = np.where(have.is_missing, -1, left), np.where(piece.target.is_missing, -1, right)
    return SamePiece(
        name=piece.name,
        record=codes[:n],
        target=target,
        source=None if piece.source is None else codes[n:],
        values=piece.record,
        target_values=piece.target,
        source_values=piece.source,
        chance=None if face_value else _chances(piece, blanks, np.concatenate([left, right]), size, recoded=recoded),
        tested=face_value,
        of_class=piece.of_class,
        merged=piece.merged is not None,
    )


def _chances(piece: BlockPiece, blanks: Blanks, codes: IntArray, size: int, *, recoded: bool) -> FloatArray | None:
    """Give the chance that each value is left blank; None: blanks tell nothing."""
    given, by_value = chances_for(blanks, piece.name)
    if given is None:
        return None
    if piece.of_class or (recoded and by_value):
        raise IntruderError(
            f"BlankedByValue {piece.name!r}: the variable is released recoded or with noise; "
            "give the chances of its released values with BlankedByReleased, or leave it out to read its blanks as not told"
        )
    column = piece.record if piece.source is None else piece.record.append(piece.source)
    column = column.append(piece.target)
    place, first = np.unique(codes, return_index=True)
    chance = np.zeros(size)
    chance[place] = [_chance(given, value, piece) for value in column.take(first).values()]
    return chance


def _chance(given: Mapping[Any, float] | float, value: Label | None, piece: BlockPiece) -> float:
    """Give the chance that a value is left blank; of levels taken as one, the mean over the people who have them."""
    if piece.merged is None or value != ONE_OF:
        return chance_of(given, value)
    many = sum(piece.merged.values())
    weights = {level: (n / many if many else 1 / len(piece.merged)) for level, n in piece.merged.items()}
    return sum(w * chance_of(given, level) for level, w in weights.items())
