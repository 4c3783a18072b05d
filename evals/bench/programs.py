"""Whole programs: run to their end, and what they took; and a folder for their stores."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

from triplestore.broker.folder import read_holder
from workflows.engine.local.devices import usable_cores

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Taken:
    """What a program took.

    Attributes:
        whole: seconds from start to end.
        processor: seconds of all processors, with those of its children and of its store.
        memory: most that one of its processes held, in MB.
        said: on standard output and error.
    """

    whole: float
    processor: float
    memory: float
    said: str


def run(
    arguments: Sequence[str], store: Path | None = None, said: str = "", **variables: str
) -> Taken:
    """Let Python run a program to its end.

    Args:
        arguments: of Python.
        store: whose holder's time counts, too.
        said: to it, on standard input.
        variables: of its environment; none of ours that begin with `GRAFICO_` is among them.

    Raises:
        RuntimeError: it failed; the message has its last words.
    """
    before = _holder(store)
    used, most, over = dict[psutil.Process, float](), [0.0], threading.Event()
    known = {name: value for name, value in os.environ.items() if not name.startswith("GRAFICO_")}
    started = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=known | variables,
    )
    watch = threading.Thread(target=_watch, args=(process.pid, used, most, over))
    watch.start()
    words = process.communicate(said.encode())[0].decode(errors="replace")
    whole = time.perf_counter() - started
    over.set()
    watch.join()
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments)} failed: {words[-2000:]}")
    return Taken(whole, sum(used.values()) + _holder(store) - before, most[0], words)


def _holder(store: Path | None) -> float:
    """Return the seconds that the process has taken that holds a store."""
    holder = read_holder(store) if store is not None and store.exists() else None
    return sum(psutil.Process(holder.pid).cpu_times()[:2]) if holder else 0.0


def _watch(
    process: int, used: dict[psutil.Process, float], most: list[float], over: threading.Event
) -> None:
    """Keep what a process and all that it has started were last seen to have used."""
    with suppress(psutil.Error):
        first = psutil.Process(process)
        while not over.wait(0.1):
            for one in (first, *first.children(recursive=True)):
                with suppress(psutil.Error):
                    used[one] = sum(one.cpu_times()[:2])
                    most[0] = max(most[0], one.memory_info().rss / 1e6)


def limits(folder: Path, cores: int | None = None) -> dict[str, str]:
    """Return variables for so many cores (None for all), with a board of slots of its own.

    It is not to wait for the calculations of others, which PySCF does not do.
    """
    (board := folder / "slots").mkdir()
    count = str(cores or usable_cores())
    return {"OMP_NUM_THREADS": count, "GRAFICO_TOTAL_CORES": count, "XDG_RUNTIME_DIR": str(board)}


@contextmanager
def workplace() -> Generator[Path]:
    """Yield a folder that is removed afterwards, with the processes that hold stores in it."""
    with tempfile.TemporaryDirectory(prefix="grafico-bench-", ignore_cleanup_errors=True) as folder:
        try:
            yield Path(folder)
        finally:
            for lock in Path(folder).glob("*/broker.lock"):
                if holder := read_holder(lock.parent):
                    with suppress(ProcessLookupError):
                        os.kill(holder.pid, signal.SIGKILL)
