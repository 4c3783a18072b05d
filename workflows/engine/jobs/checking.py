"""Trying a cluster with a job of a second, and what that says."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from triplestore.errors import GraficoError
from workflows.text.words import count

from ..local.logfile import tail
from ..runners.base import Runner, Sight, Submission
from ..runners.cluster import Cluster
from . import probe

PATIENCE = 120.0
"""Seconds that the job which tries a cluster may wait and compute."""

ARRIVING = 2.0
"""Seconds until a file that was written elsewhere is seen here."""

READ = 0.25
"""Seconds between two looks at it."""


@dataclass(frozen=True)
class ClusterCheck:
    """What trying a cluster came to.

    Attributes:
        problem: what is wrong; empty where it works.
        advice: what to do about it.
        capacity: what the scheduler says of it.
        there: what the job found.
    """

    problem: str
    advice: str
    capacity: str = ""
    there: str = ""


async def checked(
    cluster: Cluster, runner: Runner, home: Path, patience: float = PATIENCE
) -> ClusterCheck:
    """Try a cluster with a job of a second.

    Args:
        cluster: which.
        runner: of it.
        home: folder for jobs, where the cluster names none.
        patience: seconds that the job may wait and compute.
    """
    native, sight, said, capacity = "", Sight("gone"), "", ""
    try:
        root = home if cluster.host else (cluster.folder or home).expanduser()
        folder = Path(tempfile.mkdtemp(prefix="grafico-check-", dir=root))
    except OSError as error:
        return ClusterCheck(
            f"{error.filename}: {error.strerror}", "make that folder, or name another (`folder`)"
        )
    try:
        capacity = await runner.capacity()
        await runner.carry(folder)
        [native] = await runner.submit(
            Submission(folder.name, folder, folder, "workflows.engine.jobs.probe", [], cluster)
        )
        until = time.monotonic() + patience
        while time.monotonic() < until and not (folder / probe.FILE).exists():
            sight = (await runner.look([native], [folder]))[native]
            if sight.reason == "never":
                break
            if sight.phase == "gone":
                await asyncio.sleep(ARRIVING)  # the file may take a while to be seen here
                break
            await asyncio.sleep(READ)
        with suppress(OSError):
            said = (folder / probe.FILE).read_text(encoding="utf-8")
        return _verdict(cluster, said, sight, tail(folder), patience, capacity)
    except GraficoError as error:
        return ClusterCheck(f"{error.asked}; {error.found}", error.advice, capacity)
    finally:
        if native:
            with suppress(GraficoError):
                await runner.cancel([native], [folder])
                await runner.forget([], folder.name)
        with suppress(GraficoError):
            await runner.clear(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _verdict(
    cluster: Cluster, said: str, sight: Sight, log: str, patience: float, capacity: str
) -> ClusterCheck:
    """Return what a job that tried a cluster came to."""
    if not said and sight.phase == "waiting":
        waited = "would wait for ever" if sight.reason == "never" else f"waited for {patience:g} s"
        return ClusterCheck(
            f"a job of a second {waited}: {sight.told or 'no reason is given'}",
            sight.advice
            or "see whether the queue is open to you and has what is asked for "
            "(`queue`, `account`, `cores`, `memory`, `gpus`)",
            capacity,
        )
    if not said and sight.phase == "computing":
        return ClusterCheck(
            f"a job of a second has computed for {patience:g} s",
            "see its file system and its interpreter (`python`, `setup`)",
            capacity,
        )
    if not said:
        found = "; ".join(filter(None, [sight.told, log.strip()])) or "it left nothing behind"
        return ClusterCheck(
            f"a job of a second came to nothing: {found}",
            "see that compute nodes see the folder (`folder`) and the interpreter (`python`, "
            "`setup`, `launch`)",
            capacity,
        )
    found = json.loads(said)
    there = (
        f"{count(found['cores'], 'core')} of {found['host']}, Python {found['python']}, "
        f"Grafico {found['grafico']}"
    )
    if found["grafico"] != probe.release():
        return ClusterCheck(
            f"Grafico is {found['grafico']} there and {probe.release()} here",
            "install the same on both",
            capacity,
            there,
        )
    if found["cores"] < cluster.cores:
        return ClusterCheck(
            f"{cluster.cores} cores were asked for and {found['cores']} are there",
            "ask for as many as a node has (`cores`)",
            capacity,
            there,
        )
    return ClusterCheck("", "", capacity, there)
