from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def cell(contributions, largest=5, **columns):
    data = cf.Microdata.from_dict({"x": contributions, **columns})
    return cf.tabulate(data, [], "x", largest=largest, **{k: k for k in columns})


@pytest.mark.parametrize(
    ("contributions", "coalition", "sensitive", "asked"),
    [
        ([100], 1, True, 10),
        ([100, 50], 1, True, 10),
        ([100, 50, 9], 1, True, 1),
        ([100, 50, 10], 1, False, 0),
        ([100, 50, 10], 2, True, 10),
        ([100, 50, 8, 3], 2, True, 7),
        ([100, 9], 0, True, 1),
        ([100, 10], 0, False, 0),
        ([0, 0], 1, False, 0),
        ([-100, 50, 9], 1, True, 1),
    ],
)
def test_p_per_cent(contributions, coalition, sensitive, asked):
    rule, table = cf.PPercentRule(10, coalition), cell(contributions)
    assert rule.sensitive(table).tolist() == [sensitive]
    assert rule.protection(table).upper == pytest.approx([asked])
    assert rule.protection(table).lower == pytest.approx([asked])


def test_after_the_protection_asked_the_estimate_is_just_p_per_cent_off():
    table = cell([100, 50, 4])
    u = cf.PPercentRule(10).protection(table).upper[0]
    assert (table.values[0] + u) - 50 == pytest.approx(110)
    table = cell([100, 50, 20])
    u = cf.PQRule(10, 30).protection(table).upper[0]
    # the second knows the 20 to within 30 per cent, so at least 14
    assert (table.values[0] + u) - 50 - 14 == pytest.approx(110)


@pytest.mark.parametrize(
    ("contributions", "n", "k", "sensitive", "asked"),
    [
        ([60, 25, 15], 1, 0.6, True, 0),
        ([75, 25], 1, 0.6, True, 25),
        ([59, 40, 1], 2, 0.9, True, 10),
        ([59, 30, 11], 2, 0.9, False, 0),
        ([7], 3, 0.9, True, 7 / 9),
        ([0, 0], 1, 0.6, False, 0),
    ],
)
def test_dominance(contributions, n, k, sensitive, asked):
    rule, table = cf.DominanceRule(n, k), cell(contributions)
    assert rule.sensitive(table).tolist() == [sensitive]
    assert rule.protection(table).upper == pytest.approx([asked], abs=1e-9)


def test_equal_is_equal_whatever_the_rounding():
    # 0.1 + 0.2 + ... must not decide; p per cent is strict, dominance is not
    assert not cf.PPercentRule(10).sensitive(cell([0.5, 0.45, 0.03, 0.02])).any()
    assert cf.DominanceRule(1, 0.3).sensitive(cell([0.3, 0.1, 0.2, 0.1, 0.3])).all()


@pytest.mark.parametrize("coalition", [1, 2, 3])
def test_the_target_is_the_largest_without_a_waiver(coalition):
    rng = np.random.default_rng(3)
    for _ in range(200):
        x = np.round(rng.lognormal(2, 1.5, 6)).tolist()
        waived = rng.integers(0, 2, 6).tolist()
        table = cell(x, waiver=waived)
        p = 40.0
        expected = False
        for t in range(6):
            if not waived[t]:
                others = sorted((x[i] for i in range(6) if i != t), reverse=True)
                expected |= sum(others[coalition:]) < p / 100 * x[t] - 1e-9
        assert cf.PPercentRule(p, coalition).sensitive(table).tolist() == [expected]


def test_all_waivers_make_a_cell_safe():
    table = cell([100, 1], waiver=[1, 1])
    for rule in (cf.PPercentRule(10), cf.PQRule(10, 50), cf.DominanceRule(1, 0.6)):
        assert rule.sensitive(table).tolist() == [False]
        assert rule.protection(table).upper.tolist() == [0]


def test_those_with_a_waiver_do_not_dominate():
    assert cf.DominanceRule(1, 0.5).sensitive(cell([80, 20], waiver=[1, 0])).tolist() == [False]
    assert cf.DominanceRule(1, 0.5).sensitive(cell([80, 20], waiver=[0, 1])).tolist() == [True]


def test_holdings_are_judged_as_one():
    x, groups = [30, 30, 30, 10], ["g", "g", "h", "i"]
    assert not cf.PPercentRule(10).sensitive(cell(x)).any()
    assert not cf.PPercentRule(10).sensitive(cell(x, holding=groups)).any()
    assert cf.PPercentRule(20).sensitive(cell(x, holding=groups)).all()
    assert cf.MinimumFrequency(4).sensitive(cell(x, holding=groups)).all()


def test_minimum_frequency_counts_zeros_or_not():
    table = cell([5, 0, 0])
    assert not cf.MinimumFrequency(3).sensitive(table).any()
    assert cf.MinimumFrequency(3, zeros=False).sensitive(table).all()
    assert cf.MinimumFrequency(4, share=0.2).protection(table).upper.tolist() == [1]
    assert cf.MinimumFrequency(4, least=3).protection(table).lower.tolist() == [3]


def test_empty_cells():
    cells = cf.Microdata.from_dict({"v": ["a", "b", "Total"], "x": [0, 4, 4], "n": [0, 4, 4]})
    table = cf.table_of_aggregates(cells, "v", "x", count="n")
    a = table.cell("a")
    assert not cf.MinimumFrequency(3).sensitive(table)[a]
    assert cf.MinimumFrequency(3, empty=True).sensitive(table)[a]


def test_request_rule_by_kind():
    table = cell([60, 40], request=[1, 2])
    assert cf.RequestRule({"1": 0.7, "2": 0.3}).sensitive(table).tolist() == [True]
    assert cf.RequestRule({"1": 0.7}).sensitive(table).tolist() == [False]
    assert cf.RequestRule({"1": 0.6}).sensitive(table).tolist() == [False]
    with pytest.raises(cf.TableError, match="there is no kind of request '3'"):
        cf.RequestRule({"3": 0.7}).sensitive(table)


def test_combined_rules_take_the_widest_protection():
    table = cell([100, 50, 4])
    one, two = cf.PPercentRule(10), cf.DominanceRule(2, 0.9)
    both = one | two
    assert both.sensitive(table).all()
    assert both.protection(table).upper[0] == max(one.protection(table).upper[0], two.protection(table).upper[0])
    never = cf.MinimumFrequency(1)
    assert not (one & never).sensitive(table).any()
    assert (one & never).protection(table).upper.tolist() == [0]
    assert len((one | two | never).rules) == 2
    with pytest.raises(cf.TableError, match="found none"):
        cf.AnyRule()


def test_given_rules_check_their_shape():
    table = cell([1, 2])
    assert cf.GivenRule([True]).sensitive(table).tolist() == [True]
    with pytest.raises(cf.TableError, match="true or false for each of the 1 cells"):
        cf.GivenRule([True, False]).sensitive(table)
    with pytest.raises(cf.TableError, match="true or false"):
        cf.GivenRule(lambda t: t.values).sensitive(table)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: cf.MinimumFrequency(0),
        lambda: cf.MinimumFrequency(3, share=-1),
        lambda: cf.DominanceRule(0, 0.6),
        lambda: cf.DominanceRule(1, 60),
        lambda: cf.PPercentRule(0),
        lambda: cf.PPercentRule(10, coalition=-1),
        lambda: cf.PQRule(10, 5),
        lambda: cf.RequestRule({}),
        lambda: cf.ZeroCells(0),
    ],
)
def test_settings_without_sense_are_refused(wrong):
    with pytest.raises(cf.TableError):
        wrong()


def test_too_few_contributions_kept():
    with pytest.raises(cf.TableError, match="largest=3"):
        cf.DominanceRule(3, 0.7).sensitive(cell([1, 2, 3], largest=2))
