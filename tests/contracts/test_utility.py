"""Every measure of utility through the same chains: what is masked more is not more useful, what is gone is not kept."""

from __future__ import annotations

import inspect
import math
from itertools import pairwise

import numpy as np
import pytest

import confide as cf
from confide.api import utility as public

N = 800
LEVELS = "abcdefgh"
SHARES = [0.3, 0.2, 0.15, 0.1, 0.1, 0.05, 0.05, 0.05]
FINE, COARSE = ({x: group for group in groups for x in group} for groups in (("ab", "cd", "ef", "gh"), ("abcd", "efgh")))


def told(data: cf.Microdata) -> dict[str, float]:
    x = data.column("x").numbers
    known = x[~np.isnan(x)]
    return {"mean": float(known.mean()) if known.size else math.nan}


def share_told(released: cf.Released) -> float:
    return float(np.mean(~released.data.column("x").is_missing))


CASES = {
    "CorrelationLoss": [cf.CorrelationLoss(), cf.CorrelationLoss(["x", "y", "z"])],
    "CovariancesKept": [cf.CovariancesKept(), cf.CovariancesKept("x")],
    "EigenvalueLoss": [cf.EigenvalueLoss(), cf.EigenvalueLoss(["x", "y"])],
    "Hellinger": [cf.Hellinger(), cf.Hellinger(ways=2), cf.Hellinger(["x", "edu"])],
    "IL1": [cf.IL1(), cf.IL1("x"), cf.IL1(per_value=True)],
    "IL1s": [cf.IL1s(), cf.IL1s("x"), cf.IL1s(per_value=True)],
    "KullbackLeibler": [cf.KullbackLeibler(), cf.KullbackLeibler(ways=2), cf.KullbackLeibler("x", smoothing=0)],
    "MeanPrecision": [cf.MeanPrecision("x")],
    "MeansKept": [cf.MeansKept(), cf.MeansKept("x"), cf.MeansKept("x", by="edu")],
    "OwnAnalysis": [cf.OwnAnalysis(told, "own")],
    "OwnUtility": [cf.OwnUtility(share_told, "told", larger_is_better=True, bounds=(0, 1))],
    "PropensityScore": [cf.PropensityScore(), cf.PropensityScore("x"), cf.PropensityScore(interactions=True)],
    "QuantilesKept": [cf.QuantilesKept(), cf.QuantilesKept("x", by="edu")],
    "RegressionKept": [cf.RegressionKept("y ~ x + edu"), cf.RegressionKept("x ~ y + sex")],
    "TotalsKept": [cf.TotalsKept(), cf.TotalsKept("x")],
    "ValueLoss": [cf.ValueLoss(), cf.ValueLoss("x")],
}
EVERY = [m for cases in CASES.values() for m in cases]
CATEGORIES = [
    cf.Hellinger(), cf.Hellinger("edu"), cf.Hellinger(ways=2), cf.KullbackLeibler(), cf.KullbackLeibler("edu"),
    cf.PropensityScore(), cf.PropensityScore("edu"), cf.PropensityScore(interactions=True), cf.ValueLoss(),
    cf.ValueLoss("edu"),
]  # fmt: skip
"""The measures that compare categories with each other, and so can tell recodings apart."""
IDS = {"ids": lambda m: f"{m!r}".split("function")[0]}


@pytest.fixture(scope="module")
def people() -> cf.Microdata:
    rng = np.random.default_rng(1)
    x = rng.gamma(2, 10, N) + 1
    columns = {
        "x": x,
        "y": x / 2 + rng.normal(20, 3, N),
        "z": rng.gamma(2, 5, N) + x / 10 + 1,
        "sex": rng.permutation(np.repeat(["f", "m"], N // 2)),
        "edu": rng.choice(list(LEVELS), N, p=SHARES),
    }
    data = cf.Microdata.from_dict({k: v.tolist() for k, v in columns.items()})
    return data.declare(kinds=dict.fromkeys("xyz", "continuous"))


def masked(data: cf.Microdata, *methods: cf.Method) -> cf.Released:
    return cf.Release(*methods).apply(data, seed=1)


def blanked(data: cf.Microdata, name: str, share: float, seed: int = 0) -> cf.Released:
    """The file with the first cells of a random order blank, as somebody else released it."""
    rows = np.random.default_rng(seed).permutation(data.n)[: round(share * data.n)]
    values = data.columns[name].values()
    for i in rows:
        values[i] = None
    column = (
        cf.Column.of_labels(values) if data.columns[name].labels else cf.Column.of_numbers(np.array(values, dtype=float))
    )
    return cf.Released.from_files(data, data.with_columns({name: column}), same_order=True)


def useful(measure: cf.UtilityMeasure, released: cf.Released) -> float | None:
    """The utility, larger is better; None where it is undefined for a reason that an error tells."""
    try:
        value = measure.of(released).value
    except cf.UserMistake:
        return None
    assert not math.isnan(value), "undefined without a reason"
    return value if measure.larger_is_better else -value


def blanks(data: cf.Microdata, name: str) -> list[list[cf.Released]]:
    """More and more blanks, in eight random orders each: the mean of a few may be right by luck."""
    return [[blanked(data, name, share, seed) for seed in range(8)] for share in (0.2, 0.5, 0.8)]


def check_chain(
    measure: cf.UtilityMeasure, data: cf.Microdata, releases: list[list[cf.Released]], *, reads: bool = True
) -> None:
    """From the file as it is to one that tells nothing of a variable, utility never rises, and is less in the end."""
    best = useful(measure, cf.Released.from_files(data, data, same_order=True))
    assert best is not None
    drawn = [[useful(measure, r) for r in again] for again in releases]
    found = [best, *(None if None in row else float(np.mean(row)) for row in drawn)]
    assert all(x is not None for x in found[:-1]), "masked, and still there"
    known = [x for x in found if x is not None]
    assert all(a >= b - 1e-9 for a, b in pairwise(known)), known
    if reads:
        assert found[-1] is None or found[-1] < best - 1e-3


def test_every_public_measure_is_under_contract():
    classes = (getattr(public, name) for name in public.__all__)
    measures = {
        c.__name__
        for c in classes
        if inspect.isclass(c) and callable(getattr(c, "unmasked", None)) and not getattr(c, "_is_protocol", False)
    }
    assert measures == set(CASES)


@pytest.mark.parametrize("measure", EVERY, **IDS)
def test_the_file_as_it_is_is_perfect(measure, people):
    assert measure.unmasked(people).value == pytest.approx(
        measure.of(cf.Released.from_files(people, people, same_order=True)).value
    )
    best = measure.bounds[1 if measure.larger_is_better else 0]
    if math.isfinite(best):
        assert measure.unmasked(people).value == pytest.approx(best, abs=1e-9)


@pytest.mark.parametrize("measure", EVERY, **IDS)
def test_a_number_that_is_topcoded_and_then_dropped(measure, people):
    x = people.columns["x"].numbers
    tops = [masked(people, cf.Topcode("x", at=round(float(np.quantile(x, p))))) for p in (0.95, 0.5)]
    for last in (masked(people, cf.Drop("x")), blanked(people, "x", 1.0)):
        check_chain(measure, people, [[r] for r in (*tops, last)])


@pytest.mark.parametrize("measure", EVERY, **IDS)
def test_a_number_that_is_blank_for_more_and_more_records(measure, people):
    shares = blanks(people, "x")
    for last in (masked(people, cf.Drop("x")), blanked(people, "x", 1.0)):
        check_chain(measure, people, [*shares, [last]])


@pytest.mark.parametrize("measure", EVERY, **IDS)
def test_a_category_that_is_recoded_and_then_dropped(measure, people):
    levels = [masked(people, cf.Recode("edu", mapping=m)) for m in (FINE, COARSE)]
    for last in (masked(people, cf.Drop("edu")), blanked(people, "edu", 1.0)):
        check_chain(measure, people, [[r] for r in (*levels, last)], reads=measure in CATEGORIES)


@pytest.mark.parametrize("measure", CATEGORIES, **IDS)
def test_a_finer_recoding_a_coarser_one_and_none_at_all_are_three_utilities(measure, people):
    methods = [cf.Recode("edu", mapping=FINE), cf.Recode("edu", mapping=COARSE), cf.Drop("edu")]
    found = [useful(measure, masked(people, m)) for m in methods]
    assert None not in found
    assert useful(measure, masked(people)) > found[0] > found[1] > found[2]


@pytest.mark.parametrize("measure", CATEGORIES, **IDS)
@pytest.mark.parametrize("name", ["sex", "edu"])
def test_a_category_that_is_blank_for_more_and_more_records(measure, name, people):
    reads = getattr(measure, "variables", None) is None or name in measure.variables
    shares = blanks(people, name)
    for last in (blanked(people, name, 1.0), masked(people, cf.Drop(name))):
        check_chain(measure, people, [*shares, [last]], reads=reads)


@pytest.mark.parametrize("measure", EVERY, **IDS)
def test_nothing_is_left_of_anything(measure, people):
    names = [n for n in people.names if n != "sex"]
    nothing = useful(measure, masked(people, cf.Drop(names)))
    worst = measure.bounds[0 if measure.larger_is_better else 1]
    if nothing is None or not math.isfinite(worst):
        assert nothing is None or nothing < useful(measure, masked(people)) - 1e-3
    else:
        # of five variables one is kept
        assert abs(nothing - worst * (1 if measure.larger_is_better else -1)) <= 0.4 * (
            measure.bounds[1] - measure.bounds[0]
        )
