"""The result of a snippet, read from what the interpreter reports."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from .inside.frames import FrameError, parse
from .inside.server import INODES, NAMES
from .limits import SandboxLimits
from .rerun import Again
from .values import Cited, Kept

Exceeded: TypeAlias = Literal["time", "memory", "disk"]

TYPES = {
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".jpeg": "image/jpeg",
    ".svg": "image/svg+xml",
    ".pdf": "application/pdf",
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".txt": "text/plain",
    ".md": "text/markdown",
    ".json": "application/json",
    ".xyz": "chemical/x-xyz",
    ".cif": "chemical/x-cif",
}


@dataclass(frozen=True)
class Artefact:
    """A file that a snippet has made.

    Attributes:
        name: as the snippet knows it, relative to its working folder.
        path: where it lies; it is never changed, a snippet that writes it again makes another.
        type: its media type by its name; `application/octet-stream` for what is not known. The
            content was not looked at.
        size: in bytes.
    """

    name: str
    path: Path
    type: str
    size: int


@dataclass(frozen=True)
class Ran:
    """What came of a snippet.

    Attributes:
        stdout: what it printed, cut with a note.
        stderr: warnings and the like, cut with a note.
        value: its last expression as text; empty if there is none, or it is None.
        error: the traceback, or in words how it ended; empty if all went well.
        exceeded: the limit that it went beyond.
        files: what it made or changed, open figures included.
        refused: files that are not given back, with the reasons.
        read: IRIs of the objects whose fields it was given, in order.
        seen: IRIs of the objects in the answers of its queries.
        queries: its queries that were answered.
        kept: numbers that it wants kept; none if it did not run to its end.
        cited: numbers of the literature that it uses.
        again: what came of it when it was run again; none if it was not, or had read no number
            that is a source.
        seconds: wall time.
        cpu: processor time in seconds.
    """

    stdout: str = ""
    stderr: str = ""
    value: str = ""
    error: str = ""
    exceeded: Exceeded | None = None
    files: tuple[Artefact, ...] = ()
    refused: tuple[str, ...] = ()
    read: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    queries: tuple[str, ...] = ()
    kept: tuple[Kept, ...] = ()
    cited: tuple[Cited, ...] = ()
    again: tuple[Again, ...] = ()
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it ran to its end."""
        return not self.error and self.exceeded is None


def checked(
    head: dict[str, Any], body: bytes, limits: SandboxLimits
) -> tuple[dict[str, Any], list[bytes]]:
    """Return what the interpreter says, taking nothing on trust: a snippet might have seized it.

    Raises:
        FrameError: it is not what an interpreter says.
    """
    try:
        sizes = [int(size) for size in head["sizes"]]
        names = [str(file["name"]) for file in head["files"]]
        sizes += [int(file["size"]) for file in head["files"]]
        if len(sizes) != 3 + len(names) or min(sizes) < 0 or sum(sizes) != len(body):
            raise FrameError("its sizes do not fit")
        if len(set(names)) < len(names) or len(names) > limits.files:
            raise FrameError("its files do not fit")
        if not all(NAMES.fullmatch(name) for name in names):
            raise FrameError("a file's name may not be")
        pieces: list[bytes] = []
        for size in sizes:
            pieces.append(body[:size])
            body = body[size:]
        word = _word(pieces[2])
        exceeded = head["exceeded"] or word.get("exceeded")
        refused = [str(line)[:300] for line in head["refused"][:21]]
        if word.get("unsaved"):
            refused.append(f"open figures: {word['unsaved']}")
        said: dict[str, Any] = {
            "stdout": _text(pieces[0], head["printed"][0]),
            "stderr": _text(pieces[1], head["printed"][1]),
            "value": word.get("value", ""),
            "error": word.get("error", ""),
            "exceeded": exceeded if exceeded in ("time", "memory", "disk") else None,
            "seconds": float(head["seconds"]),
            "cpu": float(head["cpu"]),
            "refused": refused,
            "names": names,
            "there": {str(name) for name in head["there"]},
        }
        inodes = int(head["inodes"])
        status = int(head["status"])
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise FrameError(f"what it says has no known form: {error!r}") from None
    if not said["error"] and (status or not word or head["exceeded"]):
        said["error"] = _ending(status, said["exceeded"], said["seconds"], inodes)
    return said, pieces[3:]


def _word(text: bytes) -> dict[str, str]:
    try:
        return {name: str(value) for name, value in parse(text).items()}
    except FrameError:
        return {}


def _text(kept: bytes, size: object) -> str:
    text, more = kept.decode(errors="replace"), int(cast("int", size)) - len(kept)
    return f"{text}\n… and {more} more bytes" if more > 0 else text


def _ending(status: int, exceeded: str | None, seconds: float, inodes: int) -> str:
    match exceeded:
        case "time":
            return f"stopped after {seconds:.1f} s: it took longer than it may"
        case "disk":
            return (
                f"stopped: it made more files than it may: its folder held {inodes:,} files and "
                f"folders, {INODES:,} are the most; only what was given back is still there. Write "
                "fewer files, or one that holds them all"
            )
        case _ if status < 0:
            return f"ended by signal {-status}: a crash, or memory ran out in a library"
        case _:
            return f"it ended its own process with status {status}"
