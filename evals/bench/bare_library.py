"""The energies of a library without Grafico's engine and store: a process a core, nothing kept.

``python -m evals.bench.bare_library SMILES METHOD PROCESSES RESULTS``: RESULTS becomes a list of
energies in Eh, in the order of the lines of SMILES.
"""

from __future__ import annotations

import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from ontologies.tightbinding import TightBinding
from workflows.molecule.embedding import embed
from workflows.molecule.notation import canonical
from workflows.tightbinding.calculations import single_point


def energy(smiles: str, method: str) -> float:
    """Return the energy of a molecule as it is embedded, in Eh."""
    atoms = embed(canonical(smiles, smiles), "smiles").atoms
    return single_point(atoms, TightBinding(method=method)).energy


def main() -> None:
    """Compute all of them."""
    lines, method, processes, results = sys.argv[1:]
    library = [line.split()[0] for line in Path(lines).read_text().splitlines()]
    with ProcessPoolExecutor(int(processes)) as pool:
        energies = list(pool.map(energy, library, [method] * len(library), chunksize=10))
    Path(results).write_text(json.dumps(energies))


if __name__ == "__main__":
    main()
