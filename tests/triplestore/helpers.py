"""What the tests of the stores share."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from pyoxigraph import Literal

from triplestore import Store, Table
from triplestore.broker.folder import read_holder

XSD = "http://www.w3.org/2001/XMLSchema#"
# A count over a cross join: it spins inside the engine without giving a row.
RUNAWAY = "SELECT (COUNT(*) AS ?n) { ?a ?p ?b . ?c ?q ?d . ?e ?r ?f FILTER(STR(?b) > STR(?d)) }"


def many(count: int, graph: str = "") -> bytes:
    return "".join(f'<http://x/{i}> <http://x/p> "{i}" {graph}.\n' for i in range(count)).encode()


def size(store: Store) -> int:
    table = store.query("SELECT (COUNT(*) AS ?n) { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } }")
    assert isinstance(table, Table)
    value = table.rows[0][0]
    assert isinstance(value, Literal)
    return int(value.value)


def broker_pid(folder: Path) -> int:
    """The broker of a folder, which must be there."""
    holder = read_holder(folder)
    assert holder is not None
    return holder.pid


def wait_until(true, seconds: float = 30.0) -> None:
    """Wait for a condition, and fail when it does not come."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "waited in vain"
        time.sleep(0.02)


def stop(pid: int) -> None:
    """Stop a process, and wait until all of its threads have stopped."""
    os.kill(pid, signal.SIGSTOP)
    tasks = Path(f"/proc/{pid}/task")
    if tasks.exists():
        wait_until(lambda: all(") T " in (one / "stat").read_text() for one in tasks.iterdir()))


def alive(pid: int) -> bool:
    """True while a process runs (a zombie does not)."""
    try:
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        with suppress(OSError):
            os.kill(pid, 0)
            return not Path("/proc/self/stat").exists()
        return False
