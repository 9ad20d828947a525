"""What was read is never replaced, by whatever name; what is no plain file is not waited for."""

import os
import signal
import socket

import pytest

import confide as cf
from confide.errors import DataError, PlanError
from confide.kit import identity as identity_module
from confide.kit.files import write_text_whole
from confide.kit.identity import same_file
from confide.kit.ledger import forget, plain, reading, refusal
from confide.plan.load import load_plan
from confide.release.methods.recode import read_hierarchy
from confide.rumap.general.folder_store import FolderStore
from unit.tables.firms import firms


@pytest.fixture(autouse=True)
def new_run():
    forget()
    yield
    forget()


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text("sex,age\nf,43\nm,51\n")
    cf.read(path)
    return path


def others(source):
    """Other names for a file."""
    folder = source.parent
    (folder / "soft.csv").symlink_to(source)
    (folder / "chain.csv").symlink_to("soft.csv")
    os.link(source, folder / "hard.csv")
    (folder / "there").symlink_to(folder)
    upper, around = folder / "PEOPLE.CSV", folder / "there" / ".." / folder.name / "people.csv"
    return [
        source,
        folder / "soft.csv",
        folder / "chain.csv",
        folder / "hard.csv",
        upper,
        around,
        folder / "there/people.csv",
    ]


def test_a_file_that_was_read_is_not_replaced_under_any_name(source, monkeypatch):
    before = source.read_bytes()
    monkeypatch.chdir(source.parent)
    for path in [*others(source), "people.csv", "./People.csv"]:
        assert same_file(path, source)
        with pytest.raises(DataError, match=r"'people\.csv', which was read; choose another name"):
            write_text_whole(path if hasattr(path, "parent") else source.parent / path, "x")
    assert source.read_bytes() == before
    assert refusal(source.parent / "new.csv") is None


def test_every_writer_asks(source):
    data = cf.Microdata.from_dict({"sex": ["f", "m"], "x": [3, 4]})
    table = cf.tabulate(data, ["sex"], "x")
    (source.parent / "page.html").symlink_to(source)
    before = source.read_bytes()
    with pytest.raises(DataError, match="which was read"):
        cf.write(data, source, overwrite=True)
    protected = cf.protect_table(table, cf.MinimumFrequency(1))
    with pytest.raises(DataError, match="which was read"):
        protected.write(source, overwrite=True)
    assert source.read_bytes() == before


def test_accents_are_the_same_however_they_are_written(tmp_path):
    assert same_file(tmp_path / "e\u0301.csv", tmp_path / "\u00e9.csv")


def test_a_source_that_was_moved_is_known_by_its_place_on_the_disk(source):
    moved = source.rename(source.parent / "moved.csv")
    assert "is the same file as 'people.csv', which was read" in refusal(moved)
    assert refusal(source) is None, "nothing is there to be replaced"


def test_a_source_that_is_gone_does_not_bar_its_name(source):
    source.unlink()
    write_text_whole(source, "new")
    write_text_whole(source, "again")
    assert source.read_text() == "again"


def test_a_new_file_may_have_the_place_of_one_that_is_gone(source, monkeypatch):
    place = identity_module.identity(source).inode
    source.unlink()
    real = identity_module.looked_up

    def reused(path):
        found = real(path)
        return (
            os.stat_result((*found[:1], place[1], place[0], *found[3:]))
            if str(path).endswith("new.csv") and found
            else found
        )

    monkeypatch.setattr(identity_module, "looked_up", reused)
    write_text_whole(source.parent / "new.csv", "one")
    write_text_whole(source.parent / "new.csv", "two")
    assert (source.parent / "new.csv").read_text() == "two"


def test_a_new_run_may_write_what_the_last_one_read(source):
    forget()
    assert refusal(source) is None
    assert "would replace 'people.csv', which the plan reads" in refusal(source, [source])


def stopped(*_):
    raise AssertionError("it waits")


READERS = {
    "data": (cf.read, ".csv"),
    "gzip": (cf.read, ".csv.gz"),
    "parquet": (cf.read, ".parquet"),
    "arrow": (cf.read, ".arrow"),
    "spss": (cf.read, ".sav"),
    "plan": (load_plan, ".toml"),
    "secret": (cf.Secret.read, ".secret"),
    "hierarchy of codes": (cf.read_hierarchy, ".hrc"),
    "levels": (lambda p: read_hierarchy(p, 1), ".csv"),
    "cells": (lambda p: cf.table_of_aggregates(p, ["a"], "v"), ".csv"),
    "pattern": (lambda p: cf.read_pattern(p, cf.tabulate(firms(20), ["area"], "turnover")), ".csv"),
    "statuses": (lambda p: cf.APriori.read(p, cf.tabulate(firms(20), ["area"], "turnover")), ".hst"),
    "costs": (lambda p: cf.APriori.read(p, cf.tabulate(firms(20), ["area"], "turnover")), ".csv"),
}


def read_codes(path):
    from confide.tables.hrc import read_codelist

    return read_codelist(path)


READERS["list of codes"] = (read_codes, ".cdl")


@pytest.mark.parametrize("kind", ["pipe", "folder", "socket"])
@pytest.mark.parametrize("name", READERS)
def test_no_reader_waits_for_what_is_no_file(tmp_path, monkeypatch, name, kind):
    read, ending = READERS[name]
    path = tmp_path / f"x{ending}"
    bound = socket.socket(socket.AF_UNIX)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        monkeypatch.chdir(tmp_path)
        bound.bind(path.name)
    old = signal.signal(signal.SIGALRM, stopped)
    signal.setitimer(signal.ITIMER_REAL, 1)
    try:
        with pytest.raises(cf.UserMistake, match=f"is a {kind}; give the path of one file"):
            read(path)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
        bound.close()


def test_a_store_of_evaluations_waits_for_no_pipe(tmp_path):
    os.mkfifo(tmp_path / "evaluations.jsonl")
    with pytest.raises(DataError, match="is a pipe"):
        FolderStore(tmp_path)


def test_a_store_adds_nothing_to_a_file_that_was_read(source):
    folder = source.parent / "kept"
    folder.mkdir()
    os.link(source, folder / "evaluations.jsonl")
    before = source.read_bytes()
    with pytest.raises(DataError, match="is the same file as 'people.csv'"):
        FolderStore(folder)
    assert source.read_bytes() == before


def test_several_readers_are_told_in_the_words_of_their_room(tmp_path):
    with pytest.raises(PlanError) as error:
        plain(tmp_path, PlanError)
    assert len(error.value.faults) == 1
    assert reading(tmp_path / "none.csv", DataError) == tmp_path / "none.csv"
