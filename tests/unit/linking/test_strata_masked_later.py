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


TABLE = cf.Microdata.from_dict({"s": ["1", "2", "3", "4"], "count": [10, 10, 500, 480]}).declare(kinds={"s": "nominal"})


@pytest.mark.parametrize("population", [cf.PopulationTable(TABLE), cf.Constant(20), cf.AtLeast(20), cf.FromWeights()])
def test_a_stratum_recoded_after_the_swap_left_the_look_alikes(population: object) -> None:
    columns = {"s": [s for s in "1234" for _ in range(10)], "r": (["w"] * 5 + ["b"] * 5) * 4, "wt": [1.5] * 20 + [20.0] * 20}
    data = cf.Microdata.from_dict(columns).declare(kinds={"s": "nominal"}, weight="wt")
    swap, recode = cf.Swap("r", rate=0.5, within="s"), cf.Recode("s", mapping={"1": "A", "2": "A", "3": "B", "4": "B"})
    intruder = cf.Intruder(knows=["s", "r"], target_in_file=False, population=population)
    first, last = (cf.link(cf.Release(*m).apply(data, seed=1), intruder) for m in ((recode, swap), (swap, recode)))
    # group A: 20 in the file, 20 in the population; n_t was 40, N_t 1000, the null link .96 instead of 0
    assert last.sample_matches.tolist() == first.sample_matches.tolist()
    assert last.population_matches == pytest.approx(first.population_matches)
    assert last.null == pytest.approx(first.null)


def test_a_recoded_stratum_by_the_definition() -> None:
    """Record j of group g: Pr(z_j | s, r) over its mean among the people of the group."""
    s, r = list("111222333444"), list("wwbwbbwwwbww")
    data = cf.Microdata.from_dict({"s": s, "r": r}).declare(kinds={"s": "nominal", "r": "nominal"})
    group = {"1": "A", "2": "A", "3": "B", "4": "B"}
    released = cf.Release(cf.Swap("r", rate=1.0, within="s"), cf.Recode("s", mapping=group)).apply(data, seed=4)
    matrix = released.steps[0].channels["r"]
    place, level = {x: i for i, (x,) in enumerate(matrix.strata)}, {x: i for i, x in enumerate(matrix.levels)}
    atoms = [[cf.Atom(1.0, {"s": a, "r": b}) for a, b in zip(s, r, strict=True)]]
    intruder = cf.Intruder(
        knows=["s", "r"], target_in_file=False, population=cf.Constant(9), beliefs=cf.SuppliedBeliefs(atoms)
    )
    row = cf.link(released, intruder).row(1)
    shown = released.data.column("r").values()

    def chance(i: int, z: str) -> float:
        return float(matrix.matrix[place[s[i]], level[r[i]], level[z]])

    ratio = np.array([chance(1, z) / np.mean([chance(i, z) for i in range(6)]) for z in shown[:6]])
    assert row.p[:6] == pytest.approx(ratio / (ratio.sum() + 3), rel=1e-9)
    assert row.null == pytest.approx(3 / (ratio.sum() + 3), rel=1e-9)
    assert row.p[6:].max() == 0


def _regions(seed: int, n: int = 300) -> tuple[cf.Microdata, np.ndarray]:
    rng = np.random.default_rng(seed)
    region = rng.choice(["N", "S"], n, p=[0.9, 0.1])
    race = np.where(rng.random(n) < np.where(region == "N", 0.02, 0.9), "b", "w")
    data = cf.Microdata.from_dict({"region": region.tolist(), "race": race.tolist()})
    return data.declare(kinds={"region": "nominal", "race": "nominal"}), race


def test_a_stratum_that_is_seen_and_not_known_says_something_by_itself() -> None:
    """Black people: what is stated by what a record shows. S and b together stated 468 where 1,556 were true."""
    swap = cf.Swap("race", rate=0.5, within="region")
    cells, less = [], []
    for seed in range(60):
        data, race = _regions(seed)
        black = np.flatnonzero(race == "b")
        released = swap_only = cf.Release(swap).apply(data, seed=seed)
        seen = (released.data.column(n).values() for n in ("region", "race"))
        shown = np.array([a + b for a, b in zip(*seen, strict=True)])
        p = cf.link(released, cf.Intruder(knows=["race"]), cf.Targets.of_rows([int(black[0])])).row(0).p
        cells.append([[black.size * p[shown == c].sum(), (shown[black] == c).sum()] for c in ("Nb", "Sb", "Nw", "Sw")])
        dropped = cf.Release(swap, cf.Drop("region")).apply(data, seed=seed)
        less.append([cf.link(x, cf.Intruder(knows=["race"])).own[black].mean() for x in (dropped, swap_only)])
    found = np.array(cells)
    miss = found[:, :, 1] - found[:, :, 0]
    assert np.all(np.abs(miss.mean(axis=0)) < 4 * miss.std(axis=0, ddof=1) / np.sqrt(len(cells)))
    # releasing more lowered the stated risk from .024 to .010
    assert np.mean(less, axis=0)[1] > np.mean(less, axis=0)[0]


def test_of_several_strata_one_is_known() -> None:
    """By the definition: Pr(region, code | race, sex) over its mean among people of that sex."""
    rows = [("m", "N", "w"), ("m", "N", "b"), ("m", "S", "w"), ("m", "S", "b"), ("m", "N", "w"), ("m", "S", "b")]
    rows += [("f", "N", "w"), ("f", "N", "b"), ("f", "S", "b"), ("f", "S", "b")]
    sex, region, race = (list(x) for x in zip(*rows, strict=True))
    data = cf.Microdata.from_dict({"sex": sex, "region": region, "race": race})
    data = data.declare(kinds=dict.fromkeys(["sex", "region", "race"], "nominal"))
    released = cf.Release(cf.Swap("race", rate=1.0, within=["sex", "region"])).apply(data, seed=2)
    matrix = released.steps[0].channels["race"]
    place, level = {x: i for i, x in enumerate(matrix.strata)}, {x: i for i, x in enumerate(matrix.levels)}
    atoms = [[cf.Atom(1.0, {"race": r}) for s, _, r in rows if s == "m"]]
    row = cf.link(released, cf.Intruder(knows=["sex", "race"], beliefs=cf.SuppliedBeliefs(atoms))).row(1)
    z = list(zip(region, released.data.column("race").values(), strict=True))

    def chance(who: str, where: str, shown: str) -> float:
        share = sum(x == ("m", where, who) for x in rows) / sum(x[0] == "m" and x[2] == who for x in rows)
        return share * float(matrix.matrix[place["m", where], level[who], level[shown]])

    ratio = [chance("b", *x) / np.mean([chance(r, *x) for s, _, r in rows if s == "m"]) for x in z[:6]]
    assert row.p[:6] == pytest.approx(np.array(ratio) / np.sum(ratio), rel=1e-9)
    assert row.p[6:].max() == 0


def test_a_stratum_known_to_be_one_of_several_is_shared_among_these() -> None:
    """Its share was taken over all strata, so that all links of an unsure intruder were stated too low."""
    gaps = []
    for seed in range(60):
        rng = np.random.default_rng(seed)
        n = 300
        area = rng.choice(["a", "b", "c"], n, p=[0.6, 0.2, 0.2])
        kind = np.where(rng.random(n) < np.where(area == "a", 0.9, 0.3), "x", "y")
        source = cf.Microdata.from_dict({"area": area.tolist(), "kind": kind.tolist()})
        released = cf.Release(cf.Sample(n=200), cf.Swap("kind", rate=0.4, within="area")).apply(source, seed=seed)
        rows = np.flatnonzero((area != "a") & (kind == "x"))
        knows = ["kind", cf.OneOf("area", ["b", "c"])]
        many = cf.Constant(float(np.sum(area != "a")))
        who = cf.Intruder(knows=knows, target_in_file=False, population=many)
        links = cf.link(released, who, cf.Targets.of_rows(rows.tolist()))
        gaps.append(links.null.sum() - np.sum(~np.isin(rows, released.parent)))
    gap = np.array(gaps)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(gap.size)
