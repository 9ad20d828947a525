"""To link or not to: losses, uncertainty, what deters, what chance gives, and which intruders a release is safe against."""

import sys

import numpy as np
from scipy.stats import lognorm

import confide as cf

# [decide]
# One target who is probably small, 99 others who are alike; ten records are released.
y = np.array([0.05, 0.135, 1.505, 2.401, 3.151, 3.825, 4.591, 8.723, 10.343, 10.732])
target, others = lognorm.pdf(y, 1.0), lognorm.pdf(y, 1.0, scale=np.exp(2.0))
links = cf.link_probabilities(np.column_stack([target, np.tile(others[:, None], 99)]))
p = links.p[:, 0]
print("What does the intruder do, and how uncertain is the intruder?\n")
print(f"{'l1':>5}{'l2':>5}{'no link costs':>15}{'the best costs':>16}   decision")
for losses in (cf.Losses(1, 1), cf.Losses(1, 5), cf.Losses(1, 10)):
    found = losses.decide(p)
    chosen = f"link record {found.record + 1}" if found.links else "no link"
    print(f"{losses.missed:5}{losses.wrong:5}{found.loss_null:15.3f}{found.loss_link:16.3f}   {chosen}")
every = cf.Losses(1, 1).decide_all(links.p)
print(f"\nof all 100 respondents: {every.linked} linked")
# [matrix]
# To name record 1 wrongly is ruinous, to name record 2 wrongly hardly matters.
table = cf.LossMatrix.of(cf.Losses(1, 1), 10).table.copy()
table[0, 1:], table[1, [0, *range(2, 11)]] = 20.0, 0.1
matrix = cf.LossMatrix(table)
print(f"with unequal losses: link record {matrix.decide(p).record + 1}, expected loss {matrix.decide(p).uncertainty:.3f}")
# [uncertainty]
# Two respondents, believed to be lognormal around 1 and around e^2; both are released, as 7 and 20.
pair = np.array([7.0, 20.0])
f = np.column_stack([lognorm.pdf(pair, 1.0), lognorm.pdf(pair, 1.0, scale=np.exp(2.0))])
informed, naive = cf.link_probabilities(f).p[:, 0], [cf.naive_outsider(2, 2)] * 2
measures = {
    "minimal loss": cf.MinimalLoss(cf.Losses(1, 1)),
    "entropy, bits": cf.Entropy(base=2),
    "variance": cf.Variance(pair),
    "Gini": cf.Concave(lambda q: 1.0 - float((q**2).sum())),
}
print("\n\nTwo records, 7 and 20: which is the first respondent's?\n")
print(f"{'':15}{'knows nothing':>15}{'has beliefs':>13}")
for name, u in measures.items():
    print(f"{name:15}{u.of(naive):15.3f}{u.of(informed):13.3f}")
# [deter]
print("\n\nWhat would deter?\n")
print(f"a wrong link that costs {cf.deterring_ratio(links.p)[0]:.2f} times a missed one")
fine = cf.deterring_penalty(p, cf.Losses(1, 1))[0]
print(f"or a fine of {fine:.2f} for a false link that is always found out")
fine = cf.deterring_penalty(p, cf.Losses(1, 1), cf.Caught(wrong=0.1, right=0.1))[0]
print(f"or a fine of {fine:.2f} for any link, found out once in ten times\n")
print(cf.deterrence_curve(links.p, [0.01, 0.1, 0.2, 1, 5, 10]))
# [count]
print("\n\nIntruders who count: one target among 6 respondents, 3 released\n")
naive = [cf.naive_outsider(6, 3)] * 3
diluted = [cf.naive_outsider(6, 3, simulated=2)] * 5
cautious, malicious = cf.Losses(1, 1.5), cf.malicious_outsider(6, 3)
print(f"{'outsider':42}{'p':>7}   {'links'}")
print(f"{'naive':42}{naive[0]:7.3f}   {cautious.decide(naive).links}")
print(f"{'naive, 2 simulated records':42}{diluted[0]:7.3f}   {cautious.decide(diluted).links}")
print(f"{f'malicious, l1 above {cf.malicious_from(6, 3):.2f} l2':42}{naive[0]:7.3f}   {malicious.decide(naive).links}")
print(f"\n{'insider, 4 of 12 alike, 5 released, 2 match':48}{'p':>7}{'released':>10}")
plain = cf.insider(12, 4, 5, 2)
known, open_ = (
    cf.insider_with_unknown_simulated(12, 4, 5, 2, prior) for prior in ({1: 1.0}, {0: 1 / 3, 1: 1 / 3, 2: 1 / 3})
)
print(f"{'complete knowledge':48}{plain.p:7.3f}{plain.released:10.3f}")
print(f"{'1 of the 2 is known to be simulated':48}{known.p:7.3f}{known.released:10.3f}")
print(f"{'0, 1 or 2 simulated, after seeing 2 match':48}{open_.p:7.3f}{open_.released:10.3f}")
# [chance]
print("\n\nCould it be chance?\n")
alike = cf.OneAgainstAlike(lambda x: lognorm.pdf(x, 1.0), lambda x: lognorm.pdf(x, 1.0, scale=np.exp(2.0)), respondents=100)
chance = cf.best_without_target(lambda rng: rng.lognormal(2.0, 1.0, 10), alike, samples=10_000, seed=1)
print(f"without the target: mean {chance.mean:.2f}, 95th percentile {chance.quantile(0.95):.2f}")
print(f"at least {p.max():.3f} by chance: {chance.at_least(p.max())}")
# [map]
# Fifteen of 50 incomes are released, each off by a factor with sd .1.
rng = np.random.default_rng(1)
source = rng.lognormal(3.0, 1.0, 50).round(1)
parents = rng.permutation(50)[:15]
released = (source[parents] * rng.lognormal(0.0, 0.1, 15)).round(1)
print("\n\nAgainst whom is the release safe?\n")
found = cf.safety_map(source, released, parents, losses=cf.Losses(1, 1), allowed=0.02, seed=1)
print(found)
if len(sys.argv) > 1:
    found.plot(sys.argv[1])
