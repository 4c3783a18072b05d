"""Listening at a place of this machine until the process is told to end."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import uvicorn

from triplestore.errors import InputError, ResourceError

from .connections import Door, Room
from .shutdown import end_at_last

if TYPE_CHECKING:
    from types import FrameType

    from starlette.types import ASGIApp

FAREWELL = 3
"""Seconds that connections have to end."""

UNREAD = 60.0
"""Seconds after which a connection ends whose client reads nothing of what is sent."""


def read_place(text: str) -> tuple[str, int]:
    """Return host and port of `[HOST:]PORT`.

    Raises:
        InputError: it is neither.
    """
    host, _, port = text.rpartition(":")
    host = host.removeprefix("[").removesuffix("]") or "127.0.0.1"
    if not port.isdecimal() or int(port) > 65535:
        advice = "give a port, such as 8765, or HOST:PORT"
        raise InputError(f"cannot listen on {text!r}", "that is no port", advice)
    return host, int(port)


def is_here(host: str) -> bool:
    """Return whether only this machine reaches a host."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there.

    Raises:
        ResourceError: it cannot.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listening = socket.create_server((host, port), family=family)
    except OSError as error:
        found, advice = error.strerror or str(error), "choose another port"
        raise ResourceError(f"cannot listen on {host}:{port}", found, advice) from error
    # inherited by connections; without it each answer waits 40 ms for an acknowledgement
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):  # who does not read what is sent is given up
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, int(UNREAD * 1000))
    return listening


def address(listening: socket.socket) -> str:
    """Return what a socket is called by browsers and clients, without a path."""
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(
    app: ASGIApp, listening: socket.socket, ending: Callable[[], None] = lambda: None
) -> None:
    """Serve until this process is told to end.

    Args:
        app: what is served.
        listening: where.
        ending: called when it is told to end, before connections have to.
    """
    door: Any = partial(Door, room=Room())
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        lifespan="on",
        loop="asyncio",
        http=door,
        ws="none",
        proxy_headers=False,
        timeout_graceful_shutdown=FAREWELL,
    )
    asyncio.run(_Ending(config, ending).serve(sockets=[listening]))


class _Ending(uvicorn.Server):
    """A server that ends when it is told to, even where a thread of it does not."""

    def __init__(self, config: uvicorn.Config, ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._end = ending

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        end_at_last()
        self._end()
        super().handle_exit(sig, frame)
