"""The secret: where it is kept, and that it is told nowhere."""

from __future__ import annotations

import os
import pickle
from pathlib import Path

import numpy as np
import pytest

import confide as cf


def test_a_secret_is_kept_for_its_owner_only_and_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "plan.secret"
    secret = cf.Secret.kept(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert cf.Secret.kept(path).key == secret.key == cf.Secret.read(path).key
    with pytest.raises(FileExistsError):
        cf.Secret.fresh().write(path)
    assert cf.Secret.read(path).key == secret.key


def test_what_is_no_secret_is_refused_and_left_alone(tmp_path: Path) -> None:
    data = tmp_path / "people.csv"
    data.write_text("sex\nm\n")
    data.chmod(0o600)
    with pytest.raises(cf.ReleaseError, match="holds no secret"):
        cf.Secret.kept(data)
    assert data.read_text() == "sex\nm\n"
    with pytest.raises(cf.ReleaseError, match="there is no secret"):
        cf.Secret.read(tmp_path / "nowhere")
    with pytest.raises(cf.ReleaseError, match="cannot be written"):
        cf.Secret.kept(tmp_path / "no" / "folder")
    with pytest.raises(cf.ReleaseError, match="32 bytes"):
        cf.Secret(b"short")


@pytest.mark.skipif(os.name != "posix", reason="rights differ elsewhere")
def test_a_secret_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s"
    cf.Secret.kept(path)
    path.chmod(0o640)
    with pytest.raises(cf.ReleaseError, match="chmod 600"):
        cf.Secret.read(path)


def test_a_secret_is_not_printed_nor_pickled() -> None:
    secret = cf.Secret.fresh()
    shown = f"{secret!r} {secret} {secret.draws('x')!r} {cf.RecordKeys(secret)!r}"
    assert secret.key.hex() not in shown
    assert repr(secret.key) not in shown
    assert secret.fingerprint in shown
    with pytest.raises(TypeError, match="not pickled"):
        pickle.dumps(secret)


def test_each_purpose_has_numbers_of_its_own() -> None:
    secret, keys = cf.Secret.fresh(), np.arange(50)
    words = [secret.draws(*p).words(keys).tolist() for p in (("a", "bc"), ("ab", "c"), ("abc",), ("a", "bc", ""))]
    assert len({tuple(w) for w in words}) == 4
    assert words[0] == cf.Secret(secret.key).draws("a", "bc").words(keys).tolist()
    assert secret.seed("map") != secret.seed("calibrate")


def test_cell_keys_hang_on_a_secret() -> None:
    data = cf.Microdata.from_dict({"a": ["x", "y"] * 20})
    keys = cf.RecordKeys()
    assert np.array_equal(keys.of(data), keys.of(data))
    assert not np.array_equal(keys.of(data), cf.RecordKeys().of(data))
    with pytest.raises(cf.TableError, match="not both"):
        cf.RecordKeys(cf.Secret.fresh(), seed=1)
