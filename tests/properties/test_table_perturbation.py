"""Random tables: roundings add up and are the nearest, adjusted cells are far enough, noise follows the records."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import confide as cf
from confide.tables.perturb.swing import weights_of
from reference.perturb_brute import nearest_adjustment, nearest_rounding


@st.composite
def tables(draw, shapes=((2, 2), (3, 2), (2, 2, 2), (4, 2))):
    """Draw a small table."""
    shape = draw(st.sampled_from(shapes))
    trees = [[-1, 0, 0, 1, 1, 2, 2], [-1, 0, 0]] if shape == (4, 2) else None
    size = int(np.prod(shape))
    leaves = draw(st.lists(st.integers(0, 17), min_size=size, max_size=size))
    return cf.nested_system(np.array(leaves, dtype=float).reshape(shape), trees)


@given(tables(shapes=((2, 2), (3, 4), (5, 3), (6, 6))), st.sampled_from([2, 3, 5, 10]))
@settings(max_examples=60, deadline=None)
def test_tables_of_two_variables_round_to_neighbours(system, base):
    found = cf.round_table(system, base)
    assert not np.any(system.equations @ found.values)
    assert np.all(found.values % base == 0)
    assert np.all(np.abs(found.values - system.values) < base)
    assert np.all(found.values >= 0)
    assert found.gap <= 1e-5


@given(tables(), st.sampled_from([2, 3, 5, 10]))
@settings(max_examples=60, deadline=None)
def test_heuristic_roundings_add_up_and_know_their_steps(system, base):
    found = cf.round_table(system, base, method=cf.FamilyRounding())
    assert not np.any(system.equations @ found.values)
    assert np.all(found.values % base == 0)
    assert np.all(np.abs(found.values - system.values) < base * np.maximum(found.steps, 1))
    assert found.bound <= found.distance * (1 + 1e-9)
    best = cf.round_table(system, base)
    assert best.most_steps <= found.most_steps
    if best.most_steps == found.most_steps:
        assert best.distance <= found.distance * (1 + 1e-9)


@given(tables(shapes=((2, 2), (3, 2), (2, 2, 2), (4, 2))), st.sampled_from([3, 5]), st.sampled_from([1.0, 2.0]))
@settings(max_examples=30, deadline=None)
def test_no_rounding_is_nearer(system, base, power):
    found = cf.round_table(system, base, power=power)
    best = nearest_rounding(system, base, 1, power)
    assert (best is not None) == (found.most_steps == 1)
    if best is not None:
        assert found.distance**power == pytest.approx(best, rel=1e-5)


@given(tables(), st.sampled_from([3, 5]))
@settings(max_examples=30, deadline=None)
def test_what_is_deduced_of_a_rounding_holds_the_truth(system, base):
    found = cf.round_table(system, base)
    low, high = found.intervals()
    assert np.all((low <= system.values) & (system.values <= high))
    assert np.all((low > found.values - base * found.most_steps) & (high < found.values + base * found.most_steps))


@st.composite
def tasks(draw):
    """Draw a small table, its sensitive cells, their levels and frozen cells."""
    system = draw(tables(shapes=((2, 2), (3, 2), (2, 2, 2))))
    cells = draw(st.lists(st.integers(0, system.n - 1), min_size=2, max_size=5, unique=True))
    levels = np.zeros((3, system.n))
    for c in cells[:-1]:
        levels[:, c] = draw(st.integers(0, 4)), draw(st.integers(0, 4)), draw(st.integers(0, 4))
    levels[0] = np.minimum(levels[0], system.values)
    return system, cf.Protection(*levels), draw(st.sampled_from([(), tuple(cells[-1:])]))


def adjusted(*args, **settings):
    """Adjust, or give None where it is impossible."""
    try:
        return cf.adjust_table(*args, **settings)
    except cf.Unprotectable:
        return None


@given(tasks(), st.sampled_from([cf.OptimalAdjustment(), cf.BalancedAdjustment()]))
@settings(max_examples=60, deadline=None)
def test_adjusted_tables_add_up_and_sensitive_cells_are_far(task, method):
    system, protection, frozen = task
    found = adjusted(system, protection, frozen=frozen, method=method)
    best = nearest_adjustment(system, protection, weights_of(system, None), frozen)
    assert (found is None) == (best is None)
    if found is not None:
        assert np.abs(system.equations @ found.values).max(initial=0) < 1e-8
        assert np.all(found.values >= 0)
        assert not np.any(found.change[list(frozen)])
        d, s = found.change[found.sensitive], found.sensitive
        half = protection.sliding[s] / 2
        far = np.where(d > 0, np.maximum(protection.upper[s], half), np.maximum(protection.lower[s], half))
        assert np.all(np.abs(d) >= far - 1e-9)
        assert np.all(np.abs(d) > 0)
        assert found.distance >= best * (1 - 1e-6) - 1e-12
        if isinstance(method, cf.OptimalAdjustment):
            assert found.distance == pytest.approx(best, rel=1e-5)
            assert found.gap <= 1e-5


@given(st.integers(0, 5), st.integers(1, 40), st.lists(st.sampled_from("abc"), min_size=1, max_size=60))
@settings(max_examples=40, deadline=None)
def test_the_same_records_have_the_same_noise_in_every_table(seed, shift, codes):
    rows = np.arange(len(codes))
    plain = cf.Microdata.from_dict({"code": list(codes), "half": ["x" if r % 2 else "y" for r in rows]})
    keys = cf.RecordKeys(seed=seed).of(plain).tolist()
    data = cf.Microdata.from_dict({n: plain.columns[n].values() for n in plain.names} | {"key": keys})
    noise = cf.CountNoise(cf.PerturbationTable.of(3, 2.0))
    one = cf.perturb_cells(data, "code", noise=noise, keys="key")
    two = cf.perturb_cells(plain, ["code", "half"], noise=noise, keys=cf.RecordKeys(seed=seed))
    for code in set(codes):
        assert one.values[one.table.cell(code)] == two.values[two.table.cell(code=code)]
    moved = cf.perturb_cells(data.take(np.roll(rows, shift)), "code", noise=noise, keys="key")
    assert moved.values.tobytes() == one.values.tobytes()
    assert one.values.min() >= 0
