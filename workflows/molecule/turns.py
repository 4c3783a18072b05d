"""Requests to a public server, in turn: all processes of a user together keep to its limits.

The times of requests stand in a file of the user's runtime folder, one for each host, and whoever
asks next puts down when it will. A server that says it is busy is asked later, by everybody.

Source: PubChem's usage policy, 5 requests a second and 400 a minute, and its dynamic throttling,
https://pubchem.ncbi.nlm.nih.gov/docs/programmatic-access.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import math
import os
import re
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any, cast

from triplestore.broker.folder import flaw_of
from triplestore.errors import ResourceError
from workflows.engine.local.tokens import runtime_folder

A_SECOND, A_MINUTE = 5, 400
"""Requests to one host."""

PATIENCE = 120.0
"""s that one waits for its turn at most."""

LARGEST = 100_000
"""Bytes of the file of a host."""

SLOWER = {"black": 60.0, "red": 5.0, "yellow": 1.0}
"""s until the next request, by the worst colour that a server tells of itself."""

COLOUR = re.compile(r"\b(black|red|yellow)\b", re.IGNORECASE)


def wait(host: str) -> None:
    """Wait until a request to a host is within its limits.

    Raises:
        ResourceError: that would take too long, or there is no folder for the times.
    """
    with _times(host) as said:
        now = time.time()
        at = max([now, said["not_before"], *said["times"][-1:]])
        for many, seconds in ((A_SECOND, 1.0), (A_MINUTE, 60.0)):
            if len(said["times"]) >= many:
                at = max(at, said["times"][-many] + seconds)
        if at - now > PATIENCE:
            asked, found = f"{host} was to be asked", f"it is busy for the next {at - now:.0f} s"
            raise ResourceError(asked, found, "ask again later")
        said["times"].append(at)
    time.sleep(max(0.0, at - time.time()))


def slow_down(host: str, seconds: float) -> None:
    """Let nobody ask a host for a while."""
    with _times(host) as said:
        said["not_before"] = max(said["not_before"], time.time() + min(seconds, PATIENCE))


def heed(host: str, status: str) -> None:
    """Slow down as a server says in its header X-Throttling-Control; an empty one says nothing."""
    told = {one.lower() for one in COLOUR.findall(status)}
    if seconds := max((SLOWER[one] for one in told), default=0.0):
        slow_down(host, seconds)


@contextmanager
def _times(host: str) -> Generator[dict[str, Any]]:
    """Read the times of a host, alone, and write what becomes of them."""
    folder = runtime_folder("requests")
    asked = f"{host} was to be asked"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        if flaw := flaw_of(folder):
            raise ResourceError(asked, f"{folder}: {flaw}", "remove it, or set XDG_RUNTIME_DIR")
        name = hashlib.sha256(host.encode()).hexdigest()[:24]
        file = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        found = f"{folder} cannot be used: {error.strerror or error}"
        raise ResourceError(asked, found, "free space there, or set XDG_RUNTIME_DIR") from error
    try:
        fcntl.flock(file, fcntl.LOCK_EX)
        said = _read(os.pread(file, LARGEST, 0))
        yield said
        text = json.dumps({**said, "times": said["times"][-A_MINUTE:]}).encode()
        os.ftruncate(file, 0)
        os.pwrite(file, text, 0)
    finally:
        os.close(file)


def _read(content: bytes) -> dict[str, Any]:
    """Return the times of the last minute in order, and before when nobody is to ask."""
    now, times, before = time.time(), list[float](), 0.0
    with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
        said = cast("dict[str, Any]", json.loads(content))
        listed = [float(one) for one in said["times"]]
        if all(math.isfinite(one) for one in listed):
            times = sorted(one for one in listed if now - 60 <= one <= now + PATIENCE)
        until = float(said["not_before"])
        before = until if now < until <= now + PATIENCE else 0.0  # else the clock was set
    return {"times": times, "not_before": before}
