"""A masking without a channel is refused where the probability of its values is needed."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

import confide as cf
from confide.data.column import Column
from confide.errors import LikelihoodError


@dataclass(frozen=True)
class Upside:
    """Release the numbers in reverse."""

    variables: tuple[str, ...]

    channels = {}  # noqa: RUF012

    def describe(self):
        return "reverse"

    def bind(self, data):
        return self

    def apply(self, draft, stream):
        turned = {n: Column.of_numbers(draft.data.column(n).numbers[::-1]) for n in self.variables}
        return replace(draft, data=draft.data.with_columns(turned))


def released():
    rng = np.random.default_rng(3)
    data = cf.Microdata.from_dict(
        {
            "sex": ["f", "m"] * 10,
            "pay": rng.normal(size=20).tolist(),
            "tax": rng.normal(size=20).tolist(),
        }
    )
    return cf.Release(Upside(("pay",))).apply(data, seed=1)


def test_an_unknown_masking_is_no_quiet_zero():
    with pytest.raises(LikelihoodError, match="Upside masks 'pay' and its step has no channel"):
        cf.assess(released(), cf.Intruder(knows=["sex", "pay"]))
    with pytest.raises(LikelihoodError, match="understands_masking=False"):
        cf.link(released(), cf.Intruder(knows=["sex", "pay"]))


def test_it_does_not_matter_where_the_variable_is_not_known():
    assert cf.link(released(), cf.Intruder(knows=["sex", "tax"])).own.tolist() == [1.0] * 20


def test_who_takes_values_at_face_value_needs_no_channel():
    naive = cf.Intruder(knows=["pay"], understands_masking=False)
    assert cf.link(released(), naive).own.tolist() == [0.0] * 20  # every value belongs to someone else


def test_an_intruder_who_supposes_it_is_refused_too():
    with pytest.raises(LikelihoodError, match="Upside masks 'tax'"):
        cf.link(released(), cf.Intruder(knows=["tax"], supposes=cf.Release(Upside(("tax",)))))


def test_the_harm_from_a_variable_masked_in_an_unknown_way_is_refused():
    harm = cf.Harm("pay", cf.AmountCosts(cf.Close(0.05)), name="pay known")
    with pytest.raises(LikelihoodError, match="Upside masks 'pay'"):
        cf.assess(released(), cf.Intruder(knows=["sex"]), harms=[harm])


def test_a_map_of_it_is_refused_and_one_by_distance_is_not():
    data = released().source
    asked = {"utility": cf.MeansKept("pay"), "seed": 1}
    who = cf.Intruder(knows=["sex", "pay"])
    with pytest.raises(LikelihoodError, match=r"FileMeasure\(distance_linkage\)"):
        cf.ru_map(data, cf.Release(Upside(("pay",))), who, risk=cf.ExpectedMatches(), **asked)
    found = cf.ru_map(data, cf.Release(Upside(("pay",))), who, risk=cf.FileMeasure(cf.distance_linkage), **asked)
    assert found.points()[0].risk < 1
