"""Frames over a socket: a JSON object and bytes, with their lengths before them. No pickles."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Mapping
from typing import Any, cast

LENGTHS = struct.Struct(">II")
"""Bytes of the JSON, bytes of the rest."""


class FrameError(Exception):
    """What came is not a frame, or is larger than it may be."""


def pack(head: Mapping[str, Any], body: bytes = b"") -> bytes:
    """Return a frame."""
    text = json.dumps(head).encode()
    return LENGTHS.pack(len(text), len(body)) + text + body


def lengths(start: bytes, most_head: int, most_body: int) -> tuple[int, int]:
    """Read the two lengths.

    Raises:
        FrameError: one is beyond its limit.
    """
    head, body = LENGTHS.unpack(start)
    if head > most_head or body > most_body:
        raise FrameError(
            f"{head} and {body} bytes came; {most_head} and {most_body} are the most there may be"
        )
    return head, body


def parse(text: bytes) -> dict[str, Any]:
    """Read the JSON object of a frame.

    Raises:
        FrameError: it is none.
    """
    try:
        head: object = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise FrameError(f"not JSON: {error}") from None
    if not isinstance(head, dict):
        raise FrameError("not a JSON object")
    return cast("dict[str, Any]", head)


def receive(channel: socket.socket, most_head: int, most_body: int) -> tuple[dict[str, Any], bytes]:
    """Wait for a frame.

    Raises:
        EOFError: the other side is gone.
        FrameError: what came is none.
    """
    sizes = lengths(_exactly(channel, LENGTHS.size), most_head, most_body)
    return parse(_exactly(channel, sizes[0])), _exactly(channel, sizes[1])


def _exactly(channel: socket.socket, size: int) -> bytes:
    pieces: list[bytes] = []
    while size:
        piece = channel.recv(min(size, 1 << 20))
        if not piece:
            raise EOFError("the other side is gone")
        pieces.append(piece)
        size -= len(piece)
    return b"".join(pieces)
