"""Intruders who know less than exactly, and four sources of the number of people like the target."""

import confide as cf

cps = cf.examples.cps()
base = ["sex", "race", "marital", "age"]
age = cf.Recode("age", width=5)
recoded = cf.Release(age, name="age in fives").apply(cps, seed=7)
noisy = cf.Release(age, cf.Noise("income", sd=2000), name="age in fives, noisy income").apply(cps, seed=7)
income = cps.column("income").numbers
rich = cf.Targets.of_rows((income >= 100_000).nonzero()[0])
BREAKS = [0, 25_000, 50_000, 100_000]
KNOWN = "what is known beside sex, race, marital status, age"
HEAD = f"{KNOWN:52} {'targets':>7} {'Prob. > 0.2':>11} {'Expected':>9} {'Unique':>7}"


def show(released, knows, name, targets=None):
    """Print the figures of one scenario."""
    s = cf.assess(released, cf.Intruder(knows=knows, name=name), targets).row(0)
    n = s.summary.n
    print(f"{name:52} {n:7,} {s.perceived:11,.0f} {s.expected_matches:9,.1f} {s.unique_matches:7,.0f}")


# [noisy]
print("1. Age in fives, income with noise of sd 2,000\n")
print(HEAD)
show(noisy, base, "nothing")
show(noisy, [*base, "income"], "income exactly")
show(noisy, [*base, cf.Within("income", percent=20)], "income within 20 per cent")
show(noisy, [*base, cf.Roughly("income", sd=5000)], "income roughly, error of sd 5,000")
show(noisy, [*base, cf.Bracket("income", breaks=BREAKS)], "income in one of five brackets")
show(noisy, base, "nothing, targets with 100,000 or more", rich)
show(noisy, [*base, cf.Between("income", low=100_000)], "income at least 100,000, same targets", rich)

# [plain]
print("\n\n2. Age in fives, income as it is\n")
print(HEAD)
show(recoded, [*base, "income"], "income exactly")
show(recoded, [*base, cf.Within("income", percent=20)], "income within 20 per cent")
show(recoded, [*base, cf.Bracket("income", breaks=BREAKS)], "income in one of five brackets")
show(recoded, [*base, cf.Between("income", low=100_000)], "income at least 100,000, targets who have it", rich)

# [oneof]
print("\n\n3. Marital status of divorced American Indian women, age in fives\n")
print(HEAD)
divorced = cf.Targets.where(sex=2, race=3, marital=5)
show(recoded, base, "exactly", divorced)
unsure = cf.OneOf("marital", [3, 4, 5, 6])
show(recoded, ["sex", "race", "age", unsure], "spouse absent, widowed, divorced or separated", divorced)
show(recoded, ["sex", "race", "age"], "not at all", divorced)

print("\n\n4. Two groups of targets, known differently, in one scenario\n")
# [groups]
groups = [
    cf.Targets.where(race=3, knows=[*base, "property_tax"]),
    cf.Targets.where(race=4, knows=["sex", "race", cf.Within("age", percent=5)]),
]
scenario = cf.assess(recoded, cf.Intruder(knows=base, name="registrar"), groups).row(0)
for group, links in zip(["American Indian, tax known", "Asian, age within 5 per cent"], scenario.links, strict=True):
    print(f"{group:28} {links.n:6,} targets, mean probability {links.own.mean():.4f}")
print(f"{'together':28} {scenario.summary.n:6,} targets, {scenario.expected_matches:,.1f} expected matches")

# [population]
print("\n\n5. How many people are like the target, for someone unsure that the target is in the file\n")
frame = cps.to_frame().group_by(base).len(name="count").sort(base)
census = cf.from_frame(frame.with_columns(count=frame["count"] * 2054))
census = census.declare(kinds={"age": "integer", "count": "continuous"})
unique = cf.Targets.where(sex=2, race=3, marital=3, age=39)
print(f"{'population':20} {'n_t':>4} {'N_t':>7} {'Pr(own record)':>15} {'Pr(null link)':>14}")
models = cf.LogLinearPopulation(), cf.PitmanPopulation()
for population in (cf.FromWeights(), cf.PopulationTable(census), cf.Constant(5000), cf.AtLeast(10), *models):
    links = cf.link(recoded, cf.Intruder(knows=base, target_in_file=False, population=population), unique)
    n_t, people = links.sample_matches[0], links.population_matches[0]
    print(f"{type(population).__name__:20} {n_t:4} {people:7,.0f} {links.own[0]:15.4g} {links.null[0]:14.4g}")
# [end]
