"""The most useful release within the limits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
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


GROUPS = {"a": "ab", "b": "ab", "c": "cd", "d": "cd"}


def destroyed(utility, **more):
    """A map of the file as it is, of a recoded one and of one without the variable, from the same seed."""
    rng = np.random.default_rng(4)
    pay = rng.lognormal(3, 0.5, 200)
    columns = {
        "edu": rng.choice(list("abcd"), 200).tolist(),
        "sex": rng.choice(["f", "m"], 200).tolist(),
        "pay": pay.round(1).tolist(),
        "rent": (0.3 * pay + rng.normal(0, 2, 200)).round(1).tolist(),
        "tax": (0.2 * pay + rng.normal(0, 1, 200)).round(1).tolist(),
    }
    data = cf.Microdata.from_dict(columns).declare(kinds=dict.fromkeys(["pay", "rent", "tax"], "continuous"))
    release = cf.Release(
        cf.vary(
            "edu", identity=None, recode=[cf.Recode("edu", mapping=GROUPS), cf.Topcode("pay", at=40)],
            drop=[cf.Drop("edu"), cf.Drop("pay")],
        )
    )  # fmt: skip
    risk = cf.RiskOf("share told", lambda s: 1.0 if "edu" not in s.released.data.names else 2.0)
    asked = {"risk": risk, "utility": utility, "seed": 7} | more
    return cf.ru_map(data, release, cf.Intruder(knows=["sex"]), **asked)


EVERY = [
    cf.MeansKept(), cf.TotalsKept(), cf.QuantilesKept(), cf.CovariancesKept(), cf.MeanPrecision("pay"),
    cf.RegressionKept("rent ~ pay + edu"), cf.Hellinger(), cf.KullbackLeibler(), cf.KullbackLeibler(smoothing=0),
    cf.PropensityScore(), cf.IL1s(), cf.IL1(), cf.EigenvalueLoss(), cf.CorrelationLoss(), cf.ValueLoss(),
    cf.OwnAnalysis(lambda d: {"mean": float(d.column("pay").numbers.mean())}, "own"),
]  # fmt: skip


@pytest.mark.parametrize("measure", EVERY, ids=lambda m: m.name)
def test_a_file_without_its_variables_is_not_the_most_useful_one(measure):
    found = destroyed(measure)
    assert len(found.rows) == 3
    choice = found.choose(max_risk=5)
    assert choice.settings["edu"] != "drop"
    if choice.settings["edu"] == "recode":
        # of what the measure reads, nothing was recoded
        assert choice.utility.mean == found.unmasked[measure.name]
    points = {p.settings["edu"]: p.utility for p in found.points()}
    if "drop" in points:
        assert (points["drop"] < points["identity"]) == measure.larger_is_better


def test_a_release_of_undefined_utility_is_not_chosen_and_the_reason_is_told():
    found = destroyed(cf.CorrelationLoss())
    assert {p.settings["edu"] for p in found.points()} == {"identity", "recode"}
    assert "'pay' is not in the release" in found.undefined({"edu": "drop"})["correlation_loss"]
    assert found.undefined({"edu": "identity"}) == {}
    assert found.to_frame()["correlation_loss"].null_count() == 1
    only = destroyed(cf.CorrelationLoss(), settings=[{"edu": "drop"}])
    with pytest.raises(MapError, match="nothing can be chosen. At edu drop: .*'pay' is not in the release"):
        only.choose(max_risk=5)


class NotANumber(cf.MeansKept):
    """A measure of somebody else that says nan of what it cannot tell."""

    name = "nan"

    def of(self, released):
        value = 1.0 if "pay" in released.data.names else float("nan")
        return cf.Utility(self, value, {"value": [value]})


def test_a_utility_that_is_no_number_is_undefined():
    found = destroyed(NotANumber())
    assert {p.settings["edu"] for p in found.points()} == {"identity", "recode"}
    assert found.choose(max_risk=5).settings["edu"] != "drop"
    assert found.undefined({"edu": "drop"}) == {"nan": "Means kept is not a number"}


def test_a_use_that_the_source_does_not_allow_is_a_mistake():
    with pytest.raises(cf.UtilityError, match="there is no variable 'wage'"):
        destroyed(cf.IL1s(["pay", "wage"]))


def test_what_is_undefined_with_fresh_seeds_does_not_hold():
    choice = destroyed(cf.MeansKept()).choose(max_risk=5)
    verified = choice.verify(seeds=2)
    assert verified.holds
    gone = replace(verified, row=replace(verified.row, utilities=({"means_kept": None}, {"means_kept": 1.0})))
    assert gone.utility is None
    assert not gone.holds
    assert "Means kept: undefined" in repr(gone)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -1.0, True, "0.5"])
def test_limits_that_are_no_numbers_chose_a_release(value):
    found = mapped()
    name = "expected_matches"
    for asked in ({"max_risk": value}, {"limits": {name: value}}, {"limits": {name: {"near": value}}}):
        with pytest.raises(MapError, match="the limit on 'expected_matches' must be a finite number, 0 or more"):
            found.choose(**asked)


def test_a_limit_for_no_intruder_was_left_out():
    with pytest.raises(MapError, match="is for no intruder"):
        mapped().choose(max_risk=1.0, limits={"expected_matches": {}})


def test_a_figure_of_the_users_may_have_a_limit_below_zero():
    found = mapped(risk=cf.RiskOf("gain", lambda scenario: scenario.summary.matched.sum() - 1000.0))
    assert found.choose(max_risk=-1.0).within == len(found.rows)


def test_a_map_for_nobody_was_drawn():
    for asked, says in ((([], None), "needs one Intruder"), ((FAR, []), "at least one group of targets")):
        with pytest.raises(cf.IntruderError, match=says):
            cf.ru_map(people(), family(), asked[0], utility=cf.MeansKept("pay"), seed=7, targets=asked[1])
