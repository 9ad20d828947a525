"""A sample lacks levels that its targets have: whoever has one is not in it."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def people(n=400):
    rng = np.random.default_rng(1)
    race = rng.choice(["w", "b", "rare", "never"], n, p=[0.7, 0.25, 0.03, 0.02])
    age = rng.integers(20, 40, n)
    return cf.Microdata.from_dict({"sex": rng.choice(["f", "m"], n).tolist(), "race": race.tolist(), "age": age.tolist()})


@pytest.mark.parametrize("variable", ["race", "age"])
@pytest.mark.parametrize("models_others", [False, True])
def test_a_swap_of_a_sample_can_be_assessed_against_everyone(variable, models_others):
    data = people().declare(kinds={"age": "integer"})
    file = cf.Release(cf.Sample(n=12), cf.Swap(variable, rate=0.5)).apply(data, seed=2)
    sample = data.take(file.parent)
    had = set(sample.column(variable).values())
    absent = np.array([v not in had for v in data.column(variable).values()])
    assert absent.any()
    links = cf.link(file, cf.Intruder(knows=["sex", variable], models_others=models_others))
    assert (links.best[absent] == 0).all()
    assert (links.best[~absent] > 0).all()
    assert links.contradicted == absent.sum()
    assert links.ruled_out == 0


def test_those_in_the_sample_are_found_as_if_there_were_no_others():
    data = people()
    file = cf.Release(cf.Sample(n=12), cf.Swap("race", rate=0.5)).apply(data, seed=2)
    alone = cf.Released(file.data, data.take(file.parent), np.arange(12), "alone", file.methods[1:], file.steps[1:])
    who = cf.Intruder(knows=["sex", "race"], models_others=False)
    assert np.allclose(cf.link(file, who).own[file.parent], cf.link(alone, who).own)


def test_a_swapped_variable_that_is_not_known_is_modelled_with_the_levels_the_sample_lacks():
    data = people()
    who = cf.Intruder(knows=["sex"], unavailable=cf.Regression())
    for order in ((cf.Sample(n=12), cf.Swap("race", rate=0.5)), (cf.Swap("race", rate=0.5), cf.Sample(n=12))):
        links = cf.link(cf.Release(*order).apply(data, seed=2), who)
        assert np.isfinite(links.own).all()
        assert np.allclose(links.row(0).p.sum() + links.null[0], 1)


def test_recoding_after_the_swap_recodes_absent_levels_too():
    data = people()
    groups = {"w": "w", "b": "other", "rare": "other", "never": "none"}
    file = cf.Release(cf.Sample(n=12), cf.Swap("race", rate=0.5), cf.Recode("race", mapping=groups)).apply(data, seed=2)
    links = cf.link(file, cf.Intruder(knows=["sex", "race"], models_others=False))
    never = np.array([v == "never" for v in data.column("race").values()])
    assert (links.best[never] == 0).all()
    assert (links.best[~never] > 0).all()


def test_what_a_given_matrix_lacks_is_not_known():
    data = people()
    given = cf.GivenMatrix(["w", "b"], [[0.9, 0.1], [0.1, 0.9]])
    file = cf.Release(cf.Sample(n=12), cf.Swap("race", rate=0.5)).apply(data, seed=2)
    with pytest.raises(cf.IntruderError, match="have a level of 'race' that the released file never had"):
        cf.link(file, cf.Intruder(knows=["race"], supposes=cf.Release(cf.Swap("race", matrix=given))))
