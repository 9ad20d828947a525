from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def random_table(seed):
    rng = np.random.default_rng(seed)
    n = 600
    data = cf.Microdata.from_dict({"c": rng.integers(0, 90, n).tolist(), "x": rng.lognormal(2, 1.5, n).tolist()})
    return cf.tabulate(data.declare(kinds={"c": "nominal"}), "c", "x")


@pytest.mark.parametrize(("n", "k"), [(1, 0.6), (2, 0.8), (3, 0.9)])
@pytest.mark.parametrize("seed", [1, 2])
def test_contradictions_equal_all_pairs(n, k, seed):
    table = random_table(seed)
    found = cf.rule_contradictions(table, cf.DominanceRule(n, k))
    rest = table.absolute - table.largest[:, : n + 1].sum(axis=1)
    close = np.maximum(rest, 0) / table.largest[:, 0]
    bad = ~found.sensitive
    pairs = (close[bad][:, None] < close[found.sensitive][None, :] - 1e-9).sum(axis=1)
    assert found.pairs == pairs.sum() > 0
    assert sorted(found.cells) == np.flatnonzero(bad)[pairs > 0].tolist()
    assert found.frame().height == found.cells.size


@pytest.mark.parametrize(("n", "k"), [(1, 0.6), (2, 0.8), (3, 0.9)])
def test_rules_to_use_instead(n, k):
    table = random_table(3)
    found = cf.rule_contradictions(table, cf.DominanceRule(n, k))
    promised = found.same_guarantee.sensitive(table)
    assert not (promised & ~found.sensitive).any()
    covering = found.covering.sensitive(table)
    assert covering[found.sensitive].all()
    assert covering[found.cells].all()
    assert abs(int(found.same_number.sensitive(table).sum()) - int(found.sensitive.sum())) <= 1


def test_no_sensitive_cell_no_contradiction():
    table = cf.tabulate(cf.Microdata.from_dict({"x": [10, 10, 10, 10]}), [], "x")
    found = cf.rule_contradictions(table, cf.DominanceRule(1, 0.6))
    assert (found.pairs, found.covering, found.same_number) == (0, None, None)
    assert "0 cells sensitive" in repr(found)


def test_zero_cells_are_left_out():
    table = cf.tabulate(cf.Microdata.from_dict({"c": ["a", "b"], "x": [0, 5]}), "c", "x")
    assert np.isnan(cf.rule_contradictions(table, cf.DominanceRule(1, 0.6)).closeness[table.cell("a")])


def test_only_dominance_rules():
    table = cf.tabulate(cf.Microdata.from_dict({"x": [1]}), [], "x")
    with pytest.raises(cf.TableError, match="DominanceRule"):
        cf.rule_contradictions(table, cf.PPercentRule(10))
