"""Many small calculations packed into five jobs of this machine, and bundles that are taken in.

Each job is a process of its own that starts from nothing. No scheduler is asked: what it takes from
submission until all results are stored is ours alone.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from grafico import Grafico
from ogm import KnowledgeGraph
from triplestore import open_store
from workflows.engine.jobs.desk import Desk
from workflows.engine.jobs.job import Job, JobFolder, Part
from workflows.engine.jobs.journal import JournalStore, read_records
from workflows.engine.jobs.taking import take_in
from workflows.engine.request.workflow import Finished
from workflows.engine.runners.cluster import Cluster

from .bundles import at_work, bundle
from .figures import Figure, more, say, shown
from .programs import Taken, run

ENTRIES, PARTS = 1000, 5
METHOD = "GFN1-xTB"
"""Of two hydrogen atoms it takes about a millisecond: the rest is overhead."""

OVERHEAD = 10.0  # ms
RATE = 100.0  # bundles/s
LOOK = 0.2  # s


def measure(folder: Path, number: int = ENTRIES, parts: int = PARTS) -> Iterator[Figure]:
    """Compute a batch here, and in jobs; take in what a job has recorded.

    Args:
        folder: for files and stores.
        number: of entries, and of bundles.
        parts: jobs.
    """
    say(f"jobs: {number:,} small energies here and in {parts} jobs, a minute…")
    source = folder / "distances.xyz"
    source.write_text("".join(_hydrogen(0.6 + at / number) for at in range(number)))
    here = _run(source, folder / "here", 0)
    packed = _run(source, folder / "jobs", parts)
    what, against = f"{number:,} energies in {parts} jobs", "the same batch here"
    yield shown(what, packed.whole, here.whole, "s", against)
    mine, theirs = (one.processor / number * 1e3 for one in (packed, here))
    yield more(f"{what}, an entry", mine, theirs, OVERHEAD, "ms", f"{against}, of processor time")
    ours, plain = (number / seconds for seconds in taken_in(folder, number))
    name, against = f"taking in {number:,} bundles", "their quads inserted at once"
    target = f"at least {RATE:g} bundles/s"
    yield Figure(name, ours, plain, "bundles/s", against, target, ours >= RATE)


def _run(source: Path, store: Path, parts: int) -> Taken:
    return run(["-m", "evals.bench.jobs", str(source), str(store), str(parts)], store)


def compute(source: Path, store: Path, parts: int) -> None:
    """Compute a batch in a new store, here or in jobs.

    Raises:
        RuntimeError: they failed.
    """
    if not parts:
        with Grafico(store, threads_per_calculation=1) as session:
            session.batch(source, method=METHOD, task="energy").result()
        return
    with Grafico(store, threads_per_calculation=1) as session:
        desk = Desk(session.kg, {"packed": Cluster(parts=parts, part_minutes=0)})

        async def submit() -> Job | Finished:
            asked = {"method": METHOD, "task": "energy"}
            ready = await session.prepare_async(
                str(source), workflow="batch", each="run", arguments=asked
            )
            return await desk.submit(ready, "packed")

        job = session.wait_for(submit)
        assert isinstance(job, Job)
        place = desk.named(job.name)
        while not place.job.ended:
            time.sleep(LOOK)
            session.wait_for(desk.tend)
        if place.job.state != "finished":
            raise RuntimeError(f"{place.job.state}: {[part.told for part in place.job.parts]}")


def taken_in(folder: Path, number: int) -> tuple[float, float]:
    """Take in bundles from a journal, and insert their quads at once; return both times, in s."""
    place = JobFolder(folder / "job")
    place.part(1).mkdir(parents=True)
    of_all = dict.fromkeys(("run", "subject", "goal"), "")
    place.write(Job(name="job", workflow="run", cluster="here", parts=[Part(number=1)], **of_all))
    journal = place.part(1) / "journal"
    with JournalStore(open_store("memory:"), journal, place.part(1)) as store:
        kg = at_work(store)
        for at in range(number):
            kg.push(*bundle(at), durable=False)
    quads = b"".join(record.quads for record in read_records(journal))
    with open_store(str(folder / "plain")) as store:
        clock = time.perf_counter()
        store.insert(quads)
        plain = time.perf_counter() - clock
    with open_store(str(folder / "taken")) as store:
        clock = time.perf_counter()
        taken = take_in(KnowledgeGraph(store), place)
        ours = time.perf_counter() - clock
    if taken <= number or os.stat(journal).st_size != place.job.parts[0].taken:
        raise RuntimeError(f"{taken} of {number} bundles were taken in")
    return ours, plain


def _hydrogen(distance: float) -> str:
    """Return two hydrogen atoms so far apart, in Å."""
    return f"2\n{distance:.6f}\nH 0 0 0\nH 0 0 {distance:.6f}\n"


if __name__ == "__main__":
    compute(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
