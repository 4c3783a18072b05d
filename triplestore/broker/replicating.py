"""The process that holds a copy of quads, and forks another for each query; see `replica`.

``python -m triplestore.broker.replicating`` talks over its standard input, which is a socket: quads
to take in, and queries, each with a connection for its answer. It ends when its parent hangs up, or
when nothing was asked of it for a while.
"""

from __future__ import annotations

import os
import resource
import signal
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path

import pyoxigraph as ox

from triplestore.broker import wire
from triplestore.broker.answering import write_answer
from triplestore.broker.jobs import Job
from triplestore.broker.memory_limit import MemoryLimit
from triplestore.errors import GraficoError
from triplestore.machine import used_memory
from triplestore.quads import load_quads

IDLE = 60.0
"""Seconds without a request after which it ends."""
_SLACK = 0.25


def main() -> int:
    """Serve the parent until it hangs up."""
    control = socket.socket(fileno=os.dup(0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # what was forked needs no burial
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError):
        # When memory runs out, the kernel should take us first: nothing is lost with us.
        Path("/proc/self/oom_score_adj").write_text("800")
    quads = ox.Store()
    with suppress(wire.FrameBroken, wire.Late, OSError):
        while True:
            kind, payload = wire.receive(control, time.monotonic() + IDLE)
            if kind == wire.INSERT:
                load_quads(quads, bytes(payload))
                continue
            asked = wire.Query.unpack(payload)
            _, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            with socket.socket(fileno=descriptors[0]) as link:
                if os.fork() == 0:
                    try:
                        control.close()
                        answer(quads, asked, link)
                    finally:
                        os._exit(0)
    os.killpg(0, signal.SIGKILL)  # with all that was forked
    return 0


def answer(quads: ox.Store, asked: wire.Query, link: socket.socket) -> None:
    """Answer one query, in a process that has nothing else to do."""
    bounds = asked.bounds
    job = Job(link, bounds, time.monotonic() + bounds.timeout)
    # The default of the signal ends the process, wherever in the engine it is.
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, bounds.timeout + _SLACK)

    def too_large() -> None:
        job.tell(wire.ERROR, wire.pack_error(bounds.too_large()))
        os._exit(0)

    with (
        suppress(wire.FrameBroken, wire.Late),
        MemoryLimit(too_large).over(used_memory() + (bounds.memory or 0)),
    ):
        wire.send(link, wire.BEGUN)
        try:
            kind, cut = write_answer(
                quads, asked.sparql, lambda data: job.send(wire.DATA, data), bounds, job.deadline
            )
        except GraficoError as error:
            job.send(wire.ERROR, wire.pack_error(error))
        else:
            job.send(wire.END, wire.pack_json({"kind": kind, "cut": cut}))


if __name__ == "__main__":
    sys.exit(main())
