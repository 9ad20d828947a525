"""What is known of counts: intervals of an audit against all tables of whole numbers that could stand behind it."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.integers(0, 4), min_size=6, max_size=6),
    st.sets(st.integers(0, 11), min_size=2, max_size=8),
)
def test_intervals_of_counts_hold_every_table_that_is_possible(leaves, hidden):
    plain = cf.nested_system(np.array(leaves).reshape(2, 3))
    system = cf.System(plain.values, plain.equations, whole=True)
    found = cf.audit(system, sorted(hidden))
    inner = [5, 6, 7, 9, 10, 11]
    shown = [c for c in range(12) if c not in hidden]
    top = int(plain.values[0])
    low, high = np.full(12, np.inf), np.full(12, -np.inf)
    for guess in itertools.product(range(min(top, 5) + 1), repeat=sum(c in hidden for c in inner)):
        cells = plain.values[inner].copy()
        cells[[k for k, c in enumerate(inner) if c in hidden]] = guess
        values = _sums(cells)
        if np.array_equal(values[shown], plain.values[shown]):
            low, high = np.minimum(low, values), np.maximum(high, values)
    for c in sorted(hidden):
        a, b = found.interval(c)
        assert a == round(a)
        assert a <= low[c]
        assert b >= high[c]


def _sums(cells):
    """Add up a table of two rows and three columns with its totals."""
    x = np.zeros((3, 4))
    x[1:, 1:] = cells.reshape(2, 3)
    x[0, 1:], x[1:, 0] = x[1:, 1:].sum(axis=0), x[1:, 1:].sum(axis=1)
    x[0, 0] = x[1:, 1:].sum()
    return x.ravel()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=4, max_size=40), st.integers(2, 4))
def test_counts_that_are_protected_stay_so_when_known_to_be_whole(records, least):
    data = cf.Microdata.from_dict({"a": [f"a{i}" for i, _ in records], "b": [f"b{j}" for _, j in records]})
    table = cf.tabulate(data, ["a", "b"])
    try:
        done = cf.protect_table(table, cf.MinimumFrequency(least))
    except cf.Unprotectable:
        return
    assert done.clean
    assert done.audited().clean
