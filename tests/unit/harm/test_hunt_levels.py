"""Which categories there are, and how they are named."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.harm.sensitive import sensitive_of

COSTS = cf.Outcomes(tt=10.0, tf=6.0, ft=3.0, ff=5.0, tn=2.0, fn=1.0)


def clinic(**more: list[object]) -> cf.Microdata:
    columns = {"sex": ["m", "f"] * 6, "hiv": ["no", "no", "yes"] + ["no"] * 9, **more}
    return cf.Microdata.from_dict(columns)


def everyone(data: cf.Microdata, release: cf.Release | None = None, targets: cf.Targets | None = None) -> cf.Links:
    return cf.link((release or cf.Release()).apply(data, seed=1), cf.Intruder(knows=["sex"]), targets)


@pytest.mark.parametrize("release", [cf.Release(), cf.Release(cf.Drop("hiv")), cf.Release(cf.Sample(n=2))])
@pytest.mark.parametrize("costs", [cf.AssignedTo("yes"), cf.ByTrueValue({"yes": COSTS}), cf.BeliefCosts({"yes": 1.0})])
def test_a_level_may_be_held_by_nobody_who_is_looked_for(release, costs):
    """Costs are declared for the file; a group of targets need not hold every level."""
    links = everyone(clinic(), release, cf.Targets.of_rows([0, 1]))
    assert cf.harm_of(links, cf.Harm("hiv", costs, acts=0.0)).n == 2


def test_numbers_as_categories_have_the_levels_of_the_source_file():
    data = clinic(children=[0, 1, 2, 3] * 3).declare(kinds={"children": "integer"})
    links = everyone(data, cf.Release(cf.Drop("children")), cf.Targets.of_rows([0]))
    assert cf.harm_of(links, cf.Harm("children", cf.AssignedTo(3), acts=0.0)).total == 0.0


@pytest.mark.parametrize("level", [1, "1", 1.0, True])
def test_a_level_is_found_by_its_text_too(level):
    data = clinic(code=[0, 1] * 6).declare(kinds={"code": "nominal"})
    links = everyone(data)
    for costs in (cf.AssignedTo(level), cf.ByTrueValue({level: cf.Outcomes(tt=1.0, ft=1.0)}), cf.BeliefCosts({level: 1.0})):
        assert cf.harm_of(links, cf.Harm("code", costs, acts=0.0)).total == pytest.approx(6.0)


@pytest.mark.parametrize("costs", [cf.AssignedTo(7), cf.ByTrueValue({7: COSTS}), cf.BeliefCosts({7: 1.0})])
def test_a_message_does_not_list_values_of_respondents(costs):
    data = clinic(visits=[1_234_501 + i for i in range(12)]).declare(kinds={"visits": "integer"})
    with pytest.raises(cf.HarmError, match="there is no level 7. It has 12 levels, which are not") as error:
        cf.harm_of(everyone(data), cf.Harm("visits", costs, acts=0.0))
    assert "12345" not in str(error.value)
    with pytest.raises(cf.HarmError, match="It has 2 levels, which are not listed") as error:
        cf.harm_of(everyone(data), cf.Harm("hiv", costs, acts=0.0))
    assert "yes" not in str(error.value)


def test_a_level_of_a_sensitive_variable_is_not_named_even_where_it_was_all_but_written():
    with pytest.raises(cf.HarmError, match="there is no level ' YES'. It has 2 levels, which are not listed") as error:
        cf.harm_of(everyone(clinic()), cf.Harm("hiv", cf.AssignedTo(" YES"), acts=0.0))
    assert "yes" not in str(error.value)


def test_a_message_about_beliefs_listed_every_level():
    levels = [f"trade {i:02}" for i in range(40)]
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"job": "baker"})]])
    with pytest.raises(cf.IntruderError, match="there is no level 'baker'. It has 40 levels, which are not listed") as error:
        beliefs.prior({"job": levels}, [], 1)
    assert "trade" not in str(error.value)


def test_a_message_about_targets_names_eight_levels_and_none_that_were_confided():
    columns = {"job": [f"trade {i:02}" for i in range(40)] * 10, "hiv": ["yes", "no"] * 200}
    data = cf.Microdata.from_dict(columns).declare(sensitive="hiv")
    with pytest.raises(cf.IntruderError, match="'job': there is no level 'x'. Available: trade 00, .* and 32 more$") as one:
        cf.Targets.where(job="x").resolve(data)
    assert str(one.value).count("trade") == 8
    with pytest.raises(cf.IntruderError, match="'hiv': there is no level 'x'. It has 2 levels, which are not listed"):
        cf.Targets.where(hiv="x").resolve(data)


def test_a_swap_within_a_variable_that_is_dropped():
    data = clinic(site=["a", "b", "c"] * 4)
    links = everyone(data, cf.Release(cf.Swap("hiv", rate=0.5, within="site"), cf.Drop("site")))
    with pytest.raises(cf.HarmError, match="swapped within 'site', which is not released; give q="):
        cf.harm_of(links, cf.Harm("hiv", COSTS, reading=cf.Misrecorded()))
    assert cf.harm_of(links, cf.Harm("hiv", COSTS, reading=cf.Misrecorded(q=0.95))).n == 12


def test_a_category_that_is_always_swapped_away():
    data = cf.Microdata.from_dict(
        {"sex": ["m", "f"] * 3, "site": ["a", "a", "b", "b", "b", "b"], "hiv": [None, "yes", "no", "no", "yes", "no"]}
    )
    links = everyone(data, cf.Release(cf.Swap("hiv", rate=1.0, within="site")))
    with pytest.raises(cf.HarmError, match="always swapped for one that the file does not hold"):
        cf.Misrecorded().categories(sensitive_of(links, "hiv"))


def test_a_target_that_no_record_fits_is_left_out_without_a_warning():
    columns = {"pid": ["a", "b", "c", "d"], "age": [20, 30, 40, 90], "hiv": ["yes", "no", "no", "yes"]}
    data = cf.Microdata.from_dict(columns).declare(identifier="pid", kinds={"age": "integer"})
    released = cf.Release(cf.Noise("age", sd=0.01, grid="none")).apply(data.take(np.arange(3)), seed=1)
    links = cf.link(released, cf.Intruder(knows=["age"]), cf.Targets.of_records(data, id="pid"))
    found = cf.harm_of(links, cf.Harm("hiv", COSTS, acts=0.0))
    assert found.linked.tolist()[:3] == [True, True, True]
    assert np.isfinite(found.per_target).all()
