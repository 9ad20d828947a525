"""Every table adds up, whatever its hierarchies, and does not depend on the order of the records."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf


@st.composite
def tables(draw):
    n = draw(st.integers(1, 40))
    fine = [draw(st.integers(0, 7)) for _ in range(n)]
    to, other = [[draw(st.integers(0, 2)) for _ in range(8)] for _ in range(2)]
    data = cf.Microdata.from_dict({
        "fine": [f"f{i}" for i in fine],
        "coarse": [f"c{to[i]}" for i in fine],
        "other": [f"o{other[i]}" for i in fine],
        "b": [draw(st.sampled_from("xyz")) for _ in range(n)],
        "x": [float(draw(st.integers(-5, 50))) for _ in range(n)],
        "w": [float(draw(st.integers(1, 4))) for _ in range(n)],
        "h": [f"h{draw(st.integers(0, 9))}" for _ in range(n)],
    }).declare(kinds={"x": "continuous", "w": "continuous"})  # fmt: skip
    nesting = draw(st.sampled_from([None, cf.Levels("coarse"), [cf.Levels("coarse"), cf.Levels("other")]]))
    holding = draw(st.sampled_from([None, "h"]))
    weighting = (
        cf.WeightsAsContributions()
        if holding
        else draw(st.sampled_from([cf.WeightsAsCopies(), cf.WeightsAsContributions()]))
    )
    settings_ = {"holding": holding, "weight": draw(st.sampled_from([None, "w"])), "weighting": weighting}
    return data, {**settings_, "hierarchies": {} if nesting is None else {"fine": nesting}}


@settings(max_examples=60, deadline=None)
@given(tables(), st.randoms(use_true_random=False))
def test_tables_add_up_in_any_order(made, random):
    data, how = made
    table = cf.tabulate(data, ["fine", "b"], "x", **how)
    assert table.additivity().holds
    w = data.columns["w"].numbers if how["weight"] else np.ones(data.n)
    assert np.isclose(table.values[0], float(np.sum(w * data.columns["x"].numbers)))
    assert (np.diff(table.largest, axis=1) <= 1e-12).all()
    assert (table.largest.sum(axis=1) <= table.absolute + 1e-9).all()
    assert (table.absolute >= np.abs(table.values) - 1e-9).all()
    rows = list(range(data.n))
    random.shuffle(rows)
    again = cf.tabulate(data.take(np.array(rows)), ["fine", "b"], "x", **how)
    for field in ("codes", "values", "absolute", "largest", "respondents"):
        assert getattr(again, field).tobytes() == getattr(table, field).tobytes()


@settings(max_examples=60, deadline=None)
@given(tables())
def test_linked_tables_add_up_and_hold_each_cell_once(made):
    data, how = made
    fine = cf.tabulate(data, ["fine", "b"], "x", **how)
    coarse = cf.tabulate(data, ["coarse"], "x", **{k: v for k, v in how.items() if k != "hierarchies"})
    linked = cf.link_tables(fine, coarse)
    assert linked.additivity().holds
    assert np.unique(linked.codes, axis=0).shape[0] == linked.n
    for t in (fine, coarse):
        assert set(t.values) <= set(linked.values)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(0, 100), min_size=1, max_size=8), st.integers(1, 3), st.floats(1, 99))
def test_a_larger_coalition_and_a_larger_p_find_more(x, coalition, p):
    table = cf.tabulate(cf.Microdata.from_dict({"x": x}).declare(kinds={"x": "integer"}), [], "x")
    if cf.PPercentRule(p, coalition).sensitive(table)[0]:
        assert cf.PPercentRule(p, coalition + 1).sensitive(table)[0]
        assert cf.PPercentRule(p * 1.5, coalition).sensitive(table)[0]
        assert cf.PQRule(p, 100, coalition).sensitive(table)[0]
        asked = cf.PPercentRule(p, coalition).protection(table).upper[0]
        assert 0 < asked <= p / 100 * max(x) + 1e-9
