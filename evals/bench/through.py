"""Calculations through Grafico, with its store and all its records, in a process of its own.

``python -m evals.bench.through turn|once|reaction STORE JOBS RESULTS``: one run after the other;
all at once, as many calculations at a time as there are slots; or as the species of a reaction,
half of them reactants. JOBS and RESULTS are those of `plain_pyscf`.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path
from typing import Any

import psutil

from grafico import Grafico, Result
from ontologies.quantum import ElectronicResult
from ontologies.reactions import ReactionEnergy

from .molecules import Job, read_jobs


def in_turn(session: Grafico, jobs: list[Job]) -> list[Result]:
    """Run one job after the other."""
    return [
        session.run(Path(job.file), task=job.task, method=job.method, basis=job.basis)
        for job in jobs
    ]


def at_once(session: Grafico, jobs: list[Job]) -> list[Result]:
    """Run all jobs at once; the slots decide how many calculate."""

    async def every() -> list[Result]:
        runs = (
            session.run_async(Path(job.file), task=job.task, method=job.method, basis=job.basis)
            for job in jobs
        )
        return await asyncio.gather(*runs)

    return session.wait_for(every)


def told(result: Result) -> dict[str, Any]:
    """Return what the bare script tells of a calculation."""
    assert not result.reused
    last = result.last
    assert isinstance(last, ElectronicResult)
    charges = last.mulliken_charges.tolist()
    return {"energy": last.energy, "dipole": last.dipole.tolist(), "charges": charges}


def reaction(session: Grafico, species: list[Job]) -> list[dict[str, Any]]:
    """Ask for a reaction, one of each species, and return what these came to."""
    half, first = len(species) // 2, species[0]
    sides = (species[:half], species[half:])
    equation = " -> ".join(" + ".join(job.file for job in side) for side in sides)
    level = {"task": first.task, "method": first.method, "basis": first.basis}
    found = session.run(equation, workflow="reaction", **level).ran.made[0]
    assert isinstance(found, ReactionEnergy)
    return [{"energy": one.energy} for one in found.species_energies]


def processor_time() -> float:
    """Return the seconds that processors have spent on this process and on all that it started."""
    this = psutil.Process()
    every = [this, *this.children(recursive=True)]
    return sum(sum(process.cpu_times()[:4]) for process in every)


def main() -> None:
    """Run the jobs and tell what they came to."""
    how, store, jobs, results = sys.argv[1:]
    ways = {"turn": in_turn, "once": at_once}
    started = time.monotonic()
    with Grafico(store) as session:
        batch = read_jobs(Path(jobs))
        found = [] if how == "reaction" else ways[how](session, batch)
        answers = reaction(session, batch) if how == "reaction" else []
        taken = {"seconds": time.monotonic() - started, "processor": processor_time()}
        answers += map(told, found)
    Path(results).write_text(json.dumps({**taken, "results": answers}))


if __name__ == "__main__":
    main()
