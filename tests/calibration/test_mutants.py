"""The proof finds defects that are put in on purpose: beliefs dropped, levels weighed evenly, blanks that contradict."""

from __future__ import annotations

import pytest

from calibration.combinations import combinations
from calibration.harness import measure, threshold
from calibration.mutants import MUTANTS

TESTS = 30_000
"""As many bins as the whole table has, or more."""
SIZE = 100


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: f"{m.what}: {m.shows}")
def test_a_defect_raises_an_alarm_and_the_library_none(mutant, monkeypatch):
    row = next(c for c in combinations() if c.title == mutant.shows)
    right = measure(row, size=SIZE, times=mutant.times)
    mutant.put(monkeypatch)
    wrong = measure(row, size=SIZE, times=mutant.times)
    assert right.found is not None
    assert wrong.found is not None
    assert right.informative
    assert abs(right.z) < threshold(right.tests) < threshold(TESTS) < abs(wrong.z)
