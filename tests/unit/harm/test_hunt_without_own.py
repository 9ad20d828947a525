"""What a release tells about someone whose own record is left out, however sure that record's link is."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


@pytest.mark.parametrize("sd", [100.0, 1.0, 0.1, 0.05], ids="noise {}".format)
@pytest.mark.parametrize("category", [True, False])
def test_an_own_record_that_takes_all_but_a_trifle(sd, category):
    rng = np.random.default_rng(4)
    n = 40
    data = cf.Microdata.from_dict(
        {
            "size": np.sort(rng.uniform(0, 60, n)).tolist(),
            "debt": rng.integers(1, 9, n).astype(float).tolist(),
            "hiv": rng.choice(["yes", "no"], n).tolist(),
        }
    ).declare(kinds={"size": "continuous", "debt": "continuous"})
    released = cf.Release(cf.Noise("size", sd=sd)).apply(data, seed=2)
    links = cf.link(released, cf.Intruder(knows=["size"]))
    found = cf.inferential_disclosure(links, "hiv" if category else "debt", close=0.01, without_own=True)
    if sd < 1:
        assert np.any(1 - links.own < 1e-12)
    truth = np.array(data.column("hiv").values()) if category else data.column("debt").numbers
    reached = 0
    for t in range(n):
        row = links.row(t)
        log_score = row.parts.log_a + row.parts.log_u - row.parts.log_m
        log_score[row.own] = -np.inf
        # far beyond what is looked for, nothing is learned
        if log_score.max() - links.log_total[t] < -590:
            continue
        p = np.exp(log_score - log_score.max())
        assert found.after[t] == pytest.approx(float(p @ (truth == truth[t]) / p.sum()), abs=1e-9)
        reached += 1
    assert reached > n / 2


def test_someone_alone_in_the_group_leaves_what_was_believed_before():
    data = cf.Microdata.from_dict({"sex": ["m", "f", "f"], "hiv": ["yes", "no", "no"]})
    links = cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))
    found = cf.inferential_disclosure(links, "hiv", without_own=True)
    assert found.after.tolist() == pytest.approx([1 / 3, 1.0, 1.0])
