"""The noise of a release hangs on what was declared, not on the types its numbers came in, nor on how they print."""

import numpy as np

import confide as cf
from confide.release.spelled import spelled

SECRET = cf.Secret(bytes(range(32)))
DATA = cf.Microdata.from_dict({"age": list(range(20, 60)), "race": list("abcd") * 10}).declare(kinds={"age": "integer"})


def made(*methods: object) -> str:
    return cf.Release(*methods, name="r").apply(DATA, secret=SECRET).data.to_frame().write_csv()


def test_a_plan_and_python_made_different_files_with_one_secret():
    assert made(cf.Noise("age", sd=20)) == made(cf.Noise("age", sd=20.0)) == made(cf.Noise("age", sd=np.float64(20)))
    assert made(cf.Noise("age", sd=20)) == made(cf.Noise("age", sd=20, keep_zero=False, lower=None))
    assert made(cf.Noise("age", sd=20)) != made(cf.Noise("age", sd=20.5))


def test_drafts_that_differ_inside_a_large_array_share_no_noise():
    """A large array prints with dots in its middle."""
    one = np.zeros((60, 60))
    other = one.copy()
    other[30, 30] = 1e-9
    assert repr(one) == repr(other)
    assert spelled(one) != spelled(other)


def test_functions_are_told_apart_by_what_they_do():
    def shift(by):
        return lambda x: x + by

    assert spelled(shift(1)) == spelled(shift(1))
    assert spelled(shift(1)) != spelled(shift(2))
    assert spelled(lambda x: x + 1) != spelled(lambda x: x - 1)


def test_kinds_of_values_are_told_apart():
    texts = [spelled(x) for x in (None, True, 1, "1", [1], {1: 2}, {1}, 1.5, float("inf"), float("nan"), 2**60, "none")]
    assert len(set(texts)) == len(texts)
    assert spelled(-0.0) == spelled(0)
