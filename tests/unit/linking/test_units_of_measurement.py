"""Multiplicative noise: what is stated does not depend on the unit of measurement, and comes true."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

N, RELEASED, MU, SD, NOISE = 40, 16, 3.0, 0.8, 0.2


def _people(rng: np.random.Generator) -> np.ndarray:
    return rng.lognormal(MU, SD, N)


def _linked(x: np.ndarray, unit: float, seed: int) -> tuple[cf.Links, np.ndarray]:
    data = cf.Microdata.from_dict({"x": (x * unit).tolist()}).declare(kinds={"x": "continuous"})
    released = cf.Release(cf.Sample(n=RELEASED), cf.MultiplicativeNoise("x", sd=NOISE)).apply(data, seed=seed)
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(MU + np.log(unit), SD)})]])
    intruder = cf.Intruder(knows=["x"], target_in_file=False, population=cf.Constant(N), beliefs=beliefs)
    return cf.link(released, intruder), released.parent


def test_multiplicative_noise_depended_on_the_unit_of_measurement() -> None:
    x = _people(np.random.default_rng(9))
    one, hundred = (_linked(x, unit, 5)[0] for unit in (1.0, 100.0))
    assert hundred.null == pytest.approx(one.null, rel=1e-9)
    assert hundred.own == pytest.approx(one.own, rel=1e-9)


def test_the_null_link_of_multiplicative_noise_comes_true() -> None:
    rng = np.random.default_rng(4)
    stated, own, true = [], [], []
    for seed in range(120):
        links, parent = _linked(_people(rng), 100.0, seed)
        stated.append(links.null.mean())
        held = np.isin(np.arange(N), parent)
        own.append(links.own[held].mean())
        # by Bayes' rule from the definition: densities of what is released, over all candidates
        true.append((~held).mean())
    assert np.mean(true) == pytest.approx(0.6)
    assert abs(np.mean(stated) - 0.6) < 4 * np.std(stated) / np.sqrt(len(stated))
    # the old ratio of densities was off by the factor z, about 2,000 here: the null link would have been above .999
    assert np.mean(own) > 0.05


def test_one_candidate_by_hand() -> None:
    y, z = 20.0, 23.0
    data = cf.Microdata.from_dict({"x": [z]}).declare(kinds={"x": "continuous"})
    intruder = cf.Intruder(
        knows=["x"],
        target_in_file=False,
        population=cf.Constant(5),
        supposes=cf.Release(cf.MultiplicativeNoise("x", sd=NOISE, grid="none")),
        beliefs=cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(MU, SD)})]]),
    )
    person = cf.Microdata.from_dict({"x": [y]}).declare(kinds={"x": "continuous"})
    row = cf.link(cf.Released.seen(data), intruder, cf.Targets.of_records(person)).row(0)

    def density(mean: float, sd: float) -> float:
        return float(np.exp(-0.5 * ((np.log(z) - mean) / sd) ** 2) / (z * sd * np.sqrt(2 * np.pi)))

    ratio = density(np.log(y), NOISE) / density(MU, np.hypot(SD, NOISE))
    assert row.p[0] == pytest.approx(ratio / (ratio + 4), rel=1e-9)


@pytest.mark.parametrize("item", [cf.Within("x", 20), cf.Roughly("x", 0.1, relative=True), cf.Bracket("x", [15, 30])])
def test_partial_knowledge_of_a_multiplied_number_does_not_depend_on_the_unit(item: object) -> None:
    x = _people(np.random.default_rng(2))
    nulls = []
    for unit in (1.0, 1000.0):
        data = cf.Microdata.from_dict({"x": (x * unit).tolist()}).declare(kinds={"x": "continuous"})
        released = cf.Release(cf.MultiplicativeNoise("x", sd=NOISE)).apply(data, seed=3)
        scaled = cf.Bracket("x", [15 * unit, 30 * unit]) if isinstance(item, cf.Bracket) else item
        intruder = cf.Intruder(knows=[scaled], target_in_file=False, population=cf.Constant(100))
        nulls.append(cf.link(released, intruder).null)
    assert nulls[0] == pytest.approx(nulls[1], rel=1e-5)
