"""Calculations on structures and on what speaks of their atoms, run by real workers."""

from __future__ import annotations

import time
from typing import Annotated

import numpy as np

from ogm import GraphModel, Moves, Shaped, Unit
from ontologies.atoms import ConceptualAtoms
from ontologies.units import Floats
from workflows.engine import Backend, calculation

PLACED = Backend(name="placed", epoch="1", preload=("tests.engine.placed",), packages=("numpy",))


class Held(GraphModel):
    """Atoms that are held, by their numbers, and how strongly."""

    places: Annotated[tuple[int, ...], Moves("index")]
    strength: float = 1.0


class Measured(GraphModel, identity="result"):
    """Where the middle of the held atoms is, and how far the others are from it."""

    atoms: ConceptualAtoms
    held: Held
    middle: Annotated[Floats, Shaped("3 xyz"), Unit("ANGSTROM"), Moves("point")]
    towards: Annotated[Floats, Shaped("* atoms, 3 xyz"), Unit("ANGSTROM"), Moves("item vector")]
    far: Annotated[Floats, Shaped("* atoms"), Unit("ANGSTROM"), Moves("item")]


class Compared(GraphModel, identity="result"):
    """How much larger one structure is than another."""

    value: float


@calculation("placed.measure", version="1", backend=PLACED, finer={"care": ("rough", "fine")})
def measure(atoms: ConceptualAtoms, held: Held, *, care: str = "rough") -> Measured:
    """Measure from the middle of the held atoms."""
    middle = atoms.positions[list(held.places)].mean(axis=0)
    towards = atoms.positions - middle
    far = np.linalg.norm(towards, axis=1)
    return Measured(atoms=atoms, held=held, middle=middle, towards=towards, far=far)


@calculation("placed.compare", version="1", backend=PLACED)
def compare(one: ConceptualAtoms, other: ConceptualAtoms) -> Compared:
    """Compare the extents of two structures."""
    return Compared(value=one.extent - other.extent)


@calculation("placed.linger", version="1", backend=PLACED)
def linger(atoms: ConceptualAtoms, held: Held, seconds: float, tally: str) -> Measured:
    """Measure, slowly, and write down that it happened."""
    with open(tally, "a") as file:
        file.write("once\n")
    time.sleep(seconds)
    return measure(atoms, held)
