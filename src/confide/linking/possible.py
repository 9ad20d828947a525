"""Levels of an altered category one of which is believed to be a target's, weighed with all else that is free."""

from __future__ import annotations

import numpy as np

from confide.data.column import Column
from confide.errors import IntruderError, unknown_level
from confide.intruder.blanks import Blanks
from confide.intruder.distribution import Belief, Lognormal, Mixture, Normal, Uniform, possibilities
from confide.intruder.knowledge import OneOf
from confide.linking.altered import coded_part, labels_of
from confide.linking.beliefs import Free
from confide.linking.category import Strata, level_codes, swapped_piece
from confide.linking.deterministic import holds_numbers, levels_column, named_levels
from confide.linking.levels import shares
from confide.linking.pieces import CatPiece
from confide.linking.view import View
from confide.release.channel import Discrete
from confide.release.methods.swap import MISSING_LEVEL
from confide.typing import Label


def one_of(view: View, item: OneOf, strata: Strata, blanks: Blanks) -> Free:
    """Weigh an altered category that is not known by the levels the intruder takes to be possible (section 3.3).

    They weigh as they are common among the people the intruder could mean. Unlike what is known, a belief may be wrong: who
    has another level is ruled out, and counted.

    Args:
        view: the variable.
        item: the levels that are possible, without a prior.
        strata: categories that are weighed by their true levels.
        blanks: how blanks are read.
    """
    core = view.composite.core
    if isinstance(core, Discrete):
        part = swapped_piece(view, core, strata, blanks)
    elif core is None and labels_of(view) and not holds_numbers(view):
        missing = view.source is not None and bool(view.source.is_missing.any())
        part = coded_part(view, (*labels_of(view), *((MISSING_LEVEL,) if missing else ())), blanks)
    else:
        raise IntruderError(
            f"unavailable: OneOf {view.name!r} names levels and the variable holds numbers; say how probable each is with "
            "prior=[...], or give a distribution such as Uniform(low, high), or a Mixture of values"
        )
    numbers = [x for x in item.levels if isinstance(x, int | float)] if holds_numbers(view) else []
    if len(numbers) == len(item.levels):
        chosen = Column.of_numbers([float(x) for x in numbers])
    else:
        chosen = Column.of_labels(named_levels(view, item, part.levels))
    places = level_codes(view.composite.push(chosen) if isinstance(core, Discrete) else chosen, part.levels)
    if bool(np.all(places < 0)):
        raise IntruderError(f"OneOf {view.name!r}: none of the numbers named is one that anybody in the file has")
    return Free(view.name, (part,), (part,), np.isin(np.arange(len(part.levels)), places))


def as_mixture(view: View, item: OneOf) -> Mixture:
    """Read levels with given probabilities as a mixture of them."""
    assert item.probabilities is not None
    levels = named_levels(view, item) if labels_of(view) and not holds_numbers(view) else item.levels
    return Mixture(tuple(zip(item.probabilities, levels, strict=True)))


def numbers_mixture(view: View, item: OneOf) -> Mixture:
    """Read what is known of a noisy number, one of some numbers with given probabilities, as a mixture of these."""
    numbers = levels_column(view, item).numbers.tolist()
    if item.probabilities is None:
        raise IntruderError(
            f"OneOf {view.name!r}: the variable is a noisy number, and how common each number is among those who could be "
            "meant is not counted; say how probable each is with prior=[...], or use Between or Within"
        )
    return Mixture(tuple(zip(item.probabilities, numbers, strict=True)))


def with_probabilities(view: View, part: CatPiece, belief: Belief) -> Free:
    """Weigh a category that is known as levels with probabilities.

    Args:
        view: the variable.
        part: what was done to it.
        belief: the levels with their probabilities.
    """
    place: dict[Label, int] = {level: i for i, level in enumerate(part.levels)}
    prior = np.zeros(len(part.levels))
    for weight, level in possibilities(belief):
        if isinstance(level, Normal | Lognormal | Uniform):
            prior += weight * shares(part, level)
            continue
        if not isinstance(level, str | int | float) or level not in place:
            # what is believed of a variable may be what respondents confided
            raise IntruderError(f"Distributed {view.name!r}: {unknown_level(level, part.levels, confided=True)}")
        prior[place[level]] += weight
    return Free(view.name, (part,), (part,), prior > 0, prior, known=True)
