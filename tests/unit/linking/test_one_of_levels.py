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


def _pairs() -> tuple[cf.Released, np.ndarray]:
    columns = {"s": ["m"] * 20 + ["f"] * 20, "r": list("w" * 18 + "b" * 2 + "w" * 2 + "b" * 18)}
    data = cf.Microdata.from_dict(columns).declare(kinds={"s": "nominal", "r": "nominal"})
    released = cf.Release(cf.Swap("s", rate=0.3), cf.Swap("r", rate=0.3)).apply(data, seed=3)
    shown = [a + b for a, b in zip(*(released.data.column(n).values() for n in ("s", "r")), strict=True)]
    return released, np.array(shown)


ATOMS = [cf.Atom(w, {"s": s, "r": r}) for s, r, w in (("m", "w", 18), ("m", "b", 2), ("f", "w", 2), ("f", "b", 18))]


@pytest.mark.parametrize(
    "others", [{}, {"beliefs": cf.SuppliedBeliefs([ATOMS])}, {"models_others": False}], ids=["fitted", "supplied", "none"]
)
def test_a_prior_beside_levels_without_one_was_dropped(others: dict) -> None:
    """By the definition: the prior of r, and s given r as common as it is."""
    released, shown = _pairs()
    items = [cf.OneOf("s", ["m", "f"]), cf.OneOf("r", ["w", "b"], prior=[0.1, 0.9])]
    p = cf.link(released, cf.Intruder(knows=items, **others), cf.Targets.of_rows([0])).row(0).p
    of_s, of_r = (released.steps[i].channels[n] for i, n in enumerate(("s", "r")))
    share = {"mw": 0.1 * 0.9, "fw": 0.1 * 0.1, "mb": 0.9 * 0.1, "fb": 0.9 * 0.9}
    source = {"mw": 0.45, "mb": 0.05, "fw": 0.05, "fb": 0.45}

    def chance(true: dict[str, float], z: str) -> float:
        return sum(w * of_s.likelihood(z[0], k[0]) * of_r.likelihood(z[1], k[1]) for k, w in true.items())

    want = np.array([chance(share, z) / (1 if others.get("models_others") is False else chance(source, z)) for z in shown])
    assert p == pytest.approx(want / want.sum(), rel=1e-5)


@pytest.mark.parametrize("item", [cf.OneOf("s", ["m"]), cf.OneOf("s", ["m"], prior=[1.0])], ids=["no prior", "certain"])
def test_one_of_a_single_level_is_knowing_it(item: cf.OneOf) -> None:
    """Beside a prior on another variable it gave .066 instead of .099."""
    released, _ = _pairs()
    race = cf.OneOf("r", ["w", "b"], prior=[0.1, 0.9])
    exact, single = (
        cf.link(released, cf.Intruder(knows=[x, race]), cf.Targets.of_rows([19])).row(0).p for x in ("s", item)
    )
    assert single == pytest.approx(exact, rel=1e-9)


def test_several_priors_beside_levels_without_one_are_independent() -> None:
    rng = np.random.default_rng(2)
    columns = {n: rng.choice(["a", "b"], 60, p=[0.7, 0.3]).tolist() for n in "xyz"}
    data = cf.Microdata.from_dict(columns).declare(kinds=dict.fromkeys("xyz", "nominal"))
    released = cf.Release(*(cf.Swap(n, rate=0.5) for n in "xyz")).apply(data, seed=3)
    priors = {"x": [0.2, 0.8], "y": [0.6, 0.4], "z": None}
    items = [cf.OneOf(n, ["a", "b"], prior=prior) for n, prior in priors.items()]
    p = cf.link(released, cf.Intruder(knows=items, models_others=False), cf.Targets.of_rows([0])).row(0).p
    true = [tuple(columns[n][i] for n in "xyz") for i in range(60)]
    given = {"a": (0.2, 0.6), "b": (0.8, 0.4)}
    weight = {
        t: given[t[0]][0] * given[t[1]][1] * true.count(t) / sum(u[:2] == t[:2] for u in true) for t in sorted(set(true))
    }
    of = [released.steps[i].channels[n] for i, n in enumerate("xyz")]

    def chance(z: tuple[str, ...], t: tuple[str, ...]) -> float:
        return float(np.prod([c.likelihood(a, b) for c, a, b in zip(of, z, t, strict=True)]))

    shown = zip(*(released.data.column(n).values() for n in "xyz"), strict=True)
    want = np.array([sum(w * chance(z, t) for t, w in weight.items()) for z in shown])
    assert p == pytest.approx(want / want.sum(), rel=1e-9)
