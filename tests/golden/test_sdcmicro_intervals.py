"""Interval disclosure and one-to-one linkage as sdcMicro 5.8.1 gives them (dRisk, recordLinkage)."""

from __future__ import annotations

from pathlib import Path

import pytest

import confide as cf

VALUES = Path(__file__).parent / "values"
VARIABLES = ["income", "tax", "ss", "hours"]


def released(n: int) -> cf.Released:
    kinds = dict.fromkeys(VARIABLES, "continuous")
    return cf.Released.from_files(
        *(cf.read(VALUES / f"{name}_{n}.csv.gz").declare(kinds=kinds) for name in ("micro", "masked")), same_order=True
    )


@pytest.mark.parametrize(
    ("n", "joint", "single"),
    [
        (1_000, {0.05: 0.016, 0.01: 0.0, 0.1: 0.205, 0.5: 1.0}, [0.378, 0.409, 0.373, 0.359]),
        (10_000, {0.05: 0.02, 0.01: 0.0001, 0.1: 0.2182, 0.5: 1.0}, [0.3849, 0.3884, 0.3763, 0.387]),
    ],
)
def test_drisk(n, joint, single):
    file = released(n)
    for k, want in joint.items():
        assert cf.interval_disclosure(file, VARIABLES, cf.SdWidth(k)).joint == pytest.approx(want, abs=1e-9)
    found = cf.interval_disclosure(file, VARIABLES, cf.SdWidth(0.05)).per_variable
    assert list(found.values()) == pytest.approx(single, abs=1e-9)


def test_record_linkage_is_one_to_one_there():
    # recordLinkage(distance = "euclidean") minimises the sum of distances over one-to-one assignments, ours that of squared
    # distances; both link 630 of these records correctly. Linked to the nearest, with replacement, 595 are.
    file = released(1_000)
    assert cf.distance_linkage(file, VARIABLES, replacement=False).expected == 630
    assert cf.distance_linkage(file, VARIABLES).expected == 595
