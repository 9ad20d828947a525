"""Beliefs about altered variables that are not known: every masking, any belief, against quadrature and simulation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import lognorm, norm

import confide as cf

DEBT = cf.Mixture([(0.3, 0.0), (0.7, cf.Lognormal(4.0, 0.8))])


def _source(rng: np.random.Generator, n: int) -> cf.Microdata:
    debt = np.where(rng.random(n) < 0.3, 0.0, rng.lognormal(4.0, 0.8, n))
    return cf.Microdata.from_dict({"g": rng.choice(["a", "b"], n).tolist(), "debt": debt.tolist()}).declare(
        kinds={"debt": "continuous"}
    )


MASKS = [
    cf.Recode("debt", breaks=[0, 1, 50, 100, np.inf], labels=["none", "low", "middle", "high"]),
    cf.Topcode("debt", at=100.0),
    cf.Noise("debt", sd=30, keep_zero=True, lower=0),
    cf.Noise("debt", sd=30, keep_zero=True, lower=0, outside="clamp", grid="none"),
    cf.MultiplicativeNoise("debt", sd=0.3),
]


def _u(mask: Any, z: Any) -> float:
    """Pr(z | belief) from the definition: masses, densities and integrals on a fine grid."""
    w0, w1, f = 0.3, 0.7, lognorm(0.8, scale=np.exp(4.0))
    if isinstance(mask, cf.Recode):
        low, high = {"none": (0, 1), "low": (1, 50), "middle": (50, 100), "high": (100, np.inf)}[z]
        return w0 * (low == 0) + w1 * (f.cdf(high) - f.cdf(low))
    if isinstance(mask, cf.Topcode):
        return w1 * f.sf(100) if isinstance(z, str) else w0 if z == 0 else w1 * f.pdf(z)
    y = np.linspace(0, 3000, 600_001)[1:]
    weight = f.pdf(y) * (y[1] - y[0])
    if isinstance(mask, cf.MultiplicativeNoise):
        return w0 if z == 0 else w1 * float(np.sum(weight * norm.pdf(np.log(z), np.log(y), 0.3) / z))
    if mask.outside == "clamp":
        inside = norm.cdf(-y / 30) if z == 0 else norm.pdf(z, y, 30)
        return w0 * (z == 0) + w1 * float(np.sum(weight * inside))
    return w0 if z == 0 else w1 * float(np.sum(weight * norm.pdf(z, y, 30) / norm.cdf(y / 30)))


@pytest.mark.parametrize("mask", MASKS, ids=lambda m: m.describe())
def test_beliefs_about_altered_variables_were_dropped(mask: Any) -> None:
    source = _source(np.random.default_rng(1), 60)
    released = cf.Release(mask).apply(source, seed=2)
    intruder = cf.Intruder(knows=["g"], unavailable={"debt": DEBT}, models_others=False)
    row = cf.link(released, intruder).row(0)
    values = released.data.column("debt").values()
    here = np.flatnonzero(row.parts.consistent)[:12]
    assert row.parts.u[here] == pytest.approx([_u(mask, values[j]) for j in here], rel=2e-4)


@pytest.mark.parametrize("mask", MASKS, ids=lambda m: m.describe())
def test_strangers_who_are_like_the_target_leave_nothing_to_tell(mask: Any) -> None:
    source = _source(np.random.default_rng(3), 40)
    released = cf.Release(mask).apply(source, seed=4)
    beliefs = cf.SuppliedBeliefs([[cf.Atom(w, {"debt": x}) for w, x in DEBT.parts]])
    told = cf.Intruder(knows=["g"], unavailable={"debt": DEBT}, beliefs=beliefs)
    for i in (0, 5):
        assert cf.link(released, told).row(i).p == pytest.approx(cf.link(released, told.but(unavailable=None)).row(i).p)


@pytest.mark.parametrize("mask", [*MASKS, cf.Swap("g", rate=0.4)], ids=lambda m: m.describe())
def test_beliefs_about_what_is_not_known_come_true(mask: Any) -> None:
    """People of one kind have much debt; the intruder knows that of the target, and how common debt is."""
    rng = np.random.default_rng(7)
    gaps = []
    for seed in range(60):
        n = 40
        rich = rng.random(n) < 0.3
        debt = np.where(rich, rng.lognormal(5.0, 0.5, n), np.where(rng.random(n) < 0.4, 0.0, rng.lognormal(3.0, 0.6, n)))
        level = np.where(rng.random(n) < np.where(rich, 0.8, 0.2), "a", "b")
        source = cf.Microdata.from_dict({"k": ["x"] * n, "debt": debt.tolist(), "g": level.tolist()})
        released = cf.Release(mask).apply(source.declare(kinds={"debt": "continuous"}), seed=seed)
        name = mask.variable
        about = cf.Lognormal(5.0, 0.5) if name == "debt" else cf.Mixture([(0.8, "a"), (0.2, "b")])
        rest = [(0.7 * 0.4, 0.0), (0.7 * 0.6, cf.Lognormal(3.0, 0.6)), (0.3, cf.Lognormal(5.0, 0.5))]
        everyone = rest if name == "debt" else [(0.38, "a"), (0.62, "b")]
        beliefs = cf.SuppliedBeliefs([[cf.Atom(w, {name: x}) for w, x in everyone]])
        targets = np.flatnonzero(rich)
        if not targets.size:
            continue
        intruder = cf.Intruder(knows=["k"], unavailable={name: about}, beliefs=beliefs)
        links = cf.link(released, intruder, cf.Targets.of_rows(targets.tolist()))
        sure = links.row(0).p * targets.size
        mine = np.isin(released.parent, targets)
        likely = links.row(0).p > 1 / n
        gaps.append((sure - mine)[likely].sum())
    gap = np.array(gaps)
    assert abs(gap.mean()) < 4 * gap.std(ddof=1) / np.sqrt(gap.size)


def test_beliefs_for_each_target_and_for_each_record() -> None:
    source = cf.Microdata.from_dict({"k": ["x"] * 3, "g": ["a", "b", "b"]})
    released = cf.Release(cf.Swap("g", rate=0.6)).apply(source, seed=1)
    matrix = released.steps[0].channels["g"]
    z = released.data.column("g").values()
    lists = [[cf.Atom(p, {"g": "a"}), cf.Atom(1 - p, {"g": "b"})] for p in (0.9, 0.5, 0.1)]
    base = cf.Intruder(knows=["k"], models_others=False)

    def u(p: float, value: Any) -> float:
        return p * matrix.likelihood(value, "a") + (1 - p) * matrix.likelihood(value, "b")

    by_target = cf.link(released, base.but(unavailable=cf.AboutTargets(lists)))
    for i, p in enumerate((0.9, 0.5, 0.1)):
        assert by_target.row(i).parts.u == pytest.approx([u(p, x) for x in z])
    by_record = cf.link(released, base.but(unavailable=cf.GivenRecords(lists))).row(0)
    assert by_record.parts.u == pytest.approx([u(p, x) for p, x in zip((0.9, 0.5, 0.1), z, strict=True)])
    with pytest.raises(cf.IntruderError, match="2 lists of possibilities for 3 targets"):
        cf.link(released, base.but(unavailable=cf.AboutTargets(lists[:2])))


def test_several_unknown_variables_are_weighed_together() -> None:
    """Two swapped variables that always agree: the possibilities are joint, not a product of margins."""
    g = ["a", "b"] * 20
    source = cf.Microdata.from_dict({"k": ["x"] * 40, "g": g, "h": g})
    released = cf.Release(cf.Swap("g", rate=0.3), cf.Swap("h", rate=0.3)).apply(source, seed=1)
    atoms = [[cf.Atom(0.5, {"g": "a", "h": "a"}), cf.Atom(0.5, {"g": "b", "h": "b"})]]
    row = cf.link(released, cf.Intruder(knows=["k"], unavailable=cf.AboutTargets(atoms), models_others=False)).row(0)
    one, two = (s.channels[n] for s, n in zip(released.steps, ("g", "h"), strict=True))
    zg, zh = released.data.column("g").values(), released.data.column("h").values()
    want = [sum(0.5 * one.likelihood(x, v) * two.likelihood(y, v) for v in "ab") for x, y in zip(zg, zh, strict=True)]
    assert row.parts.u == pytest.approx(want)
    model = cf.link(released, cf.Intruder(knows=["k"], unavailable=cf.Regression())).row(0)
    assert model.p == pytest.approx([1 / 40] * 40)
