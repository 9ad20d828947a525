"""What an intruder supposes, held against the released file."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.report.html import render


def people(n=200):
    rng = np.random.default_rng(1)
    pay = np.round(rng.lognormal(10, 0.5, n), 2)
    return cf.Microdata.from_dict({"sex": rng.choice(["m", "f"], n).tolist(), "pay": pay.tolist()})


WHO = cf.Intruder(knows=["sex", "pay"])


@pytest.mark.parametrize(
    "method",
    [
        cf.Recode("pay", width=10_000),
        cf.Recode("pay", width=2_500.5, start=0.1),
        cf.Recode("pay", breaks=[0, 10_000, 30_000, np.inf]),
        cf.Round("pay", to=0.1),
        cf.Round("pay", to=1_000),
        cf.Topcode("pay", at=30_000),
    ],
)
def test_supposing_what_was_done_is_knowing_it(method):
    release = cf.Release(method)
    file = release.apply(people(), seed=1)
    knows, supposes = cf.assess(file, [WHO, WHO.but(supposes=release, name="same")]).scenarios
    assert supposes.contradicted == 0
    assert supposes.expected_matches == knows.expected_matches > 1


def test_supposing_what_the_file_refutes_for_everyone_is_an_error_that_shows_the_file():
    file = cf.Release(cf.Recode("pay", width=10_000)).apply(people(), seed=1)
    wrong = WHO.but(supposes=cf.Release(cf.Recode("pay", width=5_000)), name="mistaken")
    with pytest.raises(cf.LikelihoodError) as caught:
        cf.assess(file, wrong)
    assert "'mistaken' supposes this masking: recode pay in intervals of width 5000" in str(caught.value)
    assert "any of the 200 targets" in str(caught.value)
    assert "'pay' as '[0, 10000)', '[10000, 20000)'" in str(caught.value)


def test_values_of_respondents_are_not_shown():
    file = cf.Release().apply(people(), seed=1)
    with pytest.raises(cf.LikelihoodError, match="'pay' as numbers. Suppose") as caught:
        cf.assess(file, WHO.but(supposes=cf.Release(cf.Recode("pay", width=5_000))))
    assert not any(str(x) in str(caught.value) for x in people().column("pay").values())


def test_an_outsider_who_sees_the_file_alone_is_told_as_well():
    file = cf.Release(cf.Recode("pay", width=10_000)).apply(people(), seed=1)
    wrong = WHO.but(supposes=cf.Release(cf.Recode("pay", width=5_000)))
    with pytest.raises(cf.LikelihoodError, match="The file shows"):
        cf.link(cf.Released.seen(file.data), wrong, cf.Targets.of_records(people()))


def test_refuting_it_for_some_is_a_warning_in_print_and_on_page_one():
    file = cf.Release(cf.Recode("pay", width=10_000)).apply(people(), seed=1)
    breaks = [0, 10_000, 30_000, np.inf]
    found = cf.assess(file, [WHO, WHO.but(supposes=cf.Release(cf.Recode("pay", breaks=breaks)), name="mistaken")])
    some = found.row(1).contradicted
    assert 0 < some < 200
    says = f"In 1 of 2 scenarios, {some} of 200 targets known to be in the file fit no released record"
    assert says in repr(found)
    assert "What &#39;mistaken&#39; supposes is not how the file was masked" in render(found)
    assert says in render(found)


def test_targets_who_are_not_in_a_sample_refute_nothing():
    data = people()
    release = cf.Release(cf.Sample(n=20))
    file = release.apply(data, seed=1)
    outside = cf.Targets.of_rows(np.setdiff1d(np.arange(data.n), file.parent).tolist())
    found = cf.assess(file, WHO.but(supposes=release), outside)
    assert found.row(0).contradicted == data.n - 20
    assert found.row(0).ruled_out == 0
    assert "have a record there" not in repr(found)


SUPPOSED = "the masking is what the intruder supposes, not what was done"


@pytest.mark.parametrize(
    "done",
    [
        cf.Release(cf.Recode("pay", width=10_000)),
        cf.Release(cf.Swap("sex", rate=0.2), cf.Noise("pay", sd=500.0)),
        cf.Release(cf.Swap("sex", rate=0.2), cf.Drop("pay")),
    ],
)
def test_supposing_what_was_done_was_called_a_failing_assumption(done):
    file = done.apply(people(), seed=1)
    again = cf.Release(*[type(m)(**{f: getattr(m, f) for f in m.__dataclass_fields__}) for m in done.methods])
    for same in (done, again):
        found = cf.assess(file, WHO.but(knows=["sex"], supposes=same))
        assert SUPPOSED not in found.row(0).failing_assumptions
        assert SUPPOSED not in repr(found)
    other = WHO.but(knows=["sex"], supposes=cf.Release(cf.Swap("sex", rate=0.3)))
    assert SUPPOSED in cf.assess(file, other).row(0).failing_assumptions


def test_supposing_a_masking_of_a_file_that_someone_else_made_stays_a_supposition():
    file = cf.Released.from_files(
        people(), cf.Release(cf.Swap("sex", rate=0.2)).apply(people(), seed=1).data, same_order=True
    )
    found = cf.assess(file, WHO.but(knows=["sex"], supposes=cf.Release(cf.Swap("sex", rate=0.2)))).row(0)
    assert SUPPOSED in found.failing_assumptions
