"""Work that would not fit is refused before it starts."""

from __future__ import annotations

import pytest

import confide as cf
from confide.linking import memory, parallel


def test_too_large_is_said_beforehand(monkeypatch):
    monkeypatch.setattr(memory, "available_memory", lambda: 1_000)
    data = cf.Microdata.from_dict({"sex": ["m", "f"] * 10})
    with pytest.raises(cf.IntruderError, match="the evidence would take .* GB, .* are free; assess fewer targets"):
        cf.link(cf.Release().apply(data, seed=1), cf.Intruder(knows=["sex"]))


def test_progress_runs_from_nothing_to_all_without_going_back():
    data = cf.Microdata.from_dict({"sex": ["m", "f"] * 50, "x": [float(i) for i in range(100)]})
    released = cf.Release(cf.Swap("sex", rate=0.5), cf.Noise("x", sd=1)).apply(data, seed=1)
    seen = []
    cf.assess(released, [cf.Intruder(knows=["sex", "x"])] * 2, progress=lambda done, total: seen.append(done / total))
    assert seen[0] == 0
    assert seen[-1] == 1
    assert seen == sorted(seen)


def test_chunks_do_not_change_the_answer(monkeypatch):
    import numpy as np

    from confide.linking import likelihoods

    cps = cf.examples.cps().take(np.arange(0, 51_016, 17))
    released = cf.Release(cf.Swap("race", rate=0.3), cf.Noise("property_tax", sd=200, keep_zero=True, lower=0)).apply(
        cps, seed=1
    )
    intruder = cf.Intruder(knows=["sex", "race", "property_tax"])
    whole = cf.link(released, intruder)
    monkeypatch.setattr(likelihoods, "MOST_CELLS", 4)
    monkeypatch.setattr(parallel, "cores", lambda: 1)
    parts = cf.link(released, intruder)
    assert (whole.own == parts.own).all()
    assert (whole.best == parts.best).all()
