"""Framing between the clients and the broker of an embedded store.

A frame is one letter, a length and so many bytes. An answer is any number of `D` frames and one
that ends it, `E` (done) or `X` (an error), so an answer that was cut off by a death is never taken
for a whole one. A query of somebody else is answered by a `B` first, when its evaluation begins,
and by an `L` if the broker has to leave for no fault of it. Both sides belong to the same user on
the same host; the greeting tells versions.
"""

from __future__ import annotations

import json
import socket
import struct
import sys
import time
from typing import Any, NamedTuple

from triplestore import errors
from triplestore.bounds import Bounds

VERSION = 3
MAX_REQUEST = 1 << 30
SMALL = 65_536
"""Bytes below which a frame is put together before it is sent."""

GREETING, QUERY, INSERT, FLUSH, DUMP, COPY = b"G", b"Q", b"I", b"F", b"A", b"C"
DATA, END, ERROR = b"D", b"E", b"X"
BEGUN, LEAVING = b"B", b"L"

_HEAD = struct.Struct("!cQ")
_QUERY = struct.Struct("!dqQq")
_INSERT = struct.Struct("!?Q")


class FrameBroken(Exception):
    """The other side went away in the middle; the request may be repeated elsewhere."""


class Late(Exception):
    """The other side did not answer before the deadline."""


class Query(NamedTuple):
    """A query request: the text and its limits; -1 for no limit of rows, or of memory."""

    bounds: Bounds
    sparql: str

    def pack(self) -> bytes:
        """The request as bytes; raises `UnicodeEncodeError` for lone surrogates."""
        rows, memory = (
            -1 if limit is None else limit for limit in (self.bounds.max_rows, self.bounds.memory)
        )
        head = _QUERY.pack(self.bounds.timeout, rows, self.bounds.max_bytes, memory)
        return head + self.sparql.encode()

    @classmethod
    def unpack(cls, payload: bytes | bytearray) -> Query:
        """Read what `pack` wrote; raises `FrameBroken` when it cannot be read."""
        try:
            timeout, rows, most, memory = _QUERY.unpack_from(payload)
            sparql = bytes(payload[_QUERY.size :]).decode("utf-8")
            rows, memory = (None if limit < 0 else limit for limit in (rows, memory))
            return cls(Bounds(timeout, rows, most, memory), sparql)
        except (struct.error, UnicodeDecodeError) as error:
            raise FrameBroken(str(error)) from error


class Insert(NamedTuple):
    """An insertion request: N-Quads, whether to flush them, and the subjects that are settled."""

    durable: bool
    settled: list[str]
    quads: bytes

    def pack(self) -> bytes:
        """The request as bytes."""
        settled = json.dumps(self.settled).encode()
        return _INSERT.pack(self.durable, len(settled)) + settled + self.quads

    @classmethod
    def unpack(cls, payload: bytes | bytearray) -> Insert:
        """Read what `pack` wrote; raises `FrameBroken` when it cannot be read."""
        try:
            durable, length = _INSERT.unpack_from(payload)
            rest = memoryview(payload)[_INSERT.size :]
            if length > len(rest):
                raise FrameBroken("an insertion that ends early")
            settled: Any = json.loads(bytes(rest[:length]))
            return cls(durable, [str(iri) for iri in settled], bytes(rest[length:]))
        except (struct.error, ValueError, TypeError) as error:
            raise FrameBroken(str(error)) from error


def frame(kind: bytes, payload: bytes | bytearray = b"") -> bytes:
    """One frame as bytes."""
    return _HEAD.pack(kind, len(payload)) + payload


def send(
    link: socket.socket, kind: bytes, payload: bytes | bytearray = b"", before: bytes = b""
) -> None:
    """Send one frame, after frames that were kept back to be sent with it.

    Raises:
        Broken: the other side is gone.
        Late: the time-out of the socket has passed.
    """
    try:
        if len(payload) < SMALL:
            link.sendall(before + frame(kind, payload))
        else:
            link.sendall(before + _HEAD.pack(kind, len(payload)))
            link.sendall(payload)
    except TimeoutError as error:
        raise Late from error
    except OSError as error:
        raise FrameBroken(str(error)) from error


def receive(
    link: socket.socket, deadline: float | None = None, limit: int = 1 << 40
) -> tuple[bytes, bytearray]:
    """Read one frame: its letter and its payload.

    Raises:
        Broken: the other side closed, or the frame is longer than `limit`.
        Late: the deadline (on the clock of `time.monotonic`) passed.
    """
    kind, length = _HEAD.unpack(_exactly(link, _HEAD.size, deadline))
    if length > limit:
        raise FrameBroken(f"a frame of {length} bytes")
    return kind, _exactly(link, length, deadline)


def _exactly(link: socket.socket, length: int, deadline: float | None) -> bytearray:
    # The buffer grows with what arrives: a length alone must not make us allocate it.
    buffer = bytearray()
    while (missing := length - len(buffer)) > 0:
        try:
            if deadline is not None:
                link.settimeout(max(0.001, deadline - time.monotonic()))
            chunk = link.recv(min(missing, 1 << 20))
        except TimeoutError as error:
            raise Late from error
        except OSError as error:
            raise FrameBroken(str(error)) from error
        if not chunk:
            raise FrameBroken("the connection was closed")
        buffer += chunk
    return buffer


def pack_json(content: dict[str, Any]) -> bytes:
    """A small message as bytes."""
    return json.dumps(content).encode()


def unpack_json(payload: bytes | bytearray) -> dict[str, Any]:
    """Read what `pack_json` wrote; raises `FrameBroken` when it cannot be read."""
    try:
        content = json.loads(payload)
    except ValueError as error:
        raise FrameBroken(str(error)) from error
    if not isinstance(content, dict):
        raise FrameBroken("not a message")
    return content  # pyright: ignore[reportUnknownVariableType]


def pack_error(error: errors.GraficoError) -> bytes:
    """An error of our tree as bytes."""
    parts = {"asked": error.asked, "found": error.found, "advice": error.advice}
    return pack_json({"type": type(error).__name__, **parts})


def unpack_error(payload: bytes | bytearray) -> errors.GraficoError:
    """The error that `pack_error` wrote; a name that we do not know becomes `ResourceError`."""
    content = unpack_json(payload)
    kind = getattr(errors, str(content.get("type")), None)
    if not (isinstance(kind, type) and issubclass(kind, errors.GraficoError)):
        kind = errors.ResourceError
    return kind(*(str(content.get(part, "")) for part in ("asked", "found", "advice")))


class Peer(NamedTuple):
    """The process at the other end of a Unix socket, as the kernel tells it; None: unknown."""

    pid: int | None
    uid: int | None


def peer_of(link: socket.socket) -> Peer:
    """Ask the kernel who is at the other end.

    Elsewhere than on Linux the question has other names and shapes; there the mode of the socket
    and of its directory are the only lock, which is what those systems' own daemons rely on.
    """
    if sys.platform != "linux":
        return Peer(None, None)
    raw = link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
    pid, uid, _ = struct.unpack("3i", raw)
    # Zero: a process that our namespace cannot see, hence cannot signal either.
    return Peer(pid or None, uid)
