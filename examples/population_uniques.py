"""Population uniques from a sample: what several models say, beside a truth that a survey never has."""

import numpy as np

import confide as cf

KEYS = ["sex", "age", "job", "region"]
# [population]
rng = np.random.default_rng(1)
N, n = 60_000, 3_000
age = np.clip(rng.normal(38, 14, N), 16, 90).astype(int)
sex = rng.integers(0, 2, N)
# jobs go with age, regions with jobs
job = np.minimum(rng.geometric(0.3, N) + np.abs(age - 45) // 8, 40)
region = (rng.zipf(1.9, N) + job // 3) % 30
people = {"sex": sex, "age": age, "job": job, "region": region}
everyone = cf.Microdata.from_dict({name: values.tolist() for name, values in people.items()})
drawn = np.sort(rng.choice(N, n, replace=False))
sample = everyone.take(drawn).declare(key=KEYS)
# [truth]
F = cf.frequencies(everyone, KEYS).f
f = cf.frequencies(sample)
alone = F[drawn][f.unique]
print(f"{f.uniques:,} of {n:,} records are sample uniques, in {f.cells:,} combinations of {', '.join(KEYS)}\n")
print(f"{'':34}{'uniques among':>15}{'of them in':>13}{'right':>8}{'expected':>10}")
print(f"{'':34}{'60,000 people':>15}{'the file':>13}{'picks':>8}{'uniques':>10}")
row = "{:34}{:15,.0f}{:13,.0f}{:8,.0f}{:>10}".format
print(row("truth", (F == 1).sum(), (alone == 1).sum(), (1 / alone).sum(), f"{f.uniques:,}"))
# [sizes]
for model in (cf.Pitman(), cf.Ewens(), cf.Zayatz(), cf.SlideNegativeBinomial()):
    found = cf.population_uniques(sample, model=model, population_size=N)
    print(row(model.describe(), found.uniques, found.tau1, found.tau2, f"{found.fitted.sample_uniques:,.0f}"))
# [loglinear]
print("\n\nLog-linear models: which interactions of keys matter?\n")
print(f"{'':34}{'tau1':>8}{'tau2':>8}{'B1/sqrt(v1)':>14}{'B2/sqrt(v2)':>14}")
print(f"{'truth':34}{(alone == 1).sum():8,}{(1 / alone).sum():8,.0f}")
for terms in (cf.MainEffects(), cf.ForwardSelection(), cf.AllTwoWay()):
    risk = cf.loglinear_risk(sample, terms=terms, fraction=n / N)
    name = terms.describe() if not risk.path else "forward: " + ", ".join(" x ".join(pair) for pair, _ in risk.path)
    print(f"{name:34}{risk.tau1:8,.0f}{risk.tau2:8,.0f}{risk.test.z1:14.1f}{risk.test.z2:14.1f}")
# [records]
risk = cf.loglinear_risk(sample, terms=cf.ForwardSelection(), fraction=n / N)
risky = risk.alone > 0.8
print(f"\n{risky.sum()} records have Pr(F = 1 | f = 1) above 0.8; {(F[drawn][risky] == 1).sum()} of them are unique")
# [unfit]
print("\n\nA model that cannot be fitted gives no number\n")
try:
    cf.population_uniques(sample.take(np.flatnonzero(f.unique)), model=cf.Pitman(), population_size=N)
except cf.errors.ModelError as error:
    print(error)
