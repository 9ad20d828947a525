"""What an intruder may hold: the cases that go beyond the papers; kinds that are not built yet are left to their time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from published import run_cases

ALL = json.loads((Path(__file__).parent / "expected_held.json").read_text(encoding="utf-8"))["cases"]
MINE = {c["name"]: c for c in ALL if c["kind"] not in run_cases.NOT_BUILT}


@pytest.mark.parametrize("name", list(MINE))
def test_case(name):
    assert run_cases.run(MINE[name]) == []


def test_every_kind_has_an_adapter_or_is_named_as_not_built():
    assert {c["kind"] for c in ALL} <= set(run_cases.ADAPTERS) | run_cases.NOT_BUILT
    assert not set(run_cases.ADAPTERS) & run_cases.NOT_BUILT
