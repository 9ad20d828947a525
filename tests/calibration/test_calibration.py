"""Every masking with every kind of knowledge: what is stated comes true as often as stated, or a reason is named."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import numpy as np
import pytest

import confide as cf
from calibration import examples
from calibration.combinations import combinations, covering, source_names
from calibration.harness import Row, measure, threshold
from calibration.known import REASONS, excess, reason, unexplained, witness
from confide.calibration.reasons import COPIES
from confide.release.columnwise import ColumnStep
from confide.release.methods.round import Rounded

SIZE, TIMES = 80, 16
"""Small; benchmarks/calibration.py is larger."""


@pytest.mark.slow
def test_whatever_does_not_calibrate_has_a_reason():
    rows = [measure(c, size=SIZE, times=TIMES) for c in covering()]
    asked = [r for r in rows if r.found is not None]
    assert len(asked) > 120
    assert sum(r.tests for r in asked) > 2000
    assert unexplained(rows) == []


@pytest.mark.slow
def test_every_combination_tells_targets_from_strangers():
    """Where every record of an area has the same probability, whatever is done to a belief stays right on average."""
    rows = [measure(c, size=60, times=2) for c in covering()]
    asked = [r for r in rows if r.found is not None]
    assert len(asked) > 250
    assert [r.combination.title for r in asked if not r.informative] == []
    believed = [r for r in asked if r.combination.unavailable or r.combination.kind is cf.Distributed]
    assert len(believed) > 50
    # one of several levels, of records released as they are, leaves nothing to chance
    assert {r.combination.kind for r in believed if r.settled} <= {cf.OneOf}


@pytest.mark.slow
@pytest.mark.parametrize("known", REASONS, ids=lambda r: r.why)
def test_a_reason_still_shows(known):
    """A reason whose witness calibrates is mended: take it out of known.py, and out of the docs."""
    found = measure(witness(known), size=100, times=60)
    assert not found.refused
    assert known.applies(found)
    assert abs(found.z) > 4
    assert abs(excess(found)[0]) < threshold(found.tests)


def test_a_reason_explains_no_more_than_its_bounds():
    """Copies let a fifth more come true than is stated, not twice as much, and never less."""
    row = next(c for c in combinations() if c.title == "Simulate / Exactly / maybe / with / true")
    stated = np.full((20, 1), 50.0)
    noise = np.random.default_rng(1).normal(0, 3, (20, 1))
    for times, off in ((1.2, False), (2.0, True), (0.5, True)):
        found = cf.Reliability(("p 0.4 to 0.6",), np.full((20, 1), 100.0), stated, stated * times + noise)
        assert (abs(excess(Row(row, found, named=(COPIES,)))[0]) > 5) is off


def test_what_the_library_does_not_name_explains_nothing():
    """A combination was excused by a condition of the tests, whatever the user was told."""
    row = next(c for c in combinations() if c.title == "Simulate / Exactly / maybe / with / true")
    found = cf.Reliability(("p 0.4 to 0.6",), np.full((20, 1), 100.0), np.full((20, 1), 50.0), np.full((20, 1), 60.0))
    silent = Row(row, found, named=())
    assert reason(silent) == ""
    assert excess(silent)[0] == found.z[0]
    assert reason(Row(row, found, named=(COPIES,)))


def test_every_refusal_says_why():
    refused = [r for r in (measure(c, size=SIZE, times=1) for c in covering()[::3]) if r.refused]
    assert refused
    assert all(len(r.refused) > 30 for r in refused)


def test_every_public_method_and_knowledge_is_among_the_combinations():
    rows = combinations()
    assert len(rows) > 600
    assert len({r.title for r in rows}) == len(rows)
    asked = {(type(m), r.kind, r.unavailable, r.in_file, r.without) for r in rows for m in r.methods}
    kinds = [(k, False) for k in examples.knowledge()] + [(k, True) for k in examples.beliefs()]
    for method, (kind, unavailable), known, without in itertools.product(
        examples.methods(), kinds, (True, False), (True, False)
    ):
        assert (method, kind, unavailable, known, without) in asked


def test_every_ordered_pair_of_methods_is_in_a_chain_of_two_and_in_one_of_three():
    names = [m.__name__ for m in examples.methods()]
    chains = [tuple(r.masking.split(", then ")) for r in combinations()]
    for pair in itertools.product(names, names):
        assert pair in chains
        assert any(len(c) == 3 and pair in itertools.combinations(c, 2) for c in chains)


@dataclass(frozen=True)
class Floor:
    """A method nobody has named: numbers are rounded down."""

    variable: str
    to: float

    @property
    def variables(self):
        return (self.variable,)

    def describe(self):
        return f"round {self.variable} down"

    def bind(self, data):
        return ColumnStep(self.variable, Floored(self.to))


class Floored(Rounded):
    def push(self, column):
        return column.with_numbers(column.is_number, np.floor(column.numbers / self.to) * self.to)

    def preimage(self, column):
        return column.numbers, np.nextafter(column.numbers + self.to, -np.inf)


@dataclass(frozen=True)
class About:
    """Knowledge nobody has named."""

    variable: str
    width: float


def test_a_new_method_is_in_without_being_named(monkeypatch):
    monkeypatch.setattr(examples.public, "__all__", [*examples.public.__all__, "Floor"])
    monkeypatch.setattr(examples.public, "Floor", Floor, raising=False)
    assert Floor in examples.methods()
    made = examples.method(Floor, "income")
    assert isinstance(made, Floor)
    assert made.to > 0
    mine = [r for r in combinations() if r.masking == "Floor"]
    assert len(mine) > 40
    found = measure(next(r for r in mine if r.kind is cf.Exactly), size=60, times=4)
    assert found.found is not None
    assert abs(found.z) < 4


def test_new_knowledge_is_in_without_being_named():
    assert isinstance(examples.item(About, "income"), About)


def test_a_class_nobody_can_guess_says_what_to_add():
    @dataclass(frozen=True)
    class Riddle:
        answer: object

        def __post_init__(self):
            raise cf.ReleaseError("wrong")

    with pytest.raises(AssertionError, match=r"add one to METHODS or ITEMS in tests/calibration/examples\.py"):
        examples.method(Riddle, "income")


def test_every_kind_of_belief_and_every_source_of_the_number_of_people_is_among_them():
    named = set(re.findall(r"\w+", cf.Intruder.__annotations__["unavailable"])) - {"Mapping", "str", "Belief", "None"}
    assert named <= {c.__name__ for c in examples.beliefs()}
    asked = {c.population for c in combinations() if c.few}
    assert asked == set(source_names())
    assert {"chance", "weights", "LogLinearPopulation", "PitmanPopulation"} <= asked
