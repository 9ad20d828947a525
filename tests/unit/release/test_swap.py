"""Swaps within several variables, after samples, and of nobody."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def people(n=240):
    rng = np.random.default_rng(3)
    sex, job = rng.choice(["f", "m"], n), rng.choice(["a", "b", "c"], n)
    data = {"race": rng.choice(["w", "b", "o"], n, p=[0.6, 0.3, 0.1]), "sex": sex, "job": job, "both": np.char.add(sex, job)}
    return cf.Microdata.from_dict({k: [str(x) for x in v] for k, v in data.items()})


def test_within_two_variables_is_within_their_combinations():
    data = people()
    two = cf.Release(cf.Swap("race", rate=0.6, within=["sex", "job"])).apply(data, seed=1)
    one = cf.Release(cf.Swap("race", rate=0.6, within="both")).apply(data, seed=1)
    pairs, single = two.steps[0].channels["race"], one.steps[0].channels["race"]
    assert pairs.stratum == ("sex", "job")
    assert sorted("".join(s) for s in pairs.strata) == sorted(s[0] for s in single.strata)
    for s, stratum in enumerate(pairs.strata):
        t = single.strata.index(("".join(stratum),))
        assert np.array_equal(pairs.matrix[s], single.matrix[t])
        assert np.array_equal(pairs.counts[s], single.counts[t])


def test_values_stay_in_their_stratum():
    data = people()
    file = cf.Release(cf.Swap("race", rate=1.0, within=["sex", "job"])).apply(data, seed=1)
    before, after = ([(*r,) for r in zip(*(d.column(v).values() for v in ("sex", "job", "race")), strict=True)]
                     for d in (data, file.data))  # fmt: skip
    assert before != after
    assert sorted(before) == sorted(after)


def test_an_intruder_weighs_each_stratum_by_itself():
    data = people()
    two, one = (cf.Release(cf.Swap("race", rate=0.6, within=w)).apply(data, seed=1) for w in (["sex", "job"], "both"))
    changed = data.with_columns({"race": two.data.column("race")})
    same = cf.Released(changed, data, one.parent, "same", one.methods, one.steps)
    a, b = (cf.link(r, cf.Intruder(knows=["sex", "job", "race"])) for r in (two, same))
    assert np.allclose(a.own, b.own)


def test_missing_values_make_strata_of_their_own():
    data = cf.Microdata.from_dict({"r": list("abab"), "s": ["x", None, "x", None], "t": list("uuuu")})
    step = cf.Swap("r", rate=1.0, within=["s", "t"]).bind(data)
    assert set(step.discrete.strata) == {("x", "u"), ("(missing value)", "u")}


@pytest.mark.parametrize(
    ("within", "says"), [(["sex", "race"], "changes nothing"), (["sex", "sex"], "names 'sex' twice"), (["sex", "no"], "no")]
)
def test_faults(within, says):
    with pytest.raises(cf.ReleaseError, match=says):
        cf.Release(cf.Swap("race", rate=0.5, within=within)).apply(people(), seed=1)


def test_a_matrix_for_every_stratum_must_fit():
    n = 6_000
    data = cf.Microdata.from_dict({"r": [i % 1_500 for i in range(n)], "s": [str(i % 100) for i in range(n)]})
    with pytest.raises(cf.ReleaseError, match="100 strata of s and 1,500 distinct values; the swap matrices would not fit"):
        cf.Swap("r", rate=0.5, within="s").bind(data.declare(kinds={"r": "integer"}))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_a_swap_of_nobody_leaves_the_file(n):
    data = people().take(np.arange(n))
    file = cf.Release(cf.Swap("race", rate=0.2)).apply(data, seed=1)
    assert file.data.column("race").values() == data.column("race").values()
    assert np.array_equal(file.steps[0].channels["race"].matrix[0], np.eye(len(file.steps[0].channels["race"].levels)))
