"""A map on which utility cannot vary is refused before anything is masked."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import confide as cf
from confide.rumap.general.varies import variables_read, variables_touched
from unit.rumap.general.people import FAR, people

WIDTH = cf.vary("width", 5, 10)
BLIND = [cf.MeansKept("pay"), cf.Hellinger(["sex", "pay"]), cf.MeanPrecision("pay"), cf.RegressionKept("pay ~ sex")]
SEEING = [cf.MeansKept(), cf.Hellinger(), cf.RegressionKept("pay ~ sex + age"), cf.QuantilesKept("age")]


@dataclass(frozen=True)
class NeverMasks:
    """A method that must not be bound."""

    width: float

    variables = ("age",)

    def bind(self, data):
        raise AssertionError("nothing may be masked")

    def describe(self):
        return "never masks"


def mapped(use, *parts):
    return cf.ru_map(people(), cf.Release(*parts), FAR, risk=cf.ExpectedMatches(), utility=use, seed=7)


@pytest.mark.parametrize("use", BLIND, ids=lambda u: u.title)
def test_a_use_of_what_is_not_varied_is_refused_before_masking(use):
    with pytest.raises(cf.MapError, match=r"what the release leaves open \(how\) touches 'age': utility would be the same"):
        mapped(use, cf.vary("how", one=NeverMasks(1), two=NeverMasks(2)), cf.Noise("pay", sd=5.0))


@pytest.mark.parametrize("use", SEEING, ids=lambda u: u.title)
def test_a_use_of_what_is_varied_is_mapped(use):
    assert len(mapped(use, cf.Recode("age", width=WIDTH)).rows) == 2


def test_a_search_is_refused_as_well():
    with pytest.raises(cf.MapError, match="utility would be the same everywhere"):
        cf.search_releases(
            people(), cf.Release(cf.Recode("age", width=WIDTH)), FAR, risk=cf.ExpectedMatches(), utility=cf.MeansKept("pay"),
            budget=cf.Budget(evaluations=2), seed=7,
        )  # fmt: skip


@pytest.mark.parametrize(
    ("parts", "touched"),
    [
        ([cf.Recode("age", width=WIDTH), cf.Noise("pay", sd=5.0)], {"age"}),
        ([cf.Recode("age", width=WIDTH), cf.Swap("sex", rate=0.1, within=["age"])], {"age", "sex"}),
        ([cf.Swap("sex", rate=0.1, within="age"), cf.Recode("age", width=WIDTH)], {"age"}),
        ([cf.vary("how", off=None, on=[cf.Recode("age", width=WIDTH), cf.Drop("sex")])], {"age", "sex"}),
        ([cf.Noise(cf.vary("which", "age", "pay"), sd=5.0)], {"age", "pay"}),
        ([cf.Sample(fraction=cf.vary_between("part", 0.1, 0.9))], None),
        ([cf.Sample(fraction=0.5), cf.Recode("age", width=WIDTH)], {"age"}),
        ([cf.vary("how", a=cf.Simulate(n=5), b=cf.Drop("age"))], None),
    ],
)
def test_what_is_touched(parts, touched):
    assert variables_touched(cf.Release(*parts)) == touched


def test_what_is_read():
    data = people()
    assert variables_read(data, cf.MeansKept("pay", by="sex")) == {"pay", "sex"}
    assert variables_read(data, cf.MeansKept()) == {"age", "pay"}
    assert variables_read(data, cf.Hellinger()) == {"age", "pay", "sex"}
    assert variables_read(data, cf.OwnAnalysis(lambda d: {"n": d.n}, "n")) is None
