"""Audits of random tables agree with a fresh programme for each bound."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from reference.table_brute import interval

TREE = [-1, 0, 0, 1, 1, 2, 2]
"""A total, two groups, two codes in each."""


@st.composite
def patterns(draw):
    """Draw a small table and suppressed cells."""
    kind = draw(st.sampled_from(["2-D", "nested", "3-D", "signed"]))
    shape, trees = {
        "2-D": ((3, 3), None),
        "nested": ((4, 2), [TREE, [-1, 0, 0]]),
        "3-D": ((2, 2, 2), None),
        "signed": ((3, 2), None),
    }[kind]
    least = -4 if kind == "signed" else 0
    leaves = draw(st.lists(st.integers(least, 12), min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    system = cf.nested_system(np.array(leaves, dtype=float).reshape(shape), trees)
    if kind == "signed":
        system = cf.System(system.values, system.equations, lower=np.minimum(system.values, -5.0))
    chosen = draw(st.lists(st.integers(0, system.n - 1), min_size=1, max_size=14, unique=True))
    return system, sorted(chosen)


@given(patterns())
@settings(max_examples=60, deadline=None)
def test_intervals_are_those_of_fresh_programmes(case):
    system, suppressed = case
    found = cf.audit(system, suppressed)
    for c in suppressed:
        low, high = interval(system, suppressed, c)
        assert found.interval(c) == pytest.approx((low, high), abs=1e-6)
        assert found.interval(c)[0] - 1e-9 <= system.values[c] <= found.interval(c)[1] + 1e-9


@given(patterns(), st.data())
@settings(max_examples=40, deadline=None)
def test_insiders_deduce_what_fresh_programmes_say(case, data):
    system, suppressed = case
    known = data.draw(st.lists(st.sampled_from(suppressed), min_size=1, max_size=2, unique=True))
    exact = cf.Attacker.knowing(system, known)
    part = cf.Attacker("part", {c: float(system.values[c]) - 1 for c in known})
    found = cf.audit(system, suppressed, attackers=[exact, part])
    quick = cf.audit(system, suppressed, attackers=[exact, part], exact=False)
    for attacker in (exact, part):
        bounds = {c: (attacker.lower[c], attacker.upper.get(c, np.inf)) for c in known}
        for c in suppressed:
            if c not in known:
                assert found.interval(c, attacker.name) == pytest.approx(interval(system, suppressed, c, bounds), abs=1e-6)
    assert {(e.attacker, e.cell) for e in found.exposed} == {(e.attacker, e.cell) for e in quick.exposed}


@given(patterns(), st.data())
@settings(max_examples=40, deadline=None)
def test_more_suppressed_cells_never_narrow_an_interval(case, data):
    system, suppressed = case
    more = data.draw(st.lists(st.integers(0, system.n - 1), max_size=6))
    a, b = cf.audit(system, suppressed), cf.audit(system, sorted({*suppressed, *more}))
    for c in suppressed:
        assert b.interval(c)[0] <= a.interval(c)[0] + 1e-6
        assert b.interval(c)[1] >= a.interval(c)[1] - 1e-6


@given(patterns())
@settings(max_examples=20, deadline=None)
def test_the_same_audit_has_the_same_bytes(case):
    system, suppressed = case
    a, b = (cf.audit(system, suppressed) for _ in range(2))
    assert a.low.tobytes() == b.low.tobytes()
    assert a.high.tobytes() == b.high.tobytes()
