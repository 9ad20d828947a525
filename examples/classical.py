"""The classical counts on a file of twelve people: what each of them says, and what it leaves out."""

import confide as cf

# [file]
people = cf.Microdata.from_dict({
    "sex": ["f", "f", "f", "f", "m", "m", "m", "m", "m", "f", "m", "m"],
    "job": ["cook", "cook", "cook", "nurse", "nurse", "nurse", "cook", "cook", "clerk", "nurse", None, "clerk"],
    "illness": ["flu", "flu", "flu", "gout", "flu", "cold", "cold", "gout", "flu", "flu", "cold", "gout"],
    "debt": [0, 0, 10, 400, 20, 30, 0, 90, 50, 800, 10, 60],
    "weight": [90.0, 110.0, 100.0, 40.0, 8.0, 12.0, 70.0, 50.0, 5.0, 60.0, 20.0, 25.0],
    "home": [1, 2, 3, 4, 4, 5, 6, 7, 7, 8, 8, 9],
    "place": ["north", "north", "south", "north", "north", "south", "north", "north", "south", "north", "north", "north"],
})  # fmt: skip
people = people.declare(
    key=["sex", "job"], sensitive=["illness", "debt"], weight="weight", household="home", kinds={"debt": "integer"}
)
# [counts]
level = cf.frequencies(people)
wild = cf.frequencies(people, missing=cf.MissingAsWildcard())
print("Who agrees with whom on sex and job?\n")
print(f"{'':22}{'f':>26}   unique  below 3")
for name, found in (("missing is a level", level), ("missing is a wildcard", wild)):
    print(f"{name:22}{' '.join(f'{f:g}' for f in found.f):>26}{found.uniques:9}{found.violates(3):9}")
print(f"\nF, from weights: {' '.join(f'{f:g}' for f in level.F)}")
# [attackers]
print("\n\nThree who know sex and job\n")
print(f"{'':34}{'highest':>9}{'average':>9}{'expected':>10}")
for found in (cf.prosecutor_risk(people), cf.journalist_risk(people), cf.individual_risk(people)):
    print(f"{found.title:34}{found.highest:9.3f}{found.average:9.3f}{found.expected:10.3f}")
print(f"{'Marketer risk, against the weights':34}{'':9}{cf.marketer_risk(people, population=cf.FromWeights()).value:9.3f}")
house = cf.household_risk(people, cf.individual_risk(people))
print(f"{'Household risk':34}{house.highest:9.3f}{house.average:9.3f}{house.expected:10.3f}")
# [table]
census = cf.PopulationTable(
    cf.Microdata.from_dict({
        "sex": ["f", "f", "m", "m", "m"],
        "job": ["cook", "nurse", "nurse", "cook", "clerk"],
        "count": [310, 95, 18, 130, 2],
    })
)  # fmt: skip
found = cf.k_map(people, population=census, missing=cf.MissingAsWildcard())
print(f"\nagainst a census: k-map with k = {found.value:g}, {found.below(20)} of {people.n} records below 20")
# [values]
print("\n\nWhat a cell tells about the illness\n")
three = cf.l_diversity(people, None, "illness"), cf.l_diversity(people, None, "illness", cf.EntropyDiversity())
for found in (*three, cf.l_diversity(people, None, "illness", cf.RecursiveDiversity(2))):
    print(f"l-diversity, {found.diversity.describe():18}l = {found.value:.2f}, below 2: {found.below(2):2} records")
for name in ("illness", "debt"):
    found = cf.t_closeness(people, None, name)
    print(f"t-closeness of {name + ', ' + found.distance.describe():28}t = {found.value:.3f}")
# [uniques]
print("\n\nWhich keys single a person out?\n")
three = ["sex", "job", "place"]
scores = cf.suda(people, three)
risk = cf.dis_suda(people, three)
print(f"{'':3}{'sex':5}{'job':7}{'place':9}{'score':>5}{'DIS':>7}   alone with")
for i in range(people.n):
    who = [people.columns[name].values()[i] or "?" for name in three]
    sets = ", or ".join(" and ".join(s) for s in scores.found.of(i))
    print(f"{i:<3}{who[0]:5}{who[1]:7}{who[2]:9}{scores.per_record[i]:5g}{risk.per_record[i]:7.3f}   {sets}".rstrip())
print(f"\n{cf.sample_uniques(people, three)}, {cf.special_uniques(people, three)}")
print(f"a match with a unique record is right with probability {risk.dis:.3f}")
each, shared = scores.contributions(), scores.contributions(shared=True)
print("per cent of all scores: " + ", ".join(f"{key} {each[key]:.1f} (shared {shared[key]:.1f})" for key in three))
# [released]
released = cf.Release(cf.Drop("job")).apply(people, seed=1)
print("\n\nWithout the job\n")
print(cf.k_anonymity(released, "sex"))
print(cf.individual_risk(released, "sex"))
# [assessment]
print("\n\nBeside the intruder, on one table\n")
cps = cf.examples.cps()
noise = cf.Noise("property_tax", sd=0.1, relative_to="positive", keep_zero=True, lower=0)
releases = [cf.Release(name="as it is").apply(cps, seed=7), cf.Release(noise, name="noise").apply(cps, seed=7)]
neighbour = cf.Intruder(knows=["sex", "race", "age", "property_tax"], name="neighbour")
measures = [
    cf.FileMeasure(cf.k_anonymity),
    cf.FileMeasure(cf.prosecutor_risk),
    cf.FileMeasure(cf.l_diversity, sensitive="income"),
    cf.FileMeasure(cf.distance_linkage),
    cf.FileMeasure(cf.interval_disclosure, "property_tax", around=cf.RankWidth(10)),
]
print(cf.assess(releases, neighbour, file_measures=measures))
