"""Twenty molecules on a graphics card, one at a time and three: `python -m evals.bench.gpu`.

Needs a card and GPU4PySCF (extra `gpu` or `gpu13`). The first batch, which is not counted, compiles
what the card runs. Each batch starts with an empty memory.
"""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import sys
import time

from ogm import KnowledgeGraph
from ontologies.atoms import ConceptualAtoms
from ontologies.level import LevelOfTheory
from triplestore import open_store
from workflows.dft.level.resolving import resolve_level
from workflows.dft.properties.energy import single_point
from workflows.engine import Executor, Slots
from workflows.engine.local.devices import find_gpus
from workflows.molecule.embedding import embed

MOLECULES = (
    "CCO", "CC(=O)O", "CC(C)O", "CC(=O)C", "CCN", "CCOC", "CC#N", "C1CCC1", "c1ccccc1", "c1ccncc1",
    "CC(=O)N", "NCC(=O)O", "C1CCOC1", "CS(=O)C", "CCCC", "C=CC=C", "OCCO", "c1cc[nH]c1", "c1ccoc1",
    "CC(F)(F)F",
)  # fmt: skip
"""Of 6 to 14 atoms."""


def structures() -> list[ConceptualAtoms]:
    """Return the molecules in three dimensions."""
    return [embed(smiles, "smiles").atoms for smiles in MOLECULES]


async def batch(slots: Slots, work: list[ConceptualAtoms], level: LevelOfTheory) -> float:
    """Return the seconds that single points of all of them take together."""
    executor = Executor(KnowledgeGraph(open_store("memory:")), slots)
    try:
        calls = [single_point.bind(atoms, level) for atoms in work]
        begun = time.perf_counter()
        answers = await asyncio.gather(*(executor.run(call) for call in calls))
        taken = time.perf_counter() - begun
    finally:
        await executor.aclose()
    devices = {answer.activity.device.kind for answer in answers}
    if any(device != "gpu" for device in devices) and slots.gpus:
        sys.exit(f"some of it ran on {', '.join(sorted(devices))}")
    return taken


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--method", default="B3LYP")
    parser.add_argument("--basis", default="def2-TZVP")
    asked = parser.parse_args()
    cards = find_gpus()
    if not cards or importlib.util.find_spec("gpu4pyscf") is None:
        sys.exit("there is no graphics card here, or no GPU4PySCF")
    work = structures()
    level = resolve_level(asked.method, asked.basis, "restricted").level
    print(f"{len(work)} single points at {level.label} on {cards[0].name}")
    for name, slots in (
        ("warming up", Slots(slots=3, gpus=cards[:1])),
        ("one slot", Slots(slots=1, gpus=cards[:1])),
        ("three slots", Slots(slots=3, gpus=cards[:1])),
        ("processor", Slots(gpus=[])),
    ):
        print(f"{name:12} {asyncio.run(batch(slots, work, level)):8.1f} s", flush=True)


if __name__ == "__main__":
    main()
