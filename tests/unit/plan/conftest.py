"""What the tests of mistakes share."""

import pytest

from confide.plan.load import load_plan
from unit.plan.plans import PEOPLE


@pytest.fixture
def load(tmp_path):
    (tmp_path / "people.csv").write_text(PEOPLE)
    (tmp_path / "masked.csv").write_text("sex,age,row\nm,20,0\nf,21,5\n")
    (tmp_path / "pop.csv").write_text("sex,age,count\nm,20,-3\n")

    def run(text, **changes):
        (tmp_path / "plan.toml").write_text(text)
        return load_plan(tmp_path / "plan.toml", **changes)

    return run
