"""The memory of this machine, what of it we may use, and what this process holds of it."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = Path("/")
CGROUPS = "sys/fs/cgroup"


def memory_limit(root: Path = ROOT) -> int:
    """Return the memory of the machine, or of this process's control groups if less, in bytes.

    Args:
        root: the folder in which `proc` and `sys` lie.
    """
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError):
        size = 5_000_000_000
    limits = [read_text(group / "memory.max") for group in groups("", root)]
    limits += [read_text(group / "memory.limit_in_bytes") for group in groups("memory", root)]
    return min([size, *(int(text) for text in limits if text.strip().isdigit())])


@functools.cache
def spare_memory() -> int:
    """Return what queries of others may take together if nothing was set: a quarter, in bytes."""
    return memory_limit() // 4


def groups(controller: str, root: Path = ROOT) -> Iterator[Path]:
    """Return the folder of this process's control group, and those that it lies in.

    A limit of any of them binds. In a container the path may be that of the host, which is not to
    be seen there: then the folders that there are count, the container's own among them.

    Args:
        controller: `cpu` or `memory` of cgroup v1; empty for v2, which has one tree for all.
        root: the folder in which `proc` and `sys` lie.
    """
    for line in read_text(root / "proc/self/cgroup").splitlines():
        number, _, rest = line.partition(":")
        names, _, path = rest.partition(":")
        if not number.isdigit() or controller not in names.split(","):
            continue
        # several controllers may share a tree, which has a link of each of their names
        tree = root / CGROUPS / controller
        inner = PurePosixPath(path.lstrip("/"))
        if ".." not in inner.parts:  # as a namespace shows what lies outside of it
            yield from (tree / part for part in (inner, *inner.parents))
        else:
            yield tree


def read_text(path: Path) -> str:
    """Read a file of the system; empty where there is none."""
    try:
        return path.read_text()
    except OSError:
        return ""


def used_memory() -> int:
    """Return the memory that this process holds for itself, in bytes: no files, nothing reserved.

    Where the system does not tell (it is Linux that does), it is the most that it has ever held.
    """
    return memory_use()[0]


def memory_use() -> tuple[int, int]:
    """Return what `used_memory` does, and what counts against `RLIMIT_DATA` (0: not told)."""
    if sys.platform == "linux":
        numbers = Path("/proc/self/statm").read_text().split()  # quicker than `status`
        resident, shared, data = (int(numbers[place]) * _PAGE for place in (1, 2, 5))
        return resident - shared, data
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, 0  # in bytes on macOS


_PAGE = os.sysconf("SC_PAGE_SIZE")
