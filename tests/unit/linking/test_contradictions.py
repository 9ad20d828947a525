"""An intruder who rules out what happened is an error where it is so for all, and a warning where it is for some."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf
from confide.plan.limits import exceeded
from confide.plan.plan import Limits
from confide.report.html import render

N = 60


def people(n=N):
    rng = np.random.default_rng(1)
    region, age = rng.choice(list("abc"), n), rng.integers(20, 60, n)
    tax = np.where(rng.random(n) < 0.3, 0.0, rng.lognormal(7, 1, n).round(2))
    sex = rng.choice(["m", "f"], n).tolist()
    return cf.Microdata.from_dict({"sex": sex, "region": region.tolist(), "age": age.tolist(), "tax": tax.tolist()})


def recoded(data, coding):
    values = {n: data.column(n).values() for n in data.names}
    return cf.Microdata.from_dict(values | {"region": [coding[x] for x in values["region"]]})


SAME = {"a": "a", "b": "b", "c": "c"}
UPPER = {"a": "A", "b": "B", "c": "C"}
BARE, PADDED, NUMBERS = ({x: f(i) for i, x in enumerate("abc", 1)} for f in (str, "{:02}".format, float))
SURE = cf.Intruder(knows=["region", "age"], name="clerk")
UNSURE = SURE.but(target_in_file=False, population=cf.AtLeast(5))
NAIVE = SURE.but(understands_masking=False)


@pytest.mark.parametrize("who", [SURE, UNSURE, NAIVE], ids=["sure", "unsure", "naive"])
@pytest.mark.parametrize(
    ("source", "released"), [(SAME, UPPER), (BARE, PADDED), (BARE, NUMBERS)], ids=["A", "01", "number"]
)
def test_a_file_coded_otherwise_than_its_source_is_refused(source, released, who):
    file = cf.Released.from_files(recoded(people(), source), recoded(people(), released), same_order=True)
    with pytest.raises(cf.LikelihoodError) as caught:
        cf.assess(file, who)
    assert "'clerk' looks for 60 targets by 'region'" in str(caught.value)
    assert "coded otherwise" in str(caught.value)
    assert "'age'" not in str(caught.value)


@pytest.mark.parametrize("who", [SURE, UNSURE, NAIVE], ids=["sure", "unsure", "naive"])
def test_whole_numbers_in_another_coding_are_refused_too(who):
    files = [cf.Microdata.from_dict({"region": [f * x for x in (1, 2, 3)], "age": [20, 30, 40]}) for f in (1, 100)]
    declared = [f.declare(kinds={"region": "integer", "age": "integer"}) for f in files]
    file = cf.Released.from_files(*declared, same_order=True)
    with pytest.raises(cf.LikelihoodError, match="by 'region', .* coded otherwise"):
        cf.assess(file, who)


def test_so_many_variables_coded_otherwise_are_named_at_most():
    names = [f"v{i}" for i in range(12)]
    files = [cf.Microdata.from_dict(dict.fromkeys(names, x)) for x in (["a", "b"], ["A", "B"])]
    with pytest.raises(cf.LikelihoodError, match="'v7' and 4 more"):
        cf.assess(cf.Released.from_files(*files, same_order=True), cf.Intruder(knows=names))


def test_targets_coded_otherwise_than_the_file_are_refused():
    file = cf.Release().apply(people(), seed=1)
    for who in (SURE, UNSURE, NAIVE):
        with pytest.raises(cf.LikelihoodError, match="no value in the released file is a value in the targets' file"):
            cf.assess(file, who, cf.Targets.of_records(recoded(people(), UPPER)))


def test_some_levels_coded_otherwise_are_a_warning_that_names_the_variable():
    data = people()
    file = cf.Released.from_files(data, recoded(data, {"a": "A", "b": "b", "c": "c"}), same_order=True)
    others = sum(x == "a" for x in data.column("region").values())
    for who in (SURE, UNSURE):
        found = cf.assess(file, who)
        assert found.row(0).ruled_out == found.row(0).contradicted == others > 0
        assert f"{others} of 60 targets have a record in the file that the likelihood rules out, by 'region'" in repr(found)


def test_records_in_another_order_are_refused_for_who_understands_and_a_warning_for_who_does_not():
    # everybody's number differs from that of the record before
    data = cf.Microdata.from_dict({"age": list(range(40)), "sex": ["m", "f"] * 20})
    file = cf.Released.from_files(data, data.take(np.roll(np.arange(40), 1)), same_order=True)
    who = cf.Intruder(knows=["age"])
    with pytest.raises(cf.LikelihoodError, match=r"by 'age'. Nothing is known to have been done .*parent=\[\.\.\.\]"):
        cf.assess(file, who)
    assert cf.assess(file, who.but(understands_masking=False)).row(0).expected_matches == 0


def test_who_takes_noise_at_face_value_is_contradicted_and_no_error():
    file = cf.Release(cf.Noise("tax", sd=10.0)).apply(people(), seed=1)
    found = cf.assess(file, cf.Intruder(knows=["sex", "tax"], understands_masking=False))
    assert found.row(0).contradicted == N
    assert "60 of 60 targets known to be in the file fit no released record" in repr(found)


@pytest.mark.parametrize(
    "who",
    [
        cf.Intruder(knows=["sex", cf.Distributed("region", "elsewhere")]),
        cf.Intruder(knows=["sex", cf.Distributed("tax", -5)]),
        cf.Intruder(knows=["sex"], unavailable={"tax": cf.Uniform(-10, -5)}),
        cf.Intruder(knows=["sex"], unavailable={"tax": cf.Uniform(-9, -5)}, target_in_file=False, population=cf.AtLeast(5)),
    ],
)
def test_a_belief_that_rules_out_everything_is_refused(who):
    file = cf.Release(cf.Topcode("tax", at=2_000)).apply(people(), seed=1)
    with pytest.raises(cf.LikelihoodError, match=r"what is believed about '(region|tax)' has probability 0"):
        cf.assess(file, who)


@pytest.mark.parametrize("who", [SURE, UNSURE])
def test_a_wrong_supposition_about_a_register_is_refused_though_nobody_knows_who_is_who(who):
    file = cf.Release(cf.Recode("age", width=10)).apply(people(), seed=1)
    wrong = who.but(supposes=cf.Release(cf.Recode("age", width=5)))
    with pytest.raises(cf.LikelihoodError, match="any of the 60 targets, so it was not masked like that"):
        cf.assess(file, wrong, cf.Targets.of_records(people()))


def test_a_register_of_which_nobody_fits_any_record_is_no_finding_without_an_id():
    source = cf.Microdata.from_dict({"region": ["a", "b"] * 10, "age": [30, 40] * 10, "id": list(range(20))})
    file = cf.Release().apply(source.declare(identifier=["id"]), seed=1)
    register = cf.Microdata.from_dict({"region": ["b", "a"], "age": [30, 40], "id": [100, 101]})
    for who in (SURE, UNSURE):
        with pytest.raises(cf.LikelihoodError, match="nobody knows whether they are in the file") as caught:
            cf.assess(file, who, cf.Targets.of_records(register))
        assert "none of them fits any released record by 'region' and 'age'" in str(caught.value)
    with pytest.raises(cf.IntruderError, match="none of their ids is among its 20"):
        cf.assess(file, UNSURE, cf.Targets.of_records(register, id="id"))
    # with an id it is known who is not in it
    known = cf.Microdata.from_dict({"region": ["a", "a"], "age": [30, 40], "id": [0, 101]})
    assert cf.assess(file, UNSURE, cf.Targets.of_records(known, id="id")).row(0).expected_matches == pytest.approx(1 / 10)


def test_nobody_is_in_a_file_of_nobodys_records_whatever_the_intruder_is_sure_of():
    file = cf.Released.from_files(people(), people(), parent=[-1] * N)
    for who in (SURE, NAIVE):
        with pytest.raises(cf.IntruderError, match="none of its 60 records is said to be anybody's"):
            cf.link(file, who)
    for who in (SURE, NAIVE, UNSURE):
        with pytest.raises(cf.ReleaseError, match="parent is -1 for all 60"):
            cf.assess(file, who)


@pytest.mark.parametrize("sure", [True, False])
def test_a_belief_that_silently_rules_out_zeros_is_noticed_on_page_one(sure):
    data = people()
    file = cf.Release(cf.Noise("tax", sd=10.0, keep_zero=True)).apply(data, seed=1)
    zeros = sum(x == 0 for x in data.column("tax").values())
    population = None if sure else cf.AtLeast(5)
    who = cf.Intruder(
        knows=["sex", "region", "age"], target_in_file=sure, population=population, unavailable={"tax": cf.Lognormal(7, 1)}
    )
    found = cf.assess(file, who)
    assert found.row(0).ruled_out == zeros == found.to_frame()["ruled_out"][0] > 0
    says = f"{zeros} of 60 targets have a record in the file that the likelihood rules out, by"
    assert f"{says} 'tax'" in repr(found)
    assert says in render(found)
    silent = cf.assess(file, who.but(unavailable={"tax": cf.Mixture([(0.3, 0), (0.7, cf.Lognormal(7, 1))])}))
    assert silent.row(0).ruled_out == 0
    assert "rules out" not in repr(silent)


def test_an_unsure_intruder_whose_targets_fit_nothing_is_counted_too():
    data = people()
    breaks = [0, 30, 45, np.inf]
    file = cf.Release(cf.Recode("age", breaks=breaks)).apply(data, seed=1)
    wrong = UNSURE.but(supposes=cf.Release(cf.Recode("age", breaks=[0, 30, 50, np.inf])))
    found = cf.assess(file, wrong)
    assert 0 < found.row(0).contradicted <= found.row(0).ruled_out < N
    assert "supposes is not how the file was masked" in repr(found)


def test_a_right_intruder_is_not_warned_about():
    file = cf.Release(cf.Swap("region", rate=0.3), cf.Noise("tax", sd=10.0, keep_zero=True)).apply(people(), seed=1)
    for who in (SURE, UNSURE, NAIVE, cf.Intruder(knows=["sex", "region", "tax"])):
        found = cf.assess(file, who)
        assert found.row(0).ruled_out == 0 or not who.understands_masking
        assert "rules out" not in repr(found) or not who.understands_masking


def test_categories_of_a_sensitive_variable_are_not_shown():
    data = people().declare(sensitive=["age"])
    file = cf.Release(cf.Recode("age", width=10)).apply(data, seed=1)
    with pytest.raises(cf.LikelihoodError) as caught:
        cf.assess(file, SURE.but(supposes=cf.Release(cf.Recode("age", width=5))))
    assert "20-29" not in str(caught.value)


def test_limits_hold_for_a_warning_and_are_told_apart_from_errors():
    data = people()
    file = cf.Released.from_files(data, recoded(data, {"a": "A", "b": "b", "c": "c"}), same_order=True)
    assert exceeded(Limits((("expected_matches", float(N)),)), cf.assess(file, SURE)) == ()
