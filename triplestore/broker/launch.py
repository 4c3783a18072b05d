"""Start a broker: detached, with a bare environment, and with its reason when it fails."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from pathlib import Path

import pyoxigraph

from triplestore.broker import wire
from triplestore.errors import ResourceError
from triplestore.quads import disk_error

_KEPT = ("PATH", "HOME", "LANG", "TMPDIR", "XDG_RUNTIME_DIR")
_LOG_LIMIT = 64 * 1024
_PATIENCE = 20.0


def start_broker(folder: Path, idle: float) -> None:
    """Start a broker for the folder and wait until it listens, or leaves it to another.

    Raises:
        GraficoError: it could not start, for the reason that it gave.
    """
    asked = f"cannot open the store in {folder}"
    reading, writing = os.pipe()
    try:
        with _open_log(folder) as log:
            command = [
                sys.executable,
                "-P",
                "-m",
                "triplestore.broker",
                str(folder),
                "--idle",
                str(idle),
                "--report",
                str(writing),
            ]
            try:
                starter = subprocess.Popen(
                    command,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=log,
                    cwd="/",
                    env=environment(),
                    pass_fds=(writing,),
                    start_new_session=True,
                )
            except OSError as error:  # not the folder's fault
                problem = f"no process can be started for it: {error}"
                raise ResourceError(asked, problem, "see the cause and ask again") from error
        os.close(writing)
        writing = -1
        report = _read_all(reading, time.monotonic() + _PATIENCE)
        starter.wait()  # it forks the broker and ends at once, so nothing is left to reap later
    except OSError as error:
        raise disk_error(asked, error) from error
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)
    try:
        message = wire.unpack_json(report)
    except wire.FrameBroken:
        raise ResourceError(
            asked,
            f"its process did not start: {_tail(folder) or 'it said nothing'}",
            "see the cause and ask again",
        ) from None
    if "error" in message:
        raise wire.unpack_error(str(message["error"]).encode())


def environment() -> dict[str, str]:
    """Return the environment of a broker and its like: no secrets, it may outlive who starts it."""
    kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
    # The broker must find the same packages, however our own path came about.
    own, engine = Path(__file__).parents[2], Path(str(pyoxigraph.__file__)).parent.parent
    return kept | {"PYTHONPATH": f"{own}{os.pathsep}{engine}"}


def _open_log(folder: Path):
    path = folder / "broker.log"
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    if path.exists() and path.stat().st_size > _LOG_LIMIT:
        path.replace(folder / "broker.log.1")
    return os.fdopen(os.open(path, flags, 0o600), "ab")


def _read_all(reading: int, deadline: float) -> bytes:
    content = b""
    while (left := deadline - time.monotonic()) > 0:
        if select.select([reading], [], [], left)[0]:
            if not (piece := os.read(reading, 65_536)):
                break
            content += piece
    return content


def _tail(folder: Path) -> str:
    try:
        lines = (folder / "broker.log").read_text(errors="replace").strip().splitlines()
    except OSError:
        return ""
    return lines[-1] if lines else ""
