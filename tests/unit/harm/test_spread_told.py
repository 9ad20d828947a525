"""How harm is spread tells no bearer's loss to another."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.harm.told import Told


@pytest.mark.parametrize("other", [47111.0, 150333.0, 282777.0])
def test_one_of_two_bearers_reads_nothing_off_the_spread(other):
    """Of two bearers each read the other's loss to a per mille off the Gini coefficient."""
    own = 316540.0
    told = Told.of(np.array([0.0] * 8 + [own, other]))
    assert (told.gini, told.top_1, told.half) == (None, None, None)
    assert "Gini" not in repr(cf.Bearers.of([0.0] * 8 + [own, other]))


def test_two_bearers_among_thousands_are_not_told_apart():
    each = np.zeros(5_000)
    each[:2] = 316540.0, 47111.0
    told = Told.of(each)
    assert (told.harmed, told.gini, told.top_1, told.half) == (2, None, None, None)


def test_of_a_hundred_bearers_the_spread_is_told_to_one_digit():
    each = np.r_[np.zeros(900), np.arange(1.0, 101.0)]
    told, exact = Told.of(each), cf.Bearers.of(each)
    assert told.gini == round(exact.gini, 1)
    assert told.half == exact.half
    assert told.top_1 == float(f"{exact.top_1:.1g}")
    assert Told.of(each[:-1]).gini is None
