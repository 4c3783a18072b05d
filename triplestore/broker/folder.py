"""The folder of an embedded store: what lies in it, who holds it, and where its socket is.

::

    FOLDER/quads/        the quads (RocksDB, through pyoxigraph)
    FOLDER/store.json    the stamp: the format of the folder, where it was made, a mark of its own
    FOLDER/broker.lock   locked by the broker for its whole life; says who holds it
    FOLDER/broker.log    what brokers had to say, bounded in size

The kernel frees the lock when its holder dies, however it dies. Over some network file systems a
lock is not seen by other hosts, so what the lock file says counts as well: a folder that another
host has not given back is refused.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import json
import os
import socket
import stat
import tempfile
import time
import uuid
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from triplestore.disk import synchronise
from triplestore.errors import InputError, RecordError, ResourceError
from triplestore.quads import WRITABLE, disk_error

FORMAT = 1

OURS = {
    "quads",
    "arrays",
    "tasks",
    "memo",
    "store.json",
    "broker.lock",
    "broker.log",
    "broker.log.1",
}
"""What lies in a store's folder; other things may be added once it is one."""


@dataclass(frozen=True)
class Host:
    """This host: its name, and two marks that tell it from another of the same name."""

    host: str
    machine: str = ""
    boot: str = ""

    def same_as(self, other: Host) -> bool:
        """True for the same running kernel (containers rename it) or the same machine."""
        by_boot = bool(self.boot) and self.boot == other.boot
        return by_boot or (self.host, self.machine) == (other.host, other.machine)


@dataclass(frozen=True)
class Holder:
    """What the lock file says about the broker that holds the folder."""

    where: Host
    pid: int
    socket: str
    started: str


def this_host() -> Host:
    """Ask the system who it is."""

    def read(path: str) -> str:
        with suppress(OSError):
            return Path(path).read_text().strip()
        return ""

    machine = read("/etc/machine-id")  # confidential by its own manual, hence the digest
    digest = hashlib.sha256(f"grafico {machine}".encode()).hexdigest()[:16] if machine else ""
    return Host(socket.gethostname(), digest, read("/proc/sys/kernel/random/boot_id"))


def prepare(folder: Path) -> None:
    """Create the folder, for its owner alone, or check that it can be a store of this user.

    Raises:
        InputError: it cannot be created, is a file, belongs to another user, may not be written,
            or holds other things and no store.
        ResourceError: the disk is full.
    """
    asked = f"cannot open the store in {folder}"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        owner = folder.stat().st_uid
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.EACCES, errno.EPERM, errno.EROFS):
            raise InputError(
                asked,
                f"the folder cannot be created there: {error.strerror}",
                "choose a place that you may write to",
            ) from error
        raise disk_error(asked, error) from error
    if owner != os.geteuid():
        raise InputError(
            asked,
            f"the folder belongs to user {owner}, and this process runs as {os.geteuid()}",
            f"use a folder of your own, or run as its owner; {WRITABLE}",
        )
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        raise InputError(asked, "no permission to write there", WRITABLE)
    names = set(os.listdir(folder))
    strange = sorted(
        name
        for name in names - OURS - {"lost+found"}  # as a disk of its own has
        if not name.startswith((".", "store.json."))
    )
    if strange and "store.json" not in names and not has_quads(folder):
        some = ", ".join(strange[:3]) + (", …" if len(strange) > 3 else "")
        raise InputError(
            asked,
            f"the folder holds other things ({some}) and no store",
            "name a new or an empty folder, such as one inside of it",
        )


def has_quads(folder: Path) -> bool:
    """Whether the quads are there; without this file of its own the engine would begin anew."""
    return (folder / "quads" / "CURRENT").exists()


def check_stamp(folder: Path) -> str | None:
    """Check the stamp of the folder, and that what it was put on is there.

    Returns:
        The mark that tells this store from others, of this path too; None for a folder without a
        stamp, which is new.

    Raises:
        InputError: the folder has a newer format.
        RecordError: the stamp cannot be read, or the quads are gone.
        OSError: it cannot be read.
    """
    path = folder / "store.json"
    asked = f"cannot open the store in {folder}"
    try:
        stamp: Any = json.loads(path.read_bytes())
        found, mark = int(stamp["format"]), str(stamp.get("mark", ""))
    except FileNotFoundError:
        return None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise RecordError(
            asked, f"its stamp store.json cannot be read: {error}", "restore it from a backup"
        ) from error
    if found > FORMAT:
        raise InputError(
            asked,
            f"it has format {found}, and this version knows formats up to {FORMAT}",
            "install a newer version, or use another folder",
        )
    if not has_quads(folder):
        raise RecordError(
            asked,
            "its quads are gone: they were in the folder quads",
            "put that folder back; or move the store's folder away, and bring a backup into a new"
            " one with `grafico restore`",
        )
    return mark


def stamp(folder: Path) -> str:
    """Stamp a new store, once it has quads: a stamp says that there are some.

    Returns:
        Its mark; see `check_stamp`.

    Raises:
        OSError: it cannot be written.
    """
    mark = uuid.uuid4().hex
    fresh = folder / f"store.json.{os.getpid()}"
    fresh.write_text(json.dumps({"format": FORMAT, "host": socket.gethostname(), "mark": mark}))
    synchronise(fresh)
    fresh.replace(folder / "store.json")
    synchronise(folder)
    return mark


def take_lock(folder: Path) -> int | None:
    """Lock the folder: the open file, or None when a process of this host or another holds it.

    Raises:
        InputError: another host has not given the folder back.
        OSError: the file cannot be opened or locked.
    """
    lock = os.open(folder / "broker.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        if (holder := read_holder(folder)) and not holder.where.same_as(this_host()):
            raise held_elsewhere(folder, holder)
    except BlockingIOError:
        os.close(lock)
        return None
    except BaseException:
        os.close(lock)
        raise
    return lock


def still_held(folder: Path, lock: int) -> bool:
    """False once the folder was removed or its lock file deleted: the lock protects nothing."""
    try:
        status = os.stat(folder / "broker.lock")
    except OSError:
        return False
    return os.path.samestat(status, os.fstat(lock))


def held_elsewhere(folder: Path, holder: Holder) -> InputError:
    """The refusal of a folder that another host holds."""
    return InputError(
        f"cannot open the store in {folder}",
        f"host {holder.where.host} has held it since {holder.started} (process {holder.pid})"
        " and has not given it back",
        "use it there and wait half a minute after the last use; if that host is gone for good,"
        f" delete {folder / 'broker.lock'}",
    )


def read_holder(folder: Path) -> Holder | None:
    """What the lock file says; None when it is missing, empty or half written."""
    try:
        content: Any = json.loads((folder / "broker.lock").read_bytes())
        return Holder(Host(**content.pop("where")), **content)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def write_holder(lock: int, where: str) -> None:
    """Write into the locked file who holds it and where its socket is."""
    started = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    holder = Holder(this_host(), os.getpid(), where, started)
    os.ftruncate(lock, 0)
    os.pwrite(lock, json.dumps(asdict(holder)).encode(), 0)
    os.fsync(lock)


def clear_holder(lock: int) -> None:
    """Give the folder back: an empty lock file names nobody."""
    os.ftruncate(lock, 0)
    os.fsync(lock)


def socket_path(folder: Path) -> str:
    """Where the broker of this folder listens: a short path in a directory of this user.

    Paths of Unix sockets end at about 104 bytes, so the name is a digest of the folder's.

    Raises:
        InputError: the directory belongs to someone else or others may enter it.
        ResourceError: there is no directory, or its path is too long.
    """
    name = hashlib.sha256(os.fsencode(os.path.realpath(folder))).hexdigest()[:24] + ".sock"
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    choices = [Path(tempfile.gettempdir()) / f"grafico-{os.geteuid()}"]
    if runtime and os.path.isabs(runtime) and os.path.isdir(runtime):
        choices.insert(0, Path(runtime) / "grafico")
    for directory in choices:
        path = str(directory / name)
        if len(os.fsencode(path)) > 100:
            continue
        with suppress(FileExistsError, PermissionError):
            directory.mkdir(mode=0o700)
        if directory.exists():
            check_directory(directory)
            return path
    raise ResourceError(
        f"cannot open a socket for the store in {folder}",
        f"none of {', '.join(map(str, choices))} can be used",
        "set TMPDIR to a short path that you may write to",
    )


def check_directory(directory: Path) -> None:
    """Refuse a directory for sockets in which someone else could put one.

    Raises:
        InputError: it is a link, belongs to another user, or is open to others.
        FileNotFoundError: it does not exist.
    """
    if flaw := flaw_of(directory):
        raise InputError(
            f"use the socket directory {directory}",
            f"{flaw}, so another user could listen there",
            "remove it, or set TMPDIR to a directory of your own",
        )


def flaw_of(directory: Path) -> str:
    """Return why another user could put something into a directory of ours; empty if none could.

    Names in the temporary folder can be guessed, and whoever is first there owns what is made.

    Raises:
        FileNotFoundError: it does not exist.
    """
    status = directory.lstat()
    if stat.S_ISLNK(status.st_mode):
        return f"it is a link to {os.readlink(directory)}"
    if not stat.S_ISDIR(status.st_mode):
        return "it is no directory"
    if status.st_uid != os.geteuid():
        return f"it belongs to user {status.st_uid}"
    if stat.S_IMODE(status.st_mode) & 0o077:
        return f"it is open to others (mode {stat.S_IMODE(status.st_mode):o})"
    return ""
