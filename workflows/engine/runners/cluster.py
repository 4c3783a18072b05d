"""`Cluster`: where jobs can go, as a section of the settings describes it."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from workflows.trust.powers import PAYS, PLAIN, RUNS, WRITES, Can, Power, can

Scheduler: TypeAlias = Literal["none", "slurm", "pbs", "lsf"]

HERE = "here"
"""The name of the cluster that is always there: this machine, without a scheduler."""

ADDRESS = re.compile(r"([\w.-]+@)?[A-Za-z0-9_][\w.:%-]*", re.ASCII)


CALLS = Can((Power.ADDRESS, Power.PROGRAM))
"""Of a host: it is called, and runs what it is sent."""


def _address(host: str) -> str:
    if host and not ADDRESS.fullmatch(host):
        raise ValueError("write it as for ssh: a name of ~/.ssh/config, or me@login.example.org")
    return host


class Cluster(BaseModel):
    """A machine, or a queue of a batch system, that computes jobs.

    Attributes:
        host: the login node, as for `ssh`; empty where that is this machine.
        ssh: options of `ssh` beside those of the person's configuration, such as `-F` and a file.
        scheduler: what takes jobs; `none` for a process of its own, on the host or this machine.
        queue: partition or queue; empty for the scheduler's own choice.
        account: to which the time is charged; empty for the scheduler's own choice.
        hours: walltime of a job, in h.
        cores: of a job.
        memory: of a job, in MB.
        gpus: graphics cards of a job.
        shards: shares of graphics cards of a job, where several jobs share one.
        parts: jobs at most among which many subjects are shared out.
        part_minutes: that each of these takes at least, as is estimated.
        tries: how often a job that was cut off is submitted in all.
        core_hours: that one request may take without a yes, in h; None for no limit.
        folder: where jobs lie, seen by the login node and by the compute nodes; None for one in the
            store, or in the home of the host.
        setup: lines of shell before a job's program, such as `module load python/3.11`.
        launch: what a job's program is started with, such as `apptainer exec grafico.sif`.
        python: its interpreter; empty for the one that submits. With a host it is what submits
            there; empty for its `python3`.
        environment: variables that it sees besides those that say where things are.
        attributes: what else the scheduler is to be told, by its own names.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    host: Annotated[str, AfterValidator(_address), CALLS] = ""
    ssh: Annotated[tuple[str, ...], RUNS] = ()
    scheduler: Annotated[Scheduler, RUNS] = "none"
    queue: Annotated[str, PAYS] = ""
    account: Annotated[str, PAYS] = ""
    hours: Annotated[float, Field(gt=0, allow_inf_nan=False), PLAIN] = 24.0
    cores: Annotated[int, Field(ge=1), PLAIN] = 1
    memory: Annotated[int, Field(ge=100), PLAIN] = 4000
    gpus: Annotated[int, Field(ge=0), PLAIN] = 0
    shards: Annotated[int, Field(ge=0), PLAIN] = 0
    parts: Annotated[int, Field(ge=1, le=1000), PLAIN] = 1
    part_minutes: Annotated[float, Field(ge=0, allow_inf_nan=False), PLAIN] = 10.0
    tries: Annotated[int, Field(ge=1, le=100), PLAIN] = 5
    core_hours: Annotated[Annotated[float, Field(gt=0)] | None, PLAIN] = None
    folder: Annotated[Path | None, WRITES] = None
    setup: Annotated[tuple[str, ...], RUNS] = ()
    launch: Annotated[str, RUNS] = ""
    python: Annotated[str, RUNS] = ""
    environment: Annotated[dict[str, str], RUNS] = Field(default_factory=dict[str, str])
    attributes: Annotated[dict[str, str], RUNS] = Field(default_factory=dict[str, str])

    @property
    def fingerprint(self) -> dict[str, str]:
        """Digests of what says where it computes and what runs there, by field, if it is said."""
        said, plain = (one.model_dump(mode="json") for one in (self, Cluster()))
        return {name: _digest(said[name]) for name in _powerful() if said[name] != plain[name]}

    def unlike(self, fingerprint: Mapping[str, str]) -> list[str]:
        """Return the fields in which it differs from the cluster of a fingerprint."""
        own = self.fingerprint
        return [name for name in _powerful() if own.get(name) != fingerprint.get(name)]


def _powerful() -> list[str]:
    """Return the fields that can do something, other than have it charged to somebody."""
    fields = Cluster.model_fields.items()
    return [name for name, field in fields if {*can(field).powers} - {Power.KEY}]


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()
