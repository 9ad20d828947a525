"""Someone who knows the methods, and guesses what the randomness hangs on, to take the masking away."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

import confide as cf
from confide.seeds import _MIX1, Stream, _mix

N = 60
INCOME = np.round(np.random.default_rng(5).lognormal(10, 1, N))
RACE = np.random.default_rng(6).choice(["w", "b", "n"], N, p=[0.6, 0.3, 0.1])


def source() -> cf.Microdata:
    data = cf.Microdata.from_dict({"income": INCOME.tolist(), "race": RACE.tolist()})
    return data.declare(kinds={"income": "continuous"})


def noise_of(seeds: np.ndarray, step: str, keys: np.ndarray) -> np.ndarray:
    """Work out the noise of many seeds at once, seeds by records."""
    from scipy.special import ndtri

    digests = [hashlib.blake2b(f"{s}\x1f{step}".encode(), digest_size=8).digest() for s in seeds.tolist()]
    start = np.frombuffer(b"".join(digests), dtype="<u8")
    out = np.empty((seeds.size, keys.size))
    with np.errstate(over="ignore"):
        state = _mix(start + np.uint64(0) * _MIX1)
        for j, key in enumerate(keys.astype(np.uint64)):
            words = _mix(_mix(key ^ state) + state)
            out[:, j] = ndtri(((words >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53)
    return out


def guessed(released: np.ndarray, sd: np.ndarray, guesses: int) -> np.ndarray:
    """Try seeds until noise taken away leaves whole numbers, in a few records."""
    found = []
    keys = np.arange(6)
    for first in range(0, guesses, 100_000):
        seeds = np.arange(first, min(first + 100_000, guesses))
        left = released[:6] - sd[:6] * noise_of(seeds, "0 Noise income", keys)
        found.append(seeds[np.all(np.abs(left - np.round(left)) < 1e-6, axis=1)])
    return np.concatenate(found)


def test_the_attack_works_on_a_seed() -> None:
    seed = 31_337
    stream = Stream(seed, "0 Noise income")
    assert np.allclose(noise_of(np.array([seed]), "0 Noise income", np.arange(5))[0], stream.normal(np.arange(5)))
    made = cf.Release(cf.Noise("income", sd=2000.0, grid="none")).apply(source(), seed=seed)
    assert guessed(made.data.column("income").numbers, np.full(N, 2000.0), 50_000).tolist() == [seed]


def test_a_million_guesses_find_no_secret() -> None:
    made = cf.Release(cf.Noise("income", sd=2000.0, grid="none")).apply(source(), keep_order=True)
    assert guessed(made.data.column("income").numbers, np.full(N, 2000.0), 1_000_000).size == 0


METHODS = [
    cf.Noise("income", sd=2000.0),
    cf.Noise("income", sd=0.2, relative_to="all"),
    cf.Noise("income", sd=2000.0, grid=25),
    cf.Noise("income", sd=2000.0, grid="none"),
    cf.MultiplicativeNoise("income", sd=0.2),
    cf.Swap("race", rate=0.5),
]


@pytest.mark.parametrize("method", METHODS, ids=lambda m: m.describe())
def test_nobody_makes_the_released_file_again_without_the_secret(method: object) -> None:
    """The attacker even holds the source file, and masks it again: with seeds, and with secrets easily thought of."""
    release = cf.Release(method)
    made = release.apply(source(), keep_order=True).data.to_frame()
    by_seed = release.apply(source(), seed=77).data.to_frame()
    assert release.apply(source(), seed=77).data.to_frame().equals(by_seed)
    for guess in range(300):
        assert not release.apply(source(), seed=guess).data.to_frame().equals(made)
        thought_of = cf.Secret(guess.to_bytes(32, "big"))
        assert not release.apply(source(), secret=thought_of, keep_order=True).data.to_frame().equals(made)


def test_cell_keys_are_not_guessed() -> None:
    data = cf.Microdata.from_dict({"race": RACE.tolist()})
    keys = cf.RecordKeys(cf.Secret.fresh()).of(data)
    assert not any(np.array_equal(cf.RecordKeys(seed=g).of(data), keys) for g in range(2000))
    assert not any(np.array_equal(cf.RecordKeys(cf.Secret(g.to_bytes(32, "big"))).of(data), keys) for g in range(2000))


def test_the_fingerprint_and_the_files_hold_nothing_of_the_secret() -> None:
    secret = cf.Secret.fresh()
    made = cf.Release(*METHODS[:1]).apply(source(), secret=secret)
    text = cf.assess(made, cf.Intruder(knows=["race"])).to_json() + repr(made) + made.data.to_frame().write_csv()
    assert secret.fingerprint in text
    for part in (secret.key.hex(), secret.key.hex()[:16], str(int.from_bytes(secret.key, "big")), repr(secret.key)):
        assert part not in text
