"""Releases with something left open: families of releases."""

from __future__ import annotations

import copy
import pickle

import pytest

import confide as cf
from confide.errors import ReleaseError


def data():
    columns = {"tax": [0.0, 10.0, 20.0, 40.0], "race": ["w", "b", "w", "b"], "sex": ["m", "f", "f", "m"]}
    return cf.Microdata.from_dict(columns).declare(kinds={"tax": "continuous"})


def family():
    swap = cf.Swap("race", rate=cf.vary("rate", 0.1, 0.5))
    return cf.Release(cf.Noise("tax", sd=cf.vary("noise", 1.0, 2.0)), cf.vary("race", off=None, on=swap), name="family")


def test_the_grid_leaves_out_axes_of_what_is_not_chosen():
    assert list(family().grid()) == [
        {"noise": 1.0, "race": "off"},
        {"noise": 1.0, "race": "on", "rate": 0.1},
        {"noise": 1.0, "race": "on", "rate": 0.5},
        {"noise": 2.0, "race": "off"},
        {"noise": 2.0, "race": "on", "rate": 0.1},
        {"noise": 2.0, "race": "on", "rate": 0.5},
    ]
    assert list(cf.Release().grid()) == [{}]


def test_one_of_the_family_is_the_release_written_out():
    chosen = family().at(noise=2.0, race="on", rate=0.5)
    plain = cf.Release(cf.Noise("tax", sd=2.0), cf.Swap("race", rate=0.5), name="noise 2, race on, rate 0.5")
    assert chosen == plain
    found, expected = (r.apply(data(), seed=3).data.to_frame() for r in (chosen, plain))
    assert found.equals(expected)
    assert family().at({"noise": 1.0, "race": "off"}).methods == (cf.Noise("tax", sd=1.0),)
    assert family().at({"noise": 1.0}, race="off", named="mild").name == "mild"


def test_an_axis_may_be_used_twice():
    rate = cf.vary("rate", 0.1, 0.5)
    release = cf.Release(cf.Swap("race", rate=rate), cf.Swap("sex", rate=rate))
    assert list(release.axes) == ["rate"]
    assert [m.rate for m in release.at(rate=0.5).methods] == [0.5, 0.5]


def test_axes_of_lists_of_methods_and_between_ends():
    both = [cf.Swap("race", rate=0.1), cf.Swap("sex", rate=0.1)]
    release = cf.Release(cf.vary("swap", none=None, both=both), cf.Noise("tax", sd=cf.vary_between("sd", 1, 3)))
    assert len(release.at(swap="both", sd=2.2).methods) == 3
    assert [s["sd"] for s in release.grid(points=3) if s["swap"] == "none"] == [1.0, 2.0, 3.0]
    assert cf.vary("m", cf.Round("tax", to=5)).labels == (cf.Round("tax", to=5).describe(),)


MISTAKES = {
    "open": (lambda: family().apply(data(), seed=1), "noise is left open; choose with release.at\\(noise=...\\)"),
    "half open": (lambda: family().at(noise=1.0), "race is left open"),
    "inner open": (lambda: family().at(noise=1.0, race="on"), "rate is left open"),
    "unknown axis": (lambda: family().at(noise=1.0, race="off", rat=1), "there is no axis 'rat'"),
    "unknown value": (lambda: family().at(noise=3.0, race="off"), "noise: there is no value 3.0"),
    "outside": (lambda: cf.Release(cf.Round("tax", to=cf.vary_between("to", 1, 2))).at(to=3), "to lies between 1 and 2"),
    "no values": (lambda: cf.vary("x"), "give at least one value"),
    "twice": (lambda: cf.vary("x", 1, 1), "two with the same name"),
    "ends": (lambda: cf.vary_between("x", 2, 1), "low must be below high"),
    "log": (lambda: cf.vary_between("x", 0, 1, log=True), "log needs positive ends"),
    "differ": (
        lambda: cf.Release(cf.Swap("race", rate=cf.vary("r", 0.1)), cf.Swap("sex", rate=cf.vary("r", 0.2))),
        "two axes are called 'r' and differ",
    ),
    "no method": (lambda: cf.Release(cf.vary("x", 1, 2)), "takes masking methods such as Recode or Swap, found int"),
    "range": (lambda: cf.Release(cf.vary_between("x", 1, 2)), "takes masking methods"),
    "wrong kind": (
        lambda: cf.Noise("tax", sd=cf.vary("s", 1.0, "large")),
        "Noise: sd takes a number; 's' gives 'large'",
    ),
    "truth value": (lambda: cf.Round("tax", to=cf.vary("s", True)), "Round: to takes a number; 's' gives True"),
    "no list": (lambda: cf.Drop(cf.vary("s", 1)), "Drop: names takes a text or a list; 's' gives 1"),
    "no word of it": (
        lambda: cf.Noise("tax", sd=1, outside=cf.vary("s", "cut")),
        "Noise: outside takes 'redraw' or 'clamp'; 's' gives 'cut'",
    ),
    "range of whole numbers": (
        lambda: cf.Sample(n=cf.vary_between("s", 10, 20)),
        "Sample: n takes a whole number; 's' gives 10.0",
    ),
    "bad value": (lambda: cf.Release(cf.Noise("tax", sd=cf.vary("s", -1.0))).at(s=-1.0), "sd must be a positive number"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes(name):
    call, message = MISTAKES[name]
    with pytest.raises(ReleaseError, match=message):
        call()


@pytest.mark.parametrize("method", [cf.Noise("tax", sd=1.0), cf.Swap("race", rate=0.1), cf.Drop(["race"])])
def test_methods_can_still_be_copied(method):
    assert copy.copy(method) == method
    assert pickle.loads(pickle.dumps(method)) == method
