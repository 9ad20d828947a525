"""How would each respondent's record appear? From what an intruder says to link probabilities."""

import numpy as np

import confide as cf

# [elicit]
# "The released value is surely within 100 per cent of the true one, probably within 30."
belief = cf.elicit(surely=1.00, probably=0.30)
print("Surely within 100 per cent, probably within 30 per cent\n")
print(belief)
print(f"each statement alone: {', '.join(f'{sd:.3f}' for sd in belief.alone)}")
print("\nThe same statements as other families\n")
for family in (cf.LognormalAppearance, cf.NormalAppearance, cf.LaplaceAppearance):
    other = cf.elicit(surely=1.00, probably=0.30, family=family)
    print(f"{family.__name__:22}spread {other.sd:.3f}, misfit {other.misfit:.3f}")
# [around]
# The source values are known; two of them are released, as 32 and 35 (Lambert 1993, Table 1).
source = [9.8, 10.8, 14.1, 14.6, 14.7, 15.0, 30.0, 40.7, 47.1, 53.2]
released = [32.0, 35.0]
beliefs = {
    "lognormal, sd .5": cf.LognormalAppearance.around(source, sd=0.5),
    "lognormal, elicited": cf.LognormalAppearance.around(source, sd=belief),
    "double exponential": cf.LaplaceAppearance.around(source, scale=7.0),
    "within 40 per cent": cf.UniformAppearance.around(source, relative_half_width=0.4),
}
print("\n\nTen source values, two released as 32 and 35: whose is the 32?\n")
print(f"{'':22}" + "".join(f"{y:7.1f}" for y in source))
for name, appearance in beliefs.items():
    links = cf.link_probabilities(cf.log_densities(appearance, released), log=True)
    print(f"{name:22}" + "".join(f"{p:7.3f}" for p in links.p[0]))
# [ranks]
# Only the ranks are known: respondent i of 10 stands at the quantile i / 11 of a fitted lognormal.
fitted = cf.fit_lognormal(source)
by_rank = cf.LognormalAppearance.at_quantiles(fitted, respondents=10, sd=0.5)
links = cf.link_probabilities(cf.log_densities(by_rank, released), log=True)
print(f"{'only ranks known':22}" + "".join(f"{p:7.3f}" for p in links.p[0]))
# [unknown]
# Little is known about the first respondent, much about the second (Lambert 1993, 4.2.3).
two = cf.GroupedAppearance([cf.UniformAppearance([-4.0], [4.0]), cf.NormalAppearance([0.0], sd=1.0)])
p = cf.link_probabilities(cf.log_densities(two, [-2.25]), log=True).p[0, 0]
print(f"\n\nA uniform against a normal, -2.25 released: the unknown respondent's with probability {p:.2f}")
# [mixed]
# Income is masked, sex may be misreported; a covariance would link several amounts.
people = cf.Microdata.from_dict({"income": [15.5, 16.5, 30.5], "sex": ["f", "m", "m"]})
masked = cf.Microdata.from_dict({"income": [17.5], "sex": ["m"]}).declare(kinds={"income": "continuous"})
income = cf.LognormalAppearance.around(people, "income", sd=0.2)
sex = cf.MisreportedAppearance.around(people, "sex", rate=0.05)
both = cf.IndependentAppearance([income, sex])
records = cf.records_of(masked, ["income", "sex"], like=people)
print("\n\nOne of three people is released\n")
for name, appearance, seen in (("income alone", income, records[:, 0]), ("income and sex", both, records)):
    p = cf.link_probabilities(cf.log_densities(appearance, seen), log=True).p[0]
    print(f"{name:22}" + "".join(f"{x:7.3f}" for x in p))
# [function]
# Any density: heavier tails than a normal, and a share of records that could be anything up to 100.
centre = np.array(source)


def heavy(y, respondent):
    """Give a Cauchy density around the source value, or one in ten anything."""
    x = (y[:, 0] - centre[respondent]) / 5.0
    return 0.9 / (5.0 * np.pi * (1.0 + x * x)) + 0.1 * (y[:, 0] < 100.0) / 100.0


links = cf.link_probabilities(cf.log_densities(cf.FunctionAppearance(heavy, respondents=10), released), log=True)
print("\n\nA density given as a function: whose is the 32?\n")
print(f"{'heavy tails':22}" + "".join(f"{p:7.3f}" for p in links.p[0]))
