"""Interval disclosure: ordinal variables, missing values, parents."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def test_ordinal_variables_and_the_joint_share():
    order = {"size": ["s", "m", "l", "xl"]}
    source = cf.Microdata.from_dict({"size": ["s", "m", "l", "xl"], "x": [1.5, 2.5, 3.5, 4.5]}).declare(order=order)
    masked = cf.Microdata.from_dict({"size": ["m", "m", "l", "s"], "x": [1.5, 2.5, 4.4, 4.5]}).declare(order=order)
    file = cf.Released.from_files(source, masked, same_order=True)
    found = cf.interval_disclosure(file, around=cf.RankHalfWidth(26))
    # masked sizes s m m l: the interval of m goes from s to l, that of l from m to l, that of s from s to m
    assert found.inside[:, 0].tolist() == [True, True, True, False]
    assert found.per_variable["size"] == 0.75
    assert found.joint == np.mean(found.inside.all(axis=1))
    assert found.mean == np.mean(list(found.per_variable.values()))
    assert found.to_frame().columns == ["record", "size", "x", "all"]


def test_missing_values_and_simulated_records_are_never_inside():
    source = cf.Microdata.from_dict({"x": [1.5, None, 3.5]})
    masked = cf.Microdata.from_dict({"x": [1.5, 2.5, None, 3.5]})
    file = cf.Released.from_files(source, masked, parent=[0, 1, 2, -1])
    found = cf.interval_disclosure(file, "x", cf.RankWidth(100))
    assert found.inside[:, 0].tolist() == [True, False, False, False]
    assert found.known[:, 0].tolist() == [True, False, False, False]
    assert found.per_variable == {"x": 1.0}
    assert found.joint == 0.25


def test_what_is_refused():
    data = cf.Microdata.from_dict({"s": ["m", "f"], "x": [1.5, 2.5]})
    file = cf.Released.from_files(data, data, same_order=True)
    with pytest.raises(cf.IntruderError, match="'s' holds categories"):
        cf.interval_disclosure(file, ["s"])
    with pytest.raises(cf.IntruderError, match="there is no variable 'z'"):
        cf.interval_disclosure(file, ["z"])
    with pytest.raises(cf.IntruderError, match="there is no variable 'z'"):
        cf.interval_disclosure(file, ["x"]).intervals("z")
    with pytest.raises(cf.IntruderError, match="at least one numeric or ordinal"):
        cf.interval_disclosure(file, [])
    one = cf.Microdata.from_dict({"x": [1.5]})
    with pytest.raises(cf.IntruderError, match="needs two values"):
        cf.interval_disclosure(cf.Released.from_files(one, one, same_order=True), "x", cf.SdWidth(1))


def test_the_rounding_of_per_cents_does_not_decide():
    # 2 h < p n / 100 with p n / 100 = 6 exactly: h = 2, also where p n is rounded up
    assert cf.RankWidth(0.6).half(1000) == 2
    assert cf.RankHalfWidth(0.3).half(1000) == 2
