"""Published fits of the models of population uniques."""

import numpy as np
import pytest

import confide as cf
from confide.risk.population.sizes import Sizes


def test_tomato_flower():
    """Lijoi, Mena and Pruenster (2007), section 4: 2,586 sequences of a tomato flower library, 1,825 genes.

    They maximise the likelihood of Pitman's formula and print alpha = 0.612 and theta = 741.0.
    """
    size = np.array([*range(1, 15), 16, 23, 27])
    many = np.array([1434, 253, 71, 33, 11, 6, 2, 3, 1, 2, 2, 1, 1, 1, 2, 1, 1])
    sizes = Sizes(size, many, 5000.0)
    assert (sizes.n, sizes.cells) == (2586, 1825)
    found = cf.Pitman().fit(sizes).parameters
    assert f"{found['alpha']:.3f}" == "0.612"
    assert found["theta"] == pytest.approx(741.0, abs=0.5)
