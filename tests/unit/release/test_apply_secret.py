"""A release made with a secret: the same bytes again, random order, nothing shared between drafts."""

from __future__ import annotations

import numpy as np
import pytest

import confide as cf


def people(n: int = 300) -> cf.Microdata:
    rng = np.random.default_rng(1)
    columns = {"sex": rng.choice(["m", "f"], n), "race": rng.choice(["w", "b", "n"], n, p=[0.7, 0.2, 0.1])}
    data = {k: v.tolist() for k, v in columns.items()} | {
        "income": np.round(rng.lognormal(10, 1, n)).tolist(),
        "home": [f"h{i // 3}" for i in range(n)],
    }
    return cf.Microdata.from_dict(data).declare(household="home", kinds={"income": "continuous"})


RELEASE = cf.Release(cf.Noise("income", sd=1000.0), cf.Swap("race", rate=0.4))


def test_one_secret_gives_the_same_file_and_another_another() -> None:
    secret = cf.Secret.fresh()
    first, again, other = (RELEASE.apply(people(), secret=s) for s in (secret, secret, None))
    assert first.data.to_frame().equals(again.data.to_frame())
    assert not first.data.to_frame().equals(other.data.to_frame())
    assert first.fingerprint == secret.fingerprint
    assert other.fingerprint not in (None, first.fingerprint)
    assert first.seed is None


def test_records_are_in_random_order_and_the_link_stays_inside() -> None:
    made, source = RELEASE.apply(people()), people()
    assert not np.array_equal(made.parent, np.arange(300))
    assert sorted(made.parent.tolist()) == list(range(300))
    sex = np.array(source.column("sex").values())
    assert np.array_equal(np.array(made.data.column("sex").values()), sex[made.parent])
    assert abs(np.corrcoef(made.parent, np.arange(300))[0, 1]) < 0.25
    kept = RELEASE.apply(people(), keep_order=True)
    assert np.array_equal(kept.parent, np.arange(300))
    assert "order of the source file" in repr(cf.assess(kept, cf.Intruder(knows=["sex", "race"])))


def test_households_get_numbers_that_tell_nothing_and_hold_together() -> None:
    made, source = RELEASE.apply(people()), people()
    old, new = np.array(source.column("home").values())[made.parent], made.data.column("home").numbers
    assert len({(a, b) for a, b in zip(old, new, strict=True)}) == 100 == len(set(new.tolist()))
    assert new[0] == 1
    assert set(new.tolist()) == set(range(1, 101))


def test_the_order_of_records_changes_no_figure() -> None:
    secret = cf.Secret.fresh()
    intruders = [
        cf.Intruder(knows=["sex", "race", cf.Within("income", 20)]),
        cf.Intruder(knows=["sex", "race", "income"], target_in_file=False, population=cf.Constant(1000)),
    ]
    made = [RELEASE.apply(people(), secret=secret, keep_order=keep) for keep in (False, True)]
    found = [cf.assess(m, intruders, file_measures=[cf.FileMeasure(cf.k_anonymity, ["sex", "race"])]) for m in made]
    mixed, kept = ([s.links[0] for s in a.scenarios] for a in found)
    for a, b in zip(mixed, kept, strict=True):
        assert a.own == pytest.approx(b.own, rel=1e-9)
        assert a.null == pytest.approx(b.null, rel=1e-9)
    values = [[m.value for s in a.scenarios for m in s.measured] for a in found]
    assert values[0] == values[1]


def test_drafts_names_and_editions_share_no_noise() -> None:
    """Two releases with the same noise differ by what an attacker wants to know."""
    secret, source = cf.Secret.fresh(), people()
    true = np.array(source.column("income").values(), dtype=float)

    def noise(release: cf.Release, edition: int = 1) -> np.ndarray:
        made = release.apply(source, secret=secret, keep_order=True, edition=edition)
        return made.data.column("income").numbers - true

    one = cf.Noise("income", sd=1000.0)
    drafts = [
        noise(cf.Release(one)),
        noise(cf.Release(one, name="second")),
        noise(cf.Release(one), edition=2),
        noise(cf.Release(one, cf.Swap("race", rate=0.1))),
        noise(cf.Release(cf.Noise("income", sd=1000.0001))),
    ]
    for i, a in enumerate(drafts):
        for b in drafts[:i]:
            assert abs(np.corrcoef(a, b)[0, 1]) < 0.25


def test_a_seed_marks_what_is_made_with_it() -> None:
    made = RELEASE.apply(people(), seed=7)
    assessed = cf.assess(made, cf.Intruder(knows=["sex", "race"]))
    assert "reproducible: not for publication" in repr(assessed).lower()
    assert "not for publication" in assessed.to_json()
    assert "not for publication" not in repr(cf.assess(RELEASE.apply(people()), cf.Intruder(knows=["sex", "race"])))


def test_mistakes_are_told() -> None:
    with pytest.raises(cf.ReleaseError, match="not both"):
        RELEASE.apply(people(), secret=cf.Secret.fresh(), seed=1)
    with pytest.raises(cf.ReleaseError, match="takes a Secret"):
        RELEASE.apply(people(), secret="abc")  # type: ignore[arg-type]
    with pytest.raises(cf.ReleaseError, match="edition counts from 1"):
        RELEASE.apply(people(), edition=0)
