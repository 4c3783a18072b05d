"""Small molecules, and the batches of calculations that are made of them."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from ontologies.atoms import ConceptualAtoms
from workflows.molecule import embed

SMILES = {
    "water": "O", "ammonia": "N", "methane": "C", "carbon dioxide": "O=C=O",
    "hydrogen cyanide": "C#N", "formaldehyde": "C=O", "hydrogen peroxide": "OO",
    "formic acid": "OC=O", "methanol": "CO", "ethene": "C=C", "acetonitrile": "CC#N",
    "acetaldehyde": "CC=O", "ethane": "CC", "ethanol": "CCO", "acetamide": "CC(N)=O",
}  # fmt: skip
"""Of 3 to 9 atoms."""

METHODS = ("HF", "B3LYP")
BASES = ("def2-SVP", "6-31G*")


@dataclass(frozen=True)
class Job:
    """One calculation of a batch.

    Attributes:
        file: an XYZ file.
        task: `energy` or `optimise`.
        method: as PySCF and Grafico both call it.
        basis: likewise.
    """

    file: str
    task: Literal["energy", "optimise"]
    method: str
    basis: str


def structure(name: str) -> ConceptualAtoms:
    """Return a molecule by its name, embedded by RDKit."""
    return embed(SMILES[name], "smiles").atoms


def jobs(
    folder: Path,
    names: Iterable[str] = tuple(SMILES),
    relaxed: Iterable[tuple[str, str]] = (("formaldehyde", "B3LYP"), ("methanol", "HF")),
) -> list[Job]:
    """Write XYZ files into a folder and return the calculations of a batch on them.

    Args:
        folder: for the files.
        names: molecules whose energy is computed by each method in each basis set.
        relaxed: molecules and methods of optimisations, in the first basis set.
    """
    files: dict[str, str] = {}
    for name in dict.fromkeys([*names, *(name for name, _ in relaxed)]):
        path = folder / f"{name.replace(' ', '-')}.xyz"
        path.write_text(structure(name).to_xyz(name))
        files[name] = str(path)
    points = [Job(files[n], "energy", m, b) for n in names for m in METHODS for b in BASES]
    return points + [Job(files[n], "optimise", m, BASES[0]) for n, m in relaxed]


def write_jobs(path: Path, batch: Iterable[Job]) -> None:
    """Write a batch as JSON."""
    path.write_text(json.dumps([asdict(job) for job in batch]))


def read_jobs(path: Path) -> list[Job]:
    """Read a batch."""
    return [Job(**job) for job in json.loads(path.read_text())]
