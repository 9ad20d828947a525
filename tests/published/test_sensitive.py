"""Lambert 1993, section 6.2: the reproduced cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from published import run_cases

ALL = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["cases"]
KINDS = {"posterior_sensitive", "misclassified_loglik"}
MINE = {c["name"]: c for c in ALL if c["kind"] in KINDS}


@pytest.mark.parametrize("name", list(MINE))
def test_case(name):
    assert run_cases.run(MINE[name]) == []
