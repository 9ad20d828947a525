"""Information loss as sdcMicro 5.8.1 gives it (dUtility, IL_correl, IL_variables)."""

from __future__ import annotations

from pathlib import Path

import pytest

import confide as cf

VALUES = Path(__file__).parent / "values"
VARIABLES = ("income", "tax", "ss", "hours")
# x <- d[, V]; xm <- m[, V]; dUtility(x, xm = xm, method = ...); IL_correl(x, xm); IL_variables(x, xm)
GOLDEN = {
    1_000: {
        cf.IL1s(VARIABLES, weights=False): 226.8417012,
        cf.IL1(VARIABLES, weights=False): 35127.31645,
        cf.IL1s(VARIABLES, per_value=True, weights=False): 0.05671042531,  # method = "IL1old"
        cf.EigenvalueLoss(VARIABLES, weights=False): 0.02218373138,
        cf.CorrelationLoss(VARIABLES, weights=False): 0.0002629009527,
        cf.ValueLoss(VARIABLES, weights=False): 0.8472927461,
    },
    10_000: {
        cf.IL1s(VARIABLES, weights=False): 2257.730966,
        cf.IL1(VARIABLES, weights=False): 373524.6587,
        cf.IL1s(VARIABLES, per_value=True, weights=False): 0.05644327414,
        cf.EigenvalueLoss(VARIABLES, weights=False): 0.002823813339,
        cf.CorrelationLoss(VARIABLES, weights=False): 6.015104699e-05,
        cf.ValueLoss(VARIABLES, weights=False): 0.8467131176,
    },
}
SINGLE = {
    1_000: [0.9994074236, 0.9763874904, 0.9924179688, 0.4209581016],
    10_000: [0.9994757177, 0.9811866338, 0.9931238794, 0.4130662394],
}


def released(n: int) -> cf.Released:
    kinds = dict.fromkeys(VARIABLES, "continuous")
    return cf.Released.from_files(
        *(cf.read(VALUES / f"{name}_{n}.csv.gz").declare(kinds=kinds) for name in ("micro", "masked")), same_order=True
    )


@pytest.mark.parametrize("n", GOLDEN)
def test_information_loss(n):
    file = released(n)
    for measure, want in GOLDEN[n].items():
        # the values are printed to ten digits
        assert measure.of(file).value == pytest.approx(want, rel=1e-9), measure


@pytest.mark.parametrize("n", SINGLE)
def test_variables_one_by_one(n):
    found = cf.ValueLoss(VARIABLES, weights=False).of(released(n)).to_frame()
    assert found["variable"].to_list() == list(VARIABLES)
    assert found["loss"].to_list() == pytest.approx(SINGLE[n], rel=1e-9)
