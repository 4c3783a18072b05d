"""Who may command a device: one request at a time, which gives signs of life, unless it is stopped.

A lease is a lock on a file beside the store, which the system takes away from a process that dies.
Within a process it belongs to whoever took it, with all tasks and threads that they start.
Where a store on a server is used from several hosts, each host has locks of its own: there the
numbers of the journal keep two apart, see `journal`.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import json
import logging
import os
import shlex
import tempfile
import threading
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from triplestore.errors import ConsentError, InputError, ResourceError
from workflows.trust.account import own_account
from workflows.trust.caller import ConsentQuestion, caller

logger = logging.getLogger(__name__)

LOOK = 0.05
"""Seconds between two looks at whether a device is stopped."""

BEAT = 1.0
"""Seconds between two signs of life."""

PATIENCE = 5.0
"""Seconds for which somebody waits who wants to give a single command."""


class BusyError(ResourceError):
    """Another process, or another request of this one, commands the device."""


class StoppedError(ResourceError):
    """A person has stopped the device, and none has let it go on."""


@dataclass(eq=False)
class _Lease:
    """A lock that this process has.

    Attributes:
        handle: of the file.
        device: whose it is.
        halt: ends what the device does, from whoever brought one last; None for none.
        ended: tells the thread that gives signs of life to end.
        count: how often its owner has taken it.
        thread: in which.
    """

    handle: int
    device: str
    halt: Callable[[], None] | None = None
    ended: threading.Event = field(default_factory=threading.Event)
    count: int = 1
    thread: int = field(default_factory=threading.get_ident)


_ours: dict[Path, _Lease] = {}  # of this process, as the locks are
_guard = threading.Lock()
_owned: ContextVar[tuple[_Lease, ...]] = ContextVar("grafico_leases", default=())
"""The leases of the request that is at work, those of the one that began it among them."""


def _forked() -> None:
    """Have no lease: those of the parent are the parent's, and go when that gives them back."""
    global _guard  # another thread may have had it
    _guard = threading.Lock()
    for lease in _ours.values():
        with suppress(OSError):
            os.close(lease.handle)
    _ours.clear()


os.register_at_fork(after_in_child=_forked)


@asynccontextmanager
async def leased(
    home: Path | None, device: str, *, halt: Callable[[], None] | None = None, patience: float = 1
) -> AsyncGenerator[None]:
    """Be the only one that commands a device; who has it may take it again.

    Args:
        home: the folder of the store; None where that is of this process alone.
        device: its name.
        halt: ends what the device does, called from another thread when it is stopped; where it
            fails, which is logged, again each second.
        patience: seconds to wait for another.

    Raises:
        BusyError: another process, or another request of this one, has it; says who and since when.
    """
    path = _path(home, device, "lease")
    until = time.monotonic() + patience
    lease = None
    while path is not None and (lease := _take(path, device, halt)) is None:
        if time.monotonic() > until:
            raise _busy(path, device)
        await asyncio.sleep(LOOK)
    try:
        yield
    finally:
        if path is not None and lease is not None:
            _free(path, lease)


@contextmanager
def briefly_leased(home: Path | None, device: str) -> Generator[None]:
    """Be the only one that commands a device, for a single command.

    Raises:
        BusyError: another has had it all the time.
    """
    path = _path(home, device, "lease")
    until = time.monotonic() + PATIENCE
    lease = None
    while path is not None and (lease := _take(path, device, None)) is None:
        if time.monotonic() > until or _is_of_this_thread(path):
            raise _busy(path, device)
        time.sleep(LOOK / 10)
    try:
        yield
    finally:
        if path is not None and lease is not None:
            _free(path, lease)


def owned() -> tuple[_Lease, ...]:
    """Return the leases that the request has which is at work, for `owning`."""
    return _owned.get()


@contextmanager
def owning(leases: tuple[_Lease, ...]) -> Generator[None]:
    """Work for the request that has some leases, in a task that it did not start."""
    token = _owned.set((*_owned.get(), *leases))
    try:
        yield
    finally:
        _owned.reset(token)


def _take(path: Path, device: str, halt: Callable[[], None] | None) -> _Lease | None:
    """Return the lease, taken; None if another has it.

    Raises:
        ResourceError: its file cannot be written.
    """
    with _guard:
        if (mine := _ours.get(path)) is not None:
            if mine not in _owned.get():
                return None
            mine.count += 1
            mine.halt = halt or mine.halt
            return mine
        try:
            path.parent.mkdir(mode=0o700, exist_ok=True)
            handle = _locked(path)
            if handle is None:
                return None
            try:
                _write(handle, _now(device))
            except BaseException:
                os.close(handle)
                raise
        except OSError as error:
            found = f"{path}: {error.strerror or error}"
            advice = "that nobody else does is kept there: let it be written"
            raise ResourceError(f"{device} was to be commanded", found, advice) from error
        lease = _ours[path] = _Lease(handle, device, halt)
    thread = threading.Thread(target=_beat, args=(path, lease), daemon=True)
    thread.start()
    _owned.set((*_owned.get(), lease))
    return lease


def _is_of_this_thread(path: Path) -> bool:
    """Tell whether to wait here would keep the one who has the lease from going on."""
    mine = _ours.get(path)
    return mine is not None and mine.thread == threading.get_ident()


def _locked(path: Path) -> int | None:
    """Return the lock of a file as a handle; None if another process has it.

    In a store of somebody else it may be a link to a file of the person's own: none is followed.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        if os.fstat(handle).st_nlink > 1:
            raise OSError(errno.EMLINK, "it has another name, too")
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    except OSError:
        os.close(handle)
        raise
    return handle


def _write(handle: int, told: dict[str, str]) -> None:
    """Write over what is there before it is cut: on a full disk the name of the device stays."""
    line = json.dumps(told).encode()
    os.pwrite(handle, line.ljust(os.fstat(handle).st_size), 0)
    os.ftruncate(handle, len(line))


def _free(path: Path, lease: _Lease) -> None:
    with _guard:
        lease.count -= 1
        if not lease.count and _ours.get(path) is lease:  # else it is that of a parent
            del _ours[path]
            _owned.set(tuple(one for one in _owned.get() if one is not lease))
            lease.ended.set()
            try:
                with suppress(OSError):  # a full disk; the lock goes all the same
                    _write(lease.handle, {"device": lease.device})
            finally:
                os.close(lease.handle)


def _beat(path: Path, lease: _Lease) -> None:
    """Give signs of life, and halt the device each time that it is stopped."""
    stop, beaten, halted = path.with_suffix(".stop"), time.monotonic(), False
    while not lease.ended.wait(LOOK):
        if not stop.exists():
            halted = False
        elif lease.halt is not None and not halted:
            halted = _halted(lease.device, lease.halt)
            lease.ended.wait(0 if halted else BEAT)
        if time.monotonic() - beaten > BEAT:
            beaten = time.monotonic()
            with suppress(OSError):
                os.utime(path)


def _halted(device: str, halt: Callable[[], None]) -> bool:
    """Halt a device; tell whether that went well."""
    try:
        halt()
    except Exception as error:
        why = f"{type(error).__name__}: {error}"
        logger.error("%s is stopped, and could not be halted (%s): halt it by hand", device, why)
        return False
    return True


def _busy(path: Path, device: str) -> BusyError:
    """Return the error that says who commands a device."""
    told, silent = _read(path), 0.0
    with suppress(OSError):
        silent = time.time() - path.stat().st_mtime
    quiet = f", no sign of life for {silent:.0f} s" if silent > 5 * BEAT else ""
    who = f"{told.get('who', 'somebody')} since {told.get('since', 'just now')}{quiet}"
    other = "another request of this process" if path in _ours else "another process"
    return BusyError(
        f"{device} was to be commanded",
        f"{other} has commanded it: {who}",
        "ask again when the other is done with it",
    )


# --- stopping ------------------------------------------------------------------------------------


def stop(home: Path | None, device: str) -> str:
    """Let no command to a device leave any more, from no process; return who commands it.

    Raises:
        InputError: the store is of this process alone.
        ResourceError: it cannot be written down.
    """
    path = _path(home, device, "stop")
    if path is None:
        asked = f"{device} was to be stopped"
        raise InputError(asked, "what is kept in memory no other process can stop", "end it")
    try:
        path.parent.mkdir(mode=0o700, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
        with open(handle, "w", encoding="utf-8") as file:
            file.write(json.dumps(_now(device)))
        os.replace(part, path)
    except OSError as error:
        found = f"{path}: {error.strerror or error}"
        raise ResourceError(
            f"{device} was to be stopped", found, "switch it off by hand"
        ) from error
    return holder(home, device)


def holder(home: Path | None, device: str) -> str:
    """Return who commands a device now; empty for nobody."""
    path = _path(home, device, "lease")
    if path is None or not path.exists():
        return ""
    if path not in _ours:
        with suppress(OSError):
            if (handle := _locked(path)) is not None:
                os.close(handle)  # who had it has died
                return ""
    return _read(path).get("who", "")


def known_devices(home: Path | None) -> list[str]:
    """Return the names of all devices that were ever commanded with a store."""
    files = list[Path]() if home is None else (home / "devices").glob("*.lease")
    return sorted({name for one in files if (name := _read(one).get("device"))})


def is_known(home: Path | None, device: str) -> bool:
    """Tell whether a device was ever commanded with a store, be its name readable or not."""
    path = _path(home, device, "lease")
    return path is not None and path.exists()


async def go_on(home: Path | None, device: str) -> None:
    """Let a device be commanded again, once a person who is asked has said so.

    Raises:
        ConsentError: no person says so, or none is there who could be asked.
    """
    asked = f"{device} was to go on"
    if not caller().is_person:
        raise ConsentError(asked, "only a person says that", "have one say it")
    what = f"{device} {why_stopped(home, device) or 'is not stopped'}"
    await affirmed(what, asked, "have you looked at it, may it go on?")
    if (path := _path(home, device, "stop")) is not None:
        path.unlink(missing_ok=True)


async def affirmed(what: str, asked: str, question: str) -> None:
    """Have the person who asks say yes to what only who has looked at a device can say.

    Args:
        what: is said of it.
        asked: what was asked, for errors.
        question: to them.

    Raises:
        ConsentError: they do not, or nobody is there who could be asked.
    """
    ask = caller().ask
    if ask is None:
        found = "whether it is so a person is asked, and nobody can be asked here"
        raise ConsentError(asked, found, "say it at a terminal, or in a program that says who asks")
    if await ask(ConsentQuestion(what, question, frozenset({"device"}))) is not True:
        raise ConsentError(asked, "the person who was asked has not said yes", "look at the device")


def why_stopped(home: Path | None, device: str) -> str:
    """Return who has stopped a device, and when; empty where it is not stopped."""
    path = _path(home, device, "stop")
    if path is None or not path.exists():
        return ""
    told = _read(path)
    return f"was stopped by {told.get('who', 'somebody')}, {told.get('since', 'just now')}"


def check_not_stopped(home: Path | None, device: str) -> None:
    """Let nothing pass to a device that is stopped; asked right before each command.

    Raises:
        StoppedError: it is.
    """
    if why := why_stopped(home, device):
        raise StoppedError(
            f"{device} was to be commanded",
            f"it {why}",
            "look at it; then a person at a terminal lets it go on: "
            f"grafico stop {shlex.quote(device)}, with the option go-on",
        )


def _now(device: str) -> dict[str, str]:
    now = f"{datetime.now(UTC):%Y-%m-%d %H:%M:%S} UTC"
    return {"device": device, "who": f"{own_account().text}, process {os.getpid()}", "since": now}


def _read(path: Path) -> dict[str, str]:
    with suppress(OSError, ValueError):
        found = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): str(value) for name, value in found.items()}
    return {}


def _path(home: Path | None, device: str, kind: str) -> Path | None:
    name = hashlib.sha256(device.encode()).hexdigest()[:24]
    return None if home is None else home / "devices" / f"{name}.{kind}"
