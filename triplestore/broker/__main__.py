"""The broker: one process that holds the quads of a folder for all processes of one user.

``python -m triplestore.broker FOLDER`` is started by the first client that finds nobody there, and
ends by itself when nobody has been connected for a while. It may die at any moment, by its own
hand or another's: nothing acknowledged is lost, and the clients start another.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from triplestore.broker import folder as places
from triplestore.broker import wire
from triplestore.broker.engine import Engine
from triplestore.broker.serving import Broker, listen
from triplestore.errors import GraficoError, ResourceError
from triplestore.quads import disk_error

_STACK = 16 << 20  # the parser is recursive, and threads of some systems have 512 kB


def open_folder(folder: Path, idle: float, patience: float = 15.0) -> Broker | None:
    """Take the folder and open it; None when a living broker holds it.

    Raises:
        GraficoError: it cannot be had, with the reason.
    """
    until = time.monotonic() + patience
    while (lock := places.take_lock(folder)) is None or not places.still_held(folder, lock):
        if lock is not None:
            os.close(lock)  # the file was deleted while we waited for it: take the new one
            continue
        # A broker that is about to end has unlinked its socket already: wait for its lock.
        holder = places.read_holder(folder)
        if holder and not holder.where.same_as(places.this_host()):
            raise places.held_elsewhere(folder, holder)
        if holder and os.path.exists(holder.socket):
            return None
        if time.monotonic() > until:
            who = f"process {holder.pid}" if holder else "another process"
            raise ResourceError(
                f"cannot open the store in {folder}",
                f"{who} holds it and cannot be reached from here",
                "end that process, or work in the same session or container as it does",
            )
        time.sleep(0.01)
    mark = places.check_stamp(folder)
    engine = _open_engine(folder / "quads", until)
    if mark is None:
        mark = places.stamp(folder)
    listener, path = listen(folder)
    places.write_holder(lock, path)
    return Broker(engine, listener, path, folder, mark, lock, idle)


def _open_engine(quads: Path, until: float) -> Engine:
    """Open the quads; a broker whose lock file was deleted may need a moment to let go of them."""
    while True:
        try:
            return Engine(quads)
        except OSError as error:
            if "While lock file" not in str(error) or time.monotonic() > until:
                raise
        time.sleep(0.02)


def main(arguments: list[str]) -> int:
    """Serve a folder; tell the starter through a pipe how it went."""
    parser = argparse.ArgumentParser(prog="triplestore.broker", description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--idle", type=float, default=30.0, help="seconds alone before the end")
    parser.add_argument("--report", type=int, default=None, help="file descriptor to report to")
    chosen = parser.parse_args(arguments)
    if chosen.report is not None and os.fork():
        os._exit(0)  # the starter waits for this one; the other belongs to nobody

    def report(message: dict[str, object]) -> None:
        if chosen.report is not None:
            with suppress(OSError):
                os.write(chosen.report, wire.pack_json(message))
            os.close(chosen.report)

    os.umask(0o077)
    threading.stack_size(_STACK)
    with suppress(OSError):
        # When memory runs out, the kernel should take us first: nothing is lost with us.
        Path("/proc/self/oom_score_adj").write_text("500")
    asked = f"cannot open the store in {chosen.folder}"
    try:
        broker = open_folder(chosen.folder, chosen.idle)
    except GraficoError as error:
        report({"error": wire.pack_error(error).decode()})
        return 1
    except OSError as error:
        report({"error": wire.pack_error(disk_error(asked, error)).decode()})
        return 1
    report({"held": broker is None})
    if broker is None:
        return 0
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def leave(number: int, frame: object) -> None:
        del number, frame
        broker.leave()

    signal.signal(signal.SIGTERM, leave)
    broker.serve()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
