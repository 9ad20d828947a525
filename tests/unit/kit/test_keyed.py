"""Keyed random numbers: published vectors, addressing, and what they look like."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from confide.kit.keyed import KeyedDraws, enciphered, key_stream


def test_the_vector_of_fips_197() -> None:
    key, plain = bytes(range(32)), bytes.fromhex("00112233445566778899aabbccddeeff")
    assert enciphered(key, plain).hex() == "8ea2b7ca516745bfeafc49904b496089"


def test_the_counter_mode_vectors_of_sp_800_38a() -> None:
    """F.5.5: the key stream is the cipher text without the plain text."""
    key = bytes.fromhex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4")
    plain = bytes.fromhex(
        "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"
        "30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710"
    )
    cipher = (
        "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5"
        "2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6"
    )
    stream = key_stream(key, bytes.fromhex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff"), 8).astype("<u8").tobytes()
    assert bytes(a ^ b for a, b in zip(stream, plain, strict=True)).hex() == cipher


KEYS = [np.arange(1000), np.arange(7, 400), np.arange(0, 10**7, 9973), np.array([5]), np.array([10**12, 3])]


@pytest.mark.parametrize("keys", KEYS, ids=["run", "later run", "far apart", "one", "two"])
def test_a_number_hangs_on_its_key_and_nothing_else(keys: np.ndarray) -> None:
    draws = KeyedDraws(bytes(range(32)))
    together = draws.words(keys, 2)
    order = np.random.default_rng(0).permutation(keys.size)
    assert np.array_equal(draws.words(keys[order], 2), together[order])
    for i in (0, keys.size // 2, keys.size - 1):
        block = enciphered(bytes(range(32)), (2).to_bytes(8, "big") + int(keys[i] // 2).to_bytes(8, "big"))
        half = block[8:] if keys[i] % 2 else block[:8]
        assert int(together[i]) == int.from_bytes(half, "little")


def test_streams_of_many_chunks_go_on() -> None:
    draws = KeyedDraws(bytes(32))
    many = draws.words(np.arange(600_001))
    assert np.array_equal(many[300_000:300_010], draws.words(np.arange(300_000, 300_010)))
    assert np.unique(many).size == many.size


def test_they_look_random() -> None:
    draws, keys = KeyedDraws(bytes(32)), np.arange(200_000)
    assert stats.kstest(draws.uniform(keys), "uniform").pvalue > 1e-3
    assert stats.kstest(draws.normal(keys, 1), "norm").pvalue > 1e-3
    assert abs(np.corrcoef(draws.uniform(keys)[1:], draws.uniform(keys)[:-1])[0, 1]) < 0.01
    assert sorted(draws.order(keys[:100]).tolist()) == list(range(100))


def test_no_keys_and_keys_below_zero() -> None:
    assert KeyedDraws(bytes(32)).words(np.zeros(0, dtype=np.int64)).size == 0
    with pytest.raises(ValueError, match="0 or more"):
        KeyedDraws(bytes(32)).words(np.array([-1]))
