"""Against which intruders a release is safe."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import confide as cf

SOURCE = np.array([3.0, 9.8, 14.1, 21.0, 30.0, 40.7, 53.2, 71.0, 99.0, 180.0])
PARENT = [9, 2, 4, 0]
RELEASED = SOURCE[PARENT] * np.array([1.1, 0.95, 1.05, 0.9])


def test_a_cell_is_the_decision_of_that_intruder():
    losses = cf.Losses(missed=1.0, wrong=2.0)
    found = cf.safety_map(SOURCE, RELEASED, PARENT, precisions=[0.1, 0.3], knowledge=[1.0], losses=losses)
    for s, sd in enumerate((0.1, 0.3)):
        f = np.exp(-0.5 * ((np.log(RELEASED)[:, None] - np.log(SOURCE)) / sd) ** 2)
        p = cf.link_probabilities(f).p
        decided = losses.decide_all(p)
        assert found.linked[0, s] == decided.linked / 10
        assert found.correct[0, s] == np.mean([r >= 0 and PARENT[r] == i for i, r in enumerate(decided.record)])
        assert found.largest[0, s] == pytest.approx(p.max())
        assert found.linked_at_least[0, s] == found.linked[0, s] == found.linked_at_most[0, s]
    assert found.error.max() <= 1e-12
    assert not found.unsure.any()


def test_who_knows_nobody_is_the_naive_outsider():
    found = cf.safety_map(SOURCE, RELEASED, PARENT, precisions=[0.01, 1.0], knowledge=[0.0], losses=cf.Losses(1.0, 1.001))
    assert found.largest == pytest.approx(cf.naive_outsider(10, 4))
    assert found.safe.all()
    every = cf.safety_map(SOURCE, RELEASED, PARENT, precisions=[0.1], knowledge=[0.0], losses=cf.malicious_outsider(10, 4))
    assert every.linked.tolist() == [[1.0]]


def test_more_precision_and_more_knowledge_make_it_less_safe():
    found = cf.safety_map(SOURCE, RELEASED, PARENT, precisions=[0.1, 0.4, 3.0], knowledge=[0.0, 0.5, 1.0])
    assert found.correct[2].tolist() == [0.4, 0.2, 0.0]
    assert np.all(np.diff(found.correct, axis=0) >= 0)
    assert np.all(np.diff(found.correct, axis=1) <= 0)
    assert not found.safe[2, 0]
    assert found.safe[0].all()
    assert cf.safety_map(SOURCE, RELEASED, PARENT, precisions=[0.1], knowledge=[1.0], allowed=0.4).safe.all()


def test_ranks_place_a_respondent_at_a_quantile():
    values = np.exp(np.array([[3.0], [1.0], [2.0], [2.0]]))
    centres = cf.KnownRanks().centres(np.log(values))
    assert centres[2] == centres[3] == pytest.approx(2.0)
    assert centres[0] - 2.0 == pytest.approx(2.0 - centres[1])
    by_rank = cf.safety_map(SOURCE, RELEASED, PARENT, precisions=[0.3], knowledge=[1.0], known=cf.KnownRanks())
    assert by_rank.correct[0, 0] > 0


def test_several_attributes_and_other_families():
    rng = np.random.default_rng(1)
    source = rng.normal(size=(12, 3))
    released = source[:5] + 0.05 * rng.normal(size=(5, 3))
    found = cf.safety_map(source, released, range(5), precisions=[0.05], knowledge=[1.0], family=cf.NormalFamily())
    assert found.correct[0, 0] == pytest.approx(5 / 12)
    with pytest.raises(cf.IntruderError, match=r"need positive values; for others give family=NormalFamily\(\)"):
        cf.safety_map(source, released, range(5))
    source[:, 0] = 1.0
    with pytest.raises(cf.IntruderError, match="all source values of an attribute are equal"):
        cf.safety_map(source, released, range(5), family=cf.NormalFamily())


def test_beliefs_far_from_every_record_still_decide():
    # precise and wrong: every density underflows, and the order still tells them apart
    found = cf.safety_map(SOURCE, RELEASED * 50, PARENT, precisions=[0.001], knowledge=[1.0])
    assert found.linked[0, 0] > 0


def test_errors_of_an_approximation_leave_cells_open():
    rng = np.random.default_rng(2)
    source = rng.lognormal(3, 1, 40)
    released = source * np.exp(0.1 * rng.normal(size=40))
    found = cf.safety_map(source, released, range(40), precisions=[0.3, 1.0], knowledge=[0.5, 1.0], work=1.0, allowed=0.2)
    assert found.error.max() > 1e-6
    assert np.all(found.linked_at_least <= found.linked)
    assert np.all(found.linked <= found.linked_at_most)
    assert np.array_equal(found.unsure, (found.linked_at_least <= 0.2) & (found.linked_at_most > 0.2))


def test_one_seed_one_map():
    make = lambda seed: cf.safety_map(SOURCE, RELEASED, PARENT, precisions=[0.1], knowledge=[0.3], seed=seed)  # noqa: E731
    assert make(1).correct.tolist() == make(1).correct.tolist()
    assert len({float(make(s).correct[0, 0]) for s in range(10)}) > 1


def test_the_map_can_be_read_and_kept(tmp_path):
    calls = []
    found = cf.safety_map(
        SOURCE, RELEASED, PARENT, precisions=[0.1, 3.0], knowledge=[0.0, 1.0], progress=lambda a, b: calls.append((a, b))
    )
    assert calls == [(1, 4), (2, 4), (3, 4), (4, 4)]
    text = repr(found).splitlines()
    assert text[0] == "Safety map: 4 records of 10 respondents; a wrong link costs 1 times a missed one"
    assert text[3].split() == ["0", "safe", "safe"]
    assert text[4].split() == ["1", "40.0%", "(40.0%)", "safe"]
    frame = found.to_frame()
    assert frame.height == 4
    assert frame["safe"].to_list() == [True, True, False, True]
    pytest.importorskip("matplotlib")
    first = found.plot(tmp_path / "map.svg").read_bytes()
    assert b"40.0% right" in first
    assert found.plot(tmp_path / "map.svg").read_bytes() == first
    assert found.plot(str(tmp_path / "map.png")).read_bytes().startswith(b"\x89PNG")
    assert found.plot(tmp_path / "map.pdf").read_bytes().startswith(b"%PDF")
    with pytest.raises(cf.DataError, match="drawn as SVG, PNG or PDF"):
        found.plot(tmp_path / "map.gif")


def test_matplotlib_is_loaded_only_to_draw():
    code = (
        "import sys, confide as cf; cf.safety_map([1., 9.], [1.], [0], precisions=[.1], knowledge=[1]);"
        "print('matplotlib' in sys.modules)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"parents": [0, 1]}, "2 parents for 4 records"),
        ({"parents": [0, 0, 1, 2]}, "each record belongs to another respondent"),
        ({"parents": [0, 1, 2, 10]}, "1 parent.s. are not among the 10 respondents"),
        ({"parents": [0.0, 1.0, 2.0, 3.0]}, "counted from 0"),
        ({"released": np.ones(11)}, "4 parents for 11 records"),
        ({"released": np.ones((4, 2))}, "2 variable.s., source records 1"),
        ({"released": [1.0, 2.0, 3.0, np.nan]}, "finite"),
        ({"precisions": [0.0]}, "precisions must be finite numbers, positive"),
        ({"precisions": []}, "at least one"),
        ({"knowledge": [1.5]}, "knowledge must be finite numbers, from 0 to 1"),
        ({"knowledge": [-0.5]}, "from 0 to 1"),
        ({"allowed": 2.0}, "from 0 to 1"),
    ],
)
def test_what_cannot_be_mapped_is_refused(change, message):
    asked = {"source": SOURCE, "released": RELEASED, "parents": PARENT, **change}
    with pytest.raises(cf.IntruderError, match=message):
        cf.safety_map(**asked)


def test_a_file_too_large_says_so():
    with pytest.raises(cf.IntruderError, match="2,001 records and 2,001 respondents are more than 4,000,000 pairs"):
        cf.safety_map(np.ones(2001), np.ones(2001), range(2001))
