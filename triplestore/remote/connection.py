"""One connection to a server: `http.client` with one time limit for all of a request."""

from __future__ import annotations

import errno
import http.client
import io
import re
import socket
import ssl
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

CONNECT = 5.0
"""Seconds for a connection."""
_IDLE = 60.0  # seconds for a single step where there is no other limit
_PIECE = 64 * 1024
LATE = re.compile(rb"TimeoutException|operation has been cancelled|QueryTimeout")
"""What servers write into an answer at their own time limit."""


class ConnectionBroken(ConnectionError):
    """The connection ended before the answer did."""


class Connection(http.client.HTTPConnection):
    """One connection, whose requests end at `deadline`; it connects when it is first used."""

    def __init__(
        self, host: str, port: int | None, tls: ssl.SSLContext | None, deadline: float | None
    ) -> None:
        default = http.client.HTTPS_PORT if tls else http.client.HTTP_PORT
        super().__init__(host, port or default)
        self.deadline, self._context = deadline, tls

    def connect(self) -> None:
        limit = CONNECT if self.deadline is None else min(CONNECT, self.left())
        try:
            self.sock: Any = _Timed(self._open(limit), self)
        except TimeoutError:
            self.left()
            raise ConnectionAbortedError(
                errno.ETIMEDOUT, f"nobody answers within {CONNECT:g} s"
            ) from None

    def _open(self, limit: float) -> socket.socket:
        connected = socket.create_connection((self.host, self.port), limit)
        try:
            connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._context is not None:
                connected = self._context.wrap_socket(connected, server_hostname=self.host)
        except BaseException:
            connected.close()
            raise
        return connected

    def left(self) -> float:
        """Seconds that are left, at most a minute for a single step."""
        if self.deadline is None:
            return _IDLE
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def exchange(
        self, method: str, path: str, body: bytes | Iterator[bytes], headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        """Send a request and read the head of its answer."""
        if not isinstance(body, bytes):
            headers["Transfer-Encoding"] = "chunked"
        try:
            self.request(method, path, body, headers, encode_chunked=not isinstance(body, bytes))
        except (BrokenPipeError, ConnectionResetError):
            # It may have said why before it hung up; else there is nothing to read either.
            if self.sock is None:
                raise
            return self.getresponse()
        return self.getresponse()


class _Timed:
    """A socket for `http.client` of which every step ends at the deadline of its connection."""

    def __init__(self, held: socket.socket, link: Connection) -> None:
        self._held, self._link = held, link
        self._readers, self._closing = 0, False

    def makefile(self, mode: str) -> io.BufferedReader:
        del mode  # http.client reads bytes
        self._readers += 1
        return io.BufferedReader(_Raw(self), _PIECE)

    def sendall(self, data: bytes) -> None:
        self._held.settimeout(self._link.left())
        self._held.sendall(data)

    def recv_into(self, buffer: memoryview) -> int:
        self._held.settimeout(self._link.left())
        return self._held.recv_into(buffer)

    def close(self) -> None:
        # http.client closes a connection that will not be kept before it reads the answer.
        self._closing = True
        if not self._readers:
            self._held.close()

    def left(self) -> None:
        """Be told that a reader has closed."""
        self._readers -= 1
        if self._closing:
            self.close()


class _Raw(io.RawIOBase):
    def __init__(self, held: _Timed) -> None:
        self._timed = held

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._timed.left()

    def readinto(self, buffer: Any, /) -> int:
        return self._timed.recv_into(memoryview(buffer))


class Body:
    """The body of an answer; reading it raises `ConnectionBroken` where it is not whole."""

    def __init__(self, answer: http.client.HTTPResponse, link: Connection) -> None:
        self._answer, self._link, self.tail = answer, link, b""
        self.kind = (answer.getheader("Content-Type") or "").partition(";")[0].strip().lower()
        self.status, self.size = answer.status, 0
        self.ends = answer.chunked or answer.length is not None
        """Whether the server says where the body ends."""

    def read(self, size: int = -1, /) -> bytes:
        """Read about so many bytes; none at the end."""
        piece: bytes | None = None
        with suppress(http.client.IncompleteRead, ConnectionError):
            piece = self._answer.read(min(size, _PIECE) if size > 0 else _PIECE)
        if piece is None or (not piece and self._answer.length):
            raise ConnectionBroken(f"the answer was cut short after {self.size} bytes")
        self.size += len(piece)
        self.tail = (self.tail + piece)[-8000:]
        return piece

    def read_all(self, limit: int) -> bytes:
        """Read to the end, or to a limit."""
        data = b""
        while len(data) < limit and (piece := self.read()):
            data += piece
        return data

    @property
    def late(self) -> bool:
        """Whether the end tells of the server's own time limit."""
        return LATE.search(self.tail) is not None
