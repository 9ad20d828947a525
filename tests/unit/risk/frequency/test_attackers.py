"""Prosecutor, journalist, marketer, k-map, individual and household risk."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import nbinom

import confide as cf

DATA = cf.Microdata.from_dict({
    "sex": ["f", "f", "m", "m", "m"], "age": [30, 30, 30, 50, 50], "w": [10.0, 30.0, 5.0, 0.5, 1.0], "home": [1, 2, 2, 1, 3],
}).declare(key=["sex", "age"], weight="w", household="home", kinds={"age": "integer"})  # fmt: skip
PEOPLE = cf.Microdata.from_dict({
    "sex": ["m", "f", "m", "f", "f"], "age": [50, 30, 30, 30, 70], "count": [4, 6, 1, 2, 9],
}).declare(kinds={"age": "integer"})  # fmt: skip
TABLE = cf.PopulationTable(PEOPLE)


def test_prosecutor():
    found = cf.prosecutor_risk(DATA)
    assert found.per_record.tolist() == [0.5, 0.5, 1, 0.5, 0.5]
    assert (found.value, found.highest, found.lowest, found.average, found.expected) == (1, 1, 0.5, 0.6, 3)
    assert (found.above(0.5), found.above(0.2)) == (1, 5)


def test_journalist_and_marketer_look_at_the_population():
    found = cf.journalist_risk(DATA, population=TABLE)
    assert found.per_record.tolist() == [1 / 8, 1 / 8, 1, 1 / 4, 1 / 4]
    assert found.value == 1
    assert cf.marketer_risk(DATA, population=TABLE).value == pytest.approx(1.75 / 5)
    assert cf.marketer_risk(DATA).value == pytest.approx(0.6), "without a population the file is the population"


def test_weights_that_sum_to_less_than_the_records():
    found = cf.journalist_risk(DATA)
    assert found.per_record.tolist() == [1 / 40, 1 / 40, 1 / 5, 1 / 2, 1 / 2]
    assert cf.individual_risk(DATA).per_record[3:] == pytest.approx([0.5, 0.5])


def test_k_map():
    found = cf.k_map(DATA, population=TABLE)
    assert found.per_record.tolist() == [8, 8, 1, 4, 4]
    assert (found.value, found.below(5)) == (1, 3)
    assert cf.k_map(DATA).value == 2


def test_a_population_table_coded_in_another_way_is_read_alike():
    text = cf.Microdata.from_dict({"sex": ["m", "f", "m"], "age": ["50", "30", "30"], "count": ["4", "8", "1"]})
    assert cf.k_map(DATA, population=cf.PopulationTable(text)).per_record.tolist() == [8, 8, 1, 4, 4]


def test_a_missing_key_agrees_with_all_of_the_population():
    holes = DATA.with_columns({"sex": cf.Column.of_labels(["f", None, "m", "m", "m"])})
    found = cf.k_map(holes, population=TABLE, missing=cf.MissingAsWildcard())
    assert found.per_record.tolist() == [8, 9, 1, 4, 4]
    with pytest.raises(cf.IntruderError, match="MissingAsWildcard"):
        cf.k_map(holes, population=TABLE)


def test_what_the_population_may_not_be():
    few = cf.PopulationTable(PEOPLE.take(np.array([0, 1, 3])))
    with pytest.raises(cf.IntruderError, match="for 1 of 5 records"):
        cf.journalist_risk(DATA, population=few)
    with pytest.raises(cf.IntruderError, match="nothing about age"):
        cf.k_map(DATA, population=cf.PopulationTable(PEOPLE.without(["age"])))
    with pytest.raises(cf.IntruderError, match="found Constant"):
        cf.k_map(DATA, population=cf.Constant(5))
    with pytest.raises(cf.DeclarationError, match="no survey weight"):
        cf.journalist_risk(DATA.without(["w"]))
    with pytest.raises(cf.DeclarationError, match="no survey weight"):
        cf.individual_risk(DATA.without(["w"]))
    with pytest.raises(cf.IntruderError, match="below 1"):
        cf.prosecutor_risk(DATA).above(1)
    with pytest.raises(cf.IntruderError, match="below 1"):
        cf.individual_risk(DATA).above(-0.1)


def expectation(f, p):
    """E(1/F | f) by its definition: F - f is negative binomial."""
    more = np.arange(np.ceil((f + 60 * np.sqrt(f) + 60) / p))
    return (nbinom.pmf(more, f, p) / (f + more)).sum()


@pytest.mark.parametrize("f", [1, 2, 3, 7, 19, 20, 21, 176])
@pytest.mark.parametrize("p", [0.0005, 0.01, 0.1, 0.4999, 0.5, 0.9, 1 - 1e-9, 1.0])
def test_exact_risk_is_the_expectation(f, p):
    (found,) = cf.FormulaRisk().of(np.array([f]), np.array([p]))
    assert found == pytest.approx(expectation(f, p), rel=1e-9)
    (near,) = cf.ApproximateRisk().of(np.array([f]), np.array([p]))
    assert found <= near * (1 + 1e-14) <= 1 / f * (1 + 1e-12)


def test_exact_risk_meets_where_its_two_ways_meet():
    f = np.repeat(np.arange(1, 25), 2)
    p = np.tile([0.5 - 1e-13, 0.5 + 1e-13], 24)
    found = cf.FormulaRisk().of(f, p).reshape(24, 2)
    assert found[:, 0] == pytest.approx(found[:, 1], rel=1e-12)


def test_individual_risk_says_how_far_the_approximation_is_off():
    data = cf.Microdata.from_dict({"k": ["a"] * 3, "w": [2.0] * 3}).declare(weight="w")
    exact, near = cf.individual_risk(data, "k"), cf.individual_risk(data, "k", cf.ApproximateRisk())
    assert near.per_record == pytest.approx([0.2] * 3)
    assert exact.value == pytest.approx(0.19314718, abs=5e-9)
    assert near.error == pytest.approx(near.value - exact.value)
    assert exact.error == 0
    assert "off by at most" in repr(near)
    assert (near.above(0.19), near.above(0.21)) == (3, 0)


def test_individual_risk_needs_whole_counts():
    holes = DATA.with_columns({"sex": cf.Column.of_labels(["f", None, "m", "m", "m"])})
    assert cf.individual_risk(holes, missing=cf.MissingAsWildcard()).per_record.size == 5
    with pytest.raises(cf.IntruderError, match="whole counts"):
        cf.individual_risk(holes, missing=cf.MissingAsWildcard(0.5))


def test_household_risk():
    found = cf.household_risk(DATA, np.array([0.5, 0.2, 0.1, 0.5, 0.3]))
    assert found.per_record == pytest.approx([0.75, 0.28, 0.28, 0.75, 0.3])
    assert found.households == 3
    assert found.expected == pytest.approx(2.36)
    certain = cf.household_risk(DATA, cf.prosecutor_risk(DATA))
    assert certain.per_record[[1, 2]].tolist() == [1, 1]
    assert certain.highest == 1


def test_household_risk_refuses():
    with pytest.raises(cf.DeclarationError, match="none is declared"):
        cf.household_risk(DATA.without(["home"]), np.zeros(5))
    with pytest.raises(cf.IntruderError, match="each of 5 records"):
        cf.household_risk(DATA, np.zeros(4))
    with pytest.raises(cf.IntruderError, match="a risk, not a count"):
        cf.household_risk(DATA, cf.k_anonymity(DATA))
    with pytest.raises(cf.IntruderError, match="probabilities"):
        cf.household_risk(DATA, np.array([0, 0, np.nan, 0, 0]))
    lost = DATA.with_columns({"home": cf.Column.of_labels(["1", None, "2", "1", "3"])})
    with pytest.raises(cf.DeclarationError, match="missing for 1 of 5"):
        cf.household_risk(lost, np.zeros(5))


def test_every_measure_says_what_it_is():
    found = [
        cf.k_anonymity(DATA), cf.l_diversity(DATA, "sex", "age"), cf.t_closeness(DATA, "sex", "age"), cf.k_map(DATA),
        cf.prosecutor_risk(DATA), cf.journalist_risk(DATA), cf.marketer_risk(DATA), cf.individual_risk(DATA),
        cf.household_risk(DATA, cf.individual_risk(DATA)),
    ]  # fmt: skip
    assert len({m.name for m in found}) == len({m.title for m in found}) == len(found)
    assert [m.name for m in found if not m.larger_is_riskier] == ["k_anonymity", "l_diversity", "k_map"]
    for measure in found:
        assert measure.per_record.shape == (5,)
        assert isinstance(measure.value, float)
        assert type(measure).__name__ in repr(measure)
