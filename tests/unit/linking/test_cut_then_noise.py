"""Numbers that are cut to another number, then released with noise; noise with kept zeros, known within bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import lognorm, norm, uniform

import confide as cf
from confide.calibration.reasons import failing_assumptions
from confide.data.column import Column

AT, PUT, SD, FACTOR = 100.0, 120.0, 6.0, 0.1
EVERYBODY = lognorm(0.7, scale=np.exp(4.0))
CUT = cf.Topcode("x", at=AT, replacement=PUT)
NOISES = [cf.Noise("x", sd=SD), cf.MultiplicativeNoise("x", sd=FACTOR)]


def _file(x: np.ndarray) -> cf.Microdata:
    data = cf.Microdata.from_dict({"k": ["a"] * x.size, "x": [0.5] * x.size}).declare(kinds={"x": "continuous"})
    return data.with_columns({"x": Column.of_numbers(x)})  # also numbers that files are not made with


def _noise(noise: Any, z: Any, y: Any) -> Any:
    return norm.pdf(z, y, SD) if isinstance(noise, cf.Noise) else norm.pdf(np.log(z), np.log(y), FACTOR) / z


def _by_hand(noise: Any, z: np.ndarray, low: float, high: float, f: Any = EVERYBODY) -> np.ndarray:
    """Pr(z | belief f, within bounds), on a grid; all mass above the cut stands at the replacement."""
    edges = np.linspace(0.0, AT, 400_001)
    y, mass = 0.5 * (edges[1:] + edges[:-1]), np.diff(f.cdf(edges))
    inside = (y >= low) & (y <= high)
    above = max(f.cdf(high) - f.cdf(max(low, AT)), 0.0)
    total = float(mass[inside].sum()) + above
    return np.array([np.sum(mass[inside] * _noise(noise, v, y[inside])) + above * _noise(noise, v, PUT) for v in z]) / total


@pytest.mark.parametrize("noise", NOISES, ids=lambda m: type(m).__name__)
def test_beliefs_about_a_cut_number_were_those_of_the_uncut_one(noise: Any) -> None:
    x = EVERYBODY.rvs(30, random_state=3)
    released = cf.Release(CUT, noise).apply(_file(x), seed=1)
    z = released.data.column("x").numbers
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(4.0, 0.7)})]])
    low, high = 60.0, 150.0
    targets = cf.Targets.of_rows(np.flatnonzero((x > low) & (x < high)).tolist())
    row = cf.link(released, cf.Intruder(knows=["k", cf.Between("x", low, high)], beliefs=beliefs), targets).row(0)
    assert row.parts.m == pytest.approx(_by_hand(noise, z, 0.0, np.inf), rel=1e-4)
    assert row.parts.a == pytest.approx(_by_hand(noise, z, low, high), rel=1e-4, abs=1e-12)
    # the old formula blurred the density above the cut: far beyond the replacement it saw people, at it too few
    old = np.array(
        [np.trapezoid(EVERYBODY.pdf(g) * _noise(noise, v, g), g) for v in z for g in [np.linspace(1, 900, 90_000)]]
    )
    assert np.max(np.abs(np.log(old / row.parts.m))) > 0.5
    about = cf.Intruder(knows=["k"], unavailable={"x": cf.Lognormal(4.0, 0.7)}, models_others=False)
    assert cf.link(released, about).row(0).parts.u == pytest.approx(_by_hand(noise, z, 0.0, np.inf), rel=1e-4)


@pytest.mark.parametrize("noise", NOISES, ids=lambda m: type(m).__name__)
def test_rough_knowledge_of_a_cut_number_was_centred_on_its_replacement(noise: Any) -> None:
    x = np.array([95.0, 104.0, 300.0, 40.0])
    released = cf.Release(CUT, replace(noise, grid="none")).apply(_file(x), seed=2)
    z = released.data.column("x").numbers
    for i, y in enumerate(x):
        within = cf.link(released, cf.Intruder(knows=[cf.Within("x", 20)], models_others=False)).row(i).parts.a
        flat = _uniform(0.8 * y, 1.2 * y)
        assert within == pytest.approx(_by_hand(noise, z, 0.8 * y, 1.2 * y, flat), rel=1e-4, abs=1e-12)
    rough = cf.link(released, cf.Intruder(knows=[cf.Roughly("x", 8.0)], models_others=False))
    for i, y in enumerate(x):
        assert rough.row(i).parts.a == pytest.approx(_by_hand(noise, z, 0.0, np.inf, norm(y, 8.0)), rel=1e-4, abs=1e-12)


def _uniform(low: float, high: float) -> Any:
    return uniform(low, high - low)


@pytest.mark.parametrize("noise", NOISES, ids=lambda m: type(m).__name__)
@pytest.mark.parametrize("knows", ["x", cf.Between("x", 60.0, 150.0)], ids=["exactly", "between"])
@pytest.mark.parametrize("fitted", [False, True], ids=["true beliefs", "fitted"])
def test_what_is_stated_of_a_cut_number_with_noise_comes_true(noise: Any, knows: Any, fitted: bool) -> None:
    """Beyond 112 the old formula stated 292 true links to targets known exactly, where 277 were; to others 228 (162)."""
    beliefs = cf.SuppliedBeliefs([[cf.Atom(1.0, {"x": cf.Lognormal(4.0, 0.7)})]])
    gaps = []
    for seed in range(40):
        x = EVERYBODY.rvs(40, random_state=seed)
        released = cf.Release(CUT, noise).apply(_file(x), seed=seed)
        rows = np.arange(40) if knows == "x" else np.flatnonzero((x >= 60) & (x <= 150))
        intruder = cf.Intruder(knows=["k", knows], beliefs=cf.FittedBeliefs() if fitted else beliefs)
        links = cf.link(released, intruder, cf.Targets.of_rows(rows.tolist()))
        z = released.data.column("x").numbers
        p = np.array([links.row(i).p for i in range(links.n)])
        gaps.append([p[:, s].sum() - s[rows].sum() for s in (z < 90, (z >= 90) & (z < 112), z >= 112)])
    gap = np.array(gaps)
    assert np.all(np.abs(gap.mean(axis=0)) < 4 * gap.std(axis=0, ddof=1) / np.sqrt(len(gaps)))


def test_a_replacement_at_the_cut_is_a_true_value_too() -> None:
    released = cf.Release(cf.Topcode("x", at=100, replacement=100)).apply(_file(np.array([100.0, 150.0, 20.0])), seed=1)
    links = cf.link(released, cf.Intruder(knows=[cf.Between("x", 90, 100)]), cf.Targets.of_rows([0]))
    assert links.contradicted == 0
    assert links.own == pytest.approx([0.5])


def test_a_label_given_before_the_noise_and_after_it_ruled_out_the_own_record() -> None:
    """Who was coded before had probability 0 for the own record; where noise stays below the cut there is no doubt."""
    x = _file(np.array([20.0, 50.0, 80.0, 95.0, 120.0, 300.0]))
    twice = cf.Release(cf.Topcode("x", at=100), cf.Noise("x", sd=20), cf.Topcode("x", at=100)).apply(x, seed=1)
    with pytest.raises(cf.LikelihoodError, match="before noise is added and after it"):
        cf.link(twice, cf.Intruder(knows=["x"]))
    bounded = cf.Release(cf.Topcode("x", at=100), cf.Noise("x", sd=20, upper=100), cf.Topcode("x", at=100)).apply(x, seed=1)
    links = cf.link(bounded, cf.Intruder(knows=["x"]))
    assert links.own[4:] == pytest.approx([0.5, 0.5])
    assert links.contradicted == 0


# --- kept zeros ------------------------------------------------------------------------------------------------------

WORLDS = {
    "clamped, zeros kept": lambda u: [cf.Noise("x", sd=40 * u, keep_zero=True, lower=0, outside="clamp")],
    "redrawn, zeros kept": lambda u: [cf.Noise("x", sd=40 * u, keep_zero=True, lower=0)],
    "cut where it is clamped": lambda u: [
        cf.Topcode("x", at=100 * u, replacement=100 * u),
        cf.Noise("x", sd=40 * u, keep_zero=True, lower=0, upper=100 * u, outside="clamp"),
    ],
    "coded, then clamped": lambda u: [
        cf.Topcode("x", at=100 * u),
        cf.Noise("x", sd=40 * u, keep_zero=True, lower=0, outside="clamp"),
    ],
    "multiplied": lambda u: [cf.MultiplicativeNoise("x", sd=0.3)],
}
ITEMS = {
    "between": lambda u: cf.Between("x", 0, 50 * u),
    "bracket": lambda u: cf.Bracket("x", [10 * u, 60 * u, 200 * u]),
    "within": lambda u: cf.Within("x", 30),
    "roughly": lambda u: cf.Roughly("x", 10 * u),
}


def _linked(
    world: str, item: str, unit: float, seed: int, *, in_file: bool = True, fitted: bool = False, n: int = 40
) -> tuple[np.ndarray, cf.Links, cf.Released]:
    rng = np.random.default_rng(seed)
    x = np.where(rng.random(n) < 0.25, 0.0, np.round(rng.lognormal(4, 1, n), 2))
    sample = [] if in_file else [cf.Sample(n=n // 2)]
    released = cf.Release(*sample, *WORLDS[world](unit)).apply(_file(x * unit), seed=seed)
    told: dict[str, Any] = {} if in_file else {"target_in_file": False, "population": cf.Constant(n)}
    if not fitted:
        atoms = [cf.Atom(0.25, {"x": 0.0}), cf.Atom(0.75, {"x": cf.Lognormal(4 + np.log(unit), 1)})]
        told["beliefs"] = cf.SuppliedBeliefs([atoms])
    rows = np.flatnonzero(x <= 50) if item == "between" else np.arange(n)
    links = cf.link(released, cf.Intruder(knows=["k", ITEMS[item](unit)], **told), cf.Targets.of_rows(rows.tolist()))
    return np.array([[*links.row(i).p, links.null[i]] for i in range(links.n)]), links, released


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("item", ITEMS)
@pytest.mark.parametrize("fitted", [False, True], ids=["stated", "fitted"])
def test_bounds_of_kept_zeros_compared_a_density_with_one(world: str, item: str, fitted: bool) -> None:
    """What is stated must not depend on the unit of measurement."""
    for in_file in (True, False):
        one = _linked(world, item, 1.0, 3, in_file=in_file, fitted=fitted)[0]
        for unit in (100.0, 1e-3):
            assert _linked(world, item, unit, 3, in_file=in_file, fitted=fitted)[0] == pytest.approx(one, abs=1e-9)


@pytest.mark.parametrize("world", WORLDS)
@pytest.mark.parametrize("item", ["between", "bracket"])
@pytest.mark.parametrize("in_file", [True, False], ids=["in the file", "maybe"])
def test_bounds_of_kept_zeros_come_true(world: str, item: str, in_file: bool) -> None:
    gaps = []
    for seed in range(40):
        p, links, released = _linked(world, item, 1.0, seed, in_file=in_file)
        z = released.data.column("x")
        true = np.zeros_like(p)
        true[np.arange(links.n), links.evidence.own_records] = 1.0
        kinds = np.append(np.where(z.codes >= 0, 3, np.where(z.numbers == 0, 0, np.where(z.numbers < 60, 1, 2))), 4)
        gaps.append([(p - true)[:, kinds == k].sum() for k in range(5)])
    gap = np.array(gaps)
    assert np.all(np.abs(gap.mean(axis=0)) <= 4 * gap.std(axis=0, ddof=1) / np.sqrt(len(gaps)) + 1e-9)


def test_a_target_with_a_zero_known_between_bounds_may_be_any_record() -> None:
    p, links, released = _linked("redrawn, zeros kept", "between", 1.0, 5)
    z = released.data.column("x").numbers
    zero = int(np.flatnonzero(z[links.evidence.own_records] == 0)[0])
    assert p[zero, :-1][z > 0].min() > 0
    # who is known within the same bounds is known to the same extent
    assert np.ptp(p, axis=0).max() < 1e-12


def test_probabilities_and_densities_need_beliefs_about_others() -> None:
    released = _linked("redrawn, zeros kept", "between", 1.0, 5)[2]
    intruder = cf.Intruder(knows=[cf.Between("x", 0)], models_others=False)
    with pytest.raises(cf.IntruderError, match="which have a probability"):
        cf.link(released, intruder)


def test_fitted_amounts_that_are_cut_off_are_named() -> None:
    released = cf.Release(CUT, cf.Noise("x", sd=SD)).apply(_file(np.array([5.0, 30.0, 200.0])), seed=1)
    assert any("as if they were not cut off" in r for r in failing_assumptions(cf.Intruder([cf.Between("x", 0)]), released))
    assert not any("cut off" in r for r in failing_assumptions(cf.Intruder(["x"]), released))


# --- points, and very large numbers ----------------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [cf.Topcode("x", at=100), CUT], ids=["coded", "replaced"])
def test_a_point_belief_about_a_cut_amount_was_refused(cut: Any) -> None:
    rng = np.random.default_rng(1)
    x = np.where(rng.random(60) < 0.3, 0.0, np.round(rng.lognormal(4, 1, 60), 1))
    released = cf.Release(cut).apply(_file(x), seed=1)
    zeros = np.flatnonzero(x == 0)
    links = cf.link(released, cf.Intruder(knows=["k", cf.Distributed("x", 0.0)]), cf.Targets.of_rows([int(zeros[0])]))
    assert links.row(0).p == pytest.approx(np.where(x == 0, 1 / zeros.size, 0.0))
    some = int(np.flatnonzero((x > 0) & (x < 100))[0])
    intruder = cf.Intruder(knows=["k"], unavailable={"x": float(x[some])})
    own = cf.link(released, intruder, cf.Targets.of_rows([some])).own
    assert own == pytest.approx([1 / np.sum(x == x[some])])


@pytest.mark.filterwarnings("error")
def test_numbers_of_1e308_within_some_per_cent_overflowed() -> None:
    x = np.array([1e308, 1.5e308, -1.2e308, 5.0, 0.0])
    released = cf.Release(cf.Recode("k", mapping={"a": "b"})).apply(_file(x), seed=1)
    assert cf.link(released, cf.Intruder(knows=[cf.Within("x", 20)])).own.tolist() == [1.0] * 5
    assert cf.link(released, cf.Intruder(knows=[cf.Within("x", 90)])).own.tolist() == [0.5, 0.5, 1.0, 1.0, 1.0]
    noisy = cf.Release(cf.Noise("x", sd=1.0)).apply(_file(np.array([1.0, 4.0])), seed=1)
    with pytest.raises(cf.IntruderError, match="square is infinite"):
        cf.link(noisy, cf.Intruder(knows=[cf.Within("x", 20)]), cf.Targets.of_records(_file(x)))


@pytest.mark.parametrize("belief", [[(0.1, 0.0), (0.5, 3.0), (0.4, 30.0)], [(0.5, 0.0), (0.1, 3.0), (0.4, 30.0)]])
def test_a_point_at_zero_counted_twice_where_cut_numbers_are_zeros(belief: list[tuple[float, float]]) -> None:
    amounts = [0.0] * 30 + [3.0] * 30 + [30.0] * 40
    data = cf.Microdata.from_dict({"sex": ["f"] * 100, "x": amounts}).declare(kinds={"x": "continuous"})
    masked = cf.Release(cf.Bottomcode("x", at=5, replacement=0), cf.Noise("x", sd=2, keep_zero=True)).apply(data, seed=1)
    strangers = cf.SuppliedBeliefs([[cf.Atom(w, {"x": v}) for w, v in ((0.3, 0.0), (0.3, 3.0), (0.4, 30.0))]])
    who = cf.Intruder(knows=["sex", cf.Distributed("x", cf.Mixture(belief))], beliefs=strangers)
    p = cf.link(masked, who).row(0).p
    # it was .5385 and .6471: whoever has less than 5 is released as zero, and six in ten are believed to
    assert p[masked.data.columns["x"].numbers == 0].sum() == pytest.approx(0.6, rel=1e-9)
