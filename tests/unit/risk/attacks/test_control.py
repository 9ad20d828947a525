import numpy as np
import pytest

import confide as cf


def survey(n, seed, levels=5):
    r = np.random.default_rng(seed)
    columns = {f"v{j}": cf.Column.of_codes(r.integers(0, levels, n), range(levels)) for j in range(4)}
    return cf.Microdata({k: cf.Variable(k, cf.Kind.NOMINAL) for k in columns}, columns)


def numbered(n):
    return cf.Microdata.from_dict({"id": [f"p{i}" for i in range(n)], "x": [float(i % 7) for i in range(n)]})


@pytest.mark.parametrize(
    ("n", "share", "control"), [(10, 0.5, 5), (11, 0.2, 2), (2, 0.01, 1), (2, 0.99, 1), (1000, 0.25, 250)]
)
def test_the_parts_are_as_large_as_asked_for(n, share, control):
    parts = cf.split_control(numbered(n), share, seed=3)
    assert (parts.control.n, parts.train.n) == (control, n - control)
    ids = [*parts.train.column("id").values(), *parts.control.column("id").values()]
    assert sorted(ids) == sorted(numbered(n).column("id").values())


def test_the_same_seed_gives_the_same_parts():
    data = numbered(100)
    one, two, other = (cf.split_control(data, seed=s).control.column("id").values() for s in (1, 1, 2))
    assert one == two
    assert one != other


def test_households_stay_together():
    homes = np.repeat(np.arange(50), np.random.default_rng(1).integers(1, 6, 50))
    data = cf.Microdata.from_dict({"home": homes.tolist(), "x": homes.tolist()}).declare(household="home")
    parts = cf.split_control(data, 0.4, seed=5)
    assert not set(parts.train.column("home").values()) & set(parts.control.column("home").values())
    assert abs(parts.control.n / data.n - 0.4) < 0.05


@pytest.mark.parametrize("share", [0, 1, -1, float("nan")])
def test_a_share_is_between_nought_and_one(share):
    with pytest.raises(cf.IntruderError, match="share must lie between 0 and 1"):
        cf.split_control(numbered(5), share)


@pytest.mark.parametrize("n", [0, 1])
def test_two_records_are_needed(n):
    with pytest.raises(cf.DataError, match="two are needed"):
        cf.split_control(numbered(5).take(np.arange(n)))


def attack(original, control):
    names = original.names[0], original.names[1]
    return cf.linkability(original, original, control, ([names[0]], [names[1]]), attacks=50)


def test_the_original_file_is_no_control_group():
    data = survey(200, 1)
    with pytest.raises(cf.IntruderError, match="the original file itself"):
        attack(data, data)


def test_people_of_the_file_in_the_control_group_are_noticed():
    original, others = survey(300, 1, levels=30), survey(300, 2, levels=30)
    mixed = original.take(np.arange(60))
    mixed = mixed.with_columns({k: mixed.columns[k].append(others.columns[k]) for k in mixed.names})
    with pytest.raises(cf.IntruderError, match="60 of 360 control records equal an original record"):
        attack(original, mixed)


def test_identifiers_tell():
    data = numbered(40).declare(identifier="id")
    with pytest.raises(cf.IntruderError, match="10 values of the identifier 'id' stand in both"):
        cf.inference(data.take(np.arange(25)), data, data.take(np.arange(15, 40)), ["x"], "x")


def test_files_with_many_like_records_are_not_suspected():
    for seed in range(60):
        levels = 2 + seed % 8
        attack(survey(400, 2 * seed, levels), survey(400, 2 * seed + 1, levels))
