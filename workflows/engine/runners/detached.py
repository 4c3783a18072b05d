"""`DetachedRunner`: parts of jobs as processes of their own on this machine."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import psutil

from triplestore.errors import ResourceError

from ..execution.task import for_us_alone
from ..local.devices import physical_memory, usable_cores
from .base import Beside, Sight, Submission

PROGRAMS = ("workflows.engine.jobs.node", "workflows.engine.jobs.probe")
"""Modules that are started for the folder of a job, which comes next on their command line."""

NAME = "GRAFICO_JOB"
"""Variable that tells of a process which part of a job it is."""

AFTER, BEGIN = "GRAFICO_JOB_AFTER", "GRAFICO_JOB_BEGIN"
"""Variables that tell a part what it has to wait for itself, as there is no scheduler."""

ENDING = 10.0
"""Seconds that a part has for its end when it is cancelled."""


class DetachedRunner(Beside):
    """Starts each part at once, as a session of its own, which outlives who started it.

    An id is number and start of the process, so that a number that was given anew is nobody's. The
    start is what the kernel counted, whatever becomes of the clock. An id is read from a folder
    that somebody else may have written: a process counts only if it is this user's, and its command
    line that of a program of ours for one of the folders that are named.
    """

    together = False

    async def submit(self, part: Submission) -> Sequence[str]:
        environment = {**part.environment, NAME: part.name, AFTER: " ".join(part.after)}
        if part.begin is not None:
            environment[BEGIN] = part.begin.isoformat()
        try:
            with open(part.folder / "log.txt", "ab", opener=for_us_alone) as log:
                process = subprocess.Popen(
                    part.command,
                    env=environment,
                    cwd=part.folder,
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )
        except OSError as error:
            raise ResourceError(
                f"the job {part.name} is to be started",
                error.strerror or str(error),
                "end other programs, or free space",
            ) from error
        process.returncode = 0  # it goes on when we have ended: nobody here waits for it
        return [id_of(psutil.Process(process.pid))]

    async def find(self, names: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, str]:
        wanted, found = set(names), dict[str, psutil.Process]()
        for process in psutil.process_iter():
            with suppress(psutil.Error):
                name = process.environ().get(NAME, "")
                alone = name in wanted and os.getsid(process.pid) == process.pid
                if alone and _lives(process) and _is_ours(process, folders):
                    first = found.setdefault(name, process)  # what it starts may be a session, too
                    if process.create_time() < first.create_time():
                        found[name] = process
        return {name: id_of(process) for name, process in found.items()}

    async def look(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> Mapping[str, Sight]:
        return {one: Sight("gone" if _ours(one, folders) is None else "computing") for one in ids}

    async def cancel(self, ids: Sequence[str], folders: Sequence[Path] = ()) -> None:
        processes = [process for one in ids if (process := _ours(one, folders)) is not None]
        for process in processes:
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGTERM)  # it ends its workers itself
        for _ in range(int(ENDING / 0.05)):
            if not any(map(_lives, processes)):
                return
            await asyncio.sleep(0.05)
        for process in processes:
            with suppress(ProcessLookupError, psutil.Error):
                for child in process.children(recursive=True):
                    child.kill()
                process.kill()

    async def forget(self, ids: Sequence[str], job: str = "") -> None:
        return

    async def capacity(self) -> str:
        return f"{usable_cores()} cores and {physical_memory():,} MB of this machine"


def process_of(native: str) -> psutil.Process | None:
    """Return the process of an id; None when it has ended."""
    number, _, start = native.partition("@")
    with suppress(psutil.Error, ValueError):
        process = psutil.Process(int(number))
        if _start(process) == start and _lives(process):
            return process
    return None


def _ours(native: str, folders: Sequence[Path]) -> psutil.Process | None:
    """Return the process of an id, if it is our program for one of some folders."""
    process = process_of(native)
    return process if process is not None and _is_ours(process, folders) else None


def _is_ours(process: psutil.Process, folders: Sequence[Path]) -> bool:
    """Tell whether a process is our program for one of some folders, or what that is run with."""
    with suppress(psutil.Error):
        if process.uids().real != os.getuid():
            return False
        if _runs(process, folders):
            return True
        if process.environ().get(NAME):  # a container, say, whose own command line may be anything
            return any(_runs(one, folders) for one in process.children(recursive=True))
    return False


def _runs(process: psutil.Process, folders: Sequence[Path]) -> bool:
    with suppress(psutil.Error):
        words = process.cmdline()
        for _ in range(20):
            if words:
                break
            time.sleep(0.005)  # it has none for a moment while it begins
            words = process.cmdline()
        ours = {(module, str(folder)) for module in PROGRAMS for folder in folders}
        return not ours.isdisjoint(pairwise(words))
    return False


def id_of(process: psutil.Process) -> str:
    """Return the id of a process that is a part of a job."""
    return f"{process.pid}@{_start(process)}"


def _start(process: psutil.Process) -> str:
    """Return when a process began: on Linux since the machine did, as no clock tells."""
    with suppress(OSError, IndexError):
        said = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        return f"{Path('/proc/sys/kernel/random/boot_id').read_text()[:8]}.{said[19]}"
    return f"{process.create_time():.2f}"


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return process.status() != psutil.STATUS_ZOMBIE
    return False
