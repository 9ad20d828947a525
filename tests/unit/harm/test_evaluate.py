"""From links to harm, against a plain count over the rows of link probabilities."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.harm.evaluate import harm_of

COSTS = cf.Outcomes(tt=10.0, tf=6.0, ft=3.0, ff=5.0, tn=2.0, fn=1.0)


def clinic(n: int = 60, seed: int = 3) -> cf.Microdata:
    rng = np.random.default_rng(seed)
    return cf.Microdata.from_dict(
        {
            "sex": rng.choice(["m", "f"], n).tolist(),
            "age": rng.integers(20, 26, n).tolist(),
            "hiv": rng.choice(["no", "yes"], n, p=[0.7, 0.3]).tolist(),
            "debt": rng.lognormal(7, 1, n).round(2).tolist(),
            "stake": rng.integers(1, 4, n).tolist(),
        }
    ).declare(kinds={"age": "integer", "debt": "continuous", "stake": "integer"})


RELEASES = [
    cf.Release(),
    cf.Release(cf.Recode("age", width=3)),
    cf.Release(cf.Swap("sex", rate=0.4)),
    cf.Release(cf.Sample(fraction=0.6)),
]


def linked_by_hand(links: cf.Links, acts: float):
    """Give, for every target, the records that may be linked and whether each is its own."""
    for t in range(links.n):
        row = links.row(t)
        if row.p.max() > acts:
            yield t, [(int(j), int(row.own is not None and j == row.own)) for j in row.at_best], row
        else:
            yield t, [], row


@pytest.mark.parametrize("release", RELEASES, ids=lambda r: r.name)
@pytest.mark.parametrize("acts", [0.0, 0.2, 0.4])
def test_the_seven_outcomes_by_hand(release, acts):
    data = clinic()
    released = release.apply(data, seed=5)
    links = cf.link(released, cf.Intruder(knows=["sex", "age"]))
    found = harm_of(links, cf.Harm("hiv", COSTS, acts=acts))
    true, told = data.column("hiv").values(), released.data.column("hiv").values()
    expected = np.zeros(links.n)
    for t, candidates, _ in linked_by_hand(links, acts):
        for j, own in candidates:
            right = told[j] == true[t]
            cost = (COSTS.tt if right else COSTS.tf) if own else (COSTS.ft if right else COSTS.ff)
            expected[t] += cost / len(candidates)
    assert found.per_target == pytest.approx(expected)
    assert found.total == pytest.approx(expected.sum())
    assert sum(found.outcomes.values()) == pytest.approx(links.n)
    assert found.linked.tolist() == (links.best > acts).tolist()
    assert found.correct == pytest.approx(np.where(found.linked, links.summary.matched, 0.0))


@pytest.mark.parametrize("release", RELEASES, ids=lambda r: r.name)
@pytest.mark.parametrize("using", [cf.LinkedRecord(), cf.AllCandidates()])
def test_amounts_by_hand(release, using):
    data = clinic()
    released = release.apply(data, seed=5)
    links = cf.link(released, cf.Intruder(knows=["sex", "age"]))
    costs = cf.AmountCosts(cf.Excess(), cf.AbsoluteError())
    found = harm_of(links, cf.Harm("debt", costs, using=using, acts=0.1))
    y, z = data.column("debt").numbers, released.data.column("debt").numbers
    expected = np.zeros(links.n)
    for t, candidates, row in linked_by_hand(links, 0.1):
        for j, own in candidates:
            guess = z[j] if isinstance(using, cf.LinkedRecord) else float(row.p @ z / row.p.sum())
            expected[t] += (max(0.0, guess - y[t]) if own else abs(guess - y[t])) / len(candidates)
    assert found.per_target == pytest.approx(expected)


def test_a_bayesian_intruder_who_uses_all_candidates_averages_over_them():
    data = clinic()
    released = cf.Release(cf.Noise("debt", sd=300.0)).apply(data, seed=5)
    links = cf.link(released, cf.Intruder(knows=["sex", "age"]))
    harm = cf.Harm(
        "debt", cf.AmountCosts(cf.OverEstimate()), reading=cf.MeasurementError(), using=cf.AllCandidates(),
        bayesian=True, acts=0.0,
    )  # fmt: skip
    found = harm_of(links, harm)
    from confide.harm.sensitive import sensitive_of

    belief = harm.reading.amounts(sensitive_of(links, "debt")).belief
    y = data.column("debt").numbers
    for t in (0, 7, 33):
        p = links.row(t).p
        each = cf.OverEstimate().expected(np.full(p.size, y[t]), belief)
        assert found.per_target[t] == pytest.approx(float(p @ each / p.sum()), rel=1e-10)


def test_categories_from_all_candidates_need_to_be_sure_enough():
    data = cf.Microdata.from_dict({"sex": ["m"] * 4, "hiv": ["yes", "yes", "yes", "no"]})
    links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))
    harm = cf.Harm("hiv", COSTS, using=cf.AllCandidates(), acts=0.0)
    # three of four say yes: inferred when that is sure enough; the linked record is the own one in a quarter of cases
    found = harm_of(links, harm)
    assert found.per_target == pytest.approx([0.25 * 10 + 0.75 * 3] * 3 + [0.25 * 6 + 0.75 * 5])
    unsure = harm_of(links, cf.Harm("hiv", COSTS, using=cf.AllCandidates(), acts=0.0, sure=0.8))
    assert unsure.per_target == pytest.approx([0.25 * 2 + 0.75 * 1] * 4)
    bayes = harm_of(links, cf.Harm("hiv", COSTS, using=cf.AllCandidates(), acts=0.0, bayesian=True))
    assert bayes.per_target[0] == pytest.approx(0.25 * (0.75 * 10 + 0.25 * 6) + 0.75 * (0.75 * 3 + 0.25 * 5))
    assert bayes.right[0] == pytest.approx(0.75)


def test_harm_of_someone_outside_the_file_is_from_false_links_only():
    data = clinic()
    released = cf.Release(cf.Sample(fraction=0.5)).apply(data, seed=5)
    links = cf.link(released, cf.Intruder(knows=["sex", "age"]))
    found = harm_of(links, cf.Harm("hiv", cf.Outcomes(tt=1.0, tf=1.0), acts=0.0))
    outside = links.evidence.own_records < 0
    assert outside.any()
    assert not found.per_target[outside].any()
    only = harm_of(links, cf.Harm("hiv", COSTS.only_true(), acts=0.0))
    assert only.total == pytest.approx(10 * only.outcomes["true re-identification, inferred correctly"])
    assert not only.outcomes["true re-identification, inferred wrongly"]


def test_a_decision_maker_acts_by_expected_loss():
    data = clinic()
    links = cf.link(cf.Release().apply(data, seed=5), cf.Intruder(knows=["sex", "age"]))
    losses = cf.Losses(missed=1.0, wrong=1.25)
    found = harm_of(links, cf.Harm("hiv", COSTS, acts=losses))
    for t in range(links.n):
        assert found.linked[t] == losses.decide(links.row(t).p).links


def test_a_respondent_may_count_more():
    data = clinic()
    links = cf.link(cf.Release().apply(data, seed=5), cf.Intruder(knows=["sex", "age"]))
    plain, weighed = (harm_of(links, cf.Harm("hiv", COSTS, acts=0.0, weight=w)) for w in (None, "stake"))
    assert weighed.per_target == pytest.approx(plain.per_target * data.column("stake").numbers)


def test_an_attribute_that_is_not_released_is_not_inferred():
    data = clinic()
    links = cf.link(cf.Release(cf.Drop(["hiv", "debt"])).apply(data, seed=5), cf.Intruder(knows=["sex", "age"]))
    found = harm_of(links, cf.Harm("hiv", COSTS, acts=0.0))
    assert found.per_target == pytest.approx(2.0 * found.correct + 1.0 * (1 - found.correct))
    amount = harm_of(links, cf.Harm("debt", cf.AmountCosts(cf.Excess(), tn=2.0, fn=1.0), acts=0.0))
    assert amount.per_target == pytest.approx(found.per_target)
    both = harm_of(links, cf.Harm("debt", cf.AmountCosts(cf.Excess(), tn=2.0, fn=1.0), acts=0.0, using=cf.AllCandidates()))
    assert both.per_target == pytest.approx(found.per_target)
    for using in (cf.LinkedRecord(), cf.AllCandidates()):
        bayes = cf.Harm("debt", cf.AmountCosts(cf.Excess(), tn=2.0, fn=1.0), acts=0.0, using=using, bayesian=True)
        assert harm_of(links, bayes).per_target == pytest.approx(found.per_target)


def test_missing_values_on_both_sides():
    data = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "hiv": [None, "yes", None], "debt": [1.0, None, 3.0]})
    data = data.declare(kinds={"debt": "continuous"})
    links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))
    found = harm_of(links, cf.Harm("hiv", COSTS, acts=0.0))
    # the second: own record tells, the other does not; the others have no true value
    assert found.per_target == pytest.approx([0.0, 0.5 * 10 + 0.5 * 1, 0.0])
    assert found.has_value.tolist() == [False, True, False]
    assert "without a true value" in repr(found)
    amounts = harm_of(links, cf.Harm("debt", cf.AmountCosts(cf.AbsoluteError(), tn=2.0, fn=1.0), acts=0.0))
    assert amounts.per_target == pytest.approx([0.0, 0.0, 0.5 * 1.0])
    by_value = cf.ByTrueValue({"yes": COSTS})
    assert harm_of(links, cf.Harm("hiv", by_value, acts=0.0)).per_target == pytest.approx(found.per_target)


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda: cf.Harm("hivv", COSTS), "did you mean 'hiv'"),
        (lambda: cf.Harm("sex", COSTS), "knows 'sex' already"),
        (lambda: cf.Harm("hiv", COSTS, weight="stakes"), "did you mean 'stake'"),
        (lambda: cf.Harm("hiv", COSTS, weight="hiv"), "missing, infinite or negative"),
        (lambda: cf.Harm("hiv", COSTS, acts=1.5), "acts is a probability"),
        (lambda: cf.Harm("hiv", COSTS, sure=1.0), "sure is a probability"),
        (lambda: cf.Harm("hiv", 3.0), "costs takes"),
        (lambda: cf.Harm("hiv", COSTS, using="all"), "using takes"),
        (lambda: cf.Harm("hiv", COSTS, reading="as is"), "reading takes"),
        (lambda: cf.Harm("debt", COSTS, reading=cf.Shrunk()), "need a weight"),
        (lambda: cf.Harm("hiv", cf.AssignedTo("maybe")), "maybe"),
        (lambda: cf.Harm("hiv", cf.AmountCosts(cf.Excess())), "costs for categories"),
    ],
)
def test_mistakes(harm, says):
    links = cf.link(cf.Release().apply(clinic(), seed=5), cf.Intruder(knows=["sex", "age"]))
    with pytest.raises(cf.HarmError, match=says):
        harm_of(links, harm())


def test_an_amount_of_many_values_is_no_category():
    data = clinic(1_500)
    links = cf.link(cf.Release().apply(data, seed=5), cf.Intruder(knows=["sex", "age"]))
    with pytest.raises(cf.HarmError, match="costs for amounts"):
        harm_of(links, cf.Harm("debt", COSTS))
    noisy = cf.link(cf.Release(cf.Noise("age", sd=1.0)).apply(data, seed=5), cf.Intruder(knows=["sex"]))
    with pytest.raises(cf.HarmError, match="amount with noise"):
        harm_of(noisy, cf.Harm("age", COSTS))


def test_many_parts_give_the_same_harm(monkeypatch):
    from confide.harm import cases
    from confide.linking import pairs

    data = clinic(400)
    links = cf.link(cf.Release(cf.Swap("sex", rate=0.4)).apply(data, seed=5), cf.Intruder(knows=["sex", "age"]))
    harms = [
        cf.Harm("debt", cf.AmountCosts(cf.Excess()), using=using, bayesian=bayesian, acts=0.0)
        for using in (cf.LinkedRecord(), cf.AllCandidates())
        for bayesian in (False, True)
    ]
    whole = [harm_of(links, h).per_target for h in harms]
    monkeypatch.setattr(pairs, "PART", 50)
    monkeypatch.setattr(cases, "PART", 50)
    for h, expected in zip(harms, whole, strict=True):
        assert harm_of(links, h).per_target == pytest.approx(expected)


def test_harm_from_any_table_of_link_probabilities():
    joint = cf.link_probabilities(np.array([[1.0, 0.5], [0.5, 1.0]]))  # .8 and .2
    harm = cf.Harm("hiv", cf.Outcomes(tt=10.0, ff=5.0), acts=0.5)
    found = harm_of(joint, harm, parent=[0, 1], true=["yes", "no"], told=["yes", "no"])
    assert found.per_target.tolist() == [10.0, 10.0]
    crossed = harm_of(joint.p, harm, parent=[1, 0], true=["yes", "no"], told=["no", "yes"])
    assert crossed.per_target.tolist() == [5.0, 5.0]
    amounts = cf.Harm("debt", cf.AmountCosts(cf.Excess()), using=cf.AllCandidates(), acts=0.0)
    owed = harm_of(joint, amounts, parent=[0, 1], true=[10.0, 20.0], told=[10.0, 30.0])
    assert owed.per_target == pytest.approx([0.8 * 10 + 0.2 * 30 - 10, 0.2 * 10 + 0.8 * 30 - 20])
    some = harm_of(joint, amounts, parent=[0, 1], true=[10.0, np.nan], told=[None, 30.0])
    assert some.per_target == pytest.approx([20.0, 0.0])


def test_harm_from_linkage_by_distance():
    data = clinic(80)
    released = cf.Release(cf.Noise("debt", sd=50.0)).apply(data, seed=1)
    linkage = cf.distance_linkage(released, ["sex", "age"])
    hiv = data.column("hiv").values()
    found = harm_of(
        linkage.links(), cf.Harm("hiv", cf.Outcomes(tt=1.0, tf=1.0), acts=0.0), parent=released.parent,
        true=hiv, told=released.data.column("hiv").values(),
    )  # fmt: skip
    assert found.n == 80
    assert 0 < found.total <= 80


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({}, "give parent"),
        ({"parent": [0, 1]}, "give true"),
        ({"parent": [0, 1], "true": ["a", "b"]}, "give told"),
        ({"parent": [0, 1], "true": ["a"], "told": ["a", "b"]}, "2 are needed, found 1"),
    ],
)
def test_tables_need_to_be_told_the_rest(given, says):
    with pytest.raises(cf.HarmError, match=says):
        harm_of(np.eye(2), cf.Harm("hiv", COSTS), **given)
    with pytest.raises(cf.HarmError, match="multiply the harm yourself"):
        harm_of(np.eye(2), cf.Harm("hiv", COSTS, weight="w"), parent=[0, 1], true=["a", "b"], told=["a", "b"])
