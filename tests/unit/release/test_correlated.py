"""Files from which no covariance can be taken."""

from __future__ import annotations

import pytest

import confide as cf


@pytest.mark.parametrize(
    ("a", "b", "says"),
    [
        ([3.0], [4.0], "a file of one record has no covariance"),
        ([1.0, 2.0], [2001.0, 4.0], "not positive definite"),
        ([1.0, 2.0, 3.0], [0.1, 0.2, 0.3], "not positive definite"),
        ([1.0, 1.0, 1.0], [0.1, 0.2, 0.3], "not positive definite"),
    ],
)
@pytest.mark.filterwarnings("error")
def test_variables_that_follow_from_each_other_are_refused(a, b, says):
    data = cf.Microdata.from_dict({"a": a, "b": b}).declare(kinds={"a": "continuous", "b": "continuous"})
    with pytest.raises(cf.ReleaseError, match=says):
        cf.Release(cf.CorrelatedNoise(["a", "b"], fraction=0.1)).apply(data, seed=1)


@pytest.mark.parametrize("size", [1e-12, 1.0, 1e15])
def test_the_scale_of_the_variables_does_not_matter(size):
    data = cf.Microdata.from_dict({"a": [size, 2 * size, 4 * size], "b": [1.0, -1.0, 0.0]})
    data = data.declare(kinds={"a": "continuous", "b": "continuous"})
    released = cf.Release(cf.CorrelatedNoise(["a", "b"], fraction=0.1, grid="none")).apply(data, seed=1)
    assert (released.data.column("a").numbers != data.column("a").numbers).all()
