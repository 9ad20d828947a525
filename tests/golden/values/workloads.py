"""The generated files that the values of other programs belong to, and larger ones for benchmarks.

python tests/golden/values/workloads.py FOLDER

writes micro_N.csv and masked_N.csv for N = 1,000 to 1,000,000 with fixed seeds. Those for 1,000 and 10,000 lie here, since
the values belong to their bytes.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pandas as pd

EDUCATION = np.r_[np.full(8, 0.02), 0.30, 0.18, 0.05, 0.05, 0.17, 0.05, 0.02, 0.02]


def micro(n: int, seed: int = 1) -> pd.DataFrame:
    """Draw n people with six keys, four amounts and a weight."""
    r = np.random.default_rng(seed)
    age = np.clip(r.normal(48, 18, n), 15, 90).astype(int)
    sex = r.integers(0, 2, n)
    race = r.choice(4, n, p=[0.84, 0.10, 0.01, 0.05])
    marital = r.choice(7, n, p=[0.52, 0.01, 0.01, 0.10, 0.15, 0.03, 0.18])
    edu = r.choice(16, n, p=EDUCATION / EDUCATION.sum())
    region = r.zipf(1.6, n) % 51
    income = np.round(np.exp(r.normal(10.4, 0.9, n) + 0.01 * (age - 48) + 0.05 * edu)).astype(int)
    tax = np.where(r.random(n) < 0.65, np.round(np.exp(r.normal(7, 0.9, n))), 0).astype(int)
    ss = np.where((age > 62) & (r.random(n) < 0.9), np.round(r.gamma(6, 2000, n)), 0).astype(int)
    hours = np.clip(np.round(r.normal(38, 12, n)), 0, 99).astype(int)
    weight = np.round(r.gamma(4, 500, n), 2)
    columns = {"sex": sex, "race": race, "marital": marital, "edu": edu, "age": age, "region": region}
    return pd.DataFrame({**columns, "income": income, "tax": tax, "ss": ss, "hours": hours, "weight": weight})


def masked(people: pd.DataFrame, seed: int = 2, scale: float = 0.1) -> pd.DataFrame:
    """Add noise to the amounts."""
    r, out = np.random.default_rng(seed), people.copy()
    for name in ("income", "tax", "ss", "hours"):
        out[name] = out[name] + r.normal(0, scale * people[name].std(), len(people))
    return out


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    for n in (1_000, 10_000, 100_000, 1_000_000):
        people = micro(n)
        people.to_csv(folder / f"micro_{n}.csv", index=False)
        masked(people).to_csv(folder / f"masked_{n}.csv", index=False)
