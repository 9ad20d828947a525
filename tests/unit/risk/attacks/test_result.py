import numpy as np
import pytest

import confide as cf

ROWS, HITS = np.arange(4), np.array([1.0, 1.0, 1.0, 0.0])


def risk(main, control, baseline=(0, 100), asked=100):
    rates = [cf.SuccessRate.of(*r) for r in (main, baseline, control)]
    return cf.AttackRisk("linkability", "a with b", *rates[:2], ROWS, HITS, asked, 0.95, rates[2])


def test_the_risk_is_the_share_of_what_was_left():
    found = risk((60, 100), (20, 100))
    assert found.risk.value == found.value == pytest.approx((0.6 - 0.2) / (1 - 0.2))
    assert found.risk.low < found.value < found.risk.high
    assert found.title == "Linkability, risk"


def test_a_risk_below_nought_is_not_hidden():
    found = risk((10, 100), (20, 100))
    assert found.risk.value == pytest.approx(-0.125)
    assert found.risk.low < -0.125 < found.risk.high < 0


def test_a_perfect_attack():
    assert risk((100, 100), (20, 100)).risk.high == 1


def test_without_room_there_is_no_risk():
    found = risk((100, 100), (50, 50))
    with pytest.raises(cf.IntruderError, match="every attack on the control group succeeded"):
        _ = found.risk
    assert "risk not defined" in repr(found)


def test_an_attack_no_better_than_guessing_says_so():
    weak, strong = risk((12, 100), (5, 100), (10, 100)), risk((40, 100), (5, 100), (10, 100))
    assert not weak.beats_guessing
    assert strong.beats_guessing
    assert "says nothing" in repr(weak)
    assert "says nothing" not in repr(strong)


def test_better_than_guessing_means_newcombe():
    # Newcombe 1998, Table II, method 10: 56/70 against 48/80 is .0524 to .3339 above
    more, less = cf.SuccessRate.of(56, 70), cf.SuccessRate.of(48, 80)
    low = more.value - less.value - np.hypot(more.value - more.low, less.high - less.value)
    assert low == pytest.approx(0.0524, abs=5e-5)
    assert more.above(less)


def test_fewer_attacks_than_asked_for_are_told():
    assert "only 100 of 2,000 attacks could be made" in repr(risk((60, 100), (20, 100), asked=2000))


def test_the_frame_has_every_rate():
    frame = risk((60, 100), (20, 100)).to_frame()
    assert frame["rate"].to_list() == ["main", "control", "baseline"]
    assert frame["value"].to_list() == [0.6, 0.2, 0.0]


def test_no_attacks_are_no_rate():
    with pytest.raises(cf.IntruderError, match="no rate"):
        cf.SuccessRate.of(0, 0)
