"""l-diversity and t-closeness against their definitions, written out."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import wasserstein_distance

import confide as cf

RNG = np.random.default_rng(3)
N = 400
FILE = cf.Microdata.from_dict({
    "a": RNG.integers(0, 4, N).tolist(),
    "b": RNG.choice(["x", "y", "z"], N).tolist(),
    "ill": RNG.choice(["flu", "cold", "gout", "ok"], N, p=[0.5, 0.3, 0.15, 0.05]).tolist(),
    "grade": RNG.choice(["low", "middle", "high"], N).tolist(),
    "pay": np.round(RNG.lognormal(3, 1, N), 1).tolist(),
}).declare(key=["a", "b"], order={"grade": ["low", "middle", "high"]})  # fmt: skip


def groups(name):
    """The values of a variable, and the rows of each cell."""
    cell = np.array([f"{a}{b}" for a, b in zip(FILE.columns["a"].values(), FILE.columns["b"].values(), strict=True)])
    return np.array(FILE.columns[name].values()), [np.flatnonzero(cell == c) for c in np.unique(cell)]


def spread(figures):
    found = np.empty(N)
    for rows, figure in figures:
        found[rows] = figure
    return found


def depth(counts, c):
    r = np.sort(counts)[::-1]
    return max((k + 1 for k in range(r.size) if r[0] < c * r[k:].sum()), default=0)


@pytest.mark.parametrize("name", ["ill", "pay"])
def test_diversity_is_its_definition(name):
    values, cells = groups(name)
    counts = [(rows, np.unique(values[rows], return_counts=True)[1]) for rows in cells]
    shares = [(rows, k / k.sum()) for rows, k in counts]
    distinct = cf.l_diversity(FILE, None, name)
    assert distinct.per_record.tolist() == spread((rows, k.size) for rows, k in counts).tolist()
    entropy = cf.l_diversity(FILE, None, name, cf.EntropyDiversity())
    assert entropy.per_record == pytest.approx(spread((rows, np.exp(-(p * np.log(p)).sum())) for rows, p in shares))
    for c in (0.5, 1.0, 2.0, 4.0):
        found = cf.l_diversity(FILE, None, name, cf.RecursiveDiversity(c)).per_record
        assert found.tolist() == spread((rows, depth(k, c)) for rows, k in counts).tolist()


def test_equal_distance_is_half_the_sum_of_differences():
    values, cells = groups("ill")
    levels = np.unique(values)
    q = np.array([(values == v).mean() for v in levels])
    want = spread((rows, 0.5 * np.abs([(values[rows] == v).mean() for v in levels] - q).sum()) for rows in cells)
    found = cf.t_closeness(FILE, None, "ill")
    assert found.distance == cf.EqualDistance()
    assert found.per_record == pytest.approx(want, abs=1e-12)
    assert found.value == pytest.approx(want.max())


@pytest.mark.parametrize("name", ["grade", "pay"])
def test_ordered_distance_moves_earth_over_ranks(name):
    values, cells = groups(name)
    levels = ["low", "middle", "high"] if name == "grade" else np.unique(values).tolist()
    rank = np.array([levels.index(v) for v in values])
    want = spread((rows, wasserstein_distance(rank[rows], rank) / (len(levels) - 1)) for rows in cells)
    found = cf.t_closeness(FILE, None, name)
    assert found.distance == cf.OrderedDistance()
    assert found.per_record == pytest.approx(want, abs=1e-12)


def test_the_published_example():
    """Li et al. 2007, section 4.2: {3k, 4k, 5k} is .375, {6k, 8k, 11k} .167 from all nine salaries."""
    salary = [3, 4, 5, 6, 8, 11, 7, 9, 10]
    data = cf.Microdata.from_dict({"class": list("aaabbbccc"), "salary": [1000 * s for s in salary]})
    data = data.declare(kinds={"salary": "integer"})
    found = cf.t_closeness(data, "class", "salary").per_record
    assert found[[0, 3]] == pytest.approx([0.375, 1 / 6])


def test_one_class_is_the_file():
    file = cf.Microdata.from_dict({"k": ["a"] * 5, "s": [1, 2, 2, 3, 9], "same": ["x"] * 5})
    for name in ("s", "same"):
        for distance in (cf.EqualDistance(), cf.OrderedDistance()):
            assert cf.t_closeness(file, "k", name, distance).per_record == pytest.approx(np.zeros(5), abs=1e-15)
    assert cf.l_diversity(file, "k", "same").value == 1
    assert cf.l_diversity(file, "k", "same", cf.RecursiveDiversity(1.0)).value == 0
    assert cf.l_diversity(file, "k", "same", cf.RecursiveDiversity(2.0)).value == 1


def test_levels_that_nobody_has_do_not_count():
    data = cf.Microdata.from_dict({"k": ["a", "a", "b", "b"], "s": ["lo", "lo", "hi", "hi"]})
    declared = data.declare(order={"s": ["none", "lo", "mid", "hi", "top"]})
    assert cf.t_closeness(declared, "k", "s").per_record.tolist() == [0.5] * 4


def test_missing_sensitive_values():
    data = cf.Microdata.from_dict({"k": ["a", "a", "b"], "s": [1.5, None, 2.5]})
    assert cf.l_diversity(data, "k", "s").per_record.tolist() == [1, 1, 1]
    assert cf.t_closeness(data, "k", "s", cf.EqualDistance()).per_record == pytest.approx([1 / 2, 1 / 2, 2 / 3])
    with pytest.raises(cf.DataError, match="1 records have no value"):
        cf.t_closeness(data, "k", "s")


def blanked(share, seed=8):
    rng = np.random.default_rng(seed)
    values = [None if rng.random() < share else x for x in FILE.columns["ill"].values()]
    return FILE.with_columns({"ill": cf.Column.of_labels(values)}), np.array([str(x) for x in values])


def read(values, cells, figure):
    """Take a figure of each cell both ways: blanks as a level, and left out of cell and file."""
    both = []
    for rows in cells:
        told, file = rows[values[rows] != "None"], values[values != "None"]
        both.append((rows, figure(values[rows], values), figure(values[told], file) if told.size else None))
    return both


DIVERSITIES = {
    cf.DistinctDiversity(): lambda cell, _: np.unique(cell).size,
    cf.EntropyDiversity(): lambda cell, _: np.exp(
        -sum((cell == v).mean() * np.log((cell == v).mean()) for v in np.unique(cell))
    ),
    cf.RecursiveDiversity(1.5): lambda cell, _: depth(np.unique(cell, return_counts=True)[1], 1.5),
}


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
@pytest.mark.parametrize("diversity", DIVERSITIES)
def test_blanks_counted_as_a_value_that_makes_cells_diverse(diversity, share):
    data, values = blanked(share)
    both = read(values, groups("ill")[1], DIVERSITIES[diversity])
    want = spread((rows, level if told is None else min(level, told)) for rows, level, told in both)
    assert cf.l_diversity(data, None, "ill", diversity).per_record == pytest.approx(want)
    assert share == 0.95 or any(told is not None and told < level for _, level, told in both)


@pytest.mark.parametrize("share", [0.05, 0.5, 0.95])
def test_blanks_in_a_cell_made_it_close_to_the_file(share):
    def figure(cell, file):
        return 0.5 * sum(abs((cell == v).mean() - (file == v).mean()) for v in np.unique(file))

    data, values = blanked(share)
    both = read(values, groups("ill")[1], figure)
    want = spread((rows, 1.0 if told is None else max(level, told)) for rows, level, told in both)
    assert cf.t_closeness(data, None, "ill").per_record == pytest.approx(want, abs=1e-12)
    assert any(told is not None and told > level for _, level, told in both)


def test_a_file_that_tells_nothing_was_close_to_itself():
    data = cf.Microdata.from_dict({"k": ["a", "a", "b"], "s": [None, None, None]}).declare(kinds={"s": "nominal"})
    assert cf.t_closeness(data, "k", "s").value == 1.0
    for diversity in (*DIVERSITIES, cf.RecursiveDiversity(3.0)):
        assert cf.l_diversity(data, "k", "s", diversity).value == 1.0


def test_counts_of_records():
    found = cf.l_diversity(FILE, None, "ill", cf.EntropyDiversity())
    assert found.below(1) == 0
    assert found.below(5) == N
    close = cf.t_closeness(FILE, None, "ill")
    assert (close.above(0), close.above(1)) == (N, 0)
    four = cf.Microdata.from_dict({"k": ["a"] * 4, "s": list("wxyz")})
    assert cf.l_diversity(four, "k", "s", cf.EntropyDiversity()).below(4) == 0, "rounding is no fall below"


def test_what_is_refused():
    with pytest.raises(cf.DeclarationError, match="did you mean 'ill'"):
        cf.l_diversity(FILE, None, "il")
    with pytest.raises(cf.DeclarationError, match="both a key"):
        cf.t_closeness(FILE, ["a", "ill"], "ill")
    with pytest.raises(cf.IntruderError, match="1 or more"):
        cf.l_diversity(FILE, None, "ill").below(0.5)
    with pytest.raises(cf.IntruderError, match="between 0 and 1"):
        cf.t_closeness(FILE, None, "ill").above(2)
    with pytest.raises(cf.IntruderError, match="above 0"):
        cf.RecursiveDiversity(0)
