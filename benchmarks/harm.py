"""Time and accuracy of what an intruder learns after a link, and of the harm it does.

    python benchmarks/harm.py [regression] [coverage] [links]
    python benchmarks/harm.py regression --sizes 5000 50000 500000
    python benchmarks/harm.py coverage --replicates 200
    python benchmarks/harm.py links --targets 100000 1000000

Outcomes follow a logistic model and are released rightly with probability .9. Seconds are the least of three calls.
Files of `links` are drawn with replacement from the synthetic example, in regions of 50,000; income gets noise, and the
links are made before the clock starts. Everybody is linked; records that are equally probable are all followed, and
their number is in the table.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
from printed import best, here, row, table

Q = 0.9
COVARIATES = 10
LIMITS = {50_000: 2.0}
"""Seconds the project set itself."""
TRUE = np.array([-0.5, 1.0, -0.7, 0.4])
"""The coefficients of `coverage`, the intercept first."""
RECORDS = 2_000
"""The records of each replicate of `coverage`."""


def released(seed: int, n: int, beta: np.ndarray):
    """Draw covariates and misrecorded outcomes."""
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(n, beta.size - 1))
    y = rng.random(n) < 1 / (1 + np.exp(-(beta[0] + z @ beta[1:])))
    return z, (y ^ (rng.random(n) > Q)).astype(int)


def regression(args: argparse.Namespace) -> None:
    """Print seconds of a fit by the number of records."""
    import confide as cf

    print(f"\n## The misclassified logistic fit, {COVARIATES} covariates, q = {Q}")
    table(["records", "seconds", "limit", "growth per record", "naive fit, s", "largest error / std. error"])
    beta = np.r_[-0.5, np.random.default_rng(0).normal(scale=0.5, size=COVARIATES)]
    before: tuple[int, float] | None = None
    for n in args.sizes:
        z, x = released(n, n, beta)
        seconds, naive = (best(lambda z=z, x=x, q=q: cf.fit_misclassified(z, x, q)) for q in (Q, 1.0))
        fit = cf.fit_misclassified(z, x, Q)
        off = np.abs((fit.coefficients - beta) / fit.standard_errors).max()
        grown = "" if before is None else f"{(seconds / n) / (before[1] / before[0]):.2f}"
        row([f"{n:,}", f"{seconds:.3f}", LIMITS.get(n, ""), grown, f"{naive:.3f}", f"{off:.2f}"])
        before = n, seconds


def coverage(args: argparse.Namespace) -> None:
    """Print how often intervals cover, and the bias with and without the misclassification."""
    import confide as cf

    found, naive, covered, errors = [], [], [], []
    for seed in range(args.replicates):
        z, x = released(seed, RECORDS, TRUE)
        fit = cf.fit_misclassified(z, x, Q)
        low, high = fit.interval(0.95).T
        found.append(fit.coefficients)
        errors.append(fit.standard_errors)
        covered.append((low <= TRUE) & (high >= TRUE))
        naive.append(cf.fit_misclassified(z, x, 1.0).coefficients)
    print(f"\n## Coverage of 95 per cent intervals, {args.replicates} replicates of {RECORDS:,} records, q = {Q}")
    table(["coefficient", "true", "coverage", "bias", "sd of the estimates", "mean std. error", "naive bias"])
    share, bias = np.mean(covered, axis=0), np.mean(found, axis=0) - TRUE
    spread, claimed, off = np.std(found, axis=0), np.mean(errors, axis=0), np.mean(naive, axis=0) - TRUE
    for j, true in enumerate(TRUE):
        name = "intercept" if j == 0 else f"covariate {j}"
        row([name, true, f"{share[j]:.3f}", f"{bias[j]:+.4f}", f"{spread[j]:.4f}", f"{claimed[j]:.4f}", f"{off[j]:+.4f}"])
    row(["all", "", f"{share.mean():.3f}", f"{np.abs(bias).max():.4f}", "", "", f"{np.abs(off).max():.4f}"])


def linked(n: int):
    """Link everyone in a large file whose income has noise, by keys that single out about one in two."""
    import confide as cf

    cps = cf.examples.cps()
    rows = np.random.default_rng(1).integers(cps.n, size=n)
    data = cps.take(rows)
    # regions, so that groups stay as small as in a small file
    region = cf.Column.of_codes(np.arange(n) // 50_000, list(range(-(-n // 50_000))))
    paid = cf.Column.of_codes((data.column("property_tax").numbers > 0).astype(np.int64), ["no", "yes"])
    more = {"region": (region, cf.Role.KEY), "has_tax": (paid, cf.Role.SENSITIVE)}
    variables = dict(data.variables) | {k: cf.Variable(k, cf.Kind.NOMINAL, role) for k, (_, role) in more.items()}
    data = cf.Microdata(variables, dict(data.columns) | {k: column for k, (column, _) in more.items()}, "large")
    released = cf.Release(cf.Noise("income", sd=0.1, relative_to="all")).apply(data, seed=7)
    return cf.link(released, cf.Intruder(knows=["sex", "race", "marital", "age", "education", "region"]))


def links(args: argparse.Namespace) -> None:
    """Print seconds of harm, by how it is inferred."""
    import confide as cf

    close, over = cf.AmountCosts(cf.Close(0.1)), cf.AmountCosts(cf.OverEstimate())
    ways = {
        "category, seven outcomes": cf.Harm("has_tax", cf.Outcomes(tt=1.0, ft=0.5), acts=0.0),
        "amount, linked record, as released": cf.Harm("income", close, acts=0.0),
        "amount, all candidates, their mean": cf.Harm("income", close, using=cf.AllCandidates(), acts=0.0),
        "amount, linked record, posterior integrated": cf.Harm(
            "income", over, reading=cf.MeasurementError(["age", "education"]), bayesian=True, acts=0.0
        ),
    }
    print("\n## The harm of all links of a file, everybody being linked")
    table(["targets", "links followed", "harm", "seconds", "seconds per million links", "limit", "growth"])
    before: dict[str, float] = {}
    for n in args.targets:
        found = linked(n)
        followed = int(found.at_best.sum())
        losses = cf.AttributeLosses(missed=5e4, wrong=1e4, disparity=cf.AbsoluteDistance())
        work = {name: partial(cf.harm_of, found, harm) for name, harm in ways.items()}
        work["attribute disclosure, absolute"] = partial(cf.attribute_disclosure, found, "income", losses)
        work["inferential disclosure"] = partial(cf.inferential_disclosure, found, "income")
        for name, call in work.items():
            seconds = best(call, 2)
            grown = f"x {seconds / before[name]:.1f}" if name in before else ""
            each = seconds * 1e6 / followed
            row([f"{n:,}", f"{followed:,}", name, f"{seconds:.2f}", f"{each:.2f}", 5, grown])
            before[name] = seconds


PARTS = {"regression": regression, "coverage": coverage, "links": links}


def main() -> None:
    """Run the parts that were asked for, all by default."""
    parser = argparse.ArgumentParser()
    parser.add_argument("parts", nargs="*", help=", ".join(PARTS))
    parser.add_argument("--sizes", type=int, nargs="+", default=[5_000, 50_000, 500_000])
    parser.add_argument("--targets", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--replicates", type=int, default=200)
    args = parser.parse_args()
    unknown = set(args.parts) - set(PARTS)
    if unknown:
        parser.error(f"unknown parts: {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")

    here("scipy")
    for name in args.parts or PARTS:
        PARTS[name](args)


if __name__ == "__main__":
    main()
