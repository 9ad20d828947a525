"""`calibrate`: what is counted, against counting by hand, and what it says where the file cannot tell."""

import json

import numpy as np
import pytest

import confide as cf
from confide.calibration.reliability import EDGES
from confide.calibration.tally import tally

KNOWS = ["sex", "race", "pay"]


def source(n=120, seed=1):
    rng = np.random.default_rng(seed)
    data = {
        "sex": rng.choice(["f", "m"], n).tolist(),
        "race": rng.choice(["w", "b", "a"], n, p=[0.6, 0.3, 0.1]).tolist(),
        "pay": rng.lognormal(3, 0.5, n).tolist(),
    }
    return cf.Microdata.from_dict(data).declare(kinds={"sex": "nominal", "race": "nominal", "pay": "continuous"})


NOISE = cf.Release(cf.Swap("race", rate=0.4), cf.Noise("pay", sd=5), name="noise")


def by_hand(links, given=None):
    """All pairs of targets with a record, and all records, one by one."""
    counts = np.zeros((3, len(EDGES) - 1))
    for i in range(links.n):
        row = links.row(i)
        if row.own is None:
            continue
        for j, p in enumerate(row.p / (1 - row.null if given else 1)):
            if p <= 0:
                continue
            k = max(int(np.searchsorted(EDGES, min(p, 1.0), side="left")) - 1, 0)
            counts[:, k] += [1, p, j == row.own]
    return counts


@pytest.mark.parametrize("in_file", [True, False])
def test_pairs_are_counted_as_one_by_one(in_file):
    told = {} if in_file else {"target_in_file": False, "population": cf.Constant(300)}
    links = cf.link(NOISE.apply(source(), seed=4), cf.Intruder(knows=KNOWS, **told))
    found = tally(links, [], everyone=False, drawn=1000, seed=1)
    want = by_hand(links, given=not in_file)
    assert found.pairs[1:] == pytest.approx(want[1:], abs=1e-9)
    assert found.pairs[2].sum() == links.n
    assert found.pairs[1].sum() == pytest.approx(links.n)
    assert found.null is None


def test_some_targets_stand_for_all_pairs():
    links = cf.link(NOISE.apply(source(), seed=4), cf.Intruder(knows=KNOWS))
    found = tally(links, [], everyone=False, drawn=30, seed=1)
    assert found.pairs[2].sum() == 30
    assert found.best[0].sum() == links.n


def test_matches_are_those_of_the_assessment():
    """True matches are the expected matches of section 4.3, averaged over releases."""
    data, intruder = source(), cf.Intruder(knows=KNOWS)
    found = cf.calibrate(data, NOISE, intruder, times=5, seed=9)
    same = cf.calibrate(data, NOISE, intruder, times=5, seed=9)
    assert found.to_json() == same.to_json()
    assert found.to_json() != cf.calibrate(data, NOISE, intruder, times=5, seed=10).to_json()
    m = found.intruders[0].matches
    expected = [cf.assess(NOISE.apply(data, seed=s), intruder).row(0).expected_matches for s in range(40)]
    assert m.true == pytest.approx(np.mean(expected), abs=4 * np.std(expected) / np.sqrt(5))
    assert m.low <= m.difference <= m.high


def test_an_unmasked_file_was_reported_as_a_fit_with_an_interval_of_no_width():
    whole = cf.calibrate(source(), cf.Release(), cf.Intruder(knows=["sex", "race"]), times=3)
    found = whole.intruders[0]
    assert found.matches.stated == pytest.approx(found.matches.true)
    assert np.isnan(found.matches.low)
    assert not found.matches.varied
    assert not found.matches.agrees
    assert not found.worst_group.matches.agrees
    assert "+0.0 (nothing varied)" in repr(whole)
    assert "no fit was shown" in repr(whole)
    told = json.loads(whole.to_json())
    assert told["intruders"][0]["matches"]["low"] is None
    assert told["intruders"][0]["matches"]["varied"] is False
    assert all(row["low"] is None for row in told["bins"])


def test_the_second_reading_of_blanks_was_left_out():
    """An assessment adds who does not know the rule behind blanks, and so does a calibration."""
    rng, people = np.random.default_rng(5), source(200)
    race = [None if rng.random() < (0.7 if r == "a" else 0.1) else r for r in people.column("race").values()]
    data = people.with_columns({"race": cf.Microdata.from_dict({"race": race}).columns["race"]})
    knows = cf.Intruder(knows=KNOWS, blanks=cf.BlankedByValue({"race": {"a": 0.7, "b": 0.1, "w": 0.1}}), name="clerk")
    release = cf.Release(cf.Noise("pay", sd=5))
    found = cf.calibrate(data, release, [knows, cf.Intruder(knows=["sex", "pay"], name="other")], times=3)
    assessed = cf.assess(release.apply(data, seed=1), knows)
    names = ["clerk", "clerk, blanks not told"]
    assert [c.intruder.title for c in found.intruders] == [*names, "other"]
    assert [s.intruder.title for s in assessed.scenarios] == names
    assert [len(cf.calibrate(people, release, knows, times=2).intruders)] == [1]


def test_a_wrong_belief_is_found_and_its_group_named():
    """The intruder takes released values at face value, although half of the races were swapped."""
    release = cf.Release(cf.Swap("race", rate=0.8))
    naive = cf.Intruder(knows=["sex", "race"], understands_masking=False, name="naive")
    honest = naive.but(understands_masking=True, name="honest")
    found = cf.calibrate(source(400), release, [naive, honest], times=8)
    assert not found.of("naive").matches.agrees
    assert found.of("naive").matches.difference < -1
    assert found.of("naive").worst_group.variable == "race"
    assert found.of("honest").matches.agrees
    assert found.of("naive").assumptions
    assert not found.of("honest").assumptions


def test_the_null_link_is_compared_only_where_the_file_holds_everyone():
    data = source(200)
    release = cf.Release(cf.Sample(fraction=0.5), cf.Noise("pay", sd=5))
    unsure = cf.Intruder(knows=["sex", "pay"], target_in_file=False, population=cf.PopulationTable(
        data.with_columns({"count": cf.Microdata.from_dict({"count": [1.0] * data.n}).columns["count"]})
    ))  # fmt: skip
    known, unknown = (cf.calibrate(data, release, unsure, times=20, everyone=e).intruders[0] for e in (True, False))
    assert known.null is not None
    assert not known.given_in_file
    assert known.null.true.sum(axis=1) == pytest.approx([100.0] * 20)
    assert known.null.stated.sum(axis=1).mean() == pytest.approx(100, abs=8)
    assert known.best.count.sum(axis=1) == pytest.approx([200.0] * 20)
    assert unknown.null is None
    assert unknown.given_in_file
    assert unknown.best.count.sum(axis=1) == pytest.approx([100.0] * 20)
    assert "null link was not compared" in repr(cf.calibrate(data, release, unsure, times=2))


def test_without_replacement_is_calibrated_too():
    intruder = cf.Intruder(knows=["sex", "pay"], matching=cf.WithoutReplacement())
    found = cf.calibrate(source(30), cf.Release(cf.Noise("pay", sd=5)), intruder, times=10).intruders[0]
    assert found.pairs.true.sum(axis=1) == pytest.approx([30.0] * 10)
    assert abs(found.matches.difference) < 5


def test_nothing_printed_or_written_holds_a_value():
    found = cf.calibrate(source(), NOISE, cf.Intruder(knows=KNOWS), times=3)
    for value in source().column("pay").values():
        assert str(value) not in repr(found) + found.to_json()


def test_the_frame_and_the_json_hold_every_bin():
    found = cf.calibrate(source(), NOISE, cf.Intruder(knows=KNOWS, name="me"), times=3, by=["race"])
    frame = found.to_frame()
    assert set(frame["of"]) == {"best", "pairs", "best by race"}
    assert (frame["low"] <= frame["difference"]).all()
    read = json.loads(found.to_json())
    assert read["times"] == 3
    assert len(read["bins"]) == frame.height
    assert read["intruders"][0]["intruder"] == "me"
    assert found.intruders[0].group("race").names
    with pytest.raises(cf.IntruderError, match="there is no variable 'rcae'"):
        found.intruders[0].group("rcae")
    with pytest.raises(cf.IntruderError, match="there is no intruder"):
        found.of("nobody")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"times": 1}, "times must be a whole number of 2 or more"),
        ({"times": True}, "times must be"),
        ({"by": ["rcae"]}, "by: there is no variable 'rcae'"),
        ({"intruders": []}, "needs one Intruder"),
        ({"pairs_of": 0}, "pairs_of must be"),
        ({"release": "a"}, "needs the Release itself, found str"),
        ({"targets": cf.Targets.of_records(source(5))}, "targets of the source file"),
    ],
)
def test_mistakes_are_told(change, message):
    told = {"data": source(), "release": NOISE, "intruders": cf.Intruder(knows=["sex"]), "times": 2} | change
    with pytest.raises(cf.errors.UserMistake if hasattr(cf, "errors") else cf.ConfideError, match=message):
        cf.calibrate(**told)


def test_a_file_masked_elsewhere_cannot_be_masked_again():
    with pytest.raises(cf.ReleaseError, match="needs the Release itself"):
        cf.calibrate(source(), NOISE.apply(source(), seed=1), cf.Intruder(knows=["sex"]))


def test_the_diagram_is_drawn(tmp_path):
    found = cf.calibrate(source(), NOISE, [cf.Intruder(knows=KNOWS), cf.Intruder(knows=["sex"])], times=3)
    path = found.plot(tmp_path / "reliability.svg")
    assert path.read_text().count("probability stated") == 2


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"knows": [cf.Within("pay", 10)]}, "Within is centred"),
        ({"knows": [cf.Roughly("pay", 3)]}, "Roughly is centred"),
        ({"understands_masking": False}, "face value"),
        ({"models_others": False}, "only the target's record"),
        ({"supposes": NOISE}, "supposes"),
        ({"target_in_file": False}, "weights"),
        ({"target_in_file": False, "population": cf.AtLeast(5)}, "lower bound"),
        ({"beliefs": cf.FittedBeliefs(product_of_dot_products=True)}, "dot products"),
    ],
)
def test_assumptions_that_fail_are_named(changes, word):
    (reason,) = cf.failing_assumptions(cf.Intruder(knows=["sex"]).but(**changes))
    assert word in reason


def test_assumptions_that_fail_in_the_file_at_hand_are_named():
    data = source()
    bounded = cf.Intruder(knows=["sex", cf.Between("pay", 1, 1e6)])
    unsure = cf.Intruder(knows=["sex"], target_in_file=False, population=cf.Constant(500))
    rounded, copies, noisy = (
        cf.Release(m).apply(data, seed=1)
        for m in (cf.Round("pay", to=5), cf.Simulate(n=20, together=["sex"]), cf.Noise("pay", sd=5))
    )
    assert "only overlaps" in cf.failing_assumptions(bounded, rounded)[0]
    assert not cf.failing_assumptions(bounded, noisy)
    assert "copies" in cf.failing_assumptions(unsure, copies)[0]
    assert not cf.failing_assumptions(unsure, noisy)


def test_assessments_name_what_does_not_calibrate():
    released = cf.Release(cf.Round("pay", to=5)).apply(source(), seed=1)
    found = cf.assess(released, [cf.Intruder(knows=["sex", cf.Within("pay", 20)], name="a"), cf.Intruder(knows=["sex"])])
    assert "1 scenario(s) do not calibrate: Within is centred on the true value" in repr(found)
    rows = json.loads(found.to_json())["scenarios"]
    assert [len(r["failing_assumptions"]) for r in rows] == [1, 0]
    assert found.row(0).failing_assumptions == tuple(rows[0]["failing_assumptions"])
