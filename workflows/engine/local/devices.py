"""What this machine has to compute with: cores, memory, graphics cards. Nothing here loads CUDA."""

from __future__ import annotations

import functools
import math
import os
import platform
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from triplestore.machine import ROOT, groups, memory_limit, read_text

SMI = ("nvidia-smi", "--query-gpu=index,uuid,name,memory.total", "--format=csv,noheader,nounits")

PATIENCE = 20.0
"""Seconds for `nvidia-smi`, which wakes up sleeping cards."""


@dataclass(frozen=True)
class Gpu:
    """A graphics card.

    Attributes:
        uuid: its lasting name, which CUDA understands whatever the order of the cards.
        index: its place in the order of the bus.
        name: of the model.
        memory: in MB; 0 if it does not say.
    """

    uuid: str
    index: int
    name: str
    memory: int


def find_gpus() -> list[Gpu]:
    """Return the cards that this process may use, as `CUDA_VISIBLE_DEVICES` says."""
    asked = os.environ.get("CUDA_VISIBLE_DEVICES")
    if asked is not None and not asked.strip():
        return []
    try:
        said = subprocess.run(
            SMI,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
            env={**os.environ, "LC_ALL": "C"},
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return []
    return visible(read_smi(said.stdout), asked) if said.returncode == 0 else []


def read_smi(text: str) -> list[Gpu]:
    """Read what `nvidia-smi` prints, in MiB; lines that are no card are skipped."""
    gpus: list[Gpu] = []
    for line in text.splitlines():
        parts = [part.strip() for part in line.split(",")]
        if len(parts) < 4 or not parts[0].isdigit() or not parts[1].startswith("GPU-"):
            continue
        size = parts[-1]
        memory = round(int(size) * 1.048576) if size.isdigit() else 0
        gpus.append(Gpu(parts[1], int(parts[0]), ", ".join(parts[2:-1]), memory))
    return gpus


def visible(gpus: Sequence[Gpu], asked: str | None) -> list[Gpu]:
    """Return those of the cards that `CUDA_VISIBLE_DEVICES` names, in its order.

    As with CUDA, a name that means nothing hides what stands after it.
    """
    if asked is None:
        return list(gpus)
    chosen: list[Gpu] = []
    for name in (part.strip() for part in asked.split(",")):
        if name.isdigit():
            named = [gpu for gpu in gpus if gpu.index == int(name)]
        else:
            named = [gpu for gpu in gpus if name.startswith("GPU-") and gpu.uuid.startswith(name)]
        if len(named) != 1 or named[0] in chosen:
            break
        chosen += named
    return chosen


def usable_cores(root: Path = ROOT) -> int:
    """Return how many cores this process may use: its affinity, and the quotas of its groups.

    Args:
        root: the folder in which `proc` and `sys` lie.
    """
    if hasattr(os, "sched_getaffinity"):
        cores = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count() or 1
    quotas = [read_quota(read_text(group / "cpu.max")) for group in groups("", root)] + [
        read_quota(read_text(group / "cpu.cfs_quota_us") + read_text(group / "cpu.cfs_period_us"))
        for group in groups("cpu", root)
    ]
    return max(1, min([cores, *(math.ceil(quota) for quota in quotas if quota)]))


def read_quota(text: str) -> float | None:
    """Read a quota of cores such as ``150000 100000`` (one and a half); None for no limit.

    No limit is ``max 100000`` in cgroup v2, and ``-1 100000`` in v1.
    """
    match text.split():
        case [used, period] if used.isdigit() and period.isdigit() and int(period):
            return int(used) / int(period)
        case _:
            return None


def physical_memory(root: Path = ROOT) -> int:
    """Return the memory of the machine, or of this process's groups, in MB, less a fifth.

    The fifth is for everything else.

    Args:
        root: the folder in which `proc` and `sys` lie.
    """
    return int(memory_limit(root) * 0.8 / 1e6)


@functools.cache
def processor() -> str:
    """Return the name of the processor."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()
