"""The heuristic on larger tables: cubes, programmes, insiders."""

import numpy as np
import pytest

import confide as cf


def tree(branches):
    """Write the parents of a hierarchy with so many codes below each."""
    parents, level = [-1], [0]
    for branch in branches:
        below = []
        for code in level:
            below += range(len(parents), len(parents) + branch)
            parents += [code] * branch
        level = below
    return parents


@pytest.fixture(scope="module")
def firms():
    rng = np.random.default_rng(5)
    branches = ((3, 3), (3, 3), (4,))
    shape = tuple(int(np.prod(b)) for b in branches)
    counts = rng.poisson(rng.gamma(0.5, 10.0, shape))
    values = np.where(counts > 0, np.round(rng.lognormal(3, 1, shape) * counts), 0)
    trees = [tree(b) for b in branches]
    system, respondents = cf.nested_system(values, trees), cf.nested_system(counts, trees).values
    return system, respondents, np.flatnonzero((respondents > 0) & (respondents < 3))


@pytest.mark.parametrize("programmes", [0, 20, 10_000])
def test_patterns_with_few_or_many_programmes_protect(firms, programmes):
    system, _, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    method = cf.Heuristic(prune=0, programmes=programmes)
    pattern = cf.suppress(system, protection=protection, method=method)
    assert pattern.audit.clean
    assert cf.audit(system, pattern.suppressed, protection).clean
    again = cf.suppress(system, protection=protection, method=method)
    assert np.array_equal(pattern.suppressed, again.suppressed)


def test_programmes_and_pruning_make_patterns_cheaper(firms):
    system, _, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    costs = [
        cf.suppress(system, protection=protection, method=cf.Heuristic(prune=prune, programmes=programmes)).cost
        for prune, programmes in ((0, 0), (0, 10_000), (5_000_000, 10_000))
    ]
    assert costs[0] > costs[1] > costs[2]


def test_a_judgement_agrees_with_exact_intervals_for_contributors(firms):
    system, respondents, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    pattern = cf.suppress(system, protection=protection)
    singles = [c for c in sensitive.tolist() if respondents[c] == 1]
    attackers = cf.insiders(system, singles[:25])
    found = cf.audit(system, pattern.suppressed, protection, attackers)
    quick = cf.audit(system, pattern.suppressed, protection, attackers, exact=False)
    exposed = {(e.attacker, e.cell) for e in found.exposed}
    assert exposed
    assert {(e.attacker, e.cell) for e in quick.exposed} == exposed


def test_what_contributors_know_by_themselves_limits_what_is_asked():
    system = cf.nested_system([[10, 30, 20], [30, 20, 40], [20, 40, 10]])
    protection = cf.Protection.of(system, [5], 0.5)
    owner = cf.Attacker("owner", {5: 8.0})
    pattern = cf.suppress(system, protection=protection, attackers=[owner])
    assert pattern.audit.clean
    exact = cf.audit(system, pattern.suppressed, protection, [owner])
    assert exact.clean
    assert exact.interval(5, "owner")[0] == pytest.approx(8.0)
    stranger = cf.Attacker("stranger", {6: float(system.values[6])}, {6: float(system.values[6])})
    assert not cf.audit(system, [5, 6, 9, 10], protection, [stranger]).clean


def test_proofs_near_cells_agree_with_programmes_over_all(firms, monkeypatch):
    system, _, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    pattern = cf.suppress(system, protection=protection, method=cf.Heuristic(programmes=0))
    for less in (0, 1, 5, 40):
        kept = np.setdiff1d(pattern.suppressed, pattern.secondary[:less])
        whole = cf.audit(system, kept, protection, exact=False)
        with monkeypatch.context() as m:
            m.setattr("confide.tables.audit.audit.LARGE", 0)
            near = cf.audit(system, kept, protection, exact=False)
        assert {e.cell for e in near.exposed} == {e.cell for e in whole.exposed}
        assert near.solved <= whole.solved
    assert whole.exposed


def test_proofs_near_cells_of_widths(monkeypatch):
    system = cf.nested_system([[10, 30, 20], [30, 20, 40], [20, 40, 10]])
    monkeypatch.setattr("confide.tables.audit.audit.LARGE", 0)
    assert cf.audit(system, [5, 6, 9, 10], cf.Protection.not_exact(system, [5]), exact=False).solved == 0
    assert not cf.audit(system, [5, 6], cf.Protection.not_exact(system, [5]), exact=False).clean


def test_exchanging_cells_never_costs_more_and_protects(firms):
    system, _, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    plain = cf.suppress(system, protection=protection, method=cf.Heuristic(exchange=0))
    better = cf.suppress(system, protection=protection, method=cf.Heuristic(exchange=300))
    assert better.cost <= plain.cost
    assert cf.audit(system, better.suppressed, protection).clean


def test_a_dear_cell_that_came_first_is_exchanged():
    """On some of a few random tables the pattern becomes cheaper by more than 1 per cent, on none dearer."""
    rng = np.random.default_rng(3)
    found = []
    for _ in range(12):
        system = cf.nested_system(np.round(rng.lognormal(3, 1.5, (6, 5))))
        inner = np.flatnonzero(np.diff(system.equations.tocsc().indptr) == 2)
        protection = cf.Protection.of(system, rng.choice(inner, 6, replace=False), 0.2)
        found.append([cf.suppress(system, protection=protection, method=cf.Heuristic(exchange=k)).cost for k in (0, 300)])
    plain, better = np.array(found).T
    assert (better <= plain * (1 + 1e-9)).all()
    assert (better < plain * 0.99).any()


@pytest.mark.parametrize("audited", [0, 50_000])
def test_insiders_are_kept_out_however_their_cells_are_found(firms, monkeypatch, audited):
    system, respondents, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    attackers = cf.insiders(system, [c for c in sensitive.tolist() if respondents[c] == 1][:25])
    monkeypatch.setattr("confide.tables.protect.grow.AUDITED", audited)
    pattern = cf.suppress(system, protection=protection, attackers=attackers)
    assert cf.audit(system, pattern.suppressed, protection, attackers).clean
    again = cf.suppress(system, protection=protection, attackers=attackers)
    assert np.array_equal(pattern.suppressed, again.suppressed)


def test_programmes_of_large_systems_look_at_the_cube_too(firms, monkeypatch):
    system, _, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    cubes = cf.suppress(system, protection=protection, method=cf.Heuristic(prune=0, programmes=0))
    monkeypatch.setattr("confide.tables.protect.grow.LARGE", 0)
    monkeypatch.setattr("confide.tables.moves.cheapest.HINTED", 100)
    near = cf.suppress(system, protection=protection, method=cf.Heuristic(prune=0))
    assert cf.audit(system, near.suppressed, protection).clean
    assert near.cost < cubes.cost


def test_interior_points_take_over_from_pivots_that_lead_nowhere(firms, monkeypatch):
    system, _, sensitive = firms
    protection = cf.Protection.of(system, sensitive, 0.15, least=1)
    whole = cf.suppress(system, protection=protection, method=cf.Heuristic(prune=0))
    monkeypatch.setattr("confide.tables.moves.cheapest.most_pivots", lambda cells: 3)
    other = cf.suppress(system, protection=protection, method=cf.Heuristic(prune=0))
    assert cf.audit(system, other.suppressed, protection).clean
    assert other.cost == pytest.approx(whole.cost, rel=0.05)
