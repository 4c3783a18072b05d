"""The task folder: the journal of one calculation in flight.

::

    KEY/claim         locked by the process that computes; the kernel frees it when that one dies;
                      says what is computed, so that who asks for a moved copy waits
    KEY/call.json     which calculation, which inputs, the IRI of the activity to be
    KEY/input.nq      the inputs as N-Quads
    KEY/frames.jsonl  progress, a line a frame
    KEY/log.txt       what the program printed, the end of it (and log.1.txt, what was before)
    KEY/checkpoint    where one that was cut off, or ended at a limit, can go on, if it can
    KEY/output.nq     result and activity: appears whole and last
    KEY/error.json    or why there is none

A folder that has an output is finished whoever finds it; taking it in twice changes nothing.

A calculation within a bundle has no folder of its own: its KEY is a link to that of the bundle, so
that its claim is the bundle's, held until what the bundle came to is stored.
"""

from __future__ import annotations

import asyncio
import errno
import fcntl
import json
import os
import re
import shutil
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from ogm import ArrayFiles, GraphModel, class_iri, decode, described, encode
from ogm.terms import time_ordered_id
from ogm.writing import closure
from ontologies.provenance import Activity
from triplestore import errors
from triplestore.errors import (
    DiskFullError,
    GraficoError,
    KilledError,
    NotConvergedError,
    ResourceError,
)

from ..local.logfile import tail
from .calculation import NEAR, Calculation, Call, ResultT, load

CHECKPOINT = "checkpoint"

KEPT = 30 * 86400.0
"""Seconds that a calculation which was cut off and can go on is kept."""

IDENTIFIER = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
"""Of an activity to be."""

LITTLE = 1_000_000
"""Bytes of a disk that is as good as full."""


class Task:
    """One task folder."""

    def __init__(self, folder: Path, arrays: Path | None) -> None:
        self.folder = folder
        self.files = ArrayFiles(arrays) if arrays is not None else None
        self._read = 0

    # --- the side of the process that asks ---------------------------------------------------

    def prepare(self, call: Call[Any], fresh: bool = False) -> None:
        """Write the inputs, unless an earlier attempt already did.

        Args:
            call: what is to be computed.
            fresh: from nothing, without what an earlier attempt or another calculation left.
        """
        for name in ("error.json", "frames.jsonl", "log.txt", "log.1.txt"):
            (self.folder / name).unlink(missing_ok=True)
        if fresh:
            (self.folder / CHECKPOINT).unlink(missing_ok=True)
        objects = call.objects
        write(self.folder / "input.nq", encode(closure(objects.values()).values(), self.files))
        if not fresh and self.holds(call):
            return
        document = json.dumps(self._document(call, fresh), indent=1)
        write(self.folder / "call.json", document.encode())

    def holds(self, call: Call[Any]) -> bool:
        """Whether an earlier attempt wrote just this call, and nothing else that would be run."""
        try:
            document = json.loads(self._text("call.json"))
            activity = str(document["activity"])
            asked = self._document(call, fresh=False) | {"activity": activity}
            alike = document == json.loads(json.dumps(asked))
            return alike and IDENTIFIER.fullmatch(activity) is not None
        except (ValueError, KeyError, TypeError):  # none, or of an earlier version
            return False

    def _document(self, call: Call[Any], fresh: bool) -> dict[str, Any]:
        """Return what `call.json` says of a call, with an activity to be."""
        return {
            "calculation": call.calculation.reference,
            "home": call.calculation.home,
            "key": call.key,
            "family": call.family,
            "signature": call.signature,
            "objects": {name: model.iri for name, model in call.objects.items()},
            "values": values_of(call),
            "activity": time_ordered_id(),
            "arrays": str(self.files.folder) if self.files else None,
            "memo": None if fresh else str(self.folder.parent.parent / "memo"),
        }

    @property
    def finished(self) -> bool:
        """Whether there is an output."""
        return (self.folder / "output.nq").exists()

    @property
    def activity(self) -> str:
        """IRI of the activity to be."""
        return class_iri(Activity.__name__, json.loads(self._text("call.json"))["activity"])

    @property
    def failed(self) -> bool:
        """Whether it is known why there is none."""
        return (self.folder / "error.json").exists()

    @property
    def resumable(self) -> bool:
        """Whether a calculation that was cut off, or ended at a limit, can go on from here."""
        return (self.folder / CHECKPOINT).exists() and (
            not self.failed or isinstance(self._error(), ResourceError | NotConvergedError)
        )

    def output(self, result_type: type[ResultT]) -> tuple[Activity, ResultT]:
        """Read activity and result.

        Raises:
            GraficoError: the one that the calculation ended with.
            ResourceError: it ended without a word.
        """
        if not self.finished:
            raise self._error()
        describe = described((self.folder / "output.nq").read_bytes())
        activity = decode(Activity, [self.activity], describe, self.files)[0]
        return activity, decode(result_type, [activity.generated.iri], describe, self.files)[0]

    def new_frames(self) -> list[dict[str, Any]]:
        """Return the frames that have come since the last call."""
        try:
            with open(self.folder / "frames.jsonl", "rb") as file:
                file.seek(self._read)
                text = file.read()
        except FileNotFoundError:
            return []
        whole = text[: text.rfind(b"\n") + 1]
        self._read += len(whole)
        return [json.loads(line) for line in whole.splitlines()]

    def _text(self, name: str) -> str:
        try:
            return (self.folder / name).read_text(encoding="utf-8", errors="replace")
        except (FileNotFoundError, NotADirectoryError):
            return ""

    def _error(self) -> GraficoError:
        text = self._text("error.json")
        if text:
            said = json.loads(text)
            kind: Any = getattr(errors, str(said["kind"]), None)
            if not (isinstance(kind, type) and issubclass(kind, GraficoError)):
                kind = GraficoError
            return kind(*(str(said[name]) for name in ("asked", "found", "advice")))
        if shutil.disk_usage(self.folder).free < LITTLE:
            return cannot_write(self.folder, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
        log = tail(self.folder)
        return KilledError(
            "the calculation ended without a result",
            "its process died" + (f"; its last words:\n{log}" if log else ""),
            "ask again; if it dies again, give it more memory or fewer cores",
        )

    # --- the side of the process that computes -----------------------------------------------

    def load(self) -> tuple[dict[str, Any], Calculation[..., Any], dict[str, Any]]:
        """Read the call: the document, the calculation and its arguments."""
        document = json.loads(self._text("call.json"))
        calculation = load(document["calculation"], document["home"])
        return document, calculation, {**document["values"], **self.objects()}

    def objects(self) -> dict[str, GraphModel]:
        """Read the objects among the arguments."""
        iris: dict[str, str] = json.loads(self._text("call.json"))["objects"]
        describe = described((self.folder / "input.nq").read_bytes())
        models: list[GraphModel] = decode(GraphModel, list(iris.values()), describe, self.files)
        return dict(zip(iris, models, strict=True))

    @property
    def announced(self) -> str:
        """What its claim says: family, signature, and which claim it is; nothing at first."""
        return self._text("claim")

    def finish(self, *models: GraphModel) -> None:
        """Write the output.

        It outlives the death of any process. What a loss of power takes is computed again: a
        result is reported only when the store has it on disk.
        """
        write(self.folder / "output.nq", encode(closure(models).values(), self.files))

    def fail(self, error: GraficoError) -> None:
        """Write why there is no output."""
        said = {
            "kind": type(error).__name__,
            "asked": error.asked,
            "found": error.found,
            "advice": error.advice,
        }
        write(self.folder / "error.json", json.dumps(said).encode())


class Tasks:
    """The folder that holds the task folders."""

    def __init__(self, folder: Path, arrays: Path | None) -> None:
        self.folder = folder
        self.arrays = arrays
        self._families: dict[str, str] = {}  # of the calls seen in flight, by key

    @asynccontextmanager
    async def claim(self, key: str, waiting: Any = None) -> AsyncGenerator[Task]:
        """Hold the task of a key; one process at a time, others wait.

        Args:
            key: the key of the call.
            waiting: called once if another process holds it.
        """
        pause = 0.01
        while True:
            lock = self.try_claim(key)
            if lock is not None:
                break
            if waiting is not None:
                waiting()
                waiting = None
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 0.25)
        if os.fstat(lock).st_size:  # what was cut to nothing, ext4 writes out when it is closed
            os.ftruncate(lock, 0)
        task = Task(self.folder / key, self.arrays)
        try:
            yield task
        finally:
            if not task.finished and not task.resumable:
                self.remove(task)
            os.close(lock)

    async def announce(self, task: Task, call: Call[Any]) -> list[tuple[Task, str]]:
        """Say that a call is about to be computed.

        Returns:
            The tasks that said so before and resemble it, with what they said. Who waits for some
            of them waits for earlier ones only, so that nobody waits in a circle.
        """
        alone = os.open(self.folder, os.O_RDONLY)
        try:
            for _ in range(100):  # one that was stopped in here is not waited for
                with suppress(BlockingIOError):
                    fcntl.flock(alone, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    break
                await asyncio.sleep(0.01)
            found: list[tuple[Task, str]] = []
            families = {"", *call.families}  # nothing is said yet, or not known here
            known: dict[str, str] = {}
            for name in names_in(self.folder):
                if self._families.get(name, "") in families and name != call.key:
                    other = Task(self.folder / name, self.arrays)
                    said = other.announced
                    family, signature, _ = said.split() or ("", "nan", "")
                    if abs(float(signature) - call.signature) < NEAR and family in families:
                        found.append((other, said))
                    self._families[name] = family
                known[name] = self._families.get(name, "")
            self._families = known
            words = f"{call.family} {call.signature!r} {time_ordered_id()}"
            with open(task.folder / "claim", "r+") as file:  # the very one with the lock, not cut
                file.write(words)
            return found
        finally:
            os.close(alone)

    async def end_of(self, task: Task, said: str) -> None:
        """Wait until a task that said this is finished or given up."""
        pause = 0.01
        while task.announced == said:
            lock = self.try_claim(task.folder.name, create=False)
            if lock is not None:
                os.close(lock)
                return
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, 0.25)

    def reserve(self, key: str, bundle: str) -> bool:
        """Hold the task of a key for the bundle in whose worker this is.

        Args:
            key: the key of the call.
            bundle: that of the bundle, whose claim is held until it is stored.

        Returns:
            False if somebody else has it, who need not be at work on it yet.
        """
        path = self.folder / key
        for _ in range(2):
            with suppress(FileExistsError):
                path.symlink_to(bundle)
                return True
            lock = self.try_claim(key, create=False)  # it removes a link that nobody holds
            if lock is not None:
                os.close(lock)  # an earlier attempt has left something there
        return False

    def release(self, bundle: str, *keys: str) -> None:
        """Let go of what is held for a bundle: some of it, or all."""
        names = keys or [entry.name for entry in os.scandir(self.folder) if entry.is_symlink()]
        for path in map(self.folder.joinpath, names):
            with suppress(OSError):  # it was not held
                if os.readlink(path) == bundle:
                    path.unlink()

    def sweep(self, recorded: Callable[[str], bool]) -> None:
        """Remove what processes that were killed have left.

        Outputs stay until they are recorded, for they are results, and for a month what a
        calculation can go on from.

        Args:
            recorded: tells whether the store has the activity of an IRI.
        """
        for folder in self.folder.glob("*"):
            lock = self.try_claim(folder.name, create=False)
            if lock is not None:
                task = Task(folder, self.arrays)
                if task.finished:
                    worthless = False
                    with suppress(ValueError, KeyError, TypeError):  # not a call that we know
                        worthless = recorded(task.activity)  # killed before it could tidy up
                else:
                    worthless = not (task.resumable and _age(folder) < KEPT)
                if worthless:
                    self.remove(task)
                os.close(lock)

    def remove(self, task: Task) -> None:
        """Remove a folder whose content is recorded or worth nothing."""
        shutil.rmtree(task.folder, ignore_errors=True)

    def _make_home(self) -> None:
        """Make the folder of the tasks, but not that of the store: one removed stays removed."""
        try:
            self.folder.mkdir(exist_ok=True, mode=0o700)
        except FileNotFoundError as error:
            raise ResourceError(
                f"cannot begin a task in {self.folder}",
                f"there is no folder {self.folder.parent} any more",
                "was it removed or moved? Put it back, or ask again for a new one",
            ) from error

    def try_claim(self, key: str, create: bool = True) -> int | None:
        """Return a lock on a key's folder, None if another process has it or there is none."""
        path = self.folder / key / "claim"
        try:
            if create:
                self._make_home()
                path.parent.mkdir(exist_ok=True, mode=0o700)
            lock = os.open(path, os.O_RDWR | (os.O_CREAT if create else 0), 0o600)
        except OSError as error:
            gone = isinstance(error, FileNotFoundError | NotADirectoryError | FileExistsError)
            if gone and not (create and path.parent.is_file()):
                self._unlink_broken(path.parent)
                return None  # removed between the two calls by the one who held it
            raise cannot_write(path.parent, error) from error
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if os.path.samestat(os.fstat(lock), os.stat(path)):
                if not path.parent.is_symlink():
                    return lock
                path.parent.unlink()  # who held the bundle was killed
        except (BlockingIOError, FileNotFoundError):
            pass
        os.close(lock)
        return None

    def _unlink_broken(self, path: Path) -> None:
        """Remove the link of a key to a bundle that is gone, and none that is new meanwhile."""
        if not path.is_symlink():
            return
        alone = os.open(self.folder, os.O_RDONLY)
        try:
            fcntl.flock(alone, fcntl.LOCK_EX)
            if path.is_symlink() and not path.exists():
                path.unlink()
        finally:
            os.close(alone)


def names_in(folder: Path) -> list[str]:
    """Return the names of the task folders; what is held for bundles has none of its own."""
    with os.scandir(folder) as entries:
        return sorted(entry.name for entry in entries if not entry.is_symlink())


def carry_checkpoint(source: Path, target: Path, key: str) -> None:
    """Copy where a calculation that was cut off can go on, unless what is there is newer.

    Args:
        source: folder of the tasks where it was begun.
        target: that of those where it is to go on.
        key: of its call.

    Raises:
        ResourceError: the disk is full.
    """
    old, new = source / key / CHECKPOINT, target / key / CHECKPOINT
    with suppress(FileNotFoundError, NotADirectoryError):
        written = old.stat().st_mtime_ns
        if not new.exists() or new.stat().st_mtime_ns < written:
            new.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            write(new, old.read_bytes())
            os.utime(new, ns=(written, written))


def in_flight(folder: Path) -> list[dict[str, str]]:
    """Return what the task folders hold: key, calculation, and whether somebody computes it."""
    tasks = Tasks(folder, None)
    found: list[dict[str, str]] = []
    for path in map(folder.joinpath, names_in(folder) if folder.is_dir() else ()):
        try:
            name = str(json.loads((path / "call.json").read_text())["calculation"])
        except (OSError, ValueError, KeyError, TypeError):
            name = "?"
        lock = tasks.try_claim(path.name, create=False)
        state = "computing"
        if lock is not None:
            os.close(lock)
            task = Task(path, None)
            state = "finished, not taken in yet" if task.finished else "left behind"
            if task.resumable:
                state = "cut off, can go on"
        found.append({"key": path.name, "calculation": name, "state": state})
    return found


def values_of(call: Call[Any]) -> dict[str, Any]:
    """Return the arguments that are no objects of the graph."""
    return {name: v for name, v in call.arguments.items() if not isinstance(v, GraphModel)}


def _age(folder: Path) -> float:
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0


def write(path: Path, content: bytes) -> None:
    """Write a file, for this user alone, that appears whole or not at all.

    Raises:
        ResourceError: the disk is full or the folder cannot be written.
    """
    temporary = path.with_name(path.name + ".part")
    try:
        with open(temporary, "wb", opener=for_us_alone) as file:
            file.write(content)
        os.replace(temporary, path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise cannot_write(path.parent, error) from error


def for_us_alone(path: str, flags: int) -> int:
    """Open a file that only this user may read, if it is new."""
    return os.open(path, flags, 0o600)


def cannot_write(folder: Path, error: OSError) -> ResourceError:
    """Return the error for a folder that takes no more."""
    full = error.errno in (errno.ENOSPC, errno.EDQUOT)
    return (DiskFullError if full else ResourceError)(
        f"{folder} cannot be written",
        error.strerror or str(error),
        "free space or permission there, or choose another store",
    )
