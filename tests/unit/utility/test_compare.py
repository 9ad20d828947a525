"""Several releases and measures in one table; efficiency."""

from __future__ import annotations

import math

import pytest

import confide as cf


def test_a_table_of_releases():
    cps = cf.examples.cps()
    releases = [cf.Release(cf.Noise("age", sd=s), name=f"noise {s}").apply(cps, seed=1) for s in (1, 20)]
    measures = [cf.MeansKept("age"), cf.Hellinger(), cf.IL1s("age"), cf.PropensityScore()]
    table = cf.compare(releases, measures)
    assert table.get("noise 20", "hellinger").value > table.get("noise 1", "hellinger").value
    frame = table.to_frame()
    assert frame.shape == (8, 7)
    found = {r["measure"]: r for r in frame.filter(frame["release"] == "noise 20").iter_rows(named=True)}
    assert found["means_kept"]["efficiency"] == found["means_kept"]["value"]
    assert found["hellinger"]["efficiency"] == pytest.approx(1 - found["hellinger"]["value"])
    assert found["il1s"]["efficiency"] is None, "a loss without a largest value has no scale"
    assert "Hellinger distance, single variables" in repr(table)
    with pytest.raises(cf.UtilityError, match="no measure 'hellinge'; did you mean 'hellinger'"):
        table.get("noise 20", "hellinge")
    with pytest.raises(cf.UtilityError, match="no release"):
        table.get("noise", "hellinger")


def test_what_is_refused():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5]})
    file = cf.Released.from_files(data, data, same_order=True)
    with pytest.raises(cf.UtilityError, match="several releases are called released"):
        cf.compare([file, file], cf.MeansKept())
    with pytest.raises(cf.UtilityError, match="needs measures"):
        cf.compare(file, [])
    with pytest.raises(cf.UtilityError, match="needs measures"):
        cf.compare(file, cf.MeansKept)
    with pytest.raises(cf.UtilityError, match="needs released files"):
        cf.compare([], cf.MeansKept())
    with pytest.raises(cf.UtilityError, match="releases of one source"):
        cf.compare(cf.Released.seen(data), cf.MeansKept())


def test_efficiency_of_what_is_undefined():
    with pytest.raises(cf.UtilityError, match="undefined"):
        cf.efficiency(cf.MeansKept(), math.nan, 1.0)
    with pytest.raises(cf.UtilityError, match="nothing is relative to it"):
        cf.efficiency(cf.MeansKept(), 0.5, 0.0)


def test_a_value_is_printed_with_its_direction_and_bounds():
    data = cf.Microdata.from_dict({"x": [1.5, 2.5]})
    assert repr(cf.MeansKept().unmasked(data)) == "Means kept: 1; larger is better, from 0 to 1; 1 part"
