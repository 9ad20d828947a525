"""Each target on its own, or all records against all targets."""

import numpy as np

import confide as cf

# [seven]
seven = cf.Microdata.from_dict({"x": [float(i) for i in range(7)]}).declare(kinds={"x": "continuous"})
released = cf.Release(cf.Noise("x", sd=0.02, times_above={5.5: 1000})).apply(seven, seed=1)
alone = cf.Intruder(knows=["x"], models_others=False)
jointly = alone.but(matching=cf.WithoutReplacement())
print("1. Six respondents are well known; the seventh's number may be anywhere\n")
print("probability of the own record   with replacement   without")
for t, (p, q) in enumerate(zip(cf.link(released, alone).own, cf.link(released, jointly).own, strict=True)):
    print(f"respondent {t}                              {p:.3f}     {q:.3f}")
# [file]
people = cf.examples.cps().take(np.arange(0, 51_016, 25))
noise = cf.Noise("property_tax", sd=290, keep_zero=True, lower=0, grid=1)
swaps = cf.Swap("race", rate=0.3), cf.Swap("marital", rate=0.3)
files = [
    cf.Release(noise, name="noise").apply(people, seed=7),
    cf.Release(*swaps, name="swaps").apply(people, seed=7),
    cf.Release(*swaps, noise, name="both").apply(people, seed=7),
    cf.Release(*swaps, noise, cf.Sample(fraction=0.5), name="both, half").apply(people, seed=7),
]
knows = ["sex", "race", "marital", "age", "property_tax"]
intruders = [
    cf.Intruder(knows=knows, name="on its own"),
    cf.Intruder(knows=knows, matching=cf.WithoutReplacement(), name="all at once"),
]
answer = cf.assess(files, intruders)
print(f"\n\n2. The example file, every 25th record: {people.n:,} respondents\n")
print(f"{'release':12} {'expected matches':>24}   {'mean probability of the own record':>36}")
print(f"{'':12} {'with':>12} {'without':>11}   {'with':>24} {'without':>11}")
for file in files:
    one, all_ = (answer.scenario(file.name, i.title) for i in intruders)
    own = [float(s.summary.own[s.summary.in_file].mean()) for s in (one, all_)]
    found = f"{one.expected_matches:12.0f} {all_.expected_matches:11.0f}"
    print(f"{file.name:12} {found}   {own[0]:24.3f} {own[1]:11.3f}")
# [how]
print("\n\n3. How it was matched\n")
for file in files:
    print(f"{file.name}: {answer.scenario(file.name, 'all at once').matched[0]}")
# [strangers]
print("\n\n4. Someone with the same list who does not know whether it covers the file; 'both', 40 people like any target\n")
stranger = cf.Intruder(knows=knows, target_in_file=False, population=cf.Constant(40))
for how in (cf.WithReplacement(), cf.WithoutReplacement()):
    links = cf.link(files[2], stranger.but(matching=how))
    own, null = links.own.mean(), links.null.mean()
    print(f"{how.title:20} mean probability of the own record {own:.3f}, of the null link {null:.3f}")
print(f"{'':20} {links.matched.describe() if links.matched else ''}")
# [end]
