"""Names made of content: what a user changes in a class of their own makes another name."""

from __future__ import annotations

import sys
import types

import pytest

import confide as cf
from confide.rumap.general.fingerprint import NoFingerprint, fingerprint
from unit.rumap.general.people import FAR, people

SOURCE = """
from dataclasses import dataclass, replace
from functools import cached_property
from confide.data.column import Column
from confide.release.vary import Varying

FLOOR = 0.0

class Step:
    channels = {{}}
    def __init__(self, method):
        self.method = method
    def apply(self, draft, stream):
        x = draft.data.column(self.method.variable).numbers
        return replace(draft, data=draft.data.with_columns({{self.method.variable: Column.of_numbers({step})}}))

@dataclass(frozen=True, slots=True)
class Raise(Varying):
    variable: str
    by: float = 1.0
    top = {top}

    @property
    def variables(self):
        return (self.variable,)

    def describe(self):
        return "raise"

    def bind(self, data):
        return Step(self)
"""


def own(step: str = "x + self.method.by", top: str = "100.0") -> types.ModuleType:
    """Write a module with a method of a user's own."""
    module = types.ModuleType("own_methods")
    sys.modules["own_methods"] = module
    exec(compile(SOURCE.format(step=step, top=top), "own_methods.py", "exec"), module.__dict__)
    return module


def test_a_class_of_ones_own_is_named_by_its_code():
    first = fingerprint(own().Raise("pay"))
    assert fingerprint(own().Raise("pay")) == first
    assert fingerprint(own().Raise("pay", by=2.0)) != first
    assert fingerprint(own(top="200.0").Raise("pay")) != first
    assert fingerprint(own(step="x - self.method.by").Raise("pay")) != first  # the step that bind makes


def test_a_changed_method_is_masked_again():
    store = cf.Store()
    found = []
    for step in ("x + self.method.by", "x + self.method.by", "x * 3 + self.method.by"):
        release = cf.Release(own(step).Raise("pay", by=cf.vary("by", 1.0, 5.0)))
        risk, utility = cf.FileMeasure(cf.distance_linkage, "pay"), cf.MeansKept("pay")
        ru = cf.ru_map(people(), release, FAR, risk=risk, utility=utility, seed=1, store=store)
        found.append(([p.utility for p in ru.points()], store.masked))
    assert found[0] == found[1]
    assert found[0][0] != found[2][0]
    assert [masked for _, masked in found] == [2, 2, 4]


def test_a_class_of_the_house_is_named_by_its_fields():
    assert fingerprint(cf.Noise("pay", sd=1.0)) == fingerprint(cf.Noise("pay", sd=1.0))
    assert fingerprint(cf.Noise("pay", sd=1.0)) != fingerprint(cf.Noise("pay", sd=2.0))
    assert fingerprint(cf.Noise) != fingerprint(cf.Round)


def test_what_has_no_content_has_no_name():
    with pytest.raises(NoFingerprint, match="a generator cannot be named"):
        fingerprint(x for x in ())
