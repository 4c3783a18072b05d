"""A reaction through Grafico, with its store and all its records, in a process of its own.

``python -m evals.bench.through_reaction STORE JOBS RESULTS``: JOBS and RESULTS are those of
`plain_pyscf`; the first half of the species are the reactants, one of each.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from grafico import Grafico
from ontologies.reactions import ReactionEnergy

from .molecules import read_jobs
from .through import processor_time


def main() -> None:
    """Ask for the reaction and tell what its species came to."""
    store, jobs, results = sys.argv[1:]
    species = read_jobs(Path(jobs))
    half, first = len(species) // 2, species[0]
    sides = (species[:half], species[half:])
    equation = " -> ".join(" + ".join(job.file for job in side) for side in sides)
    started = time.monotonic()
    with Grafico(store) as session:
        done = session.run(
            equation, workflow="reaction", task=first.task, method=first.method, basis=first.basis
        )
        seconds, processor = time.monotonic() - started, processor_time()
        found = done.ran.made[0]
        assert isinstance(found, ReactionEnergy)
        answers = [{"energy": one.energy} for one in found.species_energies]
    taken = {"seconds": seconds, "processor": processor}
    Path(results).write_text(json.dumps({**taken, "results": answers}))


if __name__ == "__main__":
    main()
