"""Attacks on copies, on independent samples, on masked files, and on files at the edge."""

import numpy as np
import pytest

import confide as cf

HALVES = ["age", "job", "height"], ["sex", "income", "weight_kg"]
KNOWN = ["age", "job", "height", "sex", "weight_kg"]


def people(n, seed, holes=0.0):
    """A survey of mixed types whose variables depend on each other."""
    r = np.random.default_rng(seed)
    age = r.integers(18, 90, n).astype(float)
    job = r.integers(0, 6, n)
    income = np.exp(9 + 0.01 * age + 0.2 * job + r.normal(0, 0.5, n))
    numbers = {
        "age": age,
        "height": r.normal(170, 10, n),
        "income": income,
        "weight_kg": r.normal(70, 12, n),
    }
    columns = {k: cf.Column.of_numbers(np.where(r.random(n) < holes, np.nan, x)) for k, x in numbers.items()}
    codes = {"job": (job, 6), "sex": (r.integers(0, 2, n), 2), "region": (r.integers(0, 9, n), 9)}
    for k, (x, m) in codes.items():
        columns[k] = cf.Column.of_codes(np.where(r.random(n) < holes, -2, x), [f"{k}{i}" for i in range(m)])
    kinds = {k: cf.Kind.NOMINAL if k in codes else cf.Kind.CONTINUOUS for k in columns}
    return cf.Microdata({k: cf.Variable(k, kinds[k]) for k in columns}, columns)


def every_attack(original, released, control, **more):
    yield cf.singling_out(original, released, control, predicates=cf.Multivariate(3), **more)
    yield cf.singling_out(original, released, control, predicates=cf.Univariate(), **more)
    yield cf.linkability(original, released, control, HALVES, **more)
    yield cf.inference(original, released, control, KNOWN, "income", **more)
    yield cf.inference(original, released, control, KNOWN, "region", **more)


@pytest.mark.parametrize("holes", [0.0, 0.1])
def test_a_copy_gives_everybody_away(holes):
    original, control = people(1500, 1, holes), people(1500, 2, holes)
    for found in every_attack(original, original, control, attacks=800):
        assert found.beats_guessing
        assert found.risk.low > 0.9 - 3 * holes, found
        assert found.control.value < 0.6


def test_a_copy_without_noise_tells_every_secret_but_of_people_who_are_alike():
    found = cf.inference(people(500, 1), people(500, 1), people(500, 2), KNOWN, "income")
    assert found.main.value == found.risk.value == 1
    assert found.main.attacks == 500
    assert found.success.tolist() == [1] * 500
    assert found.targets.tolist() == list(range(500))


def test_an_independent_sample_gives_nobody_away():
    original, control, other = (people(1500, s) for s in (1, 2, 3))
    for found in every_attack(original, other, control, attacks=1500):
        assert found.risk.low < 0 < found.risk.high, found


@pytest.mark.slow
def test_the_interval_covers_nought_at_its_level_when_nothing_leaks():
    missed = np.zeros(4)
    repeats = 300
    for seed in range(repeats):
        original, control, other = (people(300, 3 * seed + k) for k in range(3))
        args = (original, other, control)
        found = [
            cf.singling_out(*args, predicates=cf.Multivariate(2), attacks=150, level=0.9, seed=seed),
            cf.linkability(*args, HALVES, neighbours=20, attacks=300, level=0.9, seed=seed),
            cf.inference(*args, ["age", "job"], "income", tolerance=cf.WithinShare(0.3), attacks=300, level=0.9, seed=seed),
            cf.inference(*args, ["age", "job"], "sex", attacks=300, level=0.9, seed=seed),
        ]
        missed += [not f.risk.low <= 0 <= f.risk.high for f in found]
    # 0.1 of 300, and no more above it than chance explains
    assert np.all(missed <= 30 + 2.6 * np.sqrt(27)), missed


def test_leaks_of_half_the_file_are_half_the_risk():
    original, control, other = (people(2000, s) for s in (1, 2, 3))
    half = np.arange(1000)
    leaky = original.take(half)
    leaky = leaky.with_columns({k: leaky.columns[k].append(other.columns[k].take(half)) for k in leaky.names})
    found = [
        cf.linkability(original, leaky, control, HALVES),
        cf.inference(original, leaky, control, KNOWN, "income"),
        cf.singling_out(original, leaky, control, predicates=cf.Univariate()),
    ]
    for one in found:
        assert one.risk.low < 0.5 + 0.02, one
        assert one.risk.high > 0.5 - 0.02, one


def test_the_same_seed_gives_the_same_bytes():
    original, control, other = (people(400, s) for s in (1, 2, 3))

    def runs(seed):
        return [(f.main, f.control, f.baseline, f.targets.tobytes(), f.success.tobytes())
                for f in every_attack(original, other, control, attacks=100, seed=seed)]  # fmt: skip

    assert runs(5) == runs(5)
    assert runs(5) != runs(6)


def test_a_masked_file_is_attacked_in_the_form_that_is_released():
    original, control = people(1500, 1), people(1500, 2)
    masked = cf.Release(
        cf.Recode("age", width=10), cf.Topcode("income", at=25_000, label="25,000 or more"), cf.Noise("height", sd=3.0)
    ).apply(original, seed=4)
    assert masked.data.column("income").codes.max() >= 0
    link = cf.linkability(original, masked, control, HALVES)
    secret = cf.inference(original, masked, control, KNOWN, "income")
    out = cf.singling_out(original, masked, control)
    assert 0 < link.risk.value < cf.linkability(original, original, control, HALVES).risk.value
    assert secret.risk.low > 0.5
    assert out.risk.low > 0


def test_a_category_among_numbers_of_unknown_meaning_is_refused():
    original, control = people(100, 1), people(100, 2)
    column = original.column("income").with_codes(np.arange(100) < 5, "much")
    given = original.with_columns({"income": column})
    with pytest.raises(cf.IntruderError, match="what they stand for is not known"):
        cf.linkability(original, given, control, HALVES)


def test_without_control_there_is_a_rate_and_no_risk():
    original = people(300, 1)
    for found in (
        cf.singling_out(original, original, None),
        cf.linkability(original, original, None, HALVES),
        cf.inference(original, original, None, KNOWN, "income"),
    ):
        assert type(found) is cf.AttackRate
        with pytest.raises(cf.IntruderError, match="without a control group there is no risk"):
            _ = found.risk
        assert found.value == found.main.value
        assert "success" in found.title


def test_fewer_people_than_attacks_are_all_attacked():
    found = cf.linkability(people(60, 1), people(60, 1), people(20, 2), HALVES, attacks=2000)
    assert (found.main.attacks, found.control.attacks, found.asked) == (60, 20, 2000)
    assert "only 60 of 2,000" in repr(found)


def constant(n):
    return cf.Microdata.from_dict({"a": ["x"] * n, "b": ["y"] * n, "c": [1.0] * n}).declare(kinds={"c": "continuous"})


def test_files_in_which_all_are_equal():
    original, control = constant(50), constant(40)
    link = cf.linkability(original, original, control, (["a"], ["b", "c"]), seed=2)
    # everybody is as near as everybody: one in fifty by chance
    assert link.main.value == pytest.approx(link.baseline.value, abs=0.1)
    guess = cf.inference(original, original, control, ["a"], "b")
    assert guess.control.value == 1
    with pytest.raises(cf.IntruderError, match="nothing is left"):
        _ = guess.risk
    with pytest.raises(cf.IntruderError, match="no statement about 3 variables"):
        cf.singling_out(original, original, constant(50))


def test_a_single_variable():
    original, control = (people(200, s).without([n for n in KNOWN if n != "age"] + ["region"]) for s in (1, 2))
    assert original.names == ("age", "income")
    with pytest.raises(cf.IntruderError, match=r"Multivariate\(3\) needs 3 variables, the files have 2"):
        cf.singling_out(original, original, control)
    one = original.without(["age"]), control.without(["age"])
    assert cf.singling_out(one[0], one[0], one[1], predicates=cf.Multivariate(1)).main.value == 1


def test_a_single_record():
    original, control = people(1, 1), people(5, 2)
    assert cf.linkability(original, original, control, HALVES).main.value == 1
    assert cf.inference(original, original, control, KNOWN, "income").main.value == 1


def test_a_larger_control_group_is_counted_as_if_it_were_as_large():
    original, other = people(600, 1), people(600, 3)
    equal = [cf.singling_out(original, other, people(600, 100 + s), seed=7).control.value for s in range(8)]
    large = cf.singling_out(original, other, people(6000, 99), seed=7).control.value
    assert large == pytest.approx(np.mean(equal), abs=0.03)


def test_a_smaller_control_group_is_refused_for_singling_out():
    with pytest.raises(cf.IntruderError, match="no smaller than the original file: 50 people against 60"):
        cf.singling_out(people(60, 1), people(60, 1), people(50, 2))


def test_missing_secrets_are_not_guessed():
    original, control = people(300, 1, 0.3), people(300, 2, 0.3)
    found = cf.inference(original, original, control, KNOWN, "income")
    present = np.flatnonzero(~original.column("income").is_missing)
    assert found.targets.tolist() == present.tolist()
    nothing = original.with_columns({"income": cf.Column.of_numbers(np.full(300, np.nan))})
    with pytest.raises(cf.IntruderError, match="missing in every record of the released file"):
        cf.inference(original, nothing, control, KNOWN, "income")


def test_tolerances():
    true = cf.Microdata.from_dict({"k": ["a", "b", "c", "d"], "x": [100.0, 0.0, -100.0, 50.0]}).declare(
        kinds={"x": "continuous"}
    )
    guess = cf.Microdata.from_dict({"k": ["a", "b", "c", "d"], "x": [105.0, 1.0, 100.0, 53.0]}).declare(
        kinds={"x": "continuous"}
    )
    for tolerance, hits in (
        (cf.WithinShare(0.05), [1, 0, 0, 0]),
        (cf.WithinAmount(3), [0, 1, 0, 1]),
        (cf.WithinShare(0), [0] * 4),
    ):
        found = cf.inference(true, guess, None, ["k"], "x", tolerance=tolerance)
        assert found.success.tolist() == hits
    # by guessing: 105 and 100 are right for 100, nothing else is
    assert cf.inference(true, guess, None, ["k"], "x").baseline.value == pytest.approx(2 / 16)
    with pytest.raises(cf.IntruderError, match="finite number of 0 or more"):
        cf.WithinShare(-1)


def test_small_whole_numbers_read_as_codes_are_numbers_where_declared_so():
    original = cf.Microdata.from_dict({"age": [20, 30, 40, 50], "k": ["a", "b", "c", "d"]}).declare(kinds={"age": "integer"})
    released = cf.Microdata.from_dict({"age": [21, 31, 41, 51], "k": ["a", "b", "c", "d"]})
    with pytest.raises(cf.IntruderError, match="declare"):
        cf.linkability(original, released, None, (["age"], ["k"]))
    fine = released.declare(kinds={"age": "integer"})
    assert cf.linkability(original, fine, None, (["age"], ["k"])).main.value == 1


def test_levels_that_the_release_does_not_have():
    order = {"size": ["low", "mid", "high"]}
    original = cf.Microdata.from_dict({"size": ["low", "mid", "high"], "k": ["a", "b", "c"]}).declare(order=order)
    released = cf.Microdata.from_dict({"size": ["low", "mid"], "k": ["a", "b"]}).declare(order={"size": ["low", "mid"]})
    assert cf.linkability(original, released, None, (["size"], ["k"])).main.attacks == 3


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"known": (["age"], ["age"])}, "age in both"),
        ({"known": (["age"], [])}, "two lists of variables"),
        ({"known": (["age"], ["shoe"])}, "no variable in all files 'shoe'"),
        ({"neighbours": 0}, "neighbours must be from 1"),
        ({"neighbours": 21}, "neighbours must be from 1"),
        ({"attacks": 0}, "attacks must be 1 or more"),
        ({"level": 95}, "level must lie"),
    ],
)
def test_mistakes_are_told(change, match):
    settings = {"known": HALVES} | change
    with pytest.raises(cf.IntruderError, match=match):
        cf.linkability(people(20, 1), people(20, 1), people(20, 2), **settings)


def test_more_mistakes():
    data = people(20, 1)
    with pytest.raises(cf.IntruderError, match="other than the secret"):
        cf.inference(data, data, None, ["income"], "income")
    with pytest.raises(cf.DataError, match="the released file has no records"):
        cf.singling_out(data, data.take(np.arange(0)), None)
    with pytest.raises(cf.IntruderError, match="no variable in common"):
        cf.singling_out(data, cf.Microdata.from_dict({"z": [1]}), None)
    with pytest.raises(cf.IntruderError, match="columns and tries"):
        cf.Multivariate(0)
    assert "Name" not in repr(cf.singling_out(data, data, None))
