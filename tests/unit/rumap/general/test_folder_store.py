"""A folder of evaluations believes only what was written there."""

from __future__ import annotations

import errno
import json
import math
import os
import stat

import numpy as np
import pytest

import confide as cf
from confide.cli.main import main
from confide.kit import journal
from confide.rumap.general.line import Evaluation, line_of, read_line
from unit.cli.test_cli_map import PLAN
from unit.rumap.general.people import mapped, people


def kept(tmp_path, **figures):
    store = cf.FolderStore(tmp_path / "kept")
    for key, value in figures.items():
        store.put(key, {"value": value})
    return tmp_path / "kept" / "evaluations.jsonl"


def test_a_folder_and_its_file_are_for_their_owner_only(tmp_path):
    file = kept(tmp_path, a=1.0)
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


VALUES = [0.1, 1 / 3, 5e-324, -0.0, 1e308, math.inf, 7, None, np.float64(0.1), np.int64(3), np.float32(0.1)]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_figures_come_back_to_the_last_digit(tmp_path, value):
    kept(tmp_path, a=value)
    again = cf.FolderStore(tmp_path / "kept")
    assert (again.damaged, again.told) == (0, "")
    assert repr(again.get("a")["value"]) == repr(value.item() if isinstance(value, np.generic) else value)


def test_any_changed_byte_of_a_line_was_believed():
    line = line_of(Evaluation("k" * 64, {"value": 0.125}))
    for place in range(len(line)):
        for new in {line[place] ^ 1, line[place] ^ 4, ord("0"), ord(" ")} - {line[place]}:
            assert read_line(line[:place] + bytes([new]) + line[place + 1 :]) is None
        assert read_line(line[:place]) is None


def test_figures_of_one_evaluation_cannot_be_put_under_another():
    one, other = (line_of(Evaluation(k * 64, {"value": v})) for k, v in (("a", 0.1), ("b", 0.9)))
    cut = one.index(b'"figures"')
    assert read_line(one[:cut] + other[cut:]) is None
    assert read_line(other[:cut] + one[cut:]) is None


ODD = {
    "empty": b"{}",
    "text": b'"text"',
    "number": b"0.5",
    "list": b"[1, 2]",
    "older": b'{"key": "a", "figures": {"value": 0.5}}',
    "deep": b"[" * 100_000,
    "binary": bytes(range(1, 10)) + bytes(range(11, 256)),
    "long": b"x" * (journal.LONGEST + 10),
    "many digits": b'{"key": "a", "figures": {"value": ' + b"9" * 10_000 + b"}}",
}


@pytest.mark.parametrize("name", ODD)
def test_a_line_that_is_none_was_an_internal_error(tmp_path, name):
    file = kept(tmp_path, b=0.25)
    file.write_bytes(ODD[name] + b"\n" + file.read_bytes())
    store = cf.FolderStore(tmp_path / "kept")
    assert (store.get("a"), store.get("b"), store.damaged) == (None, {"value": 0.25}, 1)
    assert f"1 line of {str(file)!r} cannot be believed" in store.told
    assert ODD[name] in file.read_bytes(), "it may be somebody else's"


FORGED = ['{"key": "a", "figures": {}}', '{"key": "a", "figures": {"value": "0.5"}}', '{"key": "a", "figures": [0.5]}',
          '{"key": 1, "figures": {"value": 0.5}}', '{"key": "a", "figures": {"value": true}}', '"text"', "{}",
          '{"key": "a", "figures": {"value": [0.5]}}', '{"key":"a", "figures": {"value": 0.5}}']  # fmt: skip


@pytest.mark.parametrize("body", FORGED)
def test_what_is_no_evaluation_is_not_read_even_with_a_right_checksum(body):
    from confide.rumap.general.line import START, _check

    assert read_line(START + _check(body.encode()) + b'", ' + body.encode()[1:]) is None


def test_a_damaged_line_is_told_dropped_and_evaluated_again(tmp_path):
    first = mapped(store=cf.FolderStore(tmp_path / "kept"))
    file = tmp_path / "kept" / "evaluations.jsonl"
    whole = file.read_bytes()
    lines = whole.splitlines()
    digit = lines[3].rindex(b"}}") - 1
    lines[3] = lines[3][:digit] + (b"1" if lines[3][digit:][:1] != b"1" else b"2") + b"}}"
    file.write_bytes(b"\n".join(lines) + b"\n")
    store = cf.FolderStore(tmp_path / "kept")
    assert store.damaged == 1
    assert "cannot be believed; what it held is evaluated again" in store.told
    assert file.read_bytes().count(b"\n") == len(lines) - 1
    again = mapped(store=store)
    assert store.masked == 1
    assert [(p.risk, p.utility) for p in again.points()] == [(p.risk, p.utility) for p in first.points()]
    assert sorted(file.read_bytes().splitlines()) == sorted(whole.splitlines())
    assert cf.FolderStore(tmp_path / "kept").told == ""


def test_two_answers_to_one_question_are_none(tmp_path):
    file = kept(tmp_path, a=0.5, b=0.25)
    line = line_of(Evaluation("a", {"value": 0.1}))
    for times in (1, 2):
        file.write_bytes(file.read_bytes() + (line + b"\n") * times + line_of(Evaluation("a", {"value": 0.5})) + b"\n")
        store = cf.FolderStore(tmp_path / "kept")
        assert (store.get("a"), store.get("b"), store.damaged) == (None, {"value": 0.25}, 2)
        store.put("a", {"value": 0.5})


def test_what_two_processes_found_at_the_same_time_is_no_damage(tmp_path):
    one, other = (cf.FolderStore(tmp_path / "kept") for _ in range(2))
    for store in (one, other, one):
        store.put("a", {"value": math.nan})
        store.put("b", {"value": 0.5})
    again = cf.FolderStore(tmp_path / "kept")
    assert (len(again), again.damaged) == (2, 0)


def test_a_figure_that_is_no_number_is_refused(tmp_path):
    with pytest.raises(cf.DataError, match="a store keeps numbers and None; 'value' is a str"):
        kept(tmp_path, a="0.5")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    cf.write(people(80), tmp_path / "people.csv")
    (tmp_path / "plan.toml").write_text(PLAN)
    return tmp_path


def test_a_map_from_a_damaged_store_is_the_same_byte_by_byte(folder, capsys):
    assert main(["map", "plan.toml", "--quiet"]) == 0
    assert "cannot be believed" not in capsys.readouterr().err
    made = {name: (folder / name).read_bytes() for name in ("map.csv", "map.svg", "map.html")}
    file = folder / "kept" / "evaluations.jsonl"
    lines = file.read_bytes().splitlines()
    entry = json.loads(lines[0])
    entry["figures"]["value"] = 0.0
    for name in made:
        (folder / name).unlink()
    file.write_bytes(b"\n".join([json.dumps(entry).encode(), b"{}", b'"text"', *lines[1:-1], lines[-1][:-4]]))
    assert main(["map", "plan.toml", "--quiet"]) == 0
    said = capsys.readouterr().err
    assert "confide: 4 lines of 'kept/evaluations.jsonl' cannot be believed; what they held is evaluated again" in said
    assert {name: (folder / name).read_bytes() for name in made} == made


def test_a_full_disk_was_called_a_bug(folder, capsys, monkeypatch):
    assert main(["map", "plan.toml", "--quiet"]) == 0
    made = {name: (folder / name).read_bytes() for name in ("map.csv", "map.svg", "map.html")}
    for path in (*map(folder.joinpath, made), folder / "kept" / "evaluations.jsonl"):
        path.unlink()
    capsys.readouterr()
    write, left = os.write, [3]

    def full(handle, data):
        if data[:1] in (b"{", b"\n"):
            left[0] -= 1
            if left[0] < 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data)

    with monkeypatch.context() as patched:
        patched.setattr(journal.os, "write", full)
        assert main(["map", "plan.toml", "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "cannot write 'kept/evaluations.jsonl': No space left on device; free some space, or write elsewhere" in said
    assert len(cf.FolderStore(folder / "kept")) == 3
    assert main(["map", "plan.toml", "--quiet"]) == 0
    assert {name: (folder / name).read_bytes() for name in made} == made


def test_a_folder_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    (tmp_path / "kept").mkdir()

    def refused(*_, **__):
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(journal, "_opened", refused)
    with pytest.raises(cf.DataError, match="cannot be used for evaluations: Read-only file system"):
        cf.FolderStore(tmp_path / "kept")
