"""All records compete for all respondents: eq. (4.1) beside the formula for records in isolation."""

import numpy as np
from scipy.stats import lognorm

import confide as cf

# [two]
# Two respondents, believed to be lognormal around 1 and around e^2; both are released, as 7 and 20.
y = np.array([7.0, 20.0])
f = np.column_stack([lognorm.pdf(y, 1.0), lognorm.pdf(y, 1.0, scale=np.exp(2.0))])
links = cf.link_probabilities(f)
print("Two respondents, two records: is it the first respondent's?\n")
print(f"{'':12}{'joint (4.1)':>14}{'isolated (4.2)':>16}")
for j, name in enumerate(("released 7", "released 20")):
    print(f"{name:12}{links.p[j, 0]:14.3f}{cf.isolated(f)[j, 0]:16.3f}")
print(f"{'sum':12}{links.p[:, 0].sum():14.3f}{cf.isolated(f)[:, 0].sum():16.3f}   must be 1: both were released")
# [hundred]
# One target who is probably small, 99 others who are alike; ten records are released.
y = np.array([0.05, 0.135, 1.505, 2.401, 3.151, 3.825, 4.591, 8.723, 10.343, 10.732])
target, others = lognorm.pdf(y, 1.0), lognorm.pdf(y, 1.0, scale=np.exp(2.0))
f = np.column_stack([target, np.tile(others[:, None], 99)])
links = cf.link_probabilities(f)
print("\n\nOne target among 100 respondents, ten records released\n")
print(f"{'released':>10}{'joint (4.1)':>14}{'product (4.3)':>16}{'isolated (4.2)':>16}")
for row in zip(y, links.p[:, 0], cf.product_form(f), cf.isolated(f)[:, 0], strict=True):
    print("{:10.3f}{:14.3f}{:16.3f}{:16.3f}".format(*row))
print(f"{'null link':>10}{links.null[0]:14.3f}")
risks = cf.perceived_risks(links, 0.5)
print(
    f"\nperceived risk: worst {risks.worst:.3f}, average {risks.average:.4f}, respondents at .5 or more: {risks.at_or_above}"
)
decision = cf.Losses(missed=1.0, wrong=1.0).decide(links.p[:, 0])
print(f"the intruder links record {decision.record + 1} at an expected loss of {decision.uncertainty:.3f}")
print(
    f"and would not if a wrong link cost more than {cf.Losses(missed=1.0).deterring(links.p[:, 0]):.1f} times a missed one"
)
# [chance]
chance = cf.best_by_chance((0, 1), (2, 1), respondents=100, released=10, samples=10_000, seed=1)
print(
    "\nbest probability by chance, had the target not been released: "
    f"mean {chance.mean():.2f}, 95th percentile {np.quantile(chance, 0.95):.2f}, 99th {np.quantile(chance, 0.99):.2f}"
)
# [table]
# Lambert's Table 1: source values, two of them (15 and 30) released as 32 and 35 after a lognormal factor with sd .5.
source = [9.8, 10.8, 14.1, 14.6, 14.7, 15.0, 30.0, 40.7, 47.1, 53.2]
parent = [5, 6]
table = cf.identification_table([32, 35], source, cf.Lognormal(0, 0.5), parent=parent)
print("\n\nTen source values, two released: whose are they?\n")
print(table)
always = cf.true_identification(table.links, parent, act_at=0.0)
print(f"\nrisk of true identification, an intruder who always acts: {always.share:.1f}")
print(f"... who acts from .5 on: {table.true.share:.1f}")
log = cf.risk_of_matching([32, 35], source, parent, cf.LogDistance())
print(f"risk of matching by |z - y|: {table.matching.share:.1f}; by |log z - log y|: {log.share:.1f}")
