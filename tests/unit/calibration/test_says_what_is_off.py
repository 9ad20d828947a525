"""Calibrate says what is off, what counts as nothing, and refuses what is rounding."""

import json

import numpy as np
import pytest

import confide as cf

N = 400


def crowd():
    rng = np.random.default_rng(5)
    return cf.Microdata.from_dict(
        {
            "pc": [f"c{i // 2}" for i in range(N)],
            "race": rng.choice(list("wbaxyz"), N).tolist(),
            "age": rng.integers(18, 90, N).tolist(),
        }
    )


def test_calibrate_counted_targets_who_fit_no_record_as_0_stated_and_0_true_without_a_line():
    wrong = cf.Intruder(knows=["pc", "race"], supposes=cf.Release(cf.Recode("age", width=5)), name="believes no swap")
    found = cf.calibrate(crowd(), cf.Release(cf.Swap("race", rate=0.9)), wrong, times=4)
    assert found.intruders[0].broken > 250
    assert "of 400 targets fit no record, or not their own, on average. They count as 0 stated and 0 true" in repr(found)
    assert json.loads(found.to_json())["intruders"][0]["contradicted_or_ruled_out"] == found.intruders[0].broken
    right = cf.calibrate(crowd(), cf.Release(cf.Swap("race", rate=0.9)), cf.Intruder(knows=["pc", "race"]), times=4)
    assert right.intruders[0].broken == 0
    assert "fit no record" not in repr(right)


def test_calibrate_did_not_say_that_what_is_stated_is_off():
    naive = cf.Intruder(knows=["pc", "race"], understands_masking=False)
    found = cf.calibrate(crowd(), cf.Release(cf.Swap("race", rate=0.5)), naive, times=6)
    matches = found.intruders[0].matches
    assert not matches.agrees
    way = "fewer" if matches.difference < 0 else "more"
    assert f"What is stated is off: {abs(matches.difference):,.1f} {way} matches are true" in repr(found)
    assert "The likely cause is named below." in repr(found)
    plain = cf.Microdata.from_dict({"sex": ["m", "f"] * 40, "race": ["w", "w", "b", "w"] * 20})
    fits = cf.calibrate(plain, cf.Release(cf.Swap("race", rate=0.5)), cf.Intruder(knows=["sex", "race"]), times=10)
    assert fits.intruders[0].matches.agrees
    assert "What is stated is off" not in repr(fits)


@pytest.mark.parametrize("people", [1e9, 1e15, 1e30])
def test_rounding_passed_for_a_fit_where_the_null_link_is_all_but_certain(people):
    rare = cf.Intruder(knows=["pc", "race"], target_in_file=False, population=cf.Constant(people))
    with pytest.raises(cf.IntruderError, match=r"all but sure that 400 of 400 targets are not in the file .* rounding"):
        cf.calibrate(crowd(), cf.Release(cf.Swap("race", rate=0.3)), rare, times=4)
    unmasked = cf.Intruder(knows=["pc", "age"], target_in_file=False, population=cf.Constant(1000))
    assert not cf.calibrate(crowd(), cf.Release(), unmasked, times=4).intruders[0].matches.varied


def test_which_of_several_scenarios_do_not_calibrate_is_named():
    release = cf.Release(cf.Swap("race", rate=0.3), name="swapped").apply(crowd(), seed=1)
    naive = cf.Intruder(knows=["pc"], name="off", understands_masking=False)
    people = [cf.Intruder(knows=["pc", "race"], name="fits"), naive]
    told = repr(cf.assess(release, people))
    assert "1 scenario(s) do not calibrate: released values are taken at face value" in told
    assert "missed or mistaken (swapped / off)." in told
    assert "(swapped / off)" not in repr(cf.assess(release, people[1]))


def test_weights_of_one_side_are_named_with_their_size_without_replacement():
    data = cf.Microdata.from_dict({"pc": [f"c{i // 4}" for i in range(N)], "w": [10.0] * N}).declare(weight="w")
    who = cf.Intruder(knows=["pc"], target_in_file=False, matching=cf.WithoutReplacement())
    (reason,) = [r for r in cf.failing_assumptions(who, cf.Release().apply(data, seed=1)) if "not raise it" in r]
    assert "about 2 per cent" in reason
    assert not [r for r in cf.failing_assumptions(who.but(matching=cf.WithReplacement()), None) if "not raise it" in r]


def test_the_shortfall_of_a_whole_list_is_as_large_as_stated():
    rng, n = np.random.default_rng(3), 300
    drawn = rng.binomial(3000, 0.1, 100_000)
    # what is stated is the fractions' number, and at most the records
    assert float((drawn - np.minimum(drawn, n)).mean()) / n == pytest.approx(0.4 / np.sqrt(n), rel=0.1)
