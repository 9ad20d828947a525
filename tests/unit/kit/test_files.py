"""Files appear whole or not at all, whatever ends the process that writes them."""

import errno
import os
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from confide.errors import DataError
from confide.kit import pieces
from confide.kit.files import free_path, write_text_whole, written_whole
from confide.kit.ledger import forget

DEAD = 2**22 + 1
"""No process has this number: the system gives none above 2**22."""


@pytest.fixture(autouse=True)
def new_run():
    forget()
    yield
    forget()


@pytest.fixture
def named(monkeypatch):
    """A system that has no files without names."""
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)


def listed(folder):
    return sorted(p.name for p in folder.iterdir())


def left(folder, process=DEAD, host=None):
    path = folder / f".confide-{host or pieces._host()}-{process}-{'0' * 16}"
    path.write_text("half a masked fi")
    return path


def how(name, monkeypatch):
    if name == "named":
        monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    if name == "no links":
        monkeypatch.setattr(os, "link", lambda *_, **__: (_ for _ in ()).throw(OSError(errno.EPERM, "not permitted")))


@pytest.mark.parametrize("system", ["unnamed", "named", "no links"])
def test_a_file_is_new_replaced_or_refused_and_no_piece_stays(tmp_path, monkeypatch, system):
    how(system, monkeypatch)
    target = tmp_path / "a.txt"
    write_text_whole(target, "one", overwrite=False)
    assert (target.read_text(), stat.S_IMODE(target.stat().st_mode)) == ("one", 0o600)
    with pytest.raises(DataError, match="is there already"):
        write_text_whole(target, "two", overwrite=False)
    assert target.read_text() == "one"
    write_text_whole(target, "three")
    assert target.read_text() == "three"
    assert listed(tmp_path) == ["a.txt"]


@pytest.mark.parametrize("system", ["unnamed", "named", "no links"])
def test_a_file_for_everybody_follows_the_settings_of_the_system(tmp_path, monkeypatch, system):
    how(system, monkeypatch)
    old = os.umask(0o027)
    try:
        write_text_whole(tmp_path / "public.txt", "x", private=False)
        write_text_whole(tmp_path / "public.txt", "y", private=False)
        write_text_whole(tmp_path / "own.txt", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "public.txt").stat().st_mode) == 0o640
    assert stat.S_IMODE((tmp_path / "own.txt").stat().st_mode) == 0o600


@pytest.mark.parametrize("system", ["unnamed", "named", "no links"])
@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt])
def test_a_failure_while_writing_keeps_the_old_file_and_leaves_nothing(tmp_path, monkeypatch, system, failure):
    how(system, monkeypatch)
    (tmp_path / "a.txt").write_text("old")

    def fail():
        with written_whole(tmp_path / "a.txt") as file:
            file.write(b"half")
            raise failure

    with pytest.raises(failure):
        fail()
    assert listed(tmp_path) == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


KILLED = """
import os, sys, time
from pathlib import Path
from confide.kit.files import written_whole
if sys.argv[2] == "named" and hasattr(os, "O_TMPFILE"):
    del os.O_TMPFILE
with written_whole(Path(sys.argv[1])) as file:
    file.write(b"a respondent's values" * 100_000)
    file.flush()
    print("half", flush=True)
    time.sleep(60)
"""


def killed(target, system):
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(target), system], stdout=subprocess.PIPE)
    assert process.stdout.readline().strip() == b"half"
    yield process
    process.send_signal(signal.SIGKILL)
    process.communicate()


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="this system has no files without names")
def test_a_process_that_is_killed_while_it_writes_leaves_nothing(tmp_path):
    for _ in killed(tmp_path / "masked.csv", "unnamed"):
        assert listed(tmp_path) == []
    assert listed(tmp_path) == []


def test_without_unnamed_files_the_next_run_removes_what_a_killed_process_left(tmp_path):
    for process in killed(tmp_path / "masked.csv", "named"):
        (piece,) = listed(tmp_path)
        assert piece.startswith(".confide-")
        assert f"-{process.pid}-" in piece
        assert stat.S_IMODE((tmp_path / piece).stat().st_mode) == 0o600
        write_text_whole(tmp_path / "other.txt", "while the process lives its piece stays")
        assert piece in listed(tmp_path)
    forget()
    write_text_whole(tmp_path / "other.txt", "the next run")
    assert listed(tmp_path) == ["other.txt"]


def test_pieces_of_living_processes_and_other_machines_stay(tmp_path):
    dead, mine = left(tmp_path), left(tmp_path, os.getpid())
    others = [left(tmp_path, os.getppid()), left(tmp_path, DEAD, "elsewhere"), tmp_path / ".confide-notes"]
    others[2].write_text("not a piece")
    write_text_whole(tmp_path / "a.txt", "x")
    assert not dead.exists()
    assert not mine.exists(), "the number of this process was that of one that died, as happens in containers"
    assert all(p.exists() for p in others)


def test_a_piece_that_is_held_stays_though_its_process_cannot_be_seen(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    held = left(tmp_path)
    with held.open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        write_text_whole(tmp_path / "a.txt", "x")
        assert held.exists()
    forget()
    write_text_whole(tmp_path / "a.txt", "y")
    assert not held.exists()


def test_no_piece_of_a_thread_is_removed_by_another(tmp_path, named):
    with written_whole(tmp_path / "slow.txt") as slow:
        slow.write(b"whole")
        forget()
        write_text_whole(tmp_path / "quick.txt", "x")
    assert listed(tmp_path) == ["quick.txt", "slow.txt"]


@pytest.mark.parametrize("system", ["unnamed", "named"])
def test_writers_at_the_same_time_do_not_clash(tmp_path, monkeypatch, system):
    how(system, monkeypatch)
    texts = [f"{i}" * 50_000 for i in range(8)]
    faults = []

    def write(text):
        try:
            for _ in range(20):
                write_text_whole(tmp_path / "a.txt", text)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=write, args=(t,)) for t in texts]
    for t in threads:
        t.start()
    while any(t.is_alive() for t in threads):
        if (tmp_path / "a.txt").exists():
            assert (tmp_path / "a.txt").read_text() in texts
        time.sleep(0.001)
    assert faults == []
    assert listed(tmp_path) == ["a.txt"]


def test_only_one_of_several_writers_makes_a_file_that_must_be_new(tmp_path):
    done = []

    def write(i):
        try:
            write_text_whole(tmp_path / "a.txt", f"{i}", overwrite=False)
            done.append(i)
        except DataError:
            pass

    threads = [threading.Thread(target=write, args=(i,)) for i in range(16)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(done) == 1
    assert (tmp_path / "a.txt").read_text() == str(done[0])


FULL = """
import resource, sys
import numpy as np
import confide as cf
data = cf.Microdata.from_dict({"a": np.random.default_rng(0).random(20_000).tolist()})
resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, 10_000))
for name in sys.argv[1:]:
    try:
        cf.write(data, name, overwrite=True)
    except cf.DataError as error:
        print(error)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of file size are those of Unix")
def test_a_disk_that_takes_no_more_is_told_and_keeps_the_old_file(tmp_path):
    names = [str(tmp_path / f"{stem}.{kind}") for kind in ("csv", "parquet", "arrow") for stem in ("new", "old")]
    for name in names[1::2]:
        Path(name).write_text("old")
    done = subprocess.run([sys.executable, "-c", FULL, *names], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 6
    assert all("File too large; the disk or your account allows no file of this size" in line for line in lines)
    assert listed(tmp_path) == ["old.arrow", "old.csv", "old.parquet"]
    assert {Path(name).read_text() for name in names[1::2]} == {"old"}


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.ENOSPC, "No space left on device; free some space"),
        (errno.EACCES, "Permission denied; check the permissions"),
        (errno.EROFS, "write elsewhere"),
    ],
)
def test_errors_of_the_system_say_what_to_do(tmp_path, number, words):
    with pytest.raises(DataError, match=words), written_whole(tmp_path / "a.txt"):
        raise OSError(number, os.strerror(number))


def test_what_is_no_plain_file_is_never_replaced(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    for path, kind in ((tmp_path, "a folder"), (tmp_path / "pipe.csv", "a pipe"), (Path(os.devnull), "a device")):
        with pytest.raises(DataError, match=f"is {kind}; give the path of a file"):
            free_path(path, overwrite=True)
        with pytest.raises(DataError, match=kind), written_whole(path):
            pass
    assert stat.S_ISCHR(Path(os.devnull).stat().st_mode)


def test_a_link_is_replaced_and_not_what_it_leads_to(tmp_path):
    (tmp_path / "kept.txt").write_text("kept")
    (tmp_path / "link.txt").symlink_to("kept.txt")
    write_text_whole(tmp_path / "link.txt", "new")
    assert ((tmp_path / "kept.txt").read_text(), (tmp_path / "link.txt").read_text()) == ("kept", "new")
