"""What is left of the memory: of the machine, of containers, of the process's own limits."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from confide.errors import DataError, IntruderError
from confide.kit import memory
from confide.kit.containers import left_in_containers


def write(folder: Path, **files: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (folder / name.replace("__", ".")).write_text(f"{content}\n")


def process(folder: Path, groups: str, *mounts: str) -> Path:
    write(folder, cgroup=groups, mountinfo="\n".join(mounts))
    return folder


def test_a_container_around_the_container_counts(tmp_path: Path) -> None:
    top = tmp_path / "cgroup"
    proc = process(tmp_path / "proc", "0::/pod/app", f"31 25 0:27 / {top} rw,nosuid - cgroup2 cgroup2 rw")
    write(top / "pod" / "app", memory__max="max", memory__high="max", memory__current=50)
    write(top / "pod", memory__max=1_000, memory__high=900, memory__current=300, memory__stat="anon 200\ninactive_file 100")
    assert list(left_in_containers(proc)) == [900 - (300 - 100)]


def test_the_limit_of_a_container_that_sees_only_itself(tmp_path: Path) -> None:
    top = tmp_path / "cgroup"
    proc = process(tmp_path / "proc", "0::/", f"31 25 0:27 /../.. {top} rw - cgroup2 cgroup rw")
    write(top, memory__max=4_096, memory__current=96)
    assert list(left_in_containers(proc)) == [4_000]


def test_old_control_groups_mounted_from_within(tmp_path: Path) -> None:
    top = tmp_path / "memory"
    proc = process(
        tmp_path / "proc",
        "7:cpu:/docker/a\n4:memory:/docker/a",
        f"31 25 0:27 /docker/a {top} rw - cgroup cgroup rw,memory",
        f"32 25 0:28 / {tmp_path} rw - cgroup cgroup rw,cpu",
    )
    stat = "hierarchical_memory_limit 700\ntotal_inactive_file 5"
    write(top, memory__limit_in_bytes=2**63 - 4096, memory__usage_in_bytes=105, memory__stat=stat)
    assert list(left_in_containers(proc)) == [600]
    write(top, memory__stat="total_inactive_file 5")
    assert not list(left_in_containers(proc))


def test_a_system_that_tells_nothing_sets_no_limit(tmp_path: Path) -> None:
    assert not list(left_in_containers(tmp_path / "nowhere"))


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems do not keep to this limit")
def test_the_limit_of_the_process_counts() -> None:
    code = (
        "import resource\nfrom confide.kit.memory import available\n"
        "size = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
        "resource.setrlimit(resource.RLIMIT_AS, (size + 50_000_000, -1))\nprint(available())"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert 30_000_000 < int(found.stdout) <= 50_000_000


def test_the_least_of_all_limits_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "_machine", lambda: 5_000)
    monkeypatch.setattr(memory, "left_in_containers", lambda: iter([7_000, 3_000]))
    monkeypatch.setattr(memory, "_own_limits", lambda: [4_000])
    assert memory.available() == 3_000


def test_four_fifths_may_be_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "available", lambda: 10 * 2**30)
    memory.needs(8 * 2**30, "the work", instead="rest")
    with pytest.raises(DataError, match=r"^the work would take 8\.5 GB, 10\.0 GB are free; rest$"):
        memory.needs(8.5 * 2**30, "the work", instead="rest")
    with pytest.raises(IntruderError):
        memory.needs(2**40, "the work", instead="rest", error=IntruderError)
    monkeypatch.setattr(memory, "available", lambda: None)
    memory.needs(2**60, "the work", instead="rest")
