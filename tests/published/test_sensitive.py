"""Lambert 1993, section 6.2: the reproduced cases."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from published import run_cases

SHARED = Path(os.environ.get("CONFIDE_SHARED", Path(__file__).parents[3] / "shared"))
EXPECTED = SHARED / "papers" / "expected.json"
ALL = json.loads(EXPECTED.read_text(encoding="utf-8"))["cases"] if EXPECTED.is_file() else []
KINDS = {"posterior_sensitive", "misclassified_loglik"}
MINE = {c["name"]: c for c in ALL if c["kind"] in KINDS}


@pytest.mark.skipif(not EXPECTED.is_file(), reason=f"the reproduced numbers are not here: {EXPECTED}; set CONFIDE_SHARED")
@pytest.mark.parametrize("name", list(MINE) or ["absent"])
def test_case(name):
    assert run_cases.run(MINE[name]) == []
