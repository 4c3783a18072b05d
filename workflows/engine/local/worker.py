"""What a worker does: one task after the other, each in its folder."""

from __future__ import annotations

import functools
import gc
import json
import os
import platform
import socket
import sys
import threading
import time
import traceback
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import psutil

from ogm import GraphModel, Link, class_iri
from ontologies.provenance import Activity, Device, Software
from triplestore.errors import GraficoError, MemoryLimitError, RecipeError

from ..execution.calculation import Call, ResultT
from ..execution.context import Context, inside
from ..execution.task import Task
from .devices import find_gpus, processor
from .watch import end

TASKS = 100
"""Tasks that a worker does before it is replaced."""


PLANNED = 0.8
"""Share of the memory granted that a calculation may plan with; programs take more than they say.
"""


BEGUN, DONE, LEAVING = b"+", b".", b"!"
"""Words of a worker: it has begun, it is done, it is done and wants to be replaced."""


def work(server: socket.socket) -> None:
    """Do one task after the other until the server hangs up.

    What a task leaves behind ends before the next begins: its processes, and where it left threads
    or took away what it printed to, this worker.
    """
    threads = threading.active_count()
    with server.makefile("rb") as requests:
        for count, line in enumerate(requests, 1):
            request = json.loads(line)
            server.sendall(BEGUN)
            os.chdir("/")
            run(Path(request["folder"]), request["threads"], request["memory"])
            clean = end_children() and can_print() and threading.active_count() == threads
            server.sendall(DONE if clean and count < TASKS else LEAVING)
            gc.collect()  # now that nobody waits for it


def end_children() -> bool:
    """Kill the processes that a task has left; False if some get away again and again.

    Those that were left by processes which have ended are ours on Linux, see `server.adopt`.
    """
    for _ in range(200):
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return True
        end(psutil.Process().children(recursive=True))
        time.sleep(0.005)
    return False


def can_print() -> bool:
    """Pass on what was printed; False if that is no longer possible."""
    try:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            os.fstat(stream.fileno())
    except (OSError, ValueError, AttributeError):
        return False
    return True


def run(folder: Path, threads: int, memory: int) -> None:
    """Run the calculation of a task folder and leave its output or its error there."""
    said = json.loads((folder / "call.json").read_text())
    task = Task(folder, Path(said["arrays"]) if said["arrays"] else None)
    memo = Path(said["memo"]) if said["memo"] else None
    name = "in that folder"
    try:
        document, calculation, arguments = task.load()
        name = calculation.name
        granted = int(memory * PLANNED)
        surroundings = Context(folder, threads, granted, memo, device(), folder)
        activity, result = performed(
            calculation.bind(**arguments), surroundings, document["activity"], document
        )
        task.finish(activity, result)
    except GraficoError as error:
        task.fail(error)
    except MemoryError as error:
        task.fail(
            MemoryLimitError(
                "the calculation ran out of memory",
                f"it was given {memory} MB; {error}",
                "give it more (the setting memory), or ask for a smaller basis set or system",
            )
        )
    except BaseException as error:  # sys.exit() too: a worker ends when its server says so
        with suppress(Exception):
            traceback.print_exc()
        task.fail(unexpected(name, error))


def performed(
    call: Call[ResultT], surroundings: Context, name: str, said: Mapping[str, Any]
) -> tuple[Activity, ResultT]:
    """Return what a call comes to here and now, and the record of that.

    Args:
        call: what is computed.
        surroundings: in which.
        name: the last part of the IRIs of both.
        said: of the call: `key`, `family`, `signature`, and the IRIs of its `objects`.

    Raises:
        Exception: what the calculation ended with.
    """
    calculation = call.calculation
    started, clock = datetime.now(UTC), time.monotonic()
    process = os.getpid()
    try:
        with inside(surroundings):
            result = calculation(**call.arguments)
    finally:
        if os.getpid() != process:  # it forked and the child came back too
            os._exit(1)
    wall_time = time.monotonic() - clock
    result = result.identified(class_iri(type(result).__name__, name))
    activity = Activity(
        calculation=calculation.name,
        version=call.version,
        epoch=calculation.backend.epoch,
        key=said["key"],
        family=said["family"],
        signature=said["signature"],
        used=frozenset(Link[GraphModel](iri) for iri in said["objects"].values()),
        generated=Link[GraphModel](result),
        started=started,
        ended=datetime.now(UTC),
        wall_time=wall_time,
        threads=surroundings.threads,
        device=used(surroundings.card),
        software=software((*calculation.backend.packages, *sorted(surroundings.card or ()))),
    )
    return activity.identified(class_iri(Activity.__name__, name)), result


def unexpected(name: str, error: BaseException) -> RecipeError:
    """Return the error for what a calculation did not expect."""
    return RecipeError(
        f"the calculation {name} failed",
        f"{type(error).__name__}: {error}",
        "try another method, basis set or geometry; if it should work, report it",
    )


@functools.cache
def software(packages: tuple[str, ...]) -> frozenset[Software]:
    """Return Python and, of these packages, those that are installed, with their versions."""
    packages_used = [Software(name="Python", version=platform.python_version())]
    for name in packages:
        with suppress(PackageNotFoundError):  # an extra
            packages_used.append(Software(name=name, version=version(name)))
    return frozenset(packages_used)


def device() -> str:
    """Return the slot's device: `cpu`, or the UUID of its graphics card, the only one in sight."""
    return os.environ.get("CUDA_VISIBLE_DEVICES") or "cpu"


def used(card: frozenset[str] | None) -> Device:
    """Return what computed: the processor alone if nothing did on the slot's card."""
    if card is None:
        return Device(kind="cpu", name=processor())
    return Device(kind="gpu", name=card_name(device()))


@functools.cache
def card_name(uuid: str) -> str:
    """Return the model of a graphics card, or its UUID if its driver does not say."""
    return next((gpu.name for gpu in find_gpus() if gpu.uuid == uuid), uuid)
