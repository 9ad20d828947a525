"""The files that golden values belong to are those of the generator beside them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from golden.values import workloads

VALUES = Path(__file__).parent / "values"


@pytest.mark.parametrize("n", [1_000, 10_000])
def test_the_files_are_what_the_generator_draws(n):
    people = workloads.micro(n)
    pd.testing.assert_frame_equal(pd.read_csv(VALUES / f"micro_{n}.csv.gz"), people, check_dtype=False)
    masked = pd.read_csv(VALUES / f"masked_{n}.csv.gz")
    pd.testing.assert_frame_equal(masked, workloads.masked(people), check_dtype=False, rtol=1e-12)
