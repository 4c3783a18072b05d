"""A function in a process of its own, which can be ended: for what foreign text is given to.

A parser that somebody else's file keeps busy holds up nobody here: the kernel counts what it takes,
and it ends with whoever waits for it.
"""

from __future__ import annotations

import asyncio
import os
import pickle
import resource
import signal
import subprocess
import sys
from asyncio import AbstractEventLoop, Semaphore
from collections.abc import Callable
from contextlib import suppress
from typing import Any, BinaryIO, TypeVar
from weakref import WeakKeyDictionary

from triplestore.errors import (
    CrashError,
    GraficoError,
    MemoryLimitError,
    ResourceError,
    TimeLimitError,
)
from workflows.programs.unread_settings import load_without_files
from workflows.trust.caller import Caller, asked_by, caller

T = TypeVar("T")

SECONDS = 60
"""Of processor time."""

MEMORY = 4 << 30
"""Bytes of address space, of which the libraries take about one."""

PATIENCE = 900.0
"""Seconds on the clock, for a machine that has much else to do."""

AT_ONCE = 4
"""Such processes of one event loop; others wait."""

KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV", "LD_LIBRARY_PATH")
"""Variables that it sees; keys are not among them."""

_gates: WeakKeyDictionary[AbstractEventLoop, Semaphore] = WeakKeyDictionary()


async def in_subprocess(
    asked: str, function: Callable[..., T], *arguments: Any, seconds: int = SECONDS
) -> T:
    """Return what a function of a module returns, called in a process of its own.

    Cancelling ends the process. It reads files for whoever asks here, see
    `workflows.trust.caller`.

    Args:
        asked: what was asked, for error messages, as one clause.
        function: one that a module has under its name.
        arguments: for it; they and what it returns are copied.
        seconds: of processor time that it may take.

    Raises:
        TimeLimitError: it took more.
        MemoryLimitError: it needed more than `MEMORY`.
        CrashError: it crashed.
        ResourceError: no process could be started.
        Exception: what the function raises.
    """
    gate = _gates.setdefault(asyncio.get_running_loop(), Semaphore(AT_ONCE))
    async with gate:
        try:
            child = await asyncio.create_subprocess_exec(
                *COMMAND,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                env=environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise _not_started(asked, error) from error
        given = _given(seconds, resource.RLIMIT_AS, function, arguments)
        try:
            async with asyncio.timeout(PATIENCE):
                said, _ = await child.communicate(given)
        except TimeoutError as error:
            raise _too_long(asked, PATIENCE) from error
        finally:
            if child.returncode is None:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
                await asyncio.shield(child.wait())
    return _result(asked, said, child.returncode, seconds)


def in_subprocess_now(
    asked: str,
    function: Callable[..., T],
    *arguments: Any,
    seconds: int = SECONDS,
    patience: float = PATIENCE,
) -> T:
    """Return the same as `in_subprocess`, while the caller waits.

    What counts of memory is what can be written to: some libraries reserve far more than they use.

    Args:
        asked: what was asked, for error messages, as one clause.
        function: one that a module has under its name.
        arguments: for it; they and what it returns are copied.
        seconds: of processor time that it may take.
        patience: seconds on the clock.

    Raises:
        GraficoError: as `in_subprocess`.
    """
    pipe = subprocess.PIPE
    try:
        child = subprocess.Popen(
            COMMAND,
            stdin=pipe,
            stdout=pipe,
            stderr=subprocess.DEVNULL,
            env=environment(),
            start_new_session=True,
        )
    except OSError as error:
        raise _not_started(asked, error) from error
    with child:
        try:
            given = _given(seconds, resource.RLIMIT_DATA, function, arguments)
            said, _ = child.communicate(given, timeout=patience)
        except subprocess.TimeoutExpired as error:
            raise _too_long(asked, patience) from error
        finally:
            if child.poll() is None:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
    return _result(asked, said, child.returncode, seconds)


COMMAND = (sys.executable, "-P", "-m", "workflows.programs.isolated")

SMALLER = "give less of it, or another form of it"


def _given(
    seconds: int, limit: int, function: Callable[..., Any], arguments: tuple[Any, ...]
) -> bytes:
    return pickle.dumps((seconds, (limit, MEMORY), caller().text, function, arguments))


def _not_started(asked: str, error: OSError) -> ResourceError:
    problem = f"no process can be started for it: {error.strerror}"
    return ResourceError(asked, problem, "end other programs and ask again")


def _too_long(asked: str, patience: float) -> TimeLimitError:
    return TimeLimitError(asked, f"it took more than {patience:.0f} s", SMALLER)


def environment() -> dict[str, str]:
    """Return the variables that a process of its own sees: no keys are among them."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    threads = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return kept | dict.fromkeys(threads, "1") | {"LC_ALL": "C.UTF-8"}


def _result(asked: str, said: bytes, status: int | None, seconds: int) -> Any:
    """Return what came of it, or raise it."""
    if status == -signal.SIGXCPU:
        raise TimeLimitError(asked, f"it took more than {seconds} s of processor time", SMALLER)
    try:
        result, error = pickle.loads(said) if status == 0 else (None, None)
    except Exception as broken:
        raise CrashError(asked, f"its process said what is not understood: {broken}") from broken
    if status != 0:
        raise CrashError(asked, f"its process crashed (status {status})", SMALLER)
    if isinstance(error, MemoryError):
        raise MemoryLimitError(asked, f"it needs more than {MEMORY >> 30} GiB of memory", SMALLER)
    if error is not None:
        raise error
    return result


def main() -> None:
    """Call the function that standard input names, and write what came of it."""
    load_without_files()
    seconds, (limit, memory), who, function, arguments = pickle.load(sys.stdin.buffer)
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(limit, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(os.dup(1), "wb") as told:
        os.dup2(2, 1)  # what a library prints is no answer
        try:
            with asked_by(Caller.of_text(who)):
                outcome: tuple[Any, Any] = (function(*arguments), None)
        except MemoryError:
            outcome = (None, MemoryError())
        except GraficoError as error:
            outcome = (None, error)
        except Exception as error:
            outcome = (None, RuntimeError(f"{type(error).__name__}: {error}"[:1000]))
        _tell(told, outcome)
    os._exit(0)  # nothing of it is to be kept


def _tell(told: BinaryIO, outcome: tuple[Any, Any]) -> None:
    if "rdkit" in sys.modules:  # with the names and marks of atoms
        from rdkit import Chem

        chem: Any = Chem
        chem.SetDefaultPickleProperties(chem.PropertyPickleOptions.AllProps)
    pickle.dump(outcome, told)
    told.flush()


if __name__ == "__main__":
    main()
