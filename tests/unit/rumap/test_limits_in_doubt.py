"""A map and its choice say what an assessment says, and hold limits against the same figures."""

import numpy as np
import pytest

import confide as cf
from confide.errors import MapError
from confide.rumap.general.choose import Limit
from confide.rumap.general.risks import RiskAxis

N = 300


def people():
    rng = np.random.default_rng(1)
    shares = 1 / np.arange(1, 41)
    return cf.Microdata.from_dict(
        {
            "age": np.minimum(rng.geometric(0.04, N) + 17, 95).tolist(),
            "region": rng.choice([f"r{i}" for i in range(40)], N, p=shares / shares.sum()).tolist(),
            "job": rng.choice([f"j{i}" for i in range(40)], N, p=shares / shares.sum()).tolist(),
            "w": [50.0] * N,
        }
    ).declare(weight="w")


FAMILY = cf.Release(cf.vary("coarser", no=None, yes=cf.Recode("age", width=5)))
STRANGER = cf.Intruder(knows=["age", "region", "job"], target_in_file=False, name="stranger")


def mapped(who=STRANGER, **more):
    asked = {"risk": [cf.RightLinks(), cf.PerceivedIdentifications()], "utility": cf.Hellinger("age"), "seed": 1}
    return cf.ru_map(people(), FAMILY, who, **(asked | more))


def test_choose_picked_the_unmasked_file_on_a_guessed_number_of_people():
    found = mapped()
    assert found.points()[0].risk == 0.0
    with pytest.raises(MapError, match=r"nothing can be chosen\. stranger: N_t rests on .* population = \"weights\""):
        found.choose(0.05)
    accepted = mapped(STRANGER.but(population=cf.FromWeights()))
    choice = accepted.choose(0.05)
    assert choice.settings == {"coarser": "no"}
    assert "N_t rests on the survey weights of one or two records" in repr(choice)


def test_a_map_printed_no_notes(tmp_path):
    found = mapped()
    assert len(found.notes) == 1
    assert "stranger: N_t rests on the survey weights of one or two records for up to" in repr(found)
    assert found.to_frame()["weak_targets"].min() > 250
    assert found.to_frame()["contradicted_or_ruled_out"].to_list() == [0, 0]
    page = found.plot(tmp_path / "map.html").read_text(encoding="utf-8")
    assert "N_t rests on the survey weights of one or two records" in page
    assert mapped(STRANGER.but(target_in_file=True)).notes == ()


def test_what_is_kept_in_a_store_keeps_the_notes(tmp_path):
    store = cf.FolderStore(tmp_path)
    first, again = (mapped(store=store) for _ in range(2))
    assert again.notes == first.notes
    assert [row.limited(0, "right_links") for row in again.rows] == [row.limited(0, "right_links") for row in first.rows]


def test_a_map_held_limits_against_targets_who_fit_no_record_as_not_linked():
    family = cf.Release(cf.Swap("region", rate=cf.vary("rate", 0.3, 0.9)))
    naive = cf.Intruder(knows=["age", "region", "job"], understands_masking=False, name="naive")
    found = cf.ru_map(people(), family, naive, risk=cf.RightLinks(), utility=cf.Hellinger("region"), seed=1)
    for row in found.rows:
        shown, held = row.risk(0, "right_links"), row.limited(0, "right_links")[0]
        assert held.mean == pytest.approx(shown.mean + row.notes(0)["note broken targets"] / N)
    assert "fit no released record, or not their own" in found.notes[0]


@pytest.mark.parametrize("risk", [cf.RightLinks(), cf.TrueMatchRate(), cf.WorstGroup(cf.ExpectedMatches(), by="region")])
def test_a_limit_of_ten_was_accepted_on_a_share_of_targets(risk):
    with pytest.raises(MapError, match=r"is 10, and the figure of a map is .*, a share of at most 1"):
        Limit(RiskAxis(risk), 0, 10.0)
    assert Limit(RiskAxis(risk), 0, 1.0).at == 1.0
    assert Limit(RiskAxis(cf.RiskOf("own", lambda scenario: 0.0)), 0, 10.0).at == 10.0
