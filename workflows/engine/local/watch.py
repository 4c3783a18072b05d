"""What becomes of a worker: how much it uses, whether it still moves, and what its death means.

Limits of the kernel on address space or data (`RLIMIT_AS`, `RLIMIT_DATA`) are of no use here:
numerical programs reserve far more than they touch (a Hessian of water reserves 3 to 7 GB and
touches 0.2), and PySCF's C code ends the whole process when a reservation fails. So what a worker
and its children really hold is looked at several times a second.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import psutil

from triplestore.errors import (
    CrashError,
    GraficoError,
    KilledError,
    MemoryLimitError,
    TimeLimitError,
)

from .logfile import tail

BUSY = 0.01
"""Share of one core below which a process is taken to stand still."""

FAMILY = 2.0
"""Seconds between two searches for what a worker has started: each looks at every process."""

CRASHES = {
    getattr(signal, name)
    for name in ("SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGABRT", "SIGTRAP", "SIGSYS")
}


ASLEEP = 5.0
"""Seconds between two looks, of which there are five a second, that were no ordinary ones."""


class Watch:
    """Watches over one task of a worker.

    Args:
        pid: of the worker.
        folder: of the task; its frames are signs of life.
        memory: in MB, what the worker and its children may hold.
        patience: seconds without a sign of life (a frame, or `BUSY` of a core in use) after which
            the task is given up.
    """

    def __init__(self, pid: int, folder: Path, memory: int, patience: float) -> None:
        self.folder, self.memory, self.patience = folder, memory, patience
        self.peak = 0.0
        self.verdict: GraficoError | None = None
        self._process = psutil.Process(pid)
        self._children: list[psutil.Process] = []
        self._counted = time.monotonic()
        self._frames = folder / "frames.jsonl"
        self._killed_for_memory = oom_kills()
        self._moved = self._looked = time.monotonic()
        self._look_closer = 0.0
        self._seen: tuple[float, int] | None = None

    def look(self) -> GraficoError | None:
        """Look at the worker; return why it must end, None if it may go on."""
        if time.monotonic() - self._counted > min(FAMILY, self.patience / 4):
            with suppress(psutil.Error):
                self._children = self._process.children(recursive=True)
            self._counted = time.monotonic()
        used, cpu = 0.0, 0.0
        everybody = (self._process, *self._children)
        for process in everybody:
            with suppress(psutil.Error):
                times = process.cpu_times()
                used += process.memory_info().rss / 1e6
                cpu += times.user + times.system
                # of children that have ended; those that live are counted themselves
                cpu += getattr(times, "children_user", 0) + getattr(times, "children_system", 0)
        if used > self.memory:  # what they share was counted for each: look closer
            used = self._held(everybody)
        self.peak = max(self.peak, used)
        if used > self.memory:
            self.verdict = self._too_much()
        elif self._still(cpu):
            self.verdict = TimeLimitError(
                "the calculation was stopped",
                f"it showed no sign of life for {self.patience:.0f} s: no progress, and its "
                f"processor time stood still{self._words()}",
                "ask again; if it stops again, try other settings, or allow more time (the "
                "setting patience)",
            )
        return self.verdict

    def _held(self, everybody: Iterable[psutil.Process]) -> float:
        """Return what they hold together, 0 where it was found out a moment ago and takes long."""
        now = time.monotonic()
        if now < self._look_closer:
            return 0.0
        used = sum(map(memory_of, everybody))
        self._look_closer = now + 5 * (time.monotonic() - now)
        return used

    def _still(self, cpu: float) -> bool:
        now = time.monotonic()
        if now - self._looked > ASLEEP:
            self._moved += now - self._looked  # nobody could move: the machine slept, or we did
        self._looked = now
        try:
            frames = self._frames.stat().st_size
        except OSError:
            frames = 0
        before = self._seen
        # less time than before: a child that had much of it was not waited for
        if (
            before is None
            or frames != before[1]
            or not (0 <= cpu - before[0] <= BUSY * self.patience)
        ):
            self._seen, self._moved = (cpu, frames), now
        return now - self._moved > self.patience

    def _too_much(self) -> GraficoError:
        return MemoryLimitError(
            "the calculation was stopped because it needed too much memory",
            f"it held {self.peak:,.0f} MB of the {self.memory:,} MB that it was given",
            "give it more (the setting memory), or ask for a smaller basis set or system",
        )

    def death(self, status: int) -> GraficoError:
        """Return what the end of the worker means.

        Args:
            status: its exit status; the negative of a signal that ended it.
        """
        if self.verdict is not None:
            return self.verdict
        if status == -signal.SIGKILL and self._out_of_memory():
            return MemoryLimitError(
                "the calculation was killed",
                "most likely by the kernel, which did so to some process for want of memory "
                f"meanwhile; it was last seen with {self.peak:,.0f} MB{self._words()}",
                "let less run at a time, or ask for a smaller basis set or system",
            )
        if status >= 0 or -status in CRASHES:
            how = name_of(-status) if status < 0 else f"it ended itself with status {status}"
            return CrashError(
                "the program crashed",
                f"{how}{self._words()}",
                "try another method, basis set or geometry; if it should work, report it",
            )
        return KilledError(
            "the calculation was killed",
            f"somebody or something ended its process ({name_of(-status)}){self._words()}",
            "ask again; what is finished is kept",
        )

    def _out_of_memory(self) -> bool:
        return oom_kills() > self._killed_for_memory

    def _words(self) -> str:
        said = tail(self.folder)
        return f"; its last words:\n{said}" if said else ""


def end(processes: Iterable[psutil.Process]) -> None:
    """Kill processes."""
    for process in processes:
        with suppress(psutil.Error):
            process.kill()


def has_ended(pid: int) -> bool:
    """Whether a process has ended; it is not waited for."""
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


def memory_of(process: psutil.Process) -> float:
    """Return the memory that a process holds, in MB, without files, which need none of their own.

    On Linux pages that several processes share, as after a fork, are shared out among them; the
    kernel walks all pages for it (a GB of small ones takes it 60 ms). Elsewhere it is what is
    resident.
    """
    try:
        text = Path(f"/proc/{process.pid}/smaps_rollup").read_text()
        sizes = {line.split()[0]: int(line.split()[1]) for line in text.splitlines()[1:]}
        return (sizes["Pss_Anon:"] + sizes["Pss_Shmem:"]) * 1024 / 1e6
    except (OSError, KeyError):  # another system, an old kernel
        with suppress(psutil.Error):
            memory = process.memory_info()
            return (memory.rss - getattr(memory, "shared", 0)) / 1e6
    return 0.0


def name_of(number: int) -> str:
    """Return the name of a signal and what it means."""
    try:
        return f"{signal.Signals(number).name}, {signal.strsignal(number)}"
    except ValueError:
        return f"signal {number}"


def oom_kills(counters: Path = Path("/proc/vmstat")) -> int:
    """Return how many processes this machine's kernel has killed for want of memory so far.

    It counts those of memory-limited groups (containers) too; 0 where nobody counts.
    """
    try:
        for line in counters.read_text().splitlines():
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    except (OSError, ValueError):
        pass
    return 0
