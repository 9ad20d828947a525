"""Patterns of random tables protect, and the exact ones are the cheapest of all."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from reference.table_brute import cheapest, protected


@st.composite
def tasks(draw, shapes=((2, 2), (3, 2), (2, 2, 2), (4, 2))):
    """Draw a small table, its sensitive cells and their levels."""
    shape = draw(st.sampled_from(shapes))
    trees = [[-1, 0, 0, 1, 1, 2, 2], [-1, 0, 0]] if shape == (4, 2) else None
    size = int(np.prod(shape))
    leaves = draw(st.lists(st.integers(0, 15), min_size=size, max_size=size))
    system = cf.nested_system(np.array(leaves, dtype=float).reshape(shape), trees)
    sensitive = draw(st.lists(st.integers(0, system.n - 1), min_size=1, max_size=3, unique=True))
    level = st.integers(0, 4)
    levels = np.zeros((3, system.n))
    for s in sensitive:
        levels[:, s] = draw(level), draw(level), draw(level)
    levels[0] = np.minimum(levels[0], system.values)
    return system, cf.Protection(*levels), sensitive


def pattern(system, protection, **settings):
    """Give a pattern, or None where there is none."""
    try:
        return cf.suppress(system, protection=protection, **settings)
    except cf.Unprotectable:
        return None


@given(tasks())
@settings(max_examples=60, deadline=None)
def test_patterns_are_clean_and_plain_programmes_agree(task):
    system, protection, _ = task
    found = pattern(system, protection)
    if found is None:
        assert not protected(system, range(system.n), protection)
    else:
        assert found.audit.clean
        assert protected(system, found.suppressed, protection)
        assert cf.audit(system, found.suppressed, protection).clean


@given(tasks(shapes=((2, 2),)))
@settings(max_examples=25, deadline=None)
def test_exact_patterns_are_the_cheapest(task):
    system, protection, _ = task
    found, best = pattern(system, protection, method=cf.Exact()), cheapest(system, protection)
    assert (found is None) == (best is None)
    if found is not None:
        assert found.cost == pytest.approx(best[0], rel=1e-6)
        assert found.gap == pytest.approx(0.0, abs=1e-6)


@given(tasks(shapes=((2, 2),)), st.integers(0, 8))
@settings(max_examples=20, deadline=None)
def test_exact_patterns_are_the_cheapest_against_an_insider(task, known):
    system, protection, _ = task
    attackers = cf.insiders(system, [known])
    found = pattern(system, protection, method=cf.Exact(), attackers=attackers)
    best = cheapest(system, protection, attackers)
    assert (found is None) == (best is None)
    if found is not None:
        assert found.cost == pytest.approx(best[0], rel=1e-6)


@given(tasks())
@settings(max_examples=30, deadline=None)
def test_patterns_hold_against_every_sensitive_respondent(task):
    system, protection, sensitive = task
    attackers = cf.insiders(system, sensitive)
    found = pattern(system, protection, attackers=attackers)
    if found is not None:
        assert found.audit.clean
        assert protected(system, found.suppressed, protection, attackers)


@given(tasks())
@settings(max_examples=20, deadline=None)
def test_the_same_table_gets_the_same_pattern(task):
    system, protection, _ = task
    for method in (cf.Heuristic(), cf.Exact()):
        a, b = (pattern(system, protection, method=method) for _ in range(2))
        assert (a is None and b is None) or a.suppressed.tobytes() == b.suppressed.tobytes()


@given(tasks(shapes=((3, 2), (2, 2, 2), (4, 2))))
@settings(max_examples=20, deadline=None)
def test_exact_is_never_dearer_and_its_bound_holds(task):
    system, protection, _ = task
    quick, exact = pattern(system, protection), pattern(system, protection, method=cf.Exact())
    assert (quick is None) == (exact is None)
    if exact is not None:
        assert exact.cost <= quick.cost * (1 + 1e-9)
        assert exact.bound <= exact.cost * (1 + 1e-9)
        assert exact.gap <= 1e-6
