"""Intruders who count: what cannot be is refused, and the malicious outsider always links."""

from __future__ import annotations

import pytest

import confide as cf


@pytest.mark.parametrize(("respondents", "released", "simulated"), [(6, 3, 0), (6, 6, 0), (100, 1, 9), (1, 1, 0), (5, 2, 3)])
def test_a_malicious_outsider_claims_a_link_and_a_naive_one_does_not(respondents, released, simulated):
    p = [cf.naive_outsider(respondents, released, simulated)] * (released + simulated)
    assert cf.malicious_outsider(respondents, released, simulated).decide(p).links
    assert cf.malicious_outsider(respondents, released, simulated, wrong=5.0, times=1.001).decide(p).links
    if respondents > released:
        assert not cf.Losses(missed=1.0, wrong=1.001).decide(p).links


def test_the_published_bound_of_the_malicious_outsider():
    assert cf.malicious_from(6, 3) == pytest.approx(5 / 3)
    assert cf.malicious_outsider(6, 3, wrong=3.0).missed == pytest.approx(10.0)
    with pytest.raises(cf.IntruderError, match="times must be above one"):
        cf.malicious_outsider(6, 3, times=1.0)


def test_an_insider_decides_by_the_look_alikes():
    # one look-alike released of two: a link errs with 1/2, the null link with 1/2: a tie does not link
    view = cf.insider(8, 2, 4, 1)
    assert (view.p, view.released) == (0.5, 0.5)
    assert not cf.Losses().decide([view.p]).links
    assert cf.Losses().decide([cf.insider(8, 1, 4, 1).p]).links


def test_simulated_look_alikes_leave_less_reason_to_link():
    known = [cf.insider_with_simulated(10, 6, m) for m in range(7)]
    assert known == sorted(known, reverse=True)
    assert known[0] == pytest.approx(0.1)
    assert known[-1] == 0.0
    view = cf.insider_with_unknown_simulated(12, 4, 5, 2, {0: 1 / 3, 1: 1 / 3, 2: 1 / 3})
    assert view.released == pytest.approx((2 - view.expected_simulated) / 4)
    certain = cf.insider_with_unknown_simulated(12, 4, 5, 2, {1: 1.0})
    assert certain.p == pytest.approx(cf.insider_with_simulated(4, 2, 1))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: cf.naive_outsider(3, 4), "cannot be released"),
        (lambda: cf.insider(8, 3, 4, 4), "cannot come from"),
        (lambda: cf.insider_with_simulated(1, 6, 0), "cannot come from 1 respondents"),
        (lambda: cf.insider_with_simulated(10, 6, 7), "cannot be simulated"),
        (lambda: cf.insider_with_unknown_simulated(3, 4, 2, 1, {0: 1.0}), "cannot be among 3 respondents"),
        (lambda: cf.insider_with_unknown_simulated(12, 4, 5, 2, {0: float("nan")}), "the prior must give"),
        (lambda: cf.insider_with_unknown_simulated(12, 4, 5, 2, {3: 1.0}), "no number of simulated records"),
        (lambda: cf.insider_with_unknown_simulated(12, 4, 5, 0, {0: 1.0}), "no released record"),
    ],
)
def test_what_cannot_be_is_refused(call, message):
    with pytest.raises(cf.IntruderError, match=message):
        call()
