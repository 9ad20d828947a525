"""The grid in which candidates are looked for."""

from __future__ import annotations

import numpy as np
import pytest

from confide.linking.candidates.grid import make_grid


@pytest.mark.parametrize("half", [0.05, 0.07, 0.1023, 0.2])
@pytest.mark.parametrize("seed", range(20))
def test_a_fine_grid_is_made_coarser_and_holds_every_record_once(half: float, seed: int) -> None:
    z = np.random.default_rng(seed).normal(size=(200, 3))
    grid = make_grid(z, z - half, z + half)
    assert grid.cells.prod() <= 4 * 200 + 64
    assert sorted(grid.order.tolist()) == list(range(200))
    assert grid.start[-1] == 200
