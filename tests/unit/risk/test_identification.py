"""Lambert's Table 1 in one call."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse
from scipy.stats import lognorm

import confide as cf

SOURCE = [9.8, 10.8, 14.1, 14.6, 14.7, 15.0, 30.0, 40.7, 47.1, 53.2]
PRINTED = np.array(
    [
        [0.016, 0.024, 0.065, 0.072, 0.074, 0.078, 0.202, 0.183, 0.156, 0.130],
        [0.010, 0.017, 0.048, 0.054, 0.056, 0.059, 0.199, 0.205, 0.188, 0.164],
    ]
)


def test_table_1_of_lambert():
    table = cf.identification_table([32, 35], SOURCE, cf.Lognormal(0, 0.5), parent=[5, 6], threshold=0.15)
    off = np.abs(table.links.p - PRINTED)
    # .017 and .056 are within the rounding of the source values; .183 is a misprint for .182
    assert np.sort(off.ravel())[:-3].max() <= 0.0005
    assert off.max() <= 0.0013
    assert table.perceived.worst == pytest.approx(0.205437, abs=1e-6)
    assert table.perceived.average == pytest.approx(0.10880, abs=1e-5)
    assert table.perceived.total == pytest.approx(1.08800, abs=1e-5)
    assert table.perceived.at_or_above == 4
    assert (table.true.share, table.matching.share) == (0.0, 0.5)
    assert np.allclose(table.links.null, 1 - table.links.p.sum(axis=0))


def test_it_reads_like_the_table():
    lines = repr(cf.identification_table([32, 35], SOURCE, cf.Lognormal(0, 0.5), parent=[5, 6])).splitlines()
    assert lines[0].split() == ["released", *map(str, SOURCE)]
    assert lines[1].split()[:3] == ["32.0", "0.016", "0.024"]
    assert lines[3].startswith("not released  0.974")
    assert lines[4] == "perceived identification: D 0.205, D_average 0.109, D_total 1.088, at 0.5 or more: 0"
    assert lines[5] == "true identification 0.000, matching 0.500"


def test_without_parents_there_are_no_risks_of_truth():
    table = cf.identification_table([32, 35], SOURCE, cf.Lognormal(0, 0.5))
    assert table.true is None
    assert table.matching is None
    assert "true identification" not in repr(table)


def test_a_large_table_is_cut():
    source = np.arange(1.0, 31.0)
    lines = repr(cf.identification_table(source[:14], source, cf.Uniform(-0.4, 0.4))).splitlines()
    assert len(lines) == 1 + 12 + 1 + 1 + 1
    assert "14 records and 30 respondents in all" in lines[-2]


def test_other_masks_functions_and_links():
    z, y = np.array([1.2, 3.5]), np.array([1.0, 2.0, 4.0])
    normal = cf.identification_table(z, y, cf.Normal(0.0, 0.5))
    given = cf.identification_table(z, y, lambda a, b: np.exp(-2 * (a - b.T) ** 2))
    logs = cf.identification_table(z, y, lambda a, b: -2 * (a - b.T) ** 2, log=True)
    thin = cf.identification_table(z, y, lambda a, b: sparse.csr_array(np.exp(-2 * (a - b.T) ** 2)))
    linked = cf.identification_table(z, y, normal.links)
    for other in (given, logs, linked):
        assert np.allclose(other.links.p, normal.links.p, atol=1e-12)
    assert np.allclose(thin.links.p.todense(), normal.links.p)
    assert repr(thin) == repr(normal)
    shifted = cf.identification_table(z, y, cf.Lognormal(0.3, 0.5))
    f = lognorm.pdf(z[:, None], 0.5, scale=np.exp(0.3) * y[None])
    assert np.allclose(shifted.links.p, cf.link_probabilities(f).p, atol=1e-12)


def test_far_tails_do_not_make_a_release_impossible():
    table = cf.identification_table([1000.0], [0.0, 1.0], cf.Normal(0, 1))
    assert table.links.p[0, 1] == pytest.approx(1.0)


def test_several_variables():
    y = np.array([[1.0, 5.0], [2.0, 4.0], [3.0, 3.0]])
    z = y[:2] + 0.1

    def density(a, b):
        return np.exp(-np.sum((a[:, None] - b[None]) ** 2, axis=2))

    table = cf.identification_table(z, y, density, parent=[0, 1], distance=cf.SquaredDistance(), sampling_fraction=2 / 3)
    assert table.matching.value == pytest.approx(2 / 3)
    assert repr(table).splitlines()[0].split("  ")[-1].strip() == "3.0, 3.0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1.0], [1.0, 2.0], "lognormal"), "mask must be .* found str"),
        (([[1.0, 2.0]], [[1.0, 2.0]], cf.Normal(0, 1)), "masks one variable, these records have 2"),
        (([[1.0, 2.0]], [1.0, 2.0], cf.Normal(0, 1)), "2 variable.*, source records 1"),
        (([1.0], [0.0, 2.0], cf.Lognormal(0, 1)), "positive source"),
        (([1.0], [1.0, 2.0], lambda a, b: np.ones(2)), "shape .*must give 1 by 2"),
        (([1.0], [1.0, 2.0, 3.0], cf.link_probabilities(np.ones((1, 2)))), "links of 1 records and 2 respondents"),
        (([np.nan], [1.0], cf.Normal(0, 1)), "missing or infinite"),
    ],
)
def test_bad_input_is_named(arguments, message):
    with pytest.raises(cf.IntruderError, match=message):
        cf.identification_table(*arguments)


def test_an_impossible_release_is_named():
    with pytest.raises(cf.LikelihoodError, match="no respondent could have produced"):
        cf.identification_table([10.0], [1.0, 2.0], cf.Uniform(-1, 1))
