"""A file that grows by lines, whoever writes and however that ends."""

import errno
import multiprocessing
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from confide.kit import journal
from confide.kit.journal import append_line, drop_lines, make_lines, read_lines


def test_lines_are_kept_for_their_owner_only(tmp_path):
    file = tmp_path / "kept"
    assert read_lines(file) == []
    make_lines(file)
    append_line(file, b"one")
    file.chmod(0o644)
    make_lines(file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert read_lines(file) == [b"one"]


def test_a_line_after_one_that_was_cut_off_stays_whole(tmp_path):
    file = tmp_path / "kept"
    file.write_bytes(b"one\ntw")
    append_line(file, b"three")
    assert file.read_bytes() == b"one\ntw\nthree\n"


def test_a_disk_that_takes_half_a_line_gives_it_back(tmp_path, monkeypatch):
    file = tmp_path / "kept"
    append_line(file, b"one")
    write = os.write
    answers = iter([3, None])

    def short(handle, data):
        most = next(answers)
        if most is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(handle, data[:most])

    monkeypatch.setattr(journal.os, "write", short)
    with pytest.raises(OSError, match="No space left"):
        append_line(file, b"a long line")
    monkeypatch.undo()
    assert file.read_bytes() == b"one\n"


def test_a_write_in_parts_is_one_line(tmp_path, monkeypatch):
    write = os.write
    monkeypatch.setattr(journal.os, "write", lambda handle, data: write(handle, data[:2]))
    append_line(tmp_path / "kept", b"a long line")
    assert read_lines(tmp_path / "kept") == [b"a long line"]


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system follows links")
def test_nothing_is_added_behind_a_link(tmp_path):
    (tmp_path / "mine").write_text("mine\n")
    (tmp_path / "kept").symlink_to("mine")
    with pytest.raises(OSError):
        append_line(tmp_path / "kept", b"one")
    assert (tmp_path / "mine").read_text() == "mine\n"


def test_lines_that_are_too_long_are_not_loaded_and_nothing_of_theirs_is_lost(tmp_path, monkeypatch):
    monkeypatch.setattr(journal, "LONGEST", 10)
    file = tmp_path / "kept"
    file.write_bytes(b"one\n" + b"x" * 1000 + b"\ntwo\n")
    first, long, last = read_lines(file)
    assert (first, len(long), last) == (b"one", 12, b"two")
    drop_lines(file, lambda line: line == b"two")
    assert file.stat().st_size == 4 + 1001 + 4


def _appending(arguments):
    file, who = arguments
    for i in range(100):
        append_line(Path(file), f"{who} {i} ".encode() + str(who).encode() * 3000)
        if i == 50:
            drop_lines(Path(file), lambda line: line == b"gone")


@pytest.mark.skipif(journal.fcntl is None, reason="the system has no locks")
def test_processes_that_write_at_the_same_time_lose_nothing(tmp_path):
    file = tmp_path / "kept"
    append_line(file, b"gone")
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        pool.map(_appending, [(str(file), who) for who in range(4)], chunksize=1)
    expected = {f"{who} {i} ".encode() + str(who).encode() * 3000 for who in range(4) for i in range(100)}
    lines = read_lines(file)
    assert len(lines) == 400
    assert set(lines) == expected


BOUND = """
import resource, sys
from pathlib import Path
from confide.kit.journal import append_line
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    for i in range(100):
        append_line(Path(sys.argv[1]), b"x" * 99)
except OSError as error:
    print(i, error.strerror)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file size are those of Unix")
def test_a_limit_of_size_ends_after_a_whole_line(tmp_path):
    file = tmp_path / "kept"
    file.write_bytes(b"y" * 49 + b"\n")
    done = subprocess.run([sys.executable, "-c", BOUND, str(file)], capture_output=True, text=True, check=True)
    assert done.stdout == "9 File too large\n"
    assert file.stat().st_size == 950
