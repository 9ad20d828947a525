"""Which points no other point beats."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import confide as cf

FEW = st.sampled_from([-np.inf, -1.0, 0.0, 0.5, 1.0, 2.0, np.inf])


def brute(risk, utility):
    pairs = list(zip(risk, utility, strict=True))
    return [not any(r <= a and u >= b and (r < a or u > b) for r, u in pairs) for a, b in pairs]


@given(st.lists(st.tuples(FEW, FEW), max_size=12))
def test_equals_the_definition(points):
    risk, utility = [p[0] for p in points], [p[1] for p in points]
    assert cf.frontier(risk, utility).tolist() == brute(risk, utility)
    turned = cf.frontier([-r for r in risk], [-u for u in utility], smaller_risk=False, larger_utility=False)
    assert turned.tolist() == brute(risk, utility)


def test_ties():
    assert cf.frontier([1, 1, 1], [2, 2, 1]).tolist() == [True, True, False]
    assert cf.frontier([1, 2], [2, 2]).tolist() == [True, False]
    assert cf.frontier([3], [0]).tolist() == [True]
    assert cf.frontier([], []).tolist() == []


def test_points_without_a_value_are_refused():
    with pytest.raises(cf.MapError, match="1 of 2 points have no utility"):
        cf.frontier([1.0, 2.0], [np.nan, 1.0])
    with pytest.raises(cf.MapError, match="1 of 2 points have no risk"):
        cf.frontier([1.0, np.nan], [1.0, 1.0])
    with pytest.raises(cf.MapError, match="found 1 risks and 2 utilities"):
        cf.frontier([1.0], [1.0, 2.0])
    with pytest.raises(cf.MapError, match="2 dimensions"):
        cf.frontier([[1.0]], [1.0])
