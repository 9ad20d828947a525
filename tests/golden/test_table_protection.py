"""Linked tables of fictitious agencies: protected as one system, and no sensitive cell can be computed."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array

import confide as cf
import stand_ins
from outside import DATA, absent


def read(name):
    """Read the file of others, or the generated one in its place."""
    folder = stand_ins.folder() if absent("ssbtools") else DATA
    return pl.read_csv(folder / "ssbtools" / f"{name}.csv.gz", infer_schema_length=None)


def crossed(frame, variables, count):
    """Cross variables that each have several ways to be grouped: {variable: [grouping, ...]}."""
    axes = []
    for variable, groupings in variables.items():
        codes = sorted(frame[variable].unique().to_list())
        members, sums = [{c} for c in codes], []
        for grouping in groupings:
            below = dict(frame.select(variable, grouping).unique().iter_rows())
            start = len(members)
            for g in sorted(set(below.values())):
                inside = {c for c in codes if below[c] == g}
                sums.append((len(members), [codes.index(c) for c in sorted(inside)]))
                members.append(inside)
            sums.append((None, list(range(start, len(members)))))
        total = len(members)
        members.append(set(codes))
        sums = [(total if t is None else t, parts) for t, parts in sums] or [(total, list(range(len(codes))))]
        axes.append((codes, members, sums))
    leaves = np.zeros([len(codes) for codes, _, _ in axes])
    places = [{c: i for i, c in enumerate(codes)} for codes, _, _ in axes]
    for *row, n in frame.select(*variables, count).iter_rows():
        leaves[tuple(p[c] for p, c in zip(places, row, strict=True))] += n
    for k, (codes, members, _) in enumerate(axes):
        inside = np.array([[c in m for c in codes] for m in members], dtype=float)
        leaves = np.moveaxis(np.tensordot(inside, leaves, axes=(1, k)), 0, k)
    place = np.arange(leaves.size).reshape(leaves.shape)
    rows, columns, signs, r = [], [], [], 0
    for k, (_, _, sums) in enumerate(axes):
        by = np.moveaxis(place, k, 0).reshape(leaves.shape[k], -1)
        for total, parts in sums:
            for j in range(by.shape[1]):
                rows += [r] * (1 + len(parts))
                columns += [by[total, j], *by[parts, j]]
                signs += [-1.0] + [1.0] * len(parts)
                r += 1
    return cf.System(leaves.ravel(), csr_array((signs, (rows, columns)), shape=(r, leaves.size)))


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("z1", {"region": [], "hovedint": []}),
        ("z2", {"region": ["fylke", "kostragr"], "hovedint": []}),
        ("z3", {"region": ["fylke", "kostragr"], "hovedint": [], "mnd2": []}),
    ],
)
def test_small_counts_cannot_be_deduced(name, variables):
    system = crossed(read(name), variables, "ant")
    sensitive = np.flatnonzero((system.values > 0) & (system.values < 4))
    assert sensitive.size
    levels = cf.Protection.of(system, sensitive, 0.0, least=1)
    found = cf.suppress(system, protection=levels)
    assert found.audit.clean
    proof = cf.audit(system, found.suppressed, levels)
    assert proof.clean
    assert not np.isin(proof.determined, sensitive).any()
    again = cf.suppress(system, protection=levels)
    assert again.suppressed.tobytes() == found.suppressed.tobytes()


@pytest.mark.slow
def test_no_sensitive_cell_of_the_linked_social_tables_is_recoverable():
    """Regions grouped in two ways that do not nest; a peer's heuristic left sensitive cells of these data recoverable."""
    system = crossed(read("sosialFiktiv"), {"region": ["fylke", "kostragr"], "hovedint": [], "mnd2": []}, "ant")
    sensitive = np.flatnonzero((system.values > 0) & (system.values < 4))
    found = cf.suppress(system, sensitive)
    assert found.audit.clean
    proof = cf.audit(system, found.suppressed)
    assert not np.isin(proof.determined, found.primary).any()
