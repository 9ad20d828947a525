"""A small file, a family of releases and two intruders for tests of maps."""

from __future__ import annotations

import numpy as np

import confide as cf

NEAR = cf.Intruder(knows=["sex", "age", "pay"], name="near")
FAR = cf.Intruder(knows=["sex", "age"], name="far")


def people(n: int = 150) -> cf.Microdata:
    rng = np.random.default_rng(5)
    age = rng.integers(20, 70, n)
    columns = {
        "sex": [str(x) for x in rng.choice(["f", "m"], n)],
        "age": [int(x) for x in age],
        "pay": [float(x) for x in np.round(500 + 20 * age + rng.normal(0, 200, n), 1)],
    }
    return cf.Microdata.from_dict(columns, name="people").declare(
        key=["sex", "age"], sensitive=["pay"], kinds={"age": "integer", "pay": "continuous"}
    )


def family() -> cf.Release:
    return cf.Release(
        cf.Recode("age", width=cf.vary("age", 5, 10)), cf.Noise("pay", sd=cf.vary("noise", 10.0, 100.0, 400.0))
    )


def mapped(**more):
    asked = {"risk": cf.ExpectedMatches(), "utility": cf.MeansKept("pay"), "seed": 7} | more
    return cf.ru_map(people(), family(), [FAR, NEAR], **asked)
