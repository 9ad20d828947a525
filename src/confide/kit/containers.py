"""What the containers around this process still allow it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

NO_LIMIT = 2**60
"""From here on a limit is none: version 1 writes the largest number there is."""
_FILES = {
    2: (("memory.max", "memory.high"), "memory.current", "inactive_file"),
    1: (("memory.limit_in_bytes",), "memory.usage_in_bytes", "total_inactive_file"),
}
"""Where a group says its limits, its use, and which part of that use is given back on demand."""


def left_in_containers(process: Path = Path("/proc/self")) -> Iterator[int]:
    """Give the bytes left in each control group with a limit, the innermost and all around it.

    Pages of files that nobody looked at lately count as left: the system takes them back first.

    Args:
        process: the folder in which the system tells about this process.

    >>> all(left >= 0 for left in left_in_containers())
    True
    """
    for version, folder in _groups(process):
        limits, use, reclaimed = _FILES[version]
        counts = _counts(folder / "memory.stat")
        allowed = [x for name in limits if (x := _number(folder / name)) is not None]
        allowed += [counts["hierarchical_memory_limit"]] if "hierarchical_memory_limit" in counts else []
        used = _number(folder / use)
        if used is not None and allowed and min(allowed) < NO_LIMIT:
            yield max(0, min(allowed) - max(0, used - counts.get(reclaimed, 0)))


@lru_cache
def _groups(process: Path) -> tuple[tuple[int, Path], ...]:
    """List the folders of the process's control groups with those around them."""
    groups: list[tuple[int, Path]] = []
    mounts = list(_mounts(process / "mountinfo"))
    for line in _lines(process / "cgroup"):
        number, _, rest = line.partition(":")
        controllers, _, own = rest.partition(":")
        version = 2 if number == "0" and not controllers else 1
        if version == 1 and "memory" not in controllers.split(","):
            continue
        for found, root, top in mounts:
            if found == version:
                inside = own.removeprefix(root) if root != "/" else own
                below = Path(*[p for p in inside.split("/") if p not in ("", "..")])
                groups += [(version, top / place) for place in (below, *below.parents) if (top / place).is_dir()]
    return tuple(groups)


def _mounts(path: Path) -> Iterator[tuple[int, str, Path]]:
    """Give version, root and place of every mounted tree of control groups that knows of memory."""
    for line in _lines(path):
        before, _, after = line.partition(" - ")
        place, kind = before.split(), after.split()
        if len(place) < 5 or len(kind) < 3:
            continue
        if kind[0] == "cgroup2" or (kind[0] == "cgroup" and "memory" in kind[2].split(",")):
            yield (2 if kind[0] == "cgroup2" else 1), place[3], Path(place[4].replace("\\040", " "))


def _lines(path: Path) -> list[str]:
    """Read the lines of a small file; none where there is no such file."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []


def _number(path: Path) -> int | None:
    """Read a number; None for the word "max" and where there is none."""
    found = _lines(path)
    return int(found[0]) if found and found[0].strip().isdecimal() else None


def _counts(path: Path) -> dict[str, int]:
    """Read lines of a name and a number."""
    counts: dict[str, int] = {}
    for line in _lines(path):
        with suppress(ValueError):
            name, count = line.split()
            counts[name] = int(count)
    return counts
