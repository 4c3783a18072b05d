"""How a job's program is started: its command, what it sees of our environment, what it may use."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Protocol

from ..local.pool import PASSED
from ..local.slots import Slots
from ..local.tokens import Tokens
from .cluster import Cluster

ROOT = Path(__file__).resolve().parents[3]


def interpreter(cluster: Cluster) -> list[str]:
    """Return the beginning of the command of a module that a cluster is to run."""
    return [*shlex.split(cluster.launch), cluster.python or sys.executable, "-P", "-m"]


def environment_of(cluster: Cluster) -> dict[str, str]:
    """Return what a job's program sees of our environment: where things are, and no secret."""
    passed = {name: os.environ[name] for name in (*PASSED, "HOME", "USER") if name in os.environ}
    own = {} if cluster.python else {"PYTHONPATH": str(ROOT)}
    return {**passed, **own, "PYTHONUTF8": "1", **cluster.environment}


class Share(Protocol):
    """What a part of a job gets: a section of the settings, or what was given of it."""

    @property
    def cores(self) -> int:
        """Number of cores."""
        ...

    @property
    def memory(self) -> int:
        """In MB."""
        ...

    @property
    def shards(self) -> int:
        """Shares of graphics cards."""
        ...


def slots_of(cluster: Share, tokens: Tokens | None = None) -> Slots:
    """Return what a part of a job may use on a cluster, shared with others by tokens."""
    return Slots(
        total_cores=cluster.cores,
        memory=cluster.memory,
        tokens=tokens,
        slots=1 if cluster.shards else None,
    )
