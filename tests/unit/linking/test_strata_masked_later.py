"""Swaps within strata that are masked afterwards: the matrix is that of the true stratum."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

N = 2000


def _file(seed: int, later: object) -> tuple[cf.Released, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    sex = rng.integers(0, 2, N)
    race = np.where(sex == 0, rng.choice(2, N, p=[0.95, 0.05]), rng.choice(2, N, p=[0.05, 0.95]))
    data = cf.Microdata.from_dict({"sex": [f"s{x}" for x in sex], "race": [f"r{x}" for x in race]})
    data = data.declare(key=["sex", "race"])
    return cf.Release(cf.Swap("race", rate=1.0, within="sex"), later).apply(data, seed=seed), sex, race


def _stated(released: cf.Released, knows: list[object], targets: np.ndarray) -> dict[tuple[str, str], tuple[float, int]]:
    zs, zr = (np.array(released.data.column(n).values()) for n in ("sex", "race"))
    p = cf.link(released, cf.Intruder(knows=knows), cf.Targets.of_rows([int(targets[0])])).row(0).p
    cells = sorted(set(zip(zs, zr, strict=True)))
    here = {c: (zs == c[0]) & (zr == c[1]) for c in cells}
    return {c: (p[m].sum() * targets.size, int(np.isin(released.parent[m], targets).sum())) for c, m in here.items()}


@pytest.mark.parametrize("knows", [["sex", "race"], ["race", cf.OneOf("sex", ["s0"])]], ids=["exactly", "one of"])
def test_the_wrong_stratum_s_matrix_was_used(knows: list[object]) -> None:
    released, sex, race = _file(0, cf.Swap("sex", rate=1.0))
    found = _stated(released, knows, np.flatnonzero((sex == 0) & (race == 0)))
    assert sum(stated for stated, _ in found.values()) == pytest.approx(sum(true for _, true in found.values()))
    for stated, true in found.values():  # (s0, r1) stated 232 where 25 were true
        assert abs(stated - true) < 4 * np.sqrt(true + 1)


def test_a_stratum_that_is_recoded_to_a_name_it_had() -> None:
    # both sexes are released as s0, a label that the matrix knows: it is not the stratum
    released, sex, race = _file(3, cf.Recode("sex", mapping={"s0": "s0", "s1": "s0"}))
    found = _stated(released, ["sex", "race"], np.flatnonzero((sex == 1) & (race == 1)))
    for stated, true in found.values():
        assert abs(stated - true) < 4 * np.sqrt(true + 1)


def test_a_stratum_that_is_not_known_is_averaged_over() -> None:
    released, _, race = _file(5, cf.Swap("sex", rate=1.0))
    found = _stated(released, ["race"], np.flatnonzero(race == 0))
    for stated, true in found.values():
        assert abs(stated - true) < 4 * np.sqrt(true + 1)


def test_noise_on_a_stratum_afterwards_is_refused() -> None:
    rng = np.random.default_rng(1)
    k = 10.0 * rng.integers(0, 3, 60)
    data = cf.Microdata.from_dict({"k": k.tolist(), "race": rng.choice(["a", "b"], 60).tolist()})
    data = data.declare(kinds={"k": "continuous"})
    released = cf.Release(cf.Swap("race", rate=1.0, within="k"), cf.Noise("k", sd=5)).apply(data, seed=1)
    with pytest.raises(cf.LikelihoodError, match="perturbed by noise afterwards"):
        cf.link(released, cf.Intruder(knows=["k", "race"]))
