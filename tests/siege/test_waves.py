"""Two files of the same people, masked by the same plan with one secret: they must not be subtracted from each other."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf

N = 400
SECRET = cf.Secret(bytes(range(32)))


def wave(income: np.ndarray) -> cf.Microdata:
    race = np.random.default_rng(1).choice(["w", "b", "n"], N)
    data = {"pid": list(range(N)), "income": income.tolist(), "race": race.tolist()}
    return cf.Microdata.from_dict(data).declare(identifier=["pid"], kinds={"income": "continuous"})


JANUARY = np.random.default_rng(2).integers(10_000, 90_000, N).astype(float)
FEBRUARY = JANUARY + np.random.default_rng(3).integers(-300, 300, N)


def test_the_change_of_every_income_was_the_difference_of_two_released_files():
    release = cf.Release(cf.Noise("income", sd=5_000), name="survey")
    one, two = (release.apply(wave(x), secret=SECRET) for x in (JANUARY, FEBRUARY))
    assert not np.array_equal(one.parent, two.parent), "records stand in the same order"
    a, b = (np.empty(N), np.empty(N))
    a[one.parent], b[two.parent] = (f.data.column("income").numbers for f in (one, two))
    assert np.corrcoef(a - JANUARY, b - FEBRUARY)[0, 1] == pytest.approx(0, abs=0.2)
    assert np.mean(np.abs((b - a) - (FEBRUARY - JANUARY)) < 100) < 0.05


def test_one_corrected_value_changes_all_noise():
    release = cf.Release(cf.Noise("income", sd=5_000), cf.Swap("race", rate=0.5), name="survey")
    corrected = JANUARY.copy()
    corrected[7] += 1_234
    one, two = (release.apply(wave(x), secret=SECRET, keep_order=True).data for x in (JANUARY, corrected))
    same = one.column("income").numbers == two.column("income").numbers
    assert same.mean() < 0.01
    assert one.column("race").values() != two.column("race").values()


def test_the_same_file_gives_the_same_bytes_whatever_its_roles_and_the_order_of_its_columns():
    release = cf.Release(cf.Noise("income", sd=5_000), name="survey")
    one, two = wave(JANUARY), wave(JANUARY).declare(key=["race"], sensitive=["income"])
    frames = [release.apply(x, secret=SECRET).data.to_frame() for x in (one, two)]
    assert frames[0].equals(frames[1])
