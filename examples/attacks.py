"""Attack releases of a survey, beside people who are not in it: what does the release itself give away?"""

import confide as cf

# [split]
survey = cf.examples.cps()
train, control = cf.split_control(survey, seed=7)
print(f"{survey.n:,} people: {train.n:,} to release, {control.n:,} kept out of it\n")
# [releases]
releases = {
    "as it is": cf.Release(),
    "recoded": cf.Release(cf.Recode("age", width=10), cf.Round("income", to=1000), cf.Round("property_tax", to=500)),
    "noise": cf.Release(cf.Noise("income", sd=5000), cf.Noise("property_tax", sd=500), cf.Noise("age", sd=3)),
}
released = {name: release.apply(train, seed=1) for name, release in releases.items()}
# [one]
halves = ["age", "race", "property_tax"], ["sex", "education", "income"]
found = cf.linkability(train, released["recoded"], control, halves)
print("Do two halves belong to the same person?\n")
print(found)
print()
for name, rate in found.rates().items():
    print(f"{name:9}{rate}  {rate.successes:6,.0f} of {rate.attacks:,}")
print(f"{'risk':9}{found.risk}")
# [all]
known = ["age", "sex", "race", "marital", "property_tax"]
attacks = {
    "singling out, 1 variable": lambda r: cf.singling_out(train, r, control, predicates=cf.Univariate()),
    "singling out, 4 variables": lambda r: cf.singling_out(train, r, control, predicates=cf.Multivariate(4)),
    "linkability": lambda r: cf.linkability(train, r, control, halves),
    "income within 5 per cent": lambda r: cf.inference(train, r, control, known, "income"),
    "education": lambda r: cf.inference(train, r, control, known, "education"),
}
print("\n\nThe risk of three releases\n")
print(f"{'':26}" + "".join(f"{name:>26}" for name in released))
for title, attack in attacks.items():
    cells = []
    for file in released.values():
        one = attack(file)
        cells.append(
            f"{one.risk.value:.3f} ({one.risk.low:.3f} to {one.risk.high:.3f})" + ("" if one.beats_guessing else "*")
        )
    print(f"{title:26}" + "".join(f"{cell:>26}" for cell in cells))
print("\n* no better than guessing")
# [nothing]
print("\n\nWithout a control group\n")
print(cf.inference(train, released["noise"], None, known, "education"))
print(cf.inference(train, released["noise"], control, known, "education"))
