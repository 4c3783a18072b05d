"""The server over standard input and output, for the one who has started this process."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from mcp.server.stdio import stdio_server

from grafico.serving.shutdown import end_at_last

if TYPE_CHECKING:
    from mcp.server.lowlevel.server import Server


async def serve_pipe(server: Server[Any]) -> None:
    """Serve until the client hangs up or this process is told to end.

    What is printed meanwhile goes to standard error. A signal ends the input, as the client does:
    who reads it could not be woken up otherwise.
    """
    ours, theirs = socket.socketpair()
    wire = os.dup(0)
    os.dup2(theirs.fileno(), 0)
    theirs.close()
    threading.Thread(target=pass_on, args=(wire, ours), daemon=True).start()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ask_to_end, ours)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


def ask_to_end(onward: socket.socket) -> None:
    """End, in a while at the latest."""
    end_at_last()
    hang_up(onward)


def pass_on(wire: int, onward: socket.socket) -> None:
    """Pass on what comes in, to its end."""
    with suppress(OSError):  # nobody listens any more
        while received := os.read(wire, 1 << 16):
            onward.sendall(received)
    hang_up(onward)


def hang_up(onward: socket.socket) -> None:
    """Let the input end."""
    with suppress(OSError):
        onward.shutdown(socket.SHUT_WR)
