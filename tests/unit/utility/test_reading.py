"""Recoded and topcoded values: read as the middle of their interval, or refused with what to type."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def test_whole_and_continuous_intervals():
    data = cf.Microdata.from_dict({"age": [43, 39, 41], "tax": [1.5, 2.25, 9.0]}).declare(kinds={"age": "integer"})
    file = cf.Release(cf.Recode("age", width=5), cf.Recode("tax", width=2)).apply(data, seed=1)
    found = cf.MeansKept().of(file)
    assert found.to_frame()["released"].to_list() == pytest.approx([(42 + 37 + 42) / 3, (1 + 3 + 9) / 3])
    assert len([n for n in found.notes if "middle of their interval" in n]) == 2


def test_cuts_are_read_as_the_finite_end():
    data = cf.Microdata.from_dict({"x": [-7.5, 2.5, 99.5]})
    file = cf.Release(cf.Topcode("x", at=50), cf.Bottomcode("x", at=0)).apply(data, seed=1)
    assert cf.TotalsKept().of(file).to_frame()["released"][0] == pytest.approx(52.5)


def test_a_swap_after_a_recode_does_not_hide_the_interval():
    data = cf.Microdata.from_dict({"age": list(range(20, 60))}).declare(kinds={"age": "integer"})
    file = cf.Release(cf.Recode("age", width=10), cf.Swap("age", rate=0.5)).apply(data, seed=1)
    assert cf.MeansKept().of(file).to_frame()["released"][0] == pytest.approx(39.5)


def test_coarser_intervals_keep_less():
    rng = np.random.default_rng(1)
    data = cf.Microdata.from_dict({"age": rng.integers(0, 90, 2_000).tolist(), "x": rng.normal(size=2_000).tolist()})
    files = [cf.Release(cf.Recode("age", width=w)).apply(data, seed=1) for w in (2, 10, 45)]
    for measure in (cf.Hellinger("age"), cf.KullbackLeibler("age"), cf.IL1s("age")):
        values = [measure.of(f).value for f in files]
        assert values == sorted(values)
        assert values[0] < values[-1]


def test_categories_of_a_file_made_by_others_are_refused_with_what_to_type():
    source = cf.Microdata.from_dict({"x": [1.5, 20.5, 99.5]})
    masked = cf.Microdata.from_dict({"x": ["1.5", "20.5", "high"]})
    masked = masked.declare(kinds={"x": "continuous"}, coded={"x": ["high"]})
    file = cf.Released.from_files(source, masked, same_order=True)
    for measure in (cf.MeansKept(), cf.CovariancesKept(), cf.IL1s(), cf.MeanPrecision("x")):
        with pytest.raises(cf.UtilityError, match=r"1 of 3 records of the released file.*variables=\[...\].*replacement"):
            measure.of(file)
    assert cf.Hellinger().of(file).value > 0, "a category is a cell of its own"


def test_without_a_source_nothing_can_be_compared():
    seen = cf.Released.seen(cf.Microdata.from_dict({"x": [1.5, 2.5]}))
    with pytest.raises(cf.UtilityError, match="without its source"):
        cf.MeansKept().of(seen)
    with pytest.raises(cf.UtilityError, match="found Microdata"):
        cf.MeansKept().of(seen.data)


def test_names_are_checked():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5], "s": ["a", "b"]})
    file = cf.Released.from_files(data, data, same_order=True)
    with pytest.raises(cf.UtilityError, match="there is no variable 'z'"):
        cf.MeansKept("z").of(file)
    with pytest.raises(cf.UtilityError, match="'x' is named twice"):
        cf.MeansKept(["x", "x"]).of(file)
    with pytest.raises(cf.UtilityError, match="'s' holds categories in 2 of 2 records of the source file"):
        cf.MeansKept("s").of(file)
    with pytest.raises(cf.UtilityError, match="needs 1 numeric variable or more"):
        cf.MeansKept().of(cf.Released.from_files(data.without(["x"]), data.without(["x"]), same_order=True))
    with pytest.raises(cf.UtilityError, match="needs 2 variables or more"):
        cf.Hellinger("x", ways=2).of(file)
    infinite = data.with_columns({"x": cf.Column.of_numbers([1.5, np.inf])})
    with pytest.raises(cf.UtilityError, match="infinite for 1 records"):
        cf.MeansKept().of(cf.Released.from_files(infinite, infinite, same_order=True))


def test_codes_are_numbers_where_the_release_holds_numbers():
    source = cf.Microdata.from_dict({"x": [1, 2, 3, 1]})
    assert not source.variables["x"].kind.is_numeric
    file = cf.Released.from_files(source, cf.Microdata.from_dict({"x": [1.5, 2.0, 3.0, 1.0]}), same_order=True)
    assert cf.Hellinger().of(file).value < 1
    assert cf.IL1s().of(file).value == pytest.approx(0.5 / np.sqrt(2) / np.std([1, 2, 3, 1], ddof=1))
    assert cf.ValueLoss().of(file).value == pytest.approx(2 / np.pi * np.arctan(0.5) / 4)
