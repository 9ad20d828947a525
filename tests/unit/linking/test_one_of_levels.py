"""One of several levels: levels weigh as they are common, or as the intruder says."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

RACE = ["white"] * 900 + ["black"] * 80 + ["native"] * 20


def _file() -> tuple[cf.Released, np.ndarray]:
    data = cf.Microdata.from_dict({"sex": ["f", "m"] * 500, "race": RACE}).declare(key=["sex", "race"])
    released = cf.Release(cf.Swap("race", rate=0.3)).apply(data, seed=1)
    return released, np.array(released.data.column("race").values())


def test_one_of_ignored_how_common_levels_are() -> None:
    released, z = _file()
    targets = cf.Targets.of_rows([0])
    shares = []
    for knows in (["sex"], ["sex", cf.OneOf("race", ["white", "black", "native"])]):
        p = cf.link(released, cf.Intruder(knows=knows), targets).row(0).p
        shares.append([p[z == level].sum() for level in ("white", "black", "native")])
    # one of all levels says nothing; it gave (.506, .300, .194)
    assert shares[1] == pytest.approx(shares[0], rel=1e-9)


def test_stated_links_to_a_rare_level_come_true() -> None:
    released, z = _file()
    rows = [i for i, level in enumerate(RACE) if level != "black"]
    links = cf.link(released, cf.Intruder(knows=["sex", cf.OneOf("race", ["white", "native"])]), cf.Targets.of_rows(rows))
    first = links.evidence.graph.target_first
    many = np.bincount(links.evidence.graph.target_profile)
    stated = sum(n * links.row(int(t)).p[z == "native"].sum() for t, n in zip(first, many, strict=True))
    true = np.isin(released.parent[z == "native"], rows).sum()
    assert stated == pytest.approx(true, abs=4 * np.sqrt(true))  # it stated 324 of 20


def test_a_prior_is_taken_as_given() -> None:
    released, z = _file()
    matrix = released.steps[0].channels["race"]
    prior = {"white": 0.5, "native": 0.5}
    item = cf.OneOf("race", list(prior), list(prior.values()))
    p = cf.link(released, cf.Intruder(knows=["sex", item], models_others=False), cf.Targets.of_rows([0])).row(0).p
    want = np.array([sum(w * matrix.likelihood(x, level) for level, w in prior.items()) for x in z])
    want[1::2] = 0.0
    assert p == pytest.approx(want / want.sum(), rel=1e-9)


def test_a_prior_on_unmasked_levels_is_shared_among_those_who_have_them() -> None:
    data = cf.Microdata.from_dict({"g": ["a", "a", "a", "b"], "wt": [10.0, 10.0, 10.0, 5.0]}).declare(weight="wt")
    released = cf.Release().apply(data, seed=1)
    item = cf.OneOf("g", ["a", "b"], [0.25, 0.75])
    known = cf.link(released, cf.Intruder(knows=[item])).row(0)
    assert known.p == pytest.approx([0.25 / 3] * 3 + [0.75])
    unsure = cf.link(released, cf.Intruder(knows=[item], target_in_file=False)).row(0)
    assert unsure.p == pytest.approx([0.25 / 30] * 3 + [0.75 / 5])
    assert unsure.null == pytest.approx(1 - 0.25 * 3 / 30 - 0.75 / 5)
    common = cf.link(released, cf.Intruder(knows=[cf.OneOf("g", ["a", "b"])])).row(0)
    assert common.p == pytest.approx([0.25] * 4)


def test_what_a_prior_does_not_go_with_is_refused() -> None:
    data = cf.Microdata.from_dict({"g": ["a", "b"], "x": [1.0, 2.0]}).declare(kinds={"x": "continuous"})
    released = cf.Release().apply(data, seed=1)
    item = cf.OneOf("g", ["a", "b"], [0.5, 0.5])
    with pytest.raises(cf.IntruderError, match="not combined with bounds"):
        cf.link(released, cf.Intruder(knows=[item, cf.Between("x", 0, 3)]))
    with pytest.raises(cf.IntruderError, match="for each level"):
        cf.link(released, cf.Intruder(knows=[item], target_in_file=False, population=cf.Constant(10)))
    with pytest.raises(cf.IntruderError, match="prior gives each of the 2 levels"):
        cf.OneOf("g", ["a", "b"], [1.0])
