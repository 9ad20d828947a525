"""Every mistake about an intruder or targets gives one clear message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import confide as cf

DATA = cf.Microdata.from_dict({"g": ["a", "b", "b"], "x": [1.5, 2.5, 4.0]}).declare(kinds={"x": "continuous"})
RELEASED = cf.Release(cf.Noise("x", sd=1)).apply(DATA, seed=1)
PLAIN = cf.Release().apply(DATA, seed=1)
TABLE = cf.Microdata.from_dict({"g": ["a", "b"], "count": [10.5, 20.0]})


def link(*knows: Any, targets: cf.Targets | None = None, released: cf.Released = PLAIN, **more: Any) -> cf.Links:
    return cf.link(released, cf.Intruder(knows=list(knows), **more), targets)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cf.Intruder(knows="g"), r"knows=\['g'\]"),
        (lambda: cf.Intruder(knows=[]), "knows is empty"),
        (lambda: cf.Intruder(knows=["g", "g"]), "twice"),
        (lambda: cf.Intruder(knows=[3]), "found int"),
        (lambda: cf.Intruder(knows=["g"], models_others=False, target_in_file=False), "models_others"),
        (lambda: cf.Intruder(knows=["g"], population=cf.Constant(9)), "target_in_file"),
        (lambda: cf.Intruder(knows=["g"], target_in_file=False, population=9), "found int"),
        (lambda: cf.Intruder(knows=["g"], understands_masking=False, supposes=cf.Release()), "supposes"),
        (lambda: cf.Intruder(knows=["g"], unavailable={"g": cf.Normal(0, 1)}), "both known and unavailable"),
        (lambda: cf.Intruder(knows=["g"]).but(nam="x"), "no field 'nam'"),
        (lambda: cf.Within("x", 0), "percent"),
        (lambda: cf.Between("x"), "low, high or both"),
        (lambda: cf.Between("x", 3, 2), "exceed"),
        (lambda: cf.Bracket("x", []), "breaks"),
        (lambda: cf.Bracket("x", [2, 1]), "increasing"),
        (lambda: cf.Roughly("x", sd=-1), "sd must be positive"),
        (lambda: cf.OneOf("x", []), "at least one level"),
        (lambda: cf.Normal(0, 0), "sd positive"),
        (lambda: cf.Lognormal(float("nan"), 1), "finite"),
        (lambda: cf.Uniform(2, 1), "below high"),
        (lambda: cf.Constant(0), "1 or more"),
        (lambda: cf.AtLeast(float("inf")), "1 or more"),
        (lambda: cf.PopulationTable(TABLE, count="n"), "variable 'n'"),
        (lambda: cf.GivenMatrix(["a", "b"], [[0.5, 0.5], [0.5, 0.4]]), "ROW"),
        (lambda: cf.GivenMatrix(["a", "b"], [[1.0]]), "2 by 2"),
        (lambda: link("h"), "'h'"),
        (lambda: link("g", target_in_file=False), "weights"),
        (lambda: link(cf.OneOf("g", ["z"])), "'z'"),
        (lambda: link(cf.OneOf("g", ["a"])), "2 of 3 targets"),
        (lambda: link(cf.Between("x", 2, 3)), "2 of 3 targets"),
        (lambda: link(cf.Within("g", 5)), "no number"),
        (lambda: link("g", targets=cf.Targets.of_rows([3])), "outside the source file"),
        (lambda: link("g", targets=cf.Targets.of_rows([])), "no targets"),
        (lambda: link("g", targets=cf.Targets.where(g="z")), "'z'"),
        (lambda: link("g", targets=cf.Targets.where(h="z")), "'h'"),
        (
            lambda: link("g", targets=cf.Targets.of_records(cf.Microdata.from_dict({"x": [1.5]}))),
            "lack the known variable 'g'",
        ),
        (lambda: link("g", released=cf.Released.seen(DATA)), "Targets.of_records"),
        (lambda: link("x", released=RELEASED, beliefs=cf.SuppliedBeliefs([[], []])), "2 lists of atoms for 3"),
        (
            lambda: link("x", released=RELEASED, beliefs=cf.SuppliedBeliefs([[cf.Atom(1, {"g": "a"})]])),
            "perturbed variable 'x'",
        ),
        (lambda: link("x", released=RELEASED, beliefs=cf.SuppliedBeliefs([[cf.Atom(-1, {"x": 1.0})]])), "negative"),
        (lambda: link("g", released=RELEASED, unavailable={"hh": cf.Normal(0, 1)}), "there is no variable 'hh'"),
        (lambda: cf.assess([], cf.Intruder(knows=["g"])), "released files"),
        (lambda: cf.assess(PLAIN, []), "Intruder"),
        (lambda: cf.assess(PLAIN, cf.Intruder(knows=["g"]), []), "group of targets"),
        (lambda: link("g").row(3), "no target 3"),
        (lambda: cf.Released.from_files(DATA, DATA.take(np.array([0])), same_order=True), "parent"),
        (lambda: cf.Released.from_files(DATA, DATA, parent=[0, 0, 1]), "twice"),
        (lambda: cf.Released.from_files(DATA, DATA, parent=[0, 1, 7]), "source rows"),
    ],
)
def test_one_clear_message(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(cf.UserMistake, match=message) as caught:
        make()
    assert "Traceback" not in str(caught.value)


def test_a_dropped_variable_is_ignored() -> None:
    released = cf.Release(cf.Drop("x")).apply(DATA, seed=1)
    links = link("g", "x", released=released)
    assert links.evidence.ignored == ("x",)
    assert links.own.tolist() == [1, 0.5, 0.5]
    with pytest.raises(cf.UserMistake, match="nothing to match on"):
        link("x", released=released)


def test_of_targets_from_elsewhere_the_own_record_is_not_known() -> None:
    links = link("g", targets=cf.Targets.of_records(cf.Microdata.from_dict({"g": ["b", "z"]})))
    assert np.isnan(links.own).all()
    assert links.best.tolist() == [0.5, 0]
    assert links.null.tolist() == [0, 1]
    assert links.contradicted == 1


def test_descriptions() -> None:
    text = " ".join(cf.Intruder(knows=["g", cf.Within("x", 20)], target_in_file=False, population=cf.AtLeast(5)).describe())
    assert "x within 20 per cent" in text
    assert "upper limits" in text
    assert "g" in cf.Targets.where(g="a").describe()
    assert cf.Targets.of_rows([1, 2]).describe() == "2 chosen respondents"
