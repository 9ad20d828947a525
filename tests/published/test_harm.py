"""Lambert 1993, section 6.3: the reproduced cases, and what the text says beside them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import confide as cf
from published import run_cases
from published.cases import harm

ALL = json.loads((Path(__file__).parent / "expected.json").read_text(encoding="utf-8"))["cases"]
KINDS = {k for k, f in run_cases.ADAPTERS.items() if f.__module__.endswith("harm")}
MINE = {c["name"]: c for c in ALL if c["kind"] in KINDS}


@pytest.mark.parametrize("name", list(MINE))
def test_case(name):
    assert run_cases.run(MINE[name]) == []


def test_every_adapter_of_the_section_is_used():
    assert set(dir(harm)) >= KINDS
    assert len(KINDS) == 6


def test_total_harm_is_the_number_assigned_to_the_sensitive_category():
    linked, truth, guess = [1, 1, 1, 0, 0, -1], [1, 0, 0, 1, 0, 1], [1, 1, 0, 1, -1, 1]
    assert cf.AssignedTo(1).harm(linked, truth, guess, [0, 1]).sum() == 3
    assert cf.AssignedTo(1).only_true().harm(linked, truth, guess, [0, 1]).sum() == 2, "rightly or wrongly assigned"
    counts = cf.count_outcomes(cf.outcome_codes(linked, [1, 0, 1, 1, -1, -1]))
    assert counts == {
        cf.Outcome.NOT_REIDENTIFIED: 1,
        cf.Outcome.FN: 1,
        cf.Outcome.TN: 0,
        cf.Outcome.FF: 0,
        cf.Outcome.FT: 1,
        cf.Outcome.TF: 1,
        cf.Outcome.TT: 2,
    }


def test_harm_by_a_bayesian_intruder_is_a_weighted_average_of_harms_from_point_estimates():
    y, values, weights = np.array([100.0]), np.array([[80.0, 104.0, 120.0]]), np.array([[0.5, 0.3, 0.2]])
    for cost in (cf.OverEstimate(), cf.Excess(), cf.Threshold(110.0, 7.0), cf.AbsoluteError()):
        average = sum(w * cost.at(y, v) for w, v in zip(weights[0], values[0], strict=True))
        assert cost.expected(y, cf.NodesBelief(values, weights)) == pytest.approx(average)


def test_the_threshold_holds_for_the_inferred_amount_not_the_true_one():
    assert cf.Threshold(50.0, 7.0).at([10.0, 90.0], [60.0, 40.0]).tolist() == [7.0, 0.0]
