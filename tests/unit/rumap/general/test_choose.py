"""The most useful release within the limits."""

from __future__ import annotations

import pytest

import confide as cf
from confide.errors import MapError
from unit.rumap.general.people import FAR, NEAR, family, mapped, people


def test_the_choice_is_the_most_useful_within_the_limit():
    found = mapped()
    limit = sorted(p.risk for p in found.points())[3]
    choice = found.choose(max_risk=limit)
    within = [p for p in found.points() if p.risk <= limit]
    assert choice.within == len(within)
    assert choice.utility.mean == max(p.utility for p in within)
    assert all(choice.risk(name).mean <= limit for name in found.intruders)
    assert choice.release == family().at(choice.settings)


def test_limits_by_intruder_group_and_harm():
    harm = cf.Harm("pay", cf.AmountCosts(cf.Close(0.05)), name="pay known")
    risks = [cf.ExpectedMatches(), harm, cf.WorstGroup(cf.ExpectedMatches(), "sex"), cf.FileMeasure(cf.k_anonymity, "age")]
    found = cf.ru_map(
        people(),
        family(),
        [FAR.but(name="far"), NEAR.but(knows=["age", "sex"], name="near")],
        risk=risks,
        utility=cf.MeansKept("pay"),
        seed=7,
    )
    assert found.choose(limits={"expected_matches": {"near": 0.9}}).limits[0].intruder == 1
    assert len(found.choose(limits={"harm pay known": 1.0, "expected_matches by sex": 1.0}).limits) == 4
    strict = found.choose(limits={"k_anonymity": 5})
    assert strict.settings["age"] == 10  # the least that is allowed where less is riskier
    with pytest.raises(MapError, match="there is no risk 'harm'"):
        found.choose(limits={"harm": 1})
    with pytest.raises(MapError, match="there is no intruder 'stranger'"):
        found.choose(limits={"expected_matches": {"stranger": 1}})


def test_a_limit_that_nothing_keeps_to_names_the_nearest():
    with pytest.raises(MapError, match="none of 6 settings keeps to the limits; the nearest is age 10"):
        mapped().choose(max_risk=0.0)
    with pytest.raises(MapError, match="choose needs a limit"):
        mapped().choose()


def test_surely_keeps_two_standard_errors_away():
    found = mapped(replicates=4)
    point = found.points("near")[0]
    limit = point.risk + point.risk_error
    assert found.choose(max_risk=limit, surely=True).within <= found.choose(max_risk=limit).within
    with pytest.raises(MapError, match="surely needs standard errors"):
        mapped().choose(max_risk=1, surely=True)


def test_fresh_seeds_say_whether_the_choice_was_luck():
    choice = mapped().choose(max_risk=0.9)
    verified = choice.verify(seeds=4)
    assert verified.holds == all(verified.risk(name).mean <= 0.9 for name in ("far", "near"))
    assert verified.utility.se > 0
    assert verified.risk("near").mean != choice.risk("near").mean
    assert "with 4 fresh seeds the limits" in repr(verified)
    with pytest.raises(MapError, match="two seeds or more"):
        choice.verify(seeds=1)


def test_the_chosen_file_is_the_one_that_was_evaluated(tmp_path):
    choice = mapped().choose(max_risk=0.9)
    assert choice.released().data.to_frame().equals(family().at(choice.settings).apply(people(), seed=7).data.to_frame())
    path = choice.write(tmp_path / "released.csv")
    assert cf.read(path).n == people().n
    assert path.stat().st_mode & 0o077 == 0
    text = repr(choice)
    assert "of the file as it is" in text
    assert "(at most 0.9)" in text
