"""Made-up firms for tests of protected tables."""

import random

import confide as cf


def firms(n=300, seed=3):
    draw = random.Random(seed)
    return cf.Microdata.from_dict(
        {
            "area": [draw.choice(["N1", "N2", "S1", "S2"]) for _ in range(n)],
            "trade": [draw.choice("abcdef") for _ in range(n)],
            "owner": [draw.randint(0, n // 2) for _ in range(n)],
            "turnover": [round(draw.lognormvariate(5, 1.5)) for _ in range(n)],
        }
    )


def table(n=300, by=("area", "trade"), value="turnover", **more):
    return cf.tabulate(firms(n), list(by), value, hierarchies={"area": cf.Digits(1, 1)} if "area" in by else None, **more)


RULE = cf.MinimumFrequency(3) | cf.PPercentRule(10)
