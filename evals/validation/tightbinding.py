"""GFN1- and GFN2-xTB beside the program xtb, as this machine has it, and reference conformers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ontologies.atoms import ConceptualAtoms
from ontologies.factors import HARTREE
from ontologies.tightbinding import BornModel

from . import structures as s
from .entries import Entry
from .laboratory import At
from .level import Level
from .xtb import Job

KIND, SOURCE = "tight binding", "xtb, run beside"
SAME = "thresholds of both programs"
METHODS = ("GFN2-xTB", "GFN1-xTB")

MOLECULES = {
    "H2O": s.WATER,
    "H2CO": s.FORMALDEHYDE,
    "CH3": s.METHYL,
    "H2O+": s.WATER_CATION,
    "(H2O)2": s.WATER_DIMER,
    "butane": s.BUTANE_TRANS,
    "HI": s.pair("H", "I", 1.61),
}

AROUND: tuple[tuple[BornModel, str], ...] = (
    ("ALPB", "water"),
    ("ALPB", "toluene"),
    ("GBSA", "water"),
)

Theirs = Callable[[Mapping[str, Any]], float]


def entries() -> Iterator[Entry]:
    """Return the entries of this kind."""
    for method in METHODS:
        for name, atoms in MOLECULES.items():
            yield _energy(name, atoms, Level(method, ""), Job(atoms, method))
        for model, solvent in AROUND:
            level = Level(method, "", {"solvation": model, "solvent": solvent})
            job = Job(s.FORMALDEHYDE, method, model, solvent)
            yield _energy("H2CO", s.FORMALDEHYDE, level, job)
        yield from _properties(method)
        yield from _vibrations(method)
    yield Entry(
        KIND,
        "butane",
        "gauche less trans",
        "kcal/mol",
        Level("GFN2-xTB", ""),
        lambda at: (
            (at.tight_point(s.BUTANE_GAUCHE).energy - at.tight_point(s.BUTANE_TRANS).energy)
            * HARTREE["kcal/mol"]
        ),
        0.598,
        0.3,
        "error of the method",
        "ACONF (W1h-val): D. Gruzman, A. Karton, "
        "J. M. L. Martin, J. Phys. Chem. A 113, 11974 (2009)",
    )


def _entry(
    molecule: str,
    quantity: str,
    unit: str,
    level: Level,
    ours: Callable[[At], float],
    job: Job,
    theirs: Theirs,
    allowed: float,
    why: str = SAME,
) -> Entry:
    return Entry(
        KIND, molecule, quantity, unit, level, ours, lambda: theirs(job.run()), allowed, why, SOURCE
    )


def _energy(name: str, atoms: ConceptualAtoms, level: Level, job: Job) -> Entry:
    heavy = any(number > 36 for number in atoms.numbers)
    allowed, why = (1e-6, "constants of heavy elements in both programs") if heavy else (1e-7, SAME)
    return _entry(
        name,
        "energy",
        "Eh",
        level,
        lambda at: at.tight_point(atoms).energy,
        job,
        lambda found: found["energy"],
        allowed,
        why,
    )


def _properties(method: str) -> Iterator[Entry]:
    atoms, level = s.FORMALDEHYDE, Level(method, "")
    job = Job(atoms, method)
    yield _entry(
        "H2CO",
        "Mulliken charge of O",
        "e",
        level,
        lambda at: float(at.tight_point(atoms).mulliken_charges[1]),
        job,
        lambda found: found["charges"][1],
        1e-5,
    )
    yield _entry(
        "H2CO",
        "HOMO–LUMO gap",
        "eV",
        level,
        lambda at: (at.tight_point(atoms).homo_lumo_gap or 0.0) * HARTREE["eV"],
        job,
        lambda found: found["gap"],
        1e-3,
    )
    if method == "GFN2-xTB":  # of GFN1-xTB, xtb prints another dipole
        yield _entry(
            "H2CO",
            "dipole",
            "D",
            level,
            lambda at: float(np.linalg.norm(at.tight_point(atoms).dipole)),
            job,
            lambda found: float(np.linalg.norm(found["dipole"])),
            5e-3,
            "digits that xtb prints",
        )


def _vibrations(method: str) -> Iterator[Entry]:
    """Formaldehyde: each mode at the minimum that each program finds itself."""
    level = Level(method, "")
    job = Job(s.FORMALDEHYDE, method, task="--ohess vtight")
    for mode in range(6):
        for quantity, unit, field in (
            ("wavenumber", "cm⁻¹", "wavenumbers"),
            ("infrared intensity", "km/mol", "infrared"),
        ):

            def ours(at: At, mode: int = mode, field: str = field) -> float:
                return float(getattr(at.tight_vibrations(s.FORMALDEHYDE), field)[mode])

            def theirs(found: Mapping[str, Any], mode: int = mode, field: str = field) -> float:
                return found[field][mode]

            yield _entry(
                "H2CO",
                f"{quantity} {mode + 1}",
                unit,
                level,
                ours,
                job,
                theirs,
                0.5,
                "thresholds of both optimisations and steps of both differences",
            )
