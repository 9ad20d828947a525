"""From link to harm: what a record tells, whom to link for an attribute, what is learned, and what it costs."""

import numpy as np

import confide as cf

# [clinic]
# A small clinic: sex and age are known to many; whether a patient is HIV positive and what he owes are not.
rng = np.random.default_rng(4)
n = 400
age = rng.integers(20, 60, n)
hiv = rng.random(n) < 1 / (1 + np.exp(3.5 - 0.06 * (age - 20) * 2))
clinic = cf.Microdata.from_dict(
    {
        "sex": rng.choice(["f", "m"], n).tolist(),
        "age": age.tolist(),
        "hiv": np.where(hiv, "positive", "negative").tolist(),
        "debt": rng.lognormal(8, 1, n).round().tolist(),
    }
).declare(key=["sex", "age"], sensitive=["hiv", "debt"], kinds={"age": "integer", "debt": "continuous"})
released = cf.Release(cf.Swap("hiv", rate=0.3), cf.Noise("debt", sd=2_000), name="swap and noise").apply(clinic, seed=1)
visitor = cf.Intruder(knows=["sex", "age"], name="visitor")
links = cf.link(released, visitor)
# [eq3]
print("1. Eq. (3): a record says positive, and one in ten records is wrong\n")
print(f"{'prior':>8}{'record says positive':>24}{'record says negative':>24}")
for prior in (0.05, 0.2, 0.5):
    yes, no = cf.posterior_sensitive(1, 0.9, prior), cf.posterior_sensitive(0, 0.9, prior)
    print(f"{prior:8.2f}{yes:24.3f}{no:24.3f}")
# [prior]
x = np.array(released.data.column("hiv").values()) == "positive"
z = released.data.column("age").numbers[:, None]
matrix = released.steps[0].channels["hiv"]
q = [matrix.likelihood(v, v) for v in ("positive", "negative")]
fit, naive = cf.fit_misclassified(z, x, q), cf.fit_misclassified(z, x, 1.0)
print(f"\na swap of .3 leaves 'positive' right with {q[0]:.3f}, 'negative' with {q[1]:.3f}")
slope, error = fit.coefficients[1], fit.standard_errors[1]
print(f"log odds per year of age: {slope:.3f} (s.e. {error:.3f}); taken as recorded {naive.coefficients[1]:.3f}")
# [costs]
print("\n\n2. The seven outcomes, and other ways to count\n")
seven = cf.Outcomes(tt=10, tf=6, ft=3, ff=5, tn=2, fn=1)
by_value = cf.ByTrueValue({"positive": cf.Outcomes(tt=100), "negative": cf.Outcomes(tf=50)})
believed = cf.BeliefCosts({"positive": 8, "negative": 1})
ways = {
    "as recorded": cf.Harm("hiv", seven),
    "seeing through the swap": cf.Harm("hiv", seven, reading=cf.Misrecorded(["age"]), sure=0.8),
    "only true links count": cf.Harm("hiv", seven.only_true()),
    "positive costs more": cf.Harm("hiv", by_value),
    "people called positive": cf.Harm("hiv", cf.AssignedTo("positive")),
    "Bayesian": cf.Harm("hiv", believed, reading=cf.Misrecorded(["age"]), bayesian=True),
}
for name, harm in ways.items():
    found = cf.harm_of(links, harm)
    print(f"{name:26} total {found.total:9,.1f}   worst {found.worst:7.2f}   {found.bearers.harmed:4} of {found.n} harmed")
print(f"\n{cf.harm_of(links, ways['seeing through the swap'])!r}")
# [amounts]
print("\n\n3. Amounts: what is inferred from the same links\n")
truth = clinic.column("debt").numbers
readings = {
    "linked record": cf.Harm("debt", cf.AmountCosts(cf.AbsoluteError()), acts=0),
    "shrunk to the file": cf.Harm("debt", cf.AmountCosts(cf.AbsoluteError()), reading=cf.Shrunk(), acts=0),
    "noise seen through": cf.Harm("debt", cf.AmountCosts(cf.AbsoluteError()), reading=cf.MeasurementError(), acts=0),
    "mean of all candidates": cf.Harm("debt", cf.AmountCosts(cf.AbsoluteError()), using=cf.AllCandidates(), acts=0),
}
for name, harm in readings.items():
    print(f"{name:26} off by {cf.harm_of(links, harm).mean:8,.0f} on average")
costs = {
    "over-estimate, squared": cf.AmountCosts(cf.OverEstimate()),
    "excess": cf.AmountCosts(cf.Excess()),
    "thought to owe above 20,000": cf.AmountCosts(cf.Threshold(20_000)),
    "known within 10 %": cf.AmountCosts(cf.Close(0.1)),
    "a function: at most 1,000": cf.AmountCosts(cf.GivenCost(lambda y, guess: np.minimum(np.abs(guess - y), 1_000))),
}
print()
for name, cost in costs.items():
    point = cf.harm_of(links, cf.Harm("debt", cost, reading=cf.MeasurementError()))
    bayes = cf.harm_of(links, cf.Harm("debt", cost, reading=cf.MeasurementError(), bayesian=True))
    print(f"{name:29} point estimate {point.total:16,.1f}   whole posterior {bayes.total:16,.1f}")
# [attribute]
print("\n\n4. Whom to link depends on what is wanted (1987, section 5)\n")
losses = cf.AttributeLosses(missed=3_000, wrong=500, disparity=cf.AbsoluteDistance())
found = cf.attribute_disclosure(links, "debt", losses, identify=0.2)
risks = found.identified.sum(), found.disclosed.sum(), found.both
print(f"at risk of identification {risks[0]}, of attribute disclosure {risks[1]}, of both {risks[2]}")
values = [3, 8, 9, 10, 11, 40]
mean, median = cf.best_link(values), cf.best_link(values, cf.AbsoluteDistance())
print(f"an outsider who sees {values} links record {mean.records[0] + 1} for a squared error,")
print(f"records {median.records[0] + 1} or {median.records[1] + 1} for an absolute one: the closest to mean and median")
# [inferential]
print("\n\n5. Inferential disclosure: no link needed\n")
print(cf.inferential_disclosure(links, "debt", reading=cf.MeasurementError(), close=0.2))
print(cf.inferential_disclosure(links, "hiv", reading=cf.Misrecorded(["age"])))
wages = ["30"] * 6 + ["18", "22", "25", "27", "31", "35"]
trades = cf.Microdata.from_dict({"trade": ["plumber"] * 6 + ["baker"] * 6, "wage": wages})
plumbers = cf.link(cf.Release().apply(trades, seed=1), cf.Intruder(knows=["trade"]))
print(f"\nthe plumbers of Chicago\n{cf.inferential_disclosure(plumbers, 'wage', category=True)}")
# [model]
print("\n\n6. Model disclosure: is the model itself confidential?\n")
print(cf.model_disclosure(released, "debt ~ age + sex", wanted=False))
# [several]
print("\n\n7. Several intruders\n")
clerk = cf.Intruder(knows=["sex", "age", cf.Within("debt", 30)], name="clerk")
found = cf.assess(released, [visitor, clerk], harms=[cf.Harm("hiv", seven, name="hiv")])
print(found.over_intruders({"visitor": 0.3, "clerk": 0.05})["swap and noise", "hiv"])
