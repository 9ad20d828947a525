"""Prior odds that are not those of look-alikes: levels with given probabilities, and a known chance of presence.

Pr(J = j) of a target whose level is l with probability p_l is the sum over levels of p_l 1[j fits l] / N_l, and
sum over levels of p_l (N_l - n_l) / N_l for the null link (HELD, G). With a known chance q of presence it is q / n for
each record and 1 - q for the null link (HELD, 0).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from confide.data.packing import groups
from confide.errors import IntruderError
from confide.intruder.intruder import Intruder
from confide.intruder.matching import WithoutReplacement
from confide.intruder.population import FromWeights, KnownChance
from confide.linking.arrays import Tables
from confide.linking.graph import Graph
from confide.linking.pieces import Piece, SamePiece, SetPiece, TestPiece
from confide.typing import FloatArray


def prior_odds(
    intruder: Intruder, pieces: Sequence[Piece], graph: Graph, tables: Tables, *, weighted: bool, simulated: float
) -> tuple[Tables, FloatArray | None]:
    """Give tables with the prior odds of records, and the odds of the null link for each target profile.

    Args:
        intruder: who looks.
        pieces: the evidence.
        graph: profiles and blocks.
        tables: what was worked out beforehand.
        weighted: whether the released file holds survey weights.
        simulated: the share of records that belong to nobody.

    Returns:
        The tables; and None where the null link follows from the number of look-alikes.
    """
    sets = [p for p in pieces if isinstance(p, SetPiece) and p.prior is not None]
    chance = intruder.population if isinstance(intruder.population, KnownChance) else None
    if not sets and chance is None:
        return tables, None
    _check(intruder, pieces, sets, weighted=weighted, simulated=simulated)
    if chance is not None:
        n = float(graph.count.sum())
        return tables, np.full(graph.target_first.size, n * (1.0 - chance.chance) / chance.chance)
    return _levels(intruder, sets, graph, tables)


def _check(
    intruder: Intruder, pieces: Sequence[Piece], sets: Sequence[SetPiece], *, weighted: bool, simulated: float
) -> None:
    """Raise on what does not go together."""
    what = "OneOf with a prior" if sets else "KnownChance"
    tests = any(isinstance(p, TestPiece) or (isinstance(p, SamePiece) and p.tested) for p in pieces)
    loose = any(isinstance(p, SetPiece) and p.prior is None for p in pieces)
    blank = any(isinstance(p, SamePiece) or (isinstance(p, SetPiece) and bool(np.any(p.record == 0))) for p in pieces)
    if tests or loose or (sets and blank):
        raise IntruderError(
            f"{what} is not combined with bounds, or levels without a prior, of variables that are not altered, nor with "
            "blanks; give these exactly, leave them out, or leave the prior out"
        )
    if isinstance(intruder.matching, WithoutReplacement) or simulated > 0:
        raise IntruderError(f"{what} is for matching with replacement in files without simulated records")
    by_weights = isinstance(intruder.population or FromWeights(), FromWeights) and weighted
    if sets and not intruder.target_in_file and not by_weights:
        raise IntruderError(
            "OneOf with a prior needs the number of people like the target for each level; use the survey weights "
            "(population=FromWeights()), or leave the prior out"
        )


def _levels(intruder: Intruder, sets: Sequence[SetPiece], graph: Graph, tables: Tables) -> tuple[Tables, FloatArray]:
    """Weigh the levels of variables that are not altered by their probabilities, over how many people have them."""
    codes = [p.record[graph.record_first] for p in sets]
    blocks, size = graph.block_start.size - 1, graph.count.size
    first, level = groups(codes, size)
    # levels of several variables are independent
    p = np.prod([s.prior[c[first]] for s, c in zip(sets, codes, strict=True) if s.prior is not None], axis=0)
    cell = graph.block_of_record * first.size + level
    n = np.bincount(cell, weights=graph.count, minlength=blocks * first.size)
    people = n if intruder.target_in_file else np.maximum(np.bincount(cell, weights=graph.weight, minlength=n.size), n)
    with np.errstate(divide="ignore"):
        value = np.log(p[level]) - np.log(people[cell])
    here = people.reshape(blocks, first.size)
    share = np.divide(n.reshape(here.shape), here, out=np.zeros_like(here), where=here > 0)
    outside = 1.0 - share @ p if not intruder.target_in_file else np.zeros(blocks)
    block = graph.block_of_target
    null = np.where(block >= 0, np.maximum(outside, 0.0)[np.maximum(block, 0)], 1.0)
    offset = np.full((1, block.size), tables.value.size, dtype=np.int64)
    tables = tables._replace(
        offset=np.concatenate([tables.offset.reshape(-1, block.size), offset]), value=np.concatenate([tables.value, value])
    )
    return tables, null
